# SPDX-License-Identifier: Apache-2.0
"""Values of random rules that views and functions of mshadow give: coordinates, windows with strides
and dilation, elements that indices name, numbers that are rounded at random, bits."""

FLOAT_TYPES = ['float', 'half::half_t', 'bfloat::bf16_t']


class ValueSmith:
    """Makes them for one rule, with numbers of its own, so that the rest of the rule stays."""

    def __init__(self, random, smith, make):
        """\\param make of an Expr: text, kids, type"""
        self.random, self.smith, self.make = random, smith, make

    def value(self, type, again):
        """One in thirty times a value; else None. `again` makes an operand of a type."""
        if self.random.randrange(30):
            return None
        makers = [self.chosen, self.coordinate, self.rounded, self.bits]
        rank = self.smith.rule.rank
        if rank == '2':
            makers += [self.one_hot, self.picked]
        if rank == '4':
            makers += 2 * [self.window]
        return self.random.choice(makers)(type, again)

    def key(self):
        return '%d, %d' % (self.random.randrange(-9, 99), self.random.randrange(9))

    def chosen(self, type, again):
        """One of two numbers, of the condition's type."""
        numbers = self.random.sample(['2', '3', '0', '1'], 2)
        condition = '{0} %s %s' % (self.random.choice(['<', '>=', '!=']), self.smith.scalar(type))
        return self.make('where(%s, %s, %s)' % (condition, *numbers), [again(type)], type)

    def coordinate(self, type, again):
        rank, first = self.smith.rule.rank, self.smith.first
        axis = 'dim - 1' if rank == 'dim' else str(self.random.randrange(int(rank)))
        text = 'broadcast<%s>(range<int32_t>(0, %s.size(%s)), %s.shape_)' % (axis, first, axis, first)
        if rank in ('3', '4') and axis != str(int(rank) - 1):
            return None  # a kernel has the channels of one dimension
        return self.make('tcast<%s>(%s)' % (type, text), (), type)

    def rounded(self, type, again):
        numbers = 'random_uniform<float>(%s.shape_, %s)' % (self.smith.first, self.key())
        return self.make('round_stochastic<%s>(tcast<float>({0}), %s)' % (type, numbers),
                         [again(type)], type)

    def bits(self, type, again):
        """The bits of floats, without those of NaN, which processors make as they like."""
        integer = {'float': 'int32_t', 'half::half_t': 'int16_t', 'bfloat::bf16_t': 'int16_t',
                   'double': 'int64_t'}
        of = type if type in integer else 'float'
        text = 'bit_cast<%s>(bit_cast<%s>(tcast<%s>({0})))' % (of, integer[of], of)
        return self.make(text if of == type else 'tcast<%s>(%s)' % (type, text), [again(type)], type)

    def one_hot(self, type, again):
        return self.make('one_hot_encode<%s>(index, %s.size(1))' % (type, self.smith.first), (), type)

    def picked(self, type, again):
        tensors = [t for t in self.smith.rule.tensors if not (t.row or t.written)]
        if not tensors or self.smith.kind != 'rows':
            return None
        t = self.random.choice(tensors)
        text = 'broadcast<0>(mat_choose_row_element(%s, column), %s.shape_)' % (t.name, self.smith.first)
        return self.make(text if t.type == type else 'tcast<%s>(%s)' % (type, text), (), type)

    def window(self, type, again):
        """Windows of images that leave the size as it is."""
        tensors = [t for t in self.smith.rule.tensors if not (t.row or t.written)]
        if not tensors:
            return None
        t = self.random.choice(tensors)
        reducer = 'red::' + self.random.choice(['maximum', 'minimum', 'sum'])
        text = self.random.choice([
            'pool<%s>(pad(%s, 2), 3, 3, 1, 1, 2, 2)', 'pool<%s>(pad(%s, 0, 3), 1, 3, 1, 1, 1, 3)',
            'pool<%s>(upsampling_nearest(%s, 2), 2, 2, 2)', 'chpool<%s>(%s, 3, 1, 1)'])
        text = text % (reducer, t.name)
        return self.make(text if t.type == type else 'tcast<%s>(%s)' % (type, text), (), type)
