# SPDX-License-Identifier: Apache-2.0
"""Operators, reducers and savers of random rules, with bodies made at random."""

FUNCTIONS = ['exp', 'tanh', 'abs', 'sigmoid', 'sqrt', 'expm1', 'log1p', 'erf', 'log', 'floor',
             'rsqrt', 'trunc', 'sin', 'cos', 'tan', 'exp2', 'exp10', 'log2', 'log10', 'atan',
             'asin', 'acos', 'sinh', 'cosh', 'asinh', 'acosh', 'atanh', 'cbrt', 'softplus', 'erfc',
             'lgamma', 'round', 'rint']
FUNCTIONS_OF_TWO = ['max', 'max', 'atan2', 'hypot', 'logaddexp', 'fmod', 'fmin', 'fmax']
CONSTANTS = ['T(2)', 'T(0.5f)', 'T(1)', 'T(0)', 'T(3)', 'T(1.25)', 'T(0.1f)']


class OpSmith:
    """Any number of them, whose texts go into `texts` by name."""

    def __init__(self, random, prefix, domain, divides, texts):
        self.random, self.prefix, self.texts = random, prefix, texts
        self.is_float, self.divides = domain == 'float', divides

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def add(self, body):
        name = '%s%d' % (self.prefix, len(self.texts))
        self.texts[name] = 'struct %s {\n%s};\n' % (name, body)
        return name

    def function(self, head, body):
        return '  template <typename T>\n  MSHADOW_XINLINE static %s {\n%s  }\n' % (head, body)

    def define(self, arity):
        """An operator of so many arguments; returns its name."""
        names = 'abc'[:arity]
        text = ''
        if self.chance(50):
            text += '    T t = %s;\n' % self.value(names, 1)
            names += 't'
        for _ in range(self.random.randrange(3)):
            condition = self.condition(names)
            if 't' in names and self.chance(40):
                text += '    if %s t = %s;\n' % (condition, self.value(names, 1))
            else:
                text += '    if %s return %s;\n' % (condition, self.value(names, 2))
        if 't' in names and self.chance(30):
            text += self.loop(names)
        text += '    return %s;\n' % self.value(names, 2)
        head = 'T Map(%s)' % ', '.join('T ' + n for n in 'abc'[:arity])
        return self.add(self.function(head, text))

    def loop(self, names):
        """One of up to four iterations, which gives t new values."""
        end = self.random.randrange(1, 5)
        lines = ['t = %s;' % self.value(names, 1)]
        if self.chance(30):
            lines.insert(0, 'if (i == %d) %s;' % (self.random.randrange(end),
                                                   self.random.choice(['continue', 'break'])))
        if self.chance(40):
            lines.append('if %s return %s;' % (self.condition(names), self.value(names, 1)))
        if self.chance(40):
            lines.append('t = T(t + T(i));')
        body = ''.join('      %s\n' % line for line in lines)
        return '    for (int i = 0; i < %d; ++i) {\n%s    }\n' % (end, body)

    def saver(self):
        text = ''
        if self.chance(50):
            text += '    if %s return;\n' % self.condition('ab')
        text += '    a = %s;\n' % self.value('ab', 2)
        return self.add(self.function('void Save(T &a, T b)', text))

    def reducer(self):
        """Sums or products of some elements, or of what is made of them."""
        op, start = self.random.choice([('+', '0'), ('+', '0'), ('*', '1')])
        text = '    if (!%s) return;\n' % self.condition('b') if self.chance(50) else ''
        value = self.value('b', 1)
        merge = self.function('void Merge(T &a, T b)', '    a = T(a %s b);\n' % op)
        return self.add(
            self.function('void Reduce(T &a, T b)', text + '    a = T(a %s %s);\n' % (op, value)) +
            merge + self.function('void SetInitValue(T &a)', '    a = T(%s);\n' % start))

    def associative(self, random):
        """One whose order of elements matters, but not how they are combined: the last element that
        is not 0, or the one that is farther from 0."""
        condition = random.choice(['b != T(0)', 'b * b > a * a'])
        body = '    if (%s) a = b;\n' % condition
        return self.add(self.function('void Reduce(T &a, T b)', body) +
                        self.function('void Merge(T &a, T b)', body) +
                        self.function('void SetInitValue(T &a)', '    a = T(0);\n'))

    def leaf(self, names):
        if self.chance(15):
            return self.random.choice(CONSTANTS)
        return self.random.choice(names)

    def condition(self, names):
        right = self.leaf(names) if len(names) > 1 else self.random.choice(['T(0)', 'T(1)'])
        text = '(%s %s %s)' % (self.leaf(names), self.random.choice(['<', '>', '<=', '>=', '==', '!=']),
                               right)
        if not self.chance(20):
            return text
        return '(%s %s %s)' % (text, self.random.choice(['&&', '||']), self.condition(names))

    def value(self, names, depth):
        """Casts keep the promoted int of narrow types out of comparisons."""
        if depth == 0 or self.chance(20):
            return self.leaf(names)
        a = self.value(names, depth - 1)
        if self.is_float and self.chance(30):
            function = self.random.choice(FUNCTIONS)
            return 'math::%s(%s)' % (function, a)
        b = self.value(names, depth - 1)
        draw = self.random.randrange(6 if self.is_float else 5)
        if draw < 3:
            return 'T(%s %s %s)' % (a, '+-*'[draw], b)
        if draw == 3:
            return '(%s ? %s : %s)' % (self.condition(names), a, b)
        if draw == 4 and not self.is_float:
            return '(%s > T(0) ? T(%s / (%s)) : %s)' % (b, a, b, a)
        if draw == 4:
            return 'math::%s(%s, %s)' % (self.random.choice(FUNCTIONS_OF_TWO), a, b)
        if not self.divides:
            return '(%s > T(0) ? T(%s / (%s)) : %s)' % (b, a, b, a)
        return 'T(%s / %s)' % (a, b)
