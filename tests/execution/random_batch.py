# SPDX-License-Identifier: Apache-2.0
"""Generates, compiles and runs a batch of random rules by all ways, and says what failed.

A failure is (kind, text). Kinds: "generate" (the generator stops without a diagnostic), "compile"
(a spec that it accepts does not compile, fused or unfused), "bits", "misfit", "gpu", "meaning"
(random_rules_main.cc), "crash". A rule that gets a diagnostic is refused, which is no failure of a
random rule, and one of a kept rule ("refused"), which then compares nothing.
"""
import os
import re
import shlex
import shutil
import subprocess

from random_spec import spec_of

ISAS = ['avx2', '', '', 'avx512', '', '']  # beside the baseline, batch by batch
SECONDS = 600  # that any command may take


class Tools:
    """What CMake built, and how it compiles."""

    def __init__(self, arguments):
        self.generator, self.compiler = arguments.generator, arguments.compiler
        self.fast_compiler = arguments.fast_compiler or arguments.compiler
        self.source, self.libraries = arguments.source, arguments.libraries
        self.spoil, self.flags = arguments.spoil, shlex.split(arguments.flags)
        execution = os.path.join(arguments.source, 'tests', 'execution')
        cuda = os.path.join(arguments.source, 'tests', 'cuda')
        self.includes = ['-I' + d for d in (os.path.join(arguments.source, 'runtime', 'include'),
                                            execution, cuda, os.path.join(cuda, 'fake', 'include'))]
        with open('/proc/cpuinfo') as info:
            flags = info.read()
        self.isas = [isa for isa in ISAS if not isa or isa.replace('avx512', 'avx512f') in flags]


