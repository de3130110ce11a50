# SPDX-License-Identifier: Apache-2.0
"""Random rules. Rule k is a pure function of the seed and k, so a failure is repeated by its number.

A rule is a tree of statements and expressions, each of one element type, so that random_shrink.py
can leave parts of it out. Rules are free of what C++ leaves undefined, but for integers that
overflow, which unfused rules are compiled to wrap. The generator may still refuse one: random
statements overlap as they like.
"""
import random
import re

from random_ops import OpSmith
from random_values import ValueSmith

FLOATS = ['DType', 'DType', 'DType', 'float', 'float', 'double', 'half::half_t', 'bfloat::bf16_t']
INTEGERS = ['DType', 'DType', 'int32_t', 'int8_t', 'uint8_t', 'int64_t']
BOOLS = ['DType', 'DType', 'DType', 'bool', 'float', 'int32_t']
INSTANCES = {
    'float': ['float', 'float', 'double', 'float, double', 'half::half_t', 'float, bfloat::bf16_t',
              'double, half::half_t'],
    'integer': ['int32_t', 'uint8_t', 'int8_t, int32_t', 'uint8_t, int64_t', 'float, int8_t'],
    'bool': ['bool', 'bool', 'bool, uint8_t'],
}
PAIRS = {
    'float': ['float, half::half_t', 'double, float', 'float, float', 'bfloat::bf16_t, float',
              'float, int32_t'],
    'integer': ['int32_t, uint8_t', 'int8_t, int64_t', 'int32_t, int32_t'],
    'bool': ['bool, uint8_t', 'bool, float'],
}
SCALARS = [('float', 'rate', '0.75f'), ('int', 'count', '3'), ('double', 'scale', '-1.5'),
           ('float', 'decay', '0.0625f'), ('float', 'bound', '1.0f')]
REDUCERS = ['sum', 'maximum', 'minimum', 'product', 'argmax', 'argmin']
VIEW = (r'\b(mirror|flip|diag|reshape|concat|crop|pad|pool|chpool|slice|Slice|upsampling_nearest|'
        r'one_hot_encode|mat_choose_row_element|'
        r'broadcast_keepdim|broadcast_with_axis|random_uniform|random_normal|random_bernoulli)\b')
COUNTING = ('float', 'double', 'int32_t', 'int64_t')  # types that hold any number of an element


class Expr:
    """An expression: its text with {0}, {1} … for its operands, and its element type."""

    def __init__(self, text, kids=(), type=None):
        self.text, self.kids, self.type = text, list(kids), type

    def __str__(self):
        return self.text.format(*self.kids) if self.kids else self.text


class Stmt:
    """A statement: its text with {0}, {1} … for its expressions; with `blocks`, a condition."""

    def __init__(self, text, exprs=(), blocks=()):
        self.text, self.exprs, self.blocks = text, list(exprs), [list(b) for b in blocks]

    def __str__(self):
        if not self.blocks:
            return '  ' + (self.text.format(*self.exprs) if self.exprs else self.text) + '\n'
        branches = [''.join('  ' + str(s) for s in block) for block in self.blocks]
        return '  if (%s) {\n' % self.text + '  } else {\n'.join(branches) + '  }\n'


class Tensor:
    def __init__(self, name, type, written=False, row=False):
        self.name, self.type, self.written, self.row = name, type, written, row


