#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random rules: fused, unfused, by the interpreter and on the fake GPU, with and without shapes that
fit. What fails is made smaller and printed; `--keep` adds it to the seeds, which every run checks.

    random_rules.py --rules 200 --first 0 --seed S --generator … --library …

CMake fills in the tools: `ctest -R random_rules -V` prints the whole command.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

from random_batch import Batch, Tools
from random_shrink import shrink
from random_spec import Rule, random_rule

SEEDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'random_seeds.txt')
KNOWN = os.path.join(os.path.dirname(SEEDS), 'random_known.txt')
MAX_SHRUNK = 8
DIMS = [2, 1, 3, 2, 4]  # ranks of rules for any, batch by batch


def tree(source):
    """The tree of the commit, which seeds the rules; 1 where there is none. A commit that is put on
    another one has the same rules, if it has the same files."""
    try:
        done = subprocess.run(['git', 'rev-parse', 'HEAD^{tree}'], cwd=source,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip()[:12] or '1'
    except OSError:
        return '1'


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--rules', type=int, default=200, help='how many rules run')
    parser.add_argument('--first', type=int, default=0, help='the number of the first')
    parser.add_argument('--seed', help='any word [the tree of the commit]')
    parser.add_argument('--per-batch', type=int, default=34)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--no-seeds', action='store_true', help='leave the kept rules out')
    parser.add_argument('--no-shrink', action='store_true', help='print failures as they are')
    parser.add_argument('--keep', action='store_true', help='add what fails to the seeds')
    parser.add_argument('--all', action='store_true', help='known defects fail, too')
    parser.add_argument('--max-seconds', type=float, default=1e9, help='begin no batch after them')
    parser.add_argument('--only-generate', action='store_true', help='compile nothing')
    parser.add_argument('--spoil', action='store_true',
                        help='the control: spoil the emitted code, which must be found')
    parser.add_argument('--print', action='store_true', help='print the rules and run nothing')
    parser.add_argument('--work', default='random_rules')
    parser.add_argument('--source', default=os.path.dirname(os.path.dirname(os.path.dirname(SEEDS))))
    parser.add_argument('--compiler', default='c++')
    parser.add_argument('--fast-compiler', help='of all but the kernels [the same]')
    parser.add_argument('--flags', default='', help='of the compiler, such as sanitizers')
    parser.add_argument('--generator', default='mshadow-gen')
    parser.add_argument('--library', dest='libraries', action='append', default=[])
    options = parser.parse_args()
    options.generator = os.path.abspath(options.generator)
    options.libraries = [os.path.abspath(library) for library in options.libraries]
    return options


def known_defects():
    """Patterns of known, open failures: of "KIND TEXT" and the rule. They are only counted."""
    with open(KNOWN) as file:
        lines = [line.strip() for line in file]
    return [re.compile(line, re.S) for line in lines if line and not line.startswith('#')]


def kept_rules():
    """The rules of the seeds: texts below a line `// Found: …`, each with names of its own."""
    with open(SEEDS) as file:
        parts = re.split(r'^// Found: .*\n', file.read(), flags=re.M)[1:]
    rules = []
    for number, text in enumerate(parts):
        rule = Rule(number)
        rule.fixed = re.sub(r'\bop\d+_', 'op%d_' % number,
                            re.sub(r'\bRule\d+', 'Rule%d' % number, text.strip() + '\n'))
        rules.append(rule)
    return rules


class Run:
    """All batches, and what they found."""

    def __init__(self, options):
        self.options, self.tools = options, Tools(options)
        self.known, self.open = known_defects(), collections.Counter()
        self.checked, self.refused = 0, collections.Counter()
        self.until = 'generate' if options.only_generate else 'run'
        self.failures = []  # (what is repeated, kind, text, the rule's text)
        self.causes = set()  # what was made small

    def batch(self, rules, folder, index):
        isa = self.tools.isas[index % len(self.tools.isas)]
        folder = os.path.join(os.path.abspath(self.options.work), folder)
        return Batch(self.tools, rules, folder, DIMS[index % len(DIMS)], isa)

    def one(self, name, rules, index):
        """Checks a batch and shrinks what fails."""
        if time.time() > self.deadline:
            return
        batch = self.batch(rules, name, index).check(self.until)
        self.checked += len(rules)
        print('%s: %d rules, %d refused, %d failed' % (name, len(rules), len(batch.refused),
                                                       len(batch.failures)), flush=True)
        for text in batch.refused.values():
            self.refused[re.sub(r".*error: |'[^']*'", '', text)] += 1
        for number, (kind, text) in sorted(batch.failures.items()):
            rule = next(r for r in rules if r.number == number)
            said = kind + ' ' + text + '\n' + str(rule)
            known = next((k for k in self.known if k.search(said)), None)
            if known and not self.options.all and not rule.fixed:
                self.open[known.pattern] += 1
            else:
                self.report(name, rule, kind, text, index)

    def report(self, name, rule, kind, text, index):
        repeat = 'the seeds' if rule.fixed else '--seed %s --first %d --rules 1 --no-seeds' % (
            self.options.seed, rule.number)
        print('FAILED %s: %s\n  repeat: %s' % (kind, text, repeat), flush=True)

        def fails(rules):
            part = self.batch(rules, name + '_shrink', index)
            part.check('generate' if kind == 'generate' else 'run')
            return {number for number, (other, _) in part.failures.items() if other == kind}

        # One of those that say the same is made small, and few where many say something.
        cause = kind + re.sub(r"'.*?'|[\d.]+", '', text)
        known = cause in self.causes or len(self.causes) >= MAX_SHRUNK or self.options.no_shrink
        self.causes.add(cause)
        small = rule if known else shrink(rule, fails)
        print('  %s, %s:\n%s' % (kind, 'as it is' if known else 'as small as it fails', small),
              flush=True)
        self.failures.append((repeat, kind, text, str(small)))
        if self.options.keep and not rule.fixed and not known:
            with open(SEEDS, 'a') as file:
                file.write('\n// Found: %s\n%s' % (kind, small))

    def run(self):
        options = self.options
        self.deadline = time.time() + options.max_seconds
        begun = time.time()
        numbers = list(range(options.first, options.first + options.rules))
        # As many rules in each batch, so that no processor waits for the last.
        batches = []
        if not options.no_seeds:
            batches.append(('seeds', kept_rules(), 0))
        for i in range(0, len(numbers), options.per_batch):
            rules = [random_rule(options.seed, n) for n in numbers[i:i + options.per_batch]]
            batches.append(('rules_%d' % numbers[i], rules, numbers[i] // options.per_batch))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(self.one, *batch) for batch in batches if batch[1]]:
                done.result()
        self.summary(time.time() - begun)
        return 1 if bool(self.failures) != options.spoil else 0

    def summary(self, seconds):
        times = os.times()
        print('%d rules of seed %s, %d failed, %d refused; %.0f s, %.2f processor seconds a rule' % (
            self.checked, self.options.seed, len(self.failures), sum(self.refused.values()), seconds,
            (times[2] + times[3]) / max(1, self.checked)))
        for text, count in self.open.most_common():
            print('  known %d: %s' % (count, text))
        for text, count in self.refused.most_common(12):
            print('  refused %d: %s' % (count, text))
        for repeat, kind, text, _ in self.failures:
            print('  failed %s: %s: %s' % (repeat, kind, text[:160]))


def main():
    options = parse()
    options.seed = options.seed or tree(options.source)
    print('random rules: seed %s, %d rules from %d' % (options.seed, options.rules, options.first))
    if options.print:
        for n in range(options.first, options.first + options.rules):
            print(random_rule(options.seed, n))
        return 0
    return Run(options).run()


if __name__ == '__main__':
    sys.exit(main())
