#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules whose parts have names that others have, too: the runtime, C, C++, CUDA, emitted code. For each name in
each place there is an error with a caret, or outputs that compile.

    any_names.py --generator mshadow-gen [--all [--part I/N]] [--only PLACE=NAME]...

Without --all: those that were wrong once, and their kin. `ctest -R names -V` prints the whole command.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import name_lists
from name_specs import PLACES, Named, Spec

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATE = ['generate', '--name=any', '--isa=baseline', '--cuda=on', '--max-errors=1000', '--emit=header,cpu,cuda,blob,c,python']
numbers = itertools.count()


class Tools:
    def __init__(self, options):
        self.generator, self.work = os.path.abspath(options.generator), options.work
        include = ['-I', str(ROOT / 'runtime/include')]
        fake = include + ['-I', str(ROOT / 'tests/cuda/fake/include'), '-DMSHADOW_USE_CUDA=1']
        # The standards with the most keywords, and GNU's.
        cpp = [options.compiler, '-std=gnu++20', '-O0', '-fsyntax-only', '-w', '-x', 'c++']
        c = [options.c_compiler, '-std=gnu2x', '-fsyntax-only', '-x', 'c']
        self.compilations = [('.gen.cc', cpp + include), ('.gen.cu', cpp + fake), ('.blob.cc', cpp + include),
                             ('_c.cc', cpp + include)]
        if shutil.which(options.c_compiler):
            self.compilations.append(('_c.h', c + include))

    def generate(self, specs, folder):
        for spec in specs:
            (folder / spec.file).write_text(spec.text())
        return self.run([self.generator, *GENERATE, '-o', 'out', *(spec.file for spec in specs)], folder)

    def compile(self, specs, folder):
        """What does not compile of the outputs, or ""."""
        for suffix, command in self.compilations:
            stems = ['any'] if suffix[0] == '_' else [spec.stem for spec in specs]
            (folder / 'all.txt').write_text(''.join(f'#include "{stem}{suffix}"\n' for stem in stems))
            status, text = self.run([*command, 'all.txt'], folder)
            if status:
                return f'{suffix} does not compile\n' + text
        return ''

    @staticmethod
    def run(command, folder):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors='replace', timeout=600, check=False)
        return done.returncode, done.stdout


class Check:
    """Some rules, in one spec or in one for each: names that the generator refuses leave, the others compile."""

    def __init__(self, tools, rules, together):
        self.tools, self.rules, self.together = tools, rules, together
        self.refused, self.failures = [], []
        self.unclear = []  # rules to be tried name by name

    def all(self):
        """Halves what fails until it is one rule."""
        rules = self.rules
        while rules:
            specs = [Spec('any', rules)] if self.together else [Spec(f'any{r.number}', [r]) for r in rules]
            with tempfile.TemporaryDirectory(prefix='names_', dir=self.tools.work) as folder:
                text, wrong = self.one(specs, pathlib.Path(folder))
            if not wrong:
                break
            rules = [rule for rule in rules if rule not in wrong or self.refuse(rule, wrong[rule])]
        if rules and text:
            self.divide(rules, text)
        return self

    def one(self, specs, folder):
        """What is wrong, and the errors by rule."""
        status, text = self.tools.generate(specs, folder)
        if status == 0:
            return self.tools.compile(specs, folder / 'out'), {}
        wrong = {}
        for spec in specs if status == 1 else ():
            wrong.update(spec.errors(text))
        return f'status {status}\n' + text, wrong

    def refuse(self, rule, errors):
        """Notes which names errors are about; returns whether the rule does without them."""
        places = [place for place in rule.odd if any(f"'{rule.names[place]}'" in text for text in errors)]
        if not places and len(rule.odd) == 1:
            places = list(rule.odd)
        for place in places:
            self.refused.append((place, rule.names[place], errors[0]))
            rule.give_back(place)
        if not places:
            self.unclear.append(rule)
        return bool(places)

    def clear_up(self):
        """The unclear rules without the names that are refused by themselves; returns those of one name."""
        several, self.unclear = self.unclear, []
        alone = []
        for rule in several:
            tried = list(singles(rule))
            with tempfile.TemporaryDirectory(prefix='names_', dir=self.tools.work) as folder:
                specs = [Spec(f'any{r.number}', [r]) for r in tried]
                _, text = self.tools.generate(specs, pathlib.Path(folder))
            wrong = {}
            for spec in specs:
                wrong.update(spec.errors(text))
            self.refused += [(r.odd[0], r.names[r.odd[0]], errors[0]) for r, errors in wrong.items()]
            if not wrong:  # together only
                alone += tried
            for r in wrong:
                rule.give_back(r.odd[0])
            if wrong and rule.odd:
                self.unclear.append(rule)
        return alone

    def divide(self, rules, text):
        before = self.found()
        middle = len(rules) // 2
        for half in (rules[:middle], rules[middle:]) if middle else ():
            check = Check(self.tools, half, self.together).all()
            self.refused += check.refused
            self.unclear += check.unclear
            self.failures += check.failures
        if self.found() == before:
            self.failures.append((rules[0], f'{len(rules)} rules\n' + text))

    def found(self):
        return len(self.refused) + len(self.unclear) + len(self.failures)