class Rule:
    """A rule as data; str() is its text."""

    def __init__(self, number):
        self.number, self.rank, self.domain = number, 'dim', 'float'
        self.tensors, self.scalars, self.body = [], [], []
        self.ops = {}  # name: text, in the order in which they must stand
        self.inner = None  # the text of a rule that this one calls
        self.overloaded = False  # whether a rule for vectors has its name, too
        self.types, self.instances = ['DType'], ['float']
        self.fixed = None  # the text of a rule that was kept
        self.square = False  # whether its tensors are square matrices, which arguments.cc makes

    @property
    def name(self):
        return 'Rule%d%s' % (self.number, 'OnSquares' if self.square else '')

    def __str__(self):
        if self.fixed:
            return self.fixed
        body = ''.join(map(str, self.used(self.body)))
        inner = self.inner + '\n' if self.inner and self.name + 'Inner' in body else ''
        used, text = body + inner, ''
        for name, op in reversed(self.ops.items()):
            if re.search(r'\b%s\b' % name, used):
                used, text = used + op, op + text
        overload = self.overload() if self.overloaded else ''
        return '%s%s%s%s%s}\nMSHADOW_INSTANTIATE(%s, %s);\n' % (
            text, inner, overload, self.signature(body), body, self.name, ', '.join(self.instances))

    def overload(self):
        """A rule for vectors, which has a tensor of each type parameter."""
        others = list(enumerate(self.types))[1:]
        params = ['const Tensor<xpu, 1, %s> &v%d' % (t, i) for i, t in others]
        return ('/// Shares its name with the next rule.\ntemplate <typename xpu, %s>\n'
                'MSHADOW_KERNEL void %s(%s) {\n  v0 += v0%s;\n}\n' % (
                    ', '.join('typename ' + t for t in self.types), self.name,
                    ', '.join(['Tensor<xpu, 1, %s> v0' % self.types[0]] + params),
                    ''.join(' + tcast<%s>(v%d)' % (self.types[0], i) for i, _ in others)))

    @staticmethod
    def used(body):
        """Without names of views that have no use: fused, nobody makes them (mshadow-unused-view)."""
        views = set()  # names of views, or of what reads one
        for statement in map(str, body):
            name = re.match(r'  auto (\w+) = .*\n$', statement)
            reads_view = re.search(VIEW, statement) or any(
                re.search(r'\b%s\b' % view, statement) for view in views)
            if name and reads_view:
                views.add(name.group(1))
        kept = []
        for statement in reversed(body):
            name = re.match(r'  auto (\w+) = .*\n$', str(statement))
            is_view = name and name.group(1) in views
            if is_view and not re.search(r'\b%s\b' % name.group(1), ''.join(map(str, kept))):
                continue
            kept.insert(0, statement)
        return kept

    def signature(self, body):
        params = []
        for i, t in enumerate(self.tensors):
            if i < len(self.types) or re.search(r'\b%s\b' % t.name, body):
                params.append('%sTensor<xpu, %s, %s> %s%s' % (
                    '' if t.written else 'const ', '1' if t.row else self.rank, t.type,
                    '' if t.written else '&', t.name))
        # Not one vector for both: tests name every row, and there may be fewer columns.
        for indices in ('index', 'column'):
            if re.search(r'\b%s\b' % indices, body):
                params.append('const Tensor<xpu, 1, int32_t> &%s' % indices)
        for type, name, value in self.scalars:
            if re.search(r'\b%s\b' % name, body):
                params.append('%s %s = %s' % (type, name, value))
        dim = 'int dim, ' if self.rank == 'dim' else ''
        return '/// A random rule.\ntemplate <typename xpu, %s%s>\nMSHADOW_KERNEL void %s(%s) {\n' % (
            dim, ', '.join('typename ' + t for t in self.types), self.name, ',\n    '.join(params))

def rule_has_calls(rule):
    """Whether its tensors are matrices whose rows can be sorted, added, and named by an index."""
    return rule.rank == '2' and rule.domain != 'bool'


# What rules reduce; the last of them several things.
REDUCING = ['rows', 'columns', 'channels', 'all', 'mixed']


