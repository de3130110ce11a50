# SPDX-License-Identifier: Apache-2.0
"""Specs of rules whose names are chosen."""
import re

# Where a name may stand, and the name that is there otherwise.
USUAL = {
    'namespace': 'toy', 'rule': 'Rule', 'device': 'xpu', 'rank': 'dim', 'type': 'DType', 'second_type': 'SType',
    'output': 'out', 'input': 'in', 'scalar': 'alpha', 'hyper': 'rate', 'local': 'twice', 'value': 'scaled',
    'temporary': 'total', 'row_temporary': 'shifted', 'operator': 'gain',
}
PLACES = list(USUAL)

# A rule for each way of going over memory.
SHAPES = [
    # elements, a condition, an operator of the spec's
    '''struct {operator} {{
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {{
    return a * T(2);
  }}
}};
/// {rule} of {input}.
/// \\param {output} result
template <typename {device}, int {rank}, typename {type}, typename {second_type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, {rank}, {type}> {output},
                           const Tensor<{device}, {rank}, {second_type}> &{input}, {second_type} {scalar},
                           float {hyper} = 0.5f) {{
  const float {local} = {hyper} * 2.0f;
  auto {value} = F<{operator}>({input}) * {scalar};
  {output} = tcast<{type}>({value});
  if ({local} > 1.0f) {{
    {output} += tcast<{type}>(tcast<float>({input}) * {local});
  }}
}}
MSHADOW_INSTANTIATE({rule}, Types<float, float>, Types<half::half_t, int32_t>);
''',
    # rows
    '''/// {rule} of {input}.
template <typename {device}, typename {type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, 2, {type}> {output}, const Tensor<{device}, 2, {type}> &{input},
                           float {hyper} = 0.5f) {{
  Temporary<{device}, 1, float> {temporary}(Shape1({input}.size(0)), {input}.stream_);
  Temporary<{device}, 2, float> {row_temporary}({input}.shape_, {input}.stream_);
  {row_temporary} = F<op::exp>(tcast<float>({input}) * {hyper});
  {temporary} = sumall_except_dim<0>({row_temporary});
  {output} = tcast<{type}>({row_temporary} / broadcast<0>({temporary}, {input}.shape_));
}}
MSHADOW_INSTANTIATE({rule}, float, half::half_t);
''',
    # columns
    '''/// {rule} of {input}.
template <typename {device}, typename {type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, 2, {type}> {output}, const Tensor<{device}, 2, {type}> &{input},
                           {type} {scalar}) {{
  Temporary<{device}, 1, {type}> {temporary}(Shape1({input}.size(1)), {input}.stream_);
  auto {value} = {input} * {scalar};
  {temporary} = sum_rows({value});
  {output} = {input} - broadcast<1>({temporary}, {input}.shape_);
}}
MSHADOW_INSTANTIATE({rule}, float, double);
''',
    # elements at other places, of any rank
    '''/// {rule} of {input}.
template <typename {device}, int {rank}, typename {type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, {rank}, {type}> {output}, const Tensor<{device}, {rank}, {type}> &{input},
                           index_t {scalar}) {{
  auto {value} = slice<{rank} - 1>({input}, 0, {scalar});
  {output} = flip({input}, 0);
  MSHADOW_STAGE();
  slice<{rank} - 1>({output}, 0, {scalar}) += {value};
}}
MSHADOW_INSTANTIATE({rule}, float);
''',
    # everything, in stages, and a tensor of which only the shape is used
    '''/// {rule} of {input}.
template <typename {device}, typename {type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, 2, {type}> {output}, const Tensor<{device}, 2, {type}> &{input},
                           const Tensor<{device}, 2, {type}> &{value}, {type} {scalar}) {{
  Temporary<{device}, 1, {type}> {temporary}(Shape1(1), {input}.stream_);
  Temporary<{device}, 2, {type}> {row_temporary}({value}.shape_, {output}.stream_);
  {temporary} = reduce_all<red::sum>({input} * {scalar});
  {row_temporary} = dot({input}, {input}.T());
  {output} = {row_temporary} * broadcast_scalar({temporary}, {output}.shape_);
}}
MSHADOW_INSTANTIATE({rule}, float);
''',
    # an expression
    '''/// {rule} of {input}.
template <typename {type}, typename {second_type}>
MSHADOW_EXPRESSION auto {rule}(const {type} &{input}, const {second_type} &{output}, float {hyper} = 1.0f,
                               bool {local} = false) {{
  auto {value} = tcast<float>({input}) - {output};
  return {local} ? {value} * (1.0f / {hyper}) : {value} * 1.0f;
}}
MSHADOW_INSTANTIATE_EXPRESSION({rule}, Types<int8_t, float>, Types<float, float>);
''',
    # channels, a reducer of the spec's
    '''struct {operator} {{
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {{
    value += other > T(0) ? T(1) : T(0);
  }}
  template <typename T>
  MSHADOW_XINLINE static void Merge(T &value, T other) {{
    value += other;
  }}
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {{
    value = T(0);
  }}
}};
/// {rule} of {input}.
template <typename {device}, typename {type}>
MSHADOW_KERNEL void {rule}(Tensor<{device}, 4, {type}> {output}, const Tensor<{device}, 4, {type}> &{input},
                           float {hyper} = 0.5f) {{
  Temporary<{device}, 1, float> {temporary}(Shape1({input}.size(1)), {input}.stream_);
  auto {value} = tcast<float>({input});
  {temporary} = reduce_except_dim<1, {operator}>({value});
  {output} = tcast<{type}>({value} * broadcast<1>({temporary}, {input}.shape_) * {hyper});
}}
MSHADOW_INSTANTIATE({rule}, float, half::half_t);
''',
]