def run(command, **options):
    """(status, output, errors) of a command; a negative status is a signal, 124 the time limit."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors='replace', timeout=SECONDS, **options)
    except subprocess.TimeoutExpired:
        return 124, '', 'time limit'
    return done.returncode, done.stdout, done.stderr


def rule_of(text):
    """The number of the rule whose name is in the text."""
    found = re.search(r'\bRule(\d+)', text)
    return int(found.group(1)) if found else None


class Batch:
    """Rules, by all ways, at one rank and instruction set beside the baseline."""

    def __init__(self, tools, rules, folder, dim, isa):
        self.tools, self.rules, self.folder = tools, list(rules), folder
        self.dim, self.isa = dim, isa
        self.failures = {}  # number: (kind, text)
        self.refused = {}  # number: the diagnostic

    def check(self, until='run'):
        """Fills `failures` and `refused`. `until`: "generate" compiles nothing."""
        self.generate_each()
        try:
            if until != 'run':
                return self
            self.check_some([r for r in self.rules
                             if r.number not in self.refused and r.number not in self.failures])
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self

    # Generating.

    def generate(self, rules):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, 'rules.h'), 'w') as spec:
            spec.write(spec_of(rules))
        isas = 'baseline,' + self.isa if self.isa else 'baseline'
        status, _, errors = run(
            [self.tools.generator, 'generate', '--name=batch', '-o', '.', '--isa=' + isas,
             '--cuda=on', '-Wno-stale-name', '--dump-after=check_extents', 'rules.h'],
            cwd=self.folder)
        with open(os.path.join(self.folder, 'batch.ir'), 'w') as dump:
            dump.write(errors)
        return status, errors

    def generate_each(self):
        """All together, and one by one if some rule is refused."""
        status, errors = self.generate(self.rules)
        if status == 0:
            return
        for rule in self.rules:
            status, errors = self.generate([rule])
            line = next((l for l in errors.splitlines() if 'error' in l), errors.strip()[-300:])
            if status == 1 and rule.fixed:
                self.failures[rule.number] = ('refused', line)
            elif status == 1:
                self.refused[rule.number] = line
            elif status != 0:
                self.failures[rule.number] = ('generate', 'status %d: %s' % (status, line))

    # Compiling.

    def check_some(self, rules):
        """Compiles and runs rules together; in smaller batches if that fails."""
        if not rules:
            return
        status, errors = self.generate(rules)
        if status != 0:
            text = 'accepted alone, refused together: ' + errors.strip()[-300:]
            self.failures[rules[0].number] = ('generate', text)
            return
        if self.tools.spoil:
            self.spoil()
        errors = self.compile()
        if not errors:
            self.run(rules)
        elif len(rules) == 1:
            self.failures[rules[0].number] = ('compile', errors)
        else:
            named = {rule_of(line) for line in errors.splitlines()}
            suspects = [r for r in rules if r.number in named]
            if not suspects or len(suspects) > len(rules) // 2:
                suspects = rules[:len(rules) // 2]
            rest = [r for r in rules if r not in suspects]
            for part in ([[r] for r in suspects] if len(suspects) <= 3 else [suspects]) + [rest]:
                self.check_some(part)

    def spoil(self):
        """Makes the sums that are emitted differences."""
        path = os.path.join(self.folder, 'rules.map.inc')
        with open(path) as file:
            text = file.read()
        with open(path, 'w') as file:
            file.write(text.replace(' + ', ' - '))

    def compile(self):
        """"" or the errors of the compiler."""
        tools = self.tools
        common = ['-std=c++17', '-w', '-isystem', '.'] + tools.includes + tools.flags
        table = ['-DMSHADOW_TEST_HEADER="batch.h"', '-DMSHADOW_TEST_RULES=batch_rules',
                 '-DMSHADOW_TEST_DIM=%d' % self.dim, '-DMSHADOW_XINLINE=inline']
        cuda = ['-DMSHADOW_USE_CUDA=1', '-DMSHADOW_FAKE_CUDA=1', '-DMSHADOW_VECTOR_ELEMENTS=0']
        source = os.path.join(tools.source, 'tests', 'execution', 'random_rules_tables.cc')
        # What is short comes first: it finds most of what does not compile. Packets must be inlined,
        # which is faster to optimise than to keep; the rest runs fast enough as it is, and Clang takes
        # half of GCC's time for it. Where integers overflow, fused rules wrap; C++ leaves it open for
        # the rules' own operators.
        units = [
            ('fused', tools.fast_compiler, ['-O0', source] + table + cuda),
            ('unfused', tools.fast_compiler,
             ['-O0', '-fwrapv', '-DMSHADOW_UNFUSED', source] + table),
            ('gpu', tools.fast_compiler, ['-O0', '-x', 'c++', 'rules.gen.cu'] + cuda),
            ('kernels', tools.compiler, ['-O1', 'rules.gen.cc'] + cuda),
        ]
        for name, compiler, options in units:
            status, _, errors = run([compiler] + common + options + ['-c', '-o', name + '.o'],
                                    cwd=self.folder)
            if status != 0:
                # What is wrong, and the names of where.
                lines = errors.splitlines()
                wrong = [l[:400] for l in lines if 'error' in l]
                where = [l[:400] for l in lines if re.search('Rule\\d', l) and 'error' not in l]
                return '%s: %s' % (name, '\n'.join(wrong[:4] + where[:12]))
        objects = [unit[0] + '.o' for unit in units]
        status, _, errors = run(
            [tools.compiler, '-o', 'program'] + tools.flags + objects + ['-Wl,--start-group'] +
            tools.libraries + ['-Wl,--end-group', '-pthread'], cwd=self.folder)
        return 'link: ' + errors[-2000:] if status != 0 else ''

    # Running.

    def run(self, rules):
        for isa in ['baseline'] + ([self.isa] if self.isa else []):
            level = 'all' if isa == 'baseline' else 'bits'
            first = 0
            while first is not None:
                first = self.run_from(first, isa, level)

    def run_from(self, first, isa, level):
        """Runs instances from number `first` on; after a crash, the number of the next one."""
        status, output, errors = run(['./program', 'batch.ir', level, str(first)], cwd=self.folder,
                                env=dict(os.environ, MSHADOW_ISA=isa))
        begun, last = 0, None
        for line in output.splitlines():
            if line.startswith('begin '):
                begun, last = begun + 1, line[6:]
            elif line.startswith('fail '):
                kind, text = line[5:].split(' ', 1)
                self.failures.setdefault(rule_of(text), (kind, text + ' [' + isa + ']'))
        if status == 0 and output.rstrip().split('\n')[-1].startswith('done'):
            return None
        if last is None:
            text = 'the program does not start: status %d [%s] %s' % (status, isa, errors[-300:])
            self.failures.setdefault(self.rules[0].number, ('crash', text))
            return None
        self.failures.setdefault(rule_of(last), ('crash', '%s: status %d [%s]' % (last, status, isa)))
        return first + begun