class RuleSmith:
    """Makes one rule."""

    def __init__(self, seed, number):
        self.random = random.Random('%s/%d' % (seed, number))
        self.scans = random.Random('%s/%d/scans' % (seed, number))  # so other rules stay as they were
        self.calls = random.Random('%s/%d/calls' % (seed, number))
        self.shapes = random.Random('%s/%d/shapes' % (seed, number))
        self.overloads = random.Random('%s/%d/overloads' % (seed, number))
        self.squares = random.Random('%s/%d/squares' % (seed, number))
        self.matrices = random.Random('%s/%d/matrices' % (seed, number))
        self.others = random.Random('%s/%d/values' % (seed, number))
        self.made = ValueSmith(self.others, self, Expr)
        self.rule = Rule(number)
        self.aliases, self.values = [], []
        self.called_with = self.diagonals = 0  # temporaries of calls, and names of diagonals
        self.kept = self.flag = None
        self.half = None  # the dimension whose halves have names
        self.assigned = False
        self.reduced = 'any'  # the dimension that is kept by all reductions
        self.in_part = None  # the bounds of the elements that are read
        self.matrix = None  # the name of a matrix, if a statement over matrices is made
        self.count_of_matrices = 0

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, items):
        return self.random.choice(list(items))

    def make(self):
        rule = self.rule
        rule.domain = self.random.choices(['float', 'integer', 'bool'], [70, 22, 8])[0]
        kinds = ['', '', 'rows', 'columns', 'channels', 'all', 'mixed', 'product', 'parts']
        self.kind = self.pick(kinds if rule.domain == 'float' else kinds[:7] + kinds[8:])
        if rule.domain == 'bool' and self.kind not in ('', 'parts'):
            self.kind = ''
        self.staged = self.chance(25)
        rule.rank = {'rows': '2', 'columns': '2', 'channels': '4', 'product': '2', 'mixed': '2',
                     'parts': self.pick(['2', '2', '4', 'dim']),
                     '': self.calls.choice(['dim', 'dim', '2'])}.get(self.kind, 'dim')
        if self.kind == '' and self.matrices.randrange(100) < 40:
            rule.rank = self.matrices.choice(['3', '4'])
        rule.overloaded = (rule.rank != 'dim' and rule.domain != 'bool' and
                           self.overloads.randrange(100) < 15)
        rule.square = rule.rank == '2' and self.squares.randrange(100) < 25
        self.make_types()
        # Integers do not divide: an element may be 0.
        self.divides = rule.domain == 'float' and 'int' not in ' '.join(rule.instances)
        self.ops = OpSmith(self.random, 'op%d_' % rule.number, rule.domain, self.divides, rule.ops)
        self.make_params()
        if self.kind == 'parts':
            self.name_halves()
        if self.chance(25):
            self.add_kept()
        for i in range(1 + self.random.randrange(4)):
            if i > 0 and self.staged and self.chance(50):
                rule.body.append(Stmt('MSHADOW_STAGE();'))
            if self.kind in REDUCING and (i == 0 or self.chance(50)):
                self.add_reduction()
            self.add_statement()
        return rule

    def make_types(self):
        rule = self.rule
        if self.chance(15):
            rule.types = ['DType', 'SType']
            pairs = self.random.sample(PAIRS[rule.domain], 1 + self.random.randrange(2))
            rule.instances = ['Types<%s>' % pair for pair in pairs]
        else:
            rule.instances = self.pick(INSTANCES[rule.domain]).split(', ')

    def make_params(self):
        rule = self.rule
        types = {'float': FLOATS, 'integer': INTEGERS, 'bool': BOOLS}[rule.domain]
        if len(rule.types) > 1:
            types = types + ['SType', 'SType']
        for i in range(1 + self.random.randrange(5)):
            # The first tensors name the type parameters, so that a call can deduce them.
            type = rule.types[i] if i < len(rule.types) else self.pick(types)
            written = i == 0 or self.chance(40)
            row = not written and i >= len(rule.types) and self.chance(15)
            name = ('out' if written else 'row' if row else 'in') + str(i)
            rule.tensors.append(Tensor(name, type, written, row))
        if len(rule.tensors) < len(rule.types):
            rule.tensors.append(Tensor('in1', 'SType'))
        if self.kind == 'product':
            rule.tensors += [Tensor('left', 'DType'), Tensor('right', 'DType')]
        first = self.random.randrange(5)
        for i in range(self.random.randrange(4)):
            rule.scalars.append(SCALARS[(first + i) % 5])
        if self.chance(30):
            self.flag = 'flag'
            rule.scalars.append(('bool', 'flag', 'true'))

    @property
    def first(self):
        return self.rule.tensors[0].name

    def any_type(self):
        return self.pick(self.rule.tensors).type

    # Statements.

    def name_halves(self):
        rank = self.rule.rank
        self.half = 0 if rank == 'dim' else self.random.randrange(int(rank))
        size = '%s.size(%d)' % (self.first, self.half)
        self.rule.body.append(
            Stmt('const index_t half = %s / 2, rest = %s - half, all = %s;' % (size, size, size)))

    def add_kept(self):
        """A temporary of the rule's shape, which later statements read and write."""
        type = self.any_type()
        value = self.not_bare(self.value(type, 2))
        self.rule.body.append(Stmt(
            'Temporary<xpu, %s, %s> kept(%s.shape_, %s.stream_);\n  kept = {0};' % (
                self.rule.rank, type, self.first, self.first), [value]))
        self.kept = Tensor('kept', type, True)

    def add_reduction(self):
        """A vector with an element for each row, column or channel, or with one."""
        type, name = self.any_type(), 't%d' % len(self.values)
        kept = self.kept_dimension()
        extent = '1' if kept is None else '%s.size(%d)' % (self.first, kept)
        if self.chance(25):
            reducer = self.ops.reducer()
        else:
            reducer = 'red::' + self.pick(REDUCERS if type in COUNTING else REDUCERS[:4])
        call = 'reduce_all<%s>' % reducer if kept is None else 'reduce_except_dim<%d, %s>' % (
            kept, reducer)
        scale = self.scalar(type) + ' * ' if self.chance(30) else ''
        self.rule.body.append(Stmt(
            'Temporary<xpu, 1, %s> %s(Shape1(%s), %s.stream_);\n  %s = %s%s({0});' % (
                type, name, extent, self.first, name, scale, call), [self.mapped(type, 2)]))
        self.values.append((name, type, kept))
        if self.chance(30):
            self.rule.body.append(Stmt('%s = %s - %s;' % (name, name, self.scalar(type))))
        read = [t for t in self.rule.tensors if not (t.row or t.written)]
        if self.rule.square and kept is not None and read and self.others.randrange(4) == 0:
            diagonal = 'tcast<%s>(diag(%s))' % (type, self.others.choice(read).name)
            self.rule.body.append(Stmt('%s %s %s;' % (name, self.others.choice(['+=', '*=']), diagonal)))

    def kept_dimension(self):
        """The dimension that a reduction keeps; None: it keeps none."""
        if self.kind == 'mixed':
            return self.pick([0, 1, None])
        if self.reduced == 'any':
            self.reduced = {'rows': 0, 'columns': 1, 'all': None}.get(
                self.kind, self.random.randrange(3))
        return self.reduced

    def add_statement(self):
        if self.chance(30):
            type = self.any_type()
            name = 'e%d' % len(self.aliases)
            self.rule.body.append(Stmt('auto %s = {0};' % name, [self.not_bare(self.mapped(type, 1))]))
            self.aliases.append((name, type))
        if not self.flag or not self.chance(50):
            self.rule.body.append(self.assignment())
            return
        blocks = [self.branch() for _ in range(1 + self.random.randrange(2))]
        self.rule.body.append(Stmt(self.flag, blocks=blocks))

    def branch(self):
        statements = [self.assignment()]
        if self.staged and self.chance(50):
            statements += [Stmt('MSHADOW_STAGE();'), self.assignment()]
        return statements

    def assignment(self):
        targets = [t for t in self.rule.tensors if t.written] + ([self.kept] if self.kept else [])
        # The first written tensor is certain to be assigned: it takes the first statement.
        target = self.pick(targets) if self.assigned else targets[0]
        self.assigned = True
        # What '=' overwrites is tested by nothing.
        saver = self.pick(['=', '=', '+=', '+=', '-=', '*='] + ['/='] * self.divides)
        if self.rule.rank in ('3', '4') and self.matrices.randrange(100) < 35:
            return self.over_matrices(target, saver)
        if self.kind == 'product' and target.type == 'DType' and self.chance(60):
            return self.product(target)
        if self.half is not None and self.chance(60):
            return self.part(target, saver)
        if self.rule.square and self.squares.randrange(100) < 40:
            return self.diagonal(target, saver)
        if self.rule.domain != 'bool' and self.scans.randrange(100) < 8:
            return self.scanned(target, saver)
        if rule_has_calls(self.rule) and self.calls.randrange(100) < 20:
            return self.called(target, saver)
        if self.chance(8):
            return Stmt('MapExp<%s>(&%s, {0});' % (self.ops.saver(), target.name),
                        [self.not_bare(self.mapped(target.type, 2))])
        if self.chance(6):
            return self.call(target)
        text = '%s %s {0};' % (self.reshaped(target), saver)
        if self.others.randrange(25) == 0:
            text = self.looped(text)
        return Stmt(text, [self.not_bare(self.value(target.type, 2))])

    def looped(self, text):
        """The statement up to three times, or some of them."""
        end = self.others.randrange(1, 4)
        if self.others.randrange(3) == 0:
            text = 'if (i != %d) %s' % (self.others.randrange(end), text)
        return 'for (int i = 0; i < %d; ++i) {{\n    %s\n  }}' % (end, text)

    def reshaped(self, target):
        """The target, or in a tenth of cases the target in the shape that it has."""
        if self.shapes.randrange(10):
            return target.name
        return 'reshape(%s, %s.shape_)' % (target.name, self.first)

    def diagonal(self, target, saver):
        """The diagonal of the target."""
        name, value = target.name, Expr('F<op::identity>({0})', [self.vector(target.type, 2)])
        if self.squares.randrange(4) == 0:
            diagonal = 'd%d' % self.diagonals
            self.diagonals += 1
            text = 'auto %s = diag(%s);\n  %s %s {0};' % (diagonal, name, diagonal, saver)
        else:
            text = 'diag(%s) %s {0};' % (name, saver)
        return Stmt(text, [value])

    def vector(self, type, depth):
        """A vector with an element for each row."""
        pick, again = self.squares.choice, lambda: self.vector(type, depth - 1)
        kind = pick(['leaf'] if depth == 0 else ['leaf', 'leaf', 'F', 'op', 'scalar'])
        if kind == 'F':
            return Expr('F<%s>({0})' % self.ops.define(1), [again()], type)
        op = pick(['+', '-', '*'] + ['/'] * self.divides)
        if kind == 'op':
            return Expr('({0} %s {1})' % op, [again(), again()], type)
        if kind == 'scalar':
            return Expr('({0} %s %s)' % (op, self.scalar(type)), [again()], type)
        vectors = [(t.name if t.row else 'diag(%s)' % t.name, t.type) for t in self.rule.tensors]
        vectors += [(name, of) for name, of, kept in self.values if kept is not None]
        name, of = pick(vectors)
        return Expr(name if of == type else 'tcast<%s>(%s)' % (type, name), type=type)

    def over_matrices(self, target, saver):
        """A statement over the matrices of the tensors."""
        self.count_of_matrices += 1
        name = self.matrix = 'm%d' % self.count_of_matrices
        value = self.mapped(target.type, 2)
        self.matrix = None
        return Stmt('auto %s = %s.FlatTo2D();\n  %s %s {0};' % (name, target.name, name, saver),
                    [self.not_bare(value)])

    def scanned(self, target, saver):
        """A scan of the last dimension, or a recurrence."""
        kind = self.scans.choice(['inclusive_scan', 'exclusive_scan', 'linear_recurrence'])
        if kind != 'linear_recurrence':
            reducer = 'red::' + self.scans.choice(REDUCERS[:4])
            if self.others.randrange(4) == 0:
                reducer = self.ops.associative(self.others)
            call = '%s<%s>({0})' % (kind, reducer)
            values = [self.mapped(target.type, 2)]
        elif self.scans.randrange(2):
            call, values = 'linear_recurrence({0}, {1})', [self.mapped(target.type, 1) for _ in range(2)]
        else:
            call = 'linear_recurrence(%s, {0})' % self.scalar(target.type)
            values = [self.mapped(target.type, 2)]
        return Stmt('%s %s %s;' % (target.name, saver, call), values)

    def called(self, target, saver):
        """Rows that are added, sorted or named by an index."""
        pick, name, type = self.calls.choice, target.name, target.type
        value = self.mapped(type, 1)
        reads_target = re.search(r'\b(%s|e\d+)\b' % name, str(value))  # a name may stand for it
        if pick([True, False, False]) and not reads_target:
            return Stmt('rows(%s, index) %s {0};' % (name, saver), [self.not_bare(value)])
        number, first = self.called_with, self.first
        self.called_with += 1

        def temporary(letter, type, shape='%s.shape_' % first, rank=2):
            return 'Temporary<xpu, %d, %s> %s%d(%s, %s.stream_);\n  ' % (
                rank, type, letter, number, shape, first)

        text = temporary('c', type) + 'c%d = {0};\n  ' % number
        order = pick(['', ', true', ', false'])
        kind = pick(['scatter', 'sort', 'argsort', 'both', 'few'])
        if kind == 'scatter':
            text += 'AddTakeGrad%s(%s, index, c%d);' % (pick(['', '<false>']), name, number)
        elif kind == 'sort':
            text += '%s(%s, c%d%s);' % (pick(['SortRows', 'TopK']), name, number, order)
        elif kind == 'argsort':
            text += '%s(%s, c%d%s);' % (pick(['ArgSortRows', 'ArgTopK']), name, number, order)
        elif kind == 'both':
            text += temporary('a', 'int32_t') + '%s(%s, a%d, c%d%s);\n  %s %s tcast<%s>(a%d);' % (
                pick(['SortRows', 'TopK']), name, number, number, order, name, pick(['+=', '-=']),
                type, number)
        else:
            shape = 'Shape2(%s.size(0), (%s.size(1) + 2) / 3)' % (first, first)
            text += temporary('k', type, shape) + 'TopK(k%d, c%d%s);\n  ' % (number, number, order)
            text += temporary('s', type, 'Shape1(%s.size(0))' % first, 1)
            text += 's%d = reduce_except_dim<0, red::%s>(k%d);\n  %s %s broadcast<0>(s%d, %s.shape_);' % (
                number, pick(REDUCERS[:4]), number, name, saver, number, name)
        return Stmt(text, [self.not_bare(value)])

    def part(self, target, saver):
        """A slice of the target, or a concatenation of both its halves."""
        d, name = self.half, target.name
        if self.chance(30):
            both = 'concat<%d>(slice<%d>(%s, 0, half), slice<%d>(%s, half, all))' % (
                d, d, name, d, name)
            return Stmt('%s %s {0};' % (both, saver), [self.not_bare(self.mapped(target.type, 2))])
        bounds = ['0, half', 'rest, all']
        where = self.pick(bounds)
        part = 'slice<%d>(%s, %s)' % (d, name, where)
        if d == 0 and self.chance(30):
            part = '%s.Slice(%s)' % (name, where)
        self.in_part = bounds
        value = self.mapped(target.type, 2)
        self.in_part = None
        return Stmt('%s %s {0};' % (part, saver), [Expr('F<op::identity>({0})', [value], value.type)])

    def product(self, target):
        operands = ['left', 'right'] + [t.name for t in self.rule.tensors
                                        if t.type == 'DType' and not t.row and t is not target]
        sides = [self.pick(operands) + ('.T()' if self.chance(40) else '') for _ in range(2)]
        scale = self.pick(['', '', '2.0f * ', '0.1f * '])
        return Stmt('%s %s %sdot(%s, %s);' % (target.name, self.pick(['=', '=', '+=', '-=']), scale,
                                             *sides))

    def call(self, target):
        rule, inner = self.rule, self.rule.name + 'Inner'
        if not rule.inner:
            dim = 'int dim, ' if rule.rank == 'dim' else ''
            rule.inner = (
                '/// Called by the next rule.\ntemplate <typename xpu, %stypename DType>\n'
                'MSHADOW_KERNEL void %s(Tensor<xpu, %s, DType> out,\n    const Tensor<xpu, %s, DType> '
                '&in, float by = 0.5f) {\n  out %s F<%s>(in) * by;\n%s}\nMSHADOW_INSTANTIATE(%s, '
                'float);\n' % (dim, inner, rule.rank, rule.rank, self.pick(['=', '+=']),
                               self.ops.define(1), self.pick(['', '  out -= in;\n']), inner))
        sources = [t.name for t in rule.tensors if t.type == target.type and not t.row]
        source = self.pick(sources + ([self.kept.name] if target is self.kept else []))
        return Stmt('%s(%s, %s%s);' % (inner, target.name, source, self.pick(['', ', 0.1f', ', 3'])))

    # Expressions.

    def not_bare(self, value):
        """`tensor = tensor` copies a handle in mshadow: a bare name needs an operator around it."""
        if re.fullmatch(r'\w+(\.FlatTo2D\(\))?', value.text) and value.type:
            return Expr('F<op::identity>({0})', [value], value.type)
        return value

    def value(self, type, depth):
        """An expression, or a number alone."""
        return Expr(self.scalar(type)) if self.chance(4) else self.mapped(type, depth)

    def scalar(self, type):
        if self.chance(20):
            return '%s(%s)' % (type, self.pick(['2', '0.1f', '0.5f', '3', '-1']))
        names = [name for _, name, _ in self.rule.scalars if name != self.flag]
        if not names or self.chance(50):
            return self.pick(['2.0f', '0.5f', '3', '1.0f', '-0.125f', '0.1f', '0.3'])
        name = self.pick(names)
        return '(1.0f - %s)' % name if self.chance(30) else name

    def leaf(self, type):
        choices = []
        if not self.in_part and not self.matrix:
            choices += [Expr(name, type=type) for name, of in self.aliases if of == type]
        for t in self.rule.tensors:
            if t.type == type and not (self.in_part and t.row):
                choices.append(self.read(t))
        if self.kept and self.kept.type == type:
            choices += 2 * [self.read(self.kept)]
        for name, of, kept in self.values:
            if of == type and not self.in_part and not self.matrix:
                call = 'broadcast_scalar(' if kept is None else 'broadcast<%d>(' % kept
                choices.append(Expr('%s%s, %s.shape_)' % (call, name, self.first), type=type))
        if choices and self.chance(80):
            return self.pick(choices)
        other = self.pick([t for t in self.rule.tensors if not (self.in_part and t.row)])
        read = self.read(other)
        return read if other.type == type else Expr('tcast<%s>({0})' % type, [read], type)

    def read(self, t):
        if self.in_part:
            return Expr('slice<%d>(%s, %s)' % (self.half, t.name, self.pick(self.in_part)),
                        type=t.type)
        rank = self.rule.rank
        if self.matrix:
            return Expr('broadcast<1>(%s, %s.shape_)' % (t.name, self.matrix) if t.row
                        else '%s.FlatTo2D()' % t.name, type=t.type)
        if not (t.row or t.written) and rule_has_calls(self.rule) and self.calls.randrange(100) < 6:
            return Expr('rows(%s, index)' % t.name, type=t.type)
        if self.rule.square and not t.written and self.squares.randrange(100) < 10:
            if t.row:
                return Expr('diag(%s)' % t.name, type=t.type)
            return Expr('broadcast<%d>(diag(%s), %s.shape_)' % (
                self.squares.randrange(2), t.name, self.first), type=t.type)
        if t.row:
            d = {'2': '1', '3': '2', '4': '3'}.get(rank, 'dim - 1')
            return Expr('broadcast<%s>(%s, %s.shape_)' % (d, t.name, self.first), type=t.type)
        if not t.written and self.chance(5 if rank == 'dim' else 15):
            return Expr(self.viewed(t.name), type=t.type)
        return Expr(t.name, type=t.type)

    def viewed(self, t):
        """The elements of a tensor at other places."""
        rows, cols = t + '.size(0)', t + '.size(1)'
        if self.rule.rank != 'dim' and self.chance(15):
            return self.reduced_elsewhere(t)
        if self.rule.rank == 'dim':
            return self.pick([
                'mirror(%s)' % t, 'flip(%s, 0)' % t, 'flip(flip(%s, 0), dim - 1)' % t,
                'concat<0>(%s.Slice(%s / 3, %s), slice<0>(%s, 0, %s / 3))' % (t, rows, rows, t, rows)])
        if self.rule.rank == '2':
            return self.pick([
                'mirror(%s)' % t, 'flip(%s, 0)' % t, 'reshape(%s.T(), %s.shape_)' % (t, t),
                'concat<1>(slice<1>(%s, %s / 3, %s), slice<1>(%s, 0, %s / 3))' % (
                    t, cols, cols, t, cols),
                'crop(pad(%s, 1), Shape2(%s, %s), 0, 2)' % (t, rows, cols)])
        if self.rule.rank == '3':
            return self.pick(['mirror(%s)' % t, 'flip(%s, 1)' % t])
        plane = 'Shape2(%s.size(2), %s.size(3))' % (t, t)
        return self.pick([
            'mirror(%s)' % t, 'flip(%s, %d)' % (t, self.random.randrange(4)),
            'pool<red::maximum>(pad(%s, 1), 3, 3, 1)' % t,
            'crop(upsampling_nearest(%s, 2), %s)' % (t, plane),
            'crop(pad(%s, 1, 2), %s, 2, 0)' % (t, plane)])

    def reduced_elsewhere(self, t):
        """What a kernel of its own reduces before: along two axes, or moved before it is repeated."""
        a, b = self.random.sample(range(int(self.rule.rank)), 2)
        reducer = 'red::' + self.pick(REDUCERS[:3])
        reduced = 'reduce_keepdim<%s, false>(%s, %d)' % (reducer, t, a)
        if self.chance(50):
            return 'broadcast_keepdim(mirror(%s), %d, %s.size(%d))' % (reduced, a, t, a)
        reduced = 'reduce_keepdim<%s, false>(%s, %d)' % (reducer, reduced, b)
        return 'broadcast_keepdim(broadcast_keepdim(%s, %d, %s.size(%d)), %d, %s.size(%d))' % (
            reduced, a, t, a, b, t, b)

    def reduced_within(self, type, value):
        """What is reduced along an axis and repeated along it, in one expression."""
        rank, first = ('2', self.matrix) if self.matrix else (self.rule.rank, self.first)
        reducer = 'red::' + self.pick(REDUCERS[:3])
        axis, before = 'dim - 1', None
        if rank != 'dim':
            number = self.random.randrange(int(rank))
            axis, before = str(number), str(number - 1)
        scale = self.scalar(type) + ' * ' if self.chance(30) else ''
        if before is None or self.chance(50):
            text = 'broadcast_keepdim(%sreduce_keepdim<%s, false>({0}, %s), %s, %s.size(%s))' % (
                scale, reducer, axis, axis, first, axis)
        else:
            text = 'broadcast_with_axis(%sreduce_with_axis<%s, false>({0}, %s), %s, %s.size(%s))' % (
                scale, reducer, axis, before, first, axis)
        return Expr(text, [value], type)

    def drawn(self, type):
        """Random numbers of the rule's shape."""
        seeds = ['1', '-7', '1234567'] + 2 * [n for t, n, _ in self.rule.scalars if t == 'int']
        key = '%s, %s' % (self.pick(seeds), self.pick(seeds))
        types = self.rule.instances if type in self.rule.types else [type]
        if 'int' in ' '.join(types) or self.chance(33):
            return Expr('random_bernoulli<%s>(%s.shape_, %s, %s)' % (
                type, self.first, self.pick(['0.5', '0.1', '1']), key), type=type)
        return Expr('random_%s<%s>(%s.shape_, %s)' % (
            self.pick(['uniform', 'normal']), type, self.first, key), type=type)

    def mapped(self, type, depth):
        """An expression with at least one tensor in it."""
        if depth == 0 or self.chance(15):
            return self.leaf(type)
        again = lambda: self.mapped(type, depth - 1)
        if not self.in_part and not self.matrix and self.rule.domain != 'bool':
            value = self.made.value(type, lambda of: self.mapped(of, depth - 1))
            if value:
                return value
        draw = self.random.randrange(100)
        if draw == 99 and not self.in_part and not self.matrix and self.rule.domain != 'bool':
            return self.drawn(type)
        if draw < 3 and not self.in_part and self.rule.domain != 'bool':
            return self.reduced_within(type, again())
        if draw < 12:
            return Expr('tcast<%s>({0})' % type, [self.mapped(self.any_type(), depth - 1)], type)
        if draw < 28:
            return Expr('F<%s>({0})' % self.ops.define(1), [again()], type)
        if draw < 36:
            return Expr('F<%s>({0}, {1})' % self.ops.define(2), [again(), again()], type)
        if draw < 42:
            op = self.pick(['op::maximum', 'op::minimum', self.ops.define(2)])
            return Expr('F<%s>({0}, %s)' % (op, self.scalar(type)), [again()], type)
        if draw < 46:
            return Expr('F<%s>({0}, {1}, {2})' % self.ops.define(3), [again(), again(), again()],
                        type)
        if draw < 52:
            compare = self.pick(['>', '<', '>=', '==', '!='])
            if self.chance(50):
                return Expr('where({0} %s {1}, {2}, {3})' % compare,
                            [again(), again(), again(), again()], type)
            return Expr('where({0} %s %s, {1}, {2})' % (compare, self.scalar(type)),
                        [again(), again(), again()], type)
        op = self.pick(['+', '-', '*'] + ['/'] * self.divides)
        if draw < 68:
            number = self.scalar(type)
            return Expr('(%s %s {0})' % (number, op) if self.chance(50) else
                        '({0} %s %s)' % (op, number), [again()], type)
        return Expr('({0} %s {1})' % op, [again(), again()], type)


def random_rule(seed, number):
    return RuleSmith(seed, number).make()


def spec_of(rules):
    """The text of a spec with these rules."""
    return ('#include <mshadow/kernel.h>\n\nnamespace random_rules {\nusing namespace mshadow;\n'
            'using namespace mshadow::expr;\n\n' + '\n'.join(map(str, rules)) +
            '}  // namespace random_rules\n')