class Named:
    """A rule of one of the shapes."""
    shapes = len(SHAPES)

    def __init__(self, number, shape=None):
        self.number, self.shape = number, number % len(SHAPES) if shape is None else shape
        self.names, self.odd = dict(USUAL), []
        for place in ('namespace', 'rule', 'operator'):
            self.names[place] += str(number)
        self.usual = dict(self.names)

    def places(self):
        return set(re.findall(r'(?<!\{)\{(\w+)\}', SHAPES[self.shape])) | {'namespace'}

    def take(self, place, name):
        """Returns whether there is such a place, and the name is free: no two parts of a rule have one."""
        if place not in self.places() or name in self.names.values():
            return False
        self.names[place] = name
        self.odd.append(place)
        return True

    def give_back(self, place):
        """The usual name again."""
        self.odd.remove(place)
        self.names[place] = self.usual[place]

    def text(self):
        names = self.names
        return 'namespace {namespace} {{\nusing namespace mshadow;\nusing namespace mshadow::expr;\n'.format(
            **names) + SHAPES[self.shape].format(**names) + f'}}  // namespace {names["namespace"]}\n'


class Spec:
    def __init__(self, stem, rules):
        self.stem, self.file, self.rules, self.lines = stem, stem + '.h', rules, []
        self.head = '#include <mshadow/kernel.h>\n\n'
        line = self.head.count('\n')
        for rule in rules:
            self.lines.append(line + 1)
            line += rule.text().count('\n') + 1

    def text(self):
        return self.head + ''.join(rule.text() + '\n' for rule in self.rules)

    def errors(self, messages):
        """Those with a place, by rule. After one of C++ itself, others may only follow from it."""
        wrong = {}
        for line, text in re.findall(r'\b' + self.stem + r'\.h:(\d+):\d+: error: (.*)', messages):
            inside = [rule for rule, first in zip(self.rules, self.lines) if first <= int(line)]
            if inside:
                wrong.setdefault(inside[-1], []).append(text)
        if wrong and any('cannot be a name' not in text for texts in wrong.values() for text in texts):
            first = min(wrong, key=self.rules.index)
            return {first: wrong[first]}
        return wrong