def rules_of(names):
    """Every place has each name that is tried in it, in one rule."""
    for i in range(max(len(some) for some in names.values())):
        rule = Named(next(numbers))
        for shift, place in enumerate(PLACES):
            rule.take(place, names[place][(i + shift * 7) % len(names[place])])
        yield rule


def singles(rule):
    """The same names, each in a rule of its own."""
    for place in rule.odd:
        yield single(rule.shape, place, rule.names[place])


def single(shape, place, name):
    rule = Named(next(numbers), shape)
    rule.take(place, name)
    return rule


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--generator', default='mshadow-gen')
    parser.add_argument('--compiler', default='c++')
    parser.add_argument('--c-compiler', default='cc')
    parser.add_argument('--all', action='store_true', help='every name that can be found, in every place')
    parser.add_argument('--part', default='1/1', metavar='I/N', help='the I-th of N parts of these')
    parser.add_argument('--only', action='append', default=[], metavar='PLACE=NAME')
    parser.add_argument('--per-spec', type=int, default=40)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--work', default=tempfile.gettempdir())
    return parser.parse_args()


def check_all(tools, options, rules):
    """Returns how many rules failed."""
    refused, failures, tried = [], [], sum(len(rule.odd) for rule in rules)
    while rules:
        batches = [rules[i:i + options.per_spec] for i in range(0, len(rules), options.per_spec)]
        rules = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            checks = pool.map(lambda i: Check(tools, batches[i], i % 2 == 0).all(), range(len(batches)))
            for check in checks:
                several = [rule for rule, _ in check.failures if len(rule.odd) > 1]
                for rule in several:
                    rules.extend(singles(rule))
                rules.extend(check.clear_up() + check.unclear)
                refused += check.refused
                new = [failure for failure in check.failures if failure[0] not in several]
                report(new)
                failures += new
                print(f'{len(check.rules)} rules, {len(check.refused)} names refused, {len(new)} failed', flush=True)
    for place, name, text in refused:
        print(f'refused: {place}={name}: {text}')
    print(f'{tried} names in places, {len(refused)} refused, {len(failures)} failed')
    return len(failures)


def report(failures):
    for rule, text in failures:
        print('FAILED:', *(f'{place}={rule.names[place]}' for place in rule.odd), 'shape', rule.shape)
        print(text[:1500], flush=True)


def check_sample(tools):
    """Those that were wrong once: nothing of TAKEN is refused, all of REFUSED is."""
    rules = [Named(next(numbers), shape) for shape, _ in name_lists.TAKEN]
    for rule, (_, names) in zip(rules, name_lists.TAKEN):
        for place, name in names.items():
            assert rule.take(place, name), (place, name)
    failures = 0
    for together in (True, False):
        check = Check(tools, rules, together).all()
        report(check.failures + [(rule, 'refused') for rule in check.unclear])
        print(*check.refused, sep='\n')
        failures += check.found()
    refused = [single(shape, place, name) for shape, place, name in name_lists.REFUSED]
    specs = [Spec(f'any{rule.number}', [rule]) for rule in refused]
    with tempfile.TemporaryDirectory(prefix='names_', dir=tools.work) as folder:
        status, text = tools.generate(specs, pathlib.Path(folder))
    for spec, (_, place, name) in zip(specs, name_lists.REFUSED):
        errors = ''.join(error for some in spec.errors(text).values() for error in some)
        if status != 1 or f"'{name.split(':')[-1]}' cannot be a name" not in errors:
            print(f'FAILED: {place}={name} is not refused\n{text[:500]}')
            failures += 1
    print(f'{failures} failed')
    return failures


def main():
    options = parse()
    tools = Tools(options)
    if options.only:
        pairs = [text.partition('=')[::2] for text in options.only]
        rules = [single(shape, *pair) for pair in pairs for shape in range(Named.shapes)]
        return 1 if check_all(tools, options, [rule for rule in rules if rule.odd]) else 0
    if not options.all:
        return 1 if check_sample(tools) else 0
    part, parts = map(int, options.part.split('/'))
    names = name_lists.every(ROOT, options.compiler)[part - 1::parts]
    return 1 if check_all(tools, options, list(rules_of({place: names for place in PLACES}))) else 0


if __name__ == '__main__':
    sys.exit(main())
