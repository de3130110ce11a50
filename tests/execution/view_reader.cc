// SPDX-License-Identifier: Apache-2.0
#include "view_reader.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "drawn_array.h"
#include "indexed_array.h"
#include "moved_array.h"
#include "reduced_array.h"

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;
using mgen::View;

/// An argument of a function: an array, a number, or a shape.
struct Value {
  std::optional<Array> array;
  Estimate number;
  Index shape;

  int64_t integer() const { return number.integer; }
};

/// One reading of a view's text.
class Reader {
 public:
  Reader(const View &view, const ViewOperands &operands)
      : view_(view), text_(view.text), operands_(operands) {}

  Array Run() { return *ReadValue().array; }

 private:
  [[noreturn]] void Refuse(const std::string &what) const {
    throw std::invalid_argument("no meaning of " + what + " in '" + text_ + "'");
  }
  bool Take(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool TakeAll(const std::string &symbol) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    return true;
  }
  std::string Word() {
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == ':')) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  Value ReadValue() {
    Value value = ReadPrimary();
    for (;;) {
      if (Take('.')) {
        value.array = ReadMember(*value.array);
      } else if (Take('[')) {
        value.array = Row(*value.array, ReadValue().integer());
        Take(']');
      } else {
        return value;
      }
    }
  }

  /// `T()`, `FlatTo1D()`, `FlatTo2D()`, or `Slice(begin, end)`.
  Array ReadMember(const Array &object) {
    const std::string name = Word();
    if (!Take('(')) Refuse("a member");
    if (name == "T" && Take(')')) return Transposed(object, {1, 0});
    if (name == "FlatTo2D" && Take(')')) {
      const int64_t rows = SizeOf(Index(object.shape.begin(), object.shape.end() - 1));
      return Array{{rows, object.shape.back()}, object.elements};
    }
    if (name == "FlatTo1D" && Take(')')) return Array{{SizeOf(object.shape)}, object.elements};
    if (name != "Slice") Refuse("a member");
    const int64_t begin = ReadValue().integer();
    Take(',');
    const int64_t end = ReadValue().integer();
    Take(')');
    return Part(object, 0, begin, end - begin);
  }

  Value ReadPrimary() {
    if (Take('$')) return Operand(std::stoul(Word()));
    if (Take('(')) return ReadArithmetic();
    std::string name = Word();
    std::vector<std::string> templates;
    if (Take('<')) {
      do {
        templates.push_back(ReadTemplateArgument());
      } while (Take(','));
      Take('>');
    }
    std::vector<Value> args;
    if (!Take('(')) Refuse("'" + name + "'");
    while (!Take(')')) {
      args.push_back(ReadValue());
      Take(',');
    }
    Value value;
    if (name.rfind("mshadow::Shape", 0) == 0) {
      for (const Value &arg : args) value.shape.push_back(arg.integer());
    } else {
      const std::string function = name.substr(name.rfind(':') + 1);
      if (function == "where") return Mapped(Op::kSelect, args);
      value.array = Call(function, templates, args);
    }
    return value;
  }

  /// A constant; a type is the number of its operand.
  std::string ReadTemplateArgument() {
    if (!Take('$')) return Word();
    const std::string number = Word();
    const View::Operand &operand = view_.operands.at(std::stoul(number));
    return operand.kind == View::Operand::kRank ? std::to_string(RankOf(operand)) : number;
  }

  int64_t RankOf(const View::Operand &operand) const { return operands_.rank + operand.offset; }

  Value Operand(size_t number) {
    const View::Operand &operand = view_.operands.at(number);
    Value value;
    if (operand.kind == View::Operand::kRank) {
      value.number = ExactInteger(ScalarKind::kInt32, RankOf(operand));
    }
    if (operand.kind == View::Operand::kTensor) value.array = operands_.array(operand.param);
    if (operand.kind == View::Operand::kShape) value.shape = operands_.array(operand.param).shape;
    if (operand.has_value()) value.number = operands_.scalar(operand.value);
    return value;
  }

  /// `a * b)`: tensors, or a tensor and a number.
  Value ReadArithmetic() {
    const Value a = ReadValue();
    static const std::vector<std::pair<const char *, Op>> kOps = {
        {"+", Op::kAdd}, {"-", Op::kSub}, {"*", Op::kMul}, {"/", Op::kDiv}, {"<=", Op::kLe},
        {">=", Op::kGe}, {"==", Op::kEq}, {"!=", Op::kNe}, {"<", Op::kLt},  {">", Op::kGt}};
    for (const auto &[symbol, op] : kOps) {
      if (!TakeAll(symbol)) continue;
      const Value b = ReadValue();
      Take(')');
      return Mapped(op, {a, b});
    }
    Refuse("an operator");
  }

  /// Element by element, of arrays and numbers. A number has the type of the last array.
  static Value Mapped(Op op, const std::vector<Value> &args) {
    const Array *like = nullptr;
    for (const Value &arg : args) like = arg.array ? &*arg.array : like;
    const ScalarKind kind = like->elements.empty() ? ScalarKind::kFloat32 : like->elements[0].kind;
    const bool compares = mgen::ClassOf(op) == mgen::OpClass::Compare;
    Value value;
    value.array = Make(like->shape, [&](const Index &i) {
      std::vector<Estimate> elements;
      for (const Value &arg : args) {
        elements.push_back(arg.array ? At(*arg.array, i) : Convert(kind, arg.number));
      }
      return Apply(op, compares ? ScalarKind::kBool : kind, elements);
    });
    return value;
  }

  Array Call(const std::string &name, const std::vector<std::string> &templates,
             const std::vector<Value> &args) {
    if (name == "range") {
      const ScalarKind kind = KindNamed(templates.at(0));
      return Make({static_cast<int64_t>(args.at(1).number.value)}, [=](const Index &i) {
        return Convert(kind, ExactFloat(ScalarKind::kFloat64, static_cast<double>(i[0])));
      });
    }
    if (name.rfind("random_", 0) == 0) return CallRandom(name, templates, args);
    const auto number = [&](size_t i) { return args.at(i).integer(); };
    const auto dimension = [&](size_t i) { return std::stoul(templates.at(i)); };
    const Array &src = *args.at(0).array;
    const size_t last = src.shape.size() - 1;
    if (name == "slice") return Part(src, dimension(0), number(1), number(2) - number(1));
    if (name == "diag") return DiagonalOf(src);
    if (name == "concat") return Joined(src, *args.at(1).array, dimension(0));
    if (name == "flip") return Flipped(src, static_cast<size_t>(number(1)));
    if (name == "mirror") return Flipped(src, last);
    if (name == "pad") return Padded(src, number(1), number(args.size() - 1));
    if (name == "reshape") return Array{args.at(1).shape, src.elements};
    if (name == "transpose") return Transposed(src, args.at(1).shape);
    if (name == "broadcast_to") return Repeated(src, args.at(1).shape);
    if (name == "pool") {
      const Index &pooled = args.at(1).shape;
      const size_t first = pooled.empty() ? 1 : 2;
      return Pooled(templates.at(0), src, pooled, Windows(first, args.size(), number));
    }
    if (name == "chpool") return ChannelsPooled(templates.at(0), src, number(1));
    if (name == "swapaxis") {
      Index axes;
      for (size_t d = 0; d <= last; ++d) axes.push_back(static_cast<int64_t>(d));
      std::swap(axes[dimension(0)], axes[dimension(1)]);
      return Transposed(src, axes);
    }
    if (name == "crop") {
      const Index &size = args.at(1).shape;
      const int64_t y = args.size() > 2 ? number(2) : (src.shape[last - 1] - size[0]) / 2;
      const int64_t x = args.size() > 2 ? number(3) : (src.shape[last] - size[1]) / 2;
      return Part(Part(src, last - 1, y, size[0]), last, x, size[1]);
    }
    return CallMore(name, templates, args);
  }

  /// The type that is an operand of the view: the one with this number.
  ScalarKind KindNamed(const std::string &operand) const {
    return operands_.kind(view_.operands.at(std::stoul(operand)).type);
  }

  Array CallRandom(const std::string &name, const std::vector<std::string> &templates,
                   const std::vector<Value> &args) const {
    const auto kind = templates.empty() ? ScalarKind::kInt32 : KindNamed(templates[0]);
    const auto key = [&](size_t i) { return static_cast<uint64_t>(args.at(i).integer()); };
    const double probability = static_cast<double>(args.at(1).number.value);
    return DrawnArray(name, args.at(0).shape, kind,
                      {key(args.size() - 2), key(args.size() - 1), probability});
  }

  Array CallBroadcast(const std::string &name, const std::vector<std::string> &templates,
                      const std::vector<Value> &args) {
    const Array &src = *args.at(0).array;
    if (name == "broadcast" || name == "broadcast_scalar") {
      const size_t d = templates.empty() ? 0 : std::stoul(templates[0]);
      const int64_t step = templates.empty() ? 0 : 1;
      return Make(args.at(1).shape, [&](const Index &i) { return At(src, {step * i[d]}); });
    }
    if (name == "broadcast_keepdim") {
      Index shape = src.shape;
      shape[static_cast<size_t>(args.at(1).integer())] = args.at(2).integer();
      return Repeated(src, shape);
    }
    if (name == "broadcast_multi_axes") {
      Index shape = src.shape;
      const Index &axes = args.at(1).shape;
      for (size_t i = 0; i < axes.size(); ++i) {
        shape[static_cast<size_t>(axes[i])] = args.at(2).shape[i];
      }
      return Repeated(src, shape);
    }
    if (name == "broadcast_with_axis") {
      const int64_t d = args.at(1).integer() + 1;
      Index shape = src.shape;
      shape.insert(shape.begin() + d, args.at(2).integer());
      return Make(shape, [&](Index i) {
        i.erase(i.begin() + d);
        return At(src, i);
      });
    }
    Refuse("'" + name + "'");
  }

  Array CallMore(const std::string &name, const std::vector<std::string> &templates,
                 const std::vector<Value> &args) {
    const Array &src = *args.at(0).array;
    const size_t last = src.shape.size() - 1;
    if (name == "upsampling_nearest") {
      Index shape = src.shape;
      const int64_t times = args.at(1).integer();
      for (size_t d : {last - 1, last}) shape[d] *= times;
      return Make(shape, [&](Index i) {
        for (size_t d : {last - 1, last}) i[d] /= times;
        return At(src, i);
      });
    }
    if (name == "take") {
      const Array &table = *args.at(1).array;
      return Make({src.shape[0], table.shape[1]}, [&](const Index &i) {
        return At(table, {Convert(ScalarKind::kInt64, At(src, {i[0]})).integer, i[1]});
      });
    }
    if (name == "rows") return NamedRows(src, *args.at(1).array);
    if (name == "scatter_columns") return Scattered(src, *args.at(1).array, args.at(2).integer());
    if (name.rfind("broadcast", 0) == 0) return CallBroadcast(name, templates, args);
    if (name == "one_hot_encode") {
      const ScalarKind kind = KindNamed(templates.at(0));
      return Make({src.shape[0], args.at(1).integer()}, [&](const Index &i) {
        const Estimate index = Convert(ScalarKind::kInt64, At(src, {i[0]}));
        const int64_t is_there = index.integer == i[1] ? 1 : 0;
        return index.undecided ? Undecided(kind)
                               : Convert(kind, ExactInteger(ScalarKind::kInt64, is_there));
      });
    }
    if (name == "tcast") {
      const ScalarKind kind = KindNamed(templates.at(0));
      return Make(src.shape, [&](const Index &i) { return Convert(kind, At(src, i)); });
    }
    if (name == "mask") {
      const Array &rows = *args.at(1).array;
      return Make(rows.shape, [&](const Index &i) {
        const Estimate &value = At(rows, i);
        return Apply(Op::kMul, value.kind, {value, Convert(value.kind, At(src, {i[0]}))});
      });
    }
    if (name == "F" && templates.at(0) == "mshadow::op::square") {
      return Make(src.shape, [&](const Index &i) {
        return Apply(Op::kMul, At(src, i).kind, {At(src, i), At(src, i)});
      });
    }
    if (name == "plough") {  // view_parts.h
      return Make(src.shape, [&](Index i) {
        int64_t row = 0;
        for (size_t d = 0; d < last; ++d) row = row * src.shape[d] + i[d];
        if (row % 2 != 0) i[last] = src.shape[last] - 1 - i[last];
        return At(src, i);
      });
    }
    return CallSum(name, templates, args);
  }

  /// The sum of what `terms` gives, as an element of `like`.
  template <typename Terms>
  static Estimate SumOf(const Array &like, const Terms &terms) {
    const ScalarKind wide = WideKind(like);
    Estimate sum = Zero(wide);
    terms([&](const Estimate &term) { sum = Apply(Op::kAdd, wide, {sum, Convert(wide, term)}); });
    return Convert(like.elements[0].kind, sum);
  }

  static Array Product(const Array &a, const Array &b) {
    const ScalarKind wide = WideKind(a);
    return Make({a.shape[0], b.shape[1]}, [&](const Index &i) {
      return SumOf(a, [&](const auto &add) {
        for (int64_t k = 0; k < a.shape[1]; ++k) {
          add(Apply(Op::kMul, wide,
                    {Convert(wide, At(a, {i[0], k})), Convert(wide, At(b, {k, i[1]}))}));
        }
      });
    });
  }

  static Array Converted(const Array &src, ScalarKind kind) {
    return Make(src.shape, [&](const Index &i) { return Convert(kind, At(src, i)); });
  }

  /// The number of the first value along a dimension that is chosen, a NaN above all.
  static Array NumberOf(const std::string &reducer, const Array &src, size_t axis) {
    const bool is_max = OpOf(reducer) == Op::kMax;
    const auto value = [&](const Index &i) {
      const Estimate &e = At(src, i);
      if (e.undecided || e.bound != 0) throw std::invalid_argument("the number of an estimate");
      return mgen::IsFloat(e.kind) ? e.value : static_cast<long double>(e.integer);
    };
    Index shape = src.shape;
    shape[axis] = 1;
    return Make(shape, [&](Index i) {
      int64_t found = 0;
      long double best = value(i);
      for (i[axis] = 1; i[axis] < src.shape[axis] && best == best; ++i[axis]) {
        const long double next = value(i);
        if (next == next && !(is_max ? next > best : next < best)) continue;
        best = next;
        found = i[axis];
      }
      const ScalarKind kind = src.elements[0].kind;
      return mgen::IsFloat(kind) ? ExactFloat(kind, static_cast<double>(found))
                                 : ExactInteger(kind, found);
    });
  }

  Array CallSum(const std::string &name, const std::vector<std::string> &templates,
                const std::vector<Value> &args) {
    const Array &src = *args.at(0).array;
    if (name == "implicit_dot") return Product(src, *args.at(1).array);
    if (name == "reduce_multi_axes") {
      Array result = src;
      for (int64_t axis : args.at(1).shape) {
        result = Reduced(templates.at(0), result, static_cast<size_t>(axis));
      }
      return src.elements.empty() ? result : Converted(result, src.elements[0].kind);
    }
    if (name == "reduce_with_axis" || name == "reduce_keepdim") {
      const auto axis = static_cast<size_t>(args.at(1).integer());
      Array result = templates.at(1) == "true" ? NumberOf(templates.at(0), src, axis)
                                               : Reduced(templates.at(0), src, axis);
      if (!src.elements.empty()) result = Converted(result, src.elements[0].kind);
      if (name == "reduce_with_axis") {
        result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
      }
      return result;
    }
    if (name.rfind("complex_", 0) == 0 || name == "conj") return CallComplex(name, args);
    return CallWindow(name, templates, args);
  }

  /// What a window adds to the gradient of an element.
  static Estimate GradientOf(const std::string &reducer, const Estimate &element,
                             const Estimate &pooled, const Estimate &grad) {
    if (reducer == "mshadow::red::sum") return grad;
    const ScalarKind wide = mgen::IsNarrowFloat(grad.kind) ? ScalarKind::kFloat32 : grad.kind;
    const Estimate one = Convert(wide, ExactInteger(ScalarKind::kInt32, 1));
    const Estimate is_chosen = Apply(Op::kEq, ScalarKind::kBool, {pooled, element});
    const Estimate weight = Apply(Op::kSelect, wide, {is_chosen, one, Zero(wide)});
    return Apply(Op::kMul, wide, {weight, Convert(wide, grad)});
  }

  /// Gradients of windows, one at each element; and their elements as columns.
  Array CallWindow(const std::string &name, const std::vector<std::string> &templates,
                   const std::vector<Value> &args) {
    const Array &src = *args.at(0).array;
    const auto number = [&](size_t i) { return args.at(i).integer(); };
    if (name == "unpack_patch2col") return Unpacked(src, number(1), number(2));
    if (name == "pack_col2patch") return Packed(src, args.at(1).shape, number(2), number(3));
    if (name != "unpool" && name != "ch_unpool") Refuse("'" + name + "'");
    const Array &pooled = *args.at(1).array, &grad = *args.at(2).array;
    const auto term = [&](const Index &i, const Index &from) {
      return GradientOf(templates.at(0), At(src, i), At(pooled, from), At(grad, from));
    };
    const size_t last = src.shape.size() - 1;
    return Make(src.shape, [&](const Index &i) {
      return SumOf(src, [&](const auto &add) {
        Index from = i;
        if (name == "ch_unpool") {
          const size_t c = last - 2;
          for (from[c] = i[c] - number(3) / 2; from[c] <= i[c] + number(3) / 2; ++from[c]) {
            if (0 <= from[c] && from[c] < grad.shape[c]) add(term(i, from));
          }
          return;
        }
        const Windows of(3, args.size(), number);  // from the first that holds the element on
        for (int64_t n = of.size[0] * of.size[1] - 1; n >= 0; --n) {
          const int64_t y = i[last - 1] - n / of.size[1] * of.dilation[0];
          const int64_t x = i[last] - n % of.size[1] * of.dilation[1];
          from[last - 1] = y / of.stride[0];
          from[last] = x / of.stride[1];
          const bool is_window = y >= 0 && x >= 0 && y % of.stride[0] == 0 && x % of.stride[1] == 0;
          const bool fits = from[last - 1] < grad.shape[last - 1] && from[last] < grad.shape[last];
          if (is_window && fits) add(term(i, from));
        }
      });
    });
  }

  static Array Unpacked(const Array &src, int64_t ky, int64_t kx) {
    const int64_t py = src.shape[2] - ky + 1, px = src.shape[3] - kx + 1;
    return Make({src.shape[1] * ky * kx, src.shape[0] * py * px}, [&](const Index &i) {
      return At(src, {i[1] / (py * px), i[0] / (ky * kx), i[1] / px % py + i[0] / kx % ky,
                      i[1] % px + i[0] % kx});
    });
  }

  static Array Packed(const Array &src, const Index &shape, int64_t ky, int64_t kx) {
    const int64_t py = shape[2] - ky + 1, px = shape[3] - kx + 1;
    return Make(shape, [&](const Index &i) {
      return SumOf(src, [&](const auto &add) {
        for (int64_t dy = 0; dy < ky; ++dy) {
          for (int64_t dx = 0; dx < kx; ++dx) {
            const int64_t y = i[2] - dy, x = i[3] - dx;
            if (y < 0 || y >= py || x < 0 || x >= px) continue;
            add(At(src, {(i[1] * ky + dy) * kx + dx, (i[0] * py + y) * px + x}));
          }
        }
      });
    });
  }

  /// Part 0 or 1 of number n of a row: of complex numbers, or of real ones.
  static Estimate PartOf(const Array &array, bool is_complex, Index i, int64_t n, int part) {
    if (!is_complex && part == 1) return Zero(array.elements[0].kind);
    i.back() = is_complex ? 2 * n + part : n;
    return At(array, i);
  }

  Array CallComplex(const std::string &name, const std::vector<Value> &args) {
    const Array &a = *args.at(0).array;
    const bool left =
        name != "complex_pad_imag" && name != "complex_mul_rc" && name != "complex_div_rc";
    const auto left_part = [&](const Index &i, int64_t n, int p) {
      return PartOf(a, left, i, n, p);
    };
    if (args.size() == 1) return ComplexOfOne(name, a, left_part);
    const Array &b = *args.at(1).array;
    const bool right = name.back() == 'c';
    Index shape = a.shape;
    if (!left) shape.back() *= 2;
    return Make(shape, [&](const Index &i) {
      const int64_t n = i.back() / 2;
      const Estimate ar = left_part(i, n, 0), ai = left_part(i, n, 1);
      const Estimate br = PartOf(b, right, i, n, 0), bi = PartOf(b, right, i, n, 1);
      const auto apply = [&](Op op, const Estimate &x, const Estimate &y) {
        return Apply(op, ar.kind, {x, y});
      };
      const bool imag = i.back() % 2 != 0, is_product = name.find("mul") != std::string::npos;
      const Op plus = imag == is_product ? Op::kAdd : Op::kSub;
      if (is_product) {
        return imag ? apply(plus, apply(Op::kMul, ar, bi), apply(Op::kMul, br, ai))
                    : apply(plus, apply(Op::kMul, ar, br), apply(Op::kMul, ai, bi));
      }
      const Estimate above = imag ? apply(plus, apply(Op::kMul, br, ai), apply(Op::kMul, ar, bi))
                                  : apply(plus, apply(Op::kMul, ar, br), apply(Op::kMul, ai, bi));
      return apply(Op::kDiv, above,
                   apply(Op::kAdd, apply(Op::kMul, br, br), apply(Op::kMul, bi, bi)));
    });
  }

  template <typename Part>
  static Array ComplexOfOne(const std::string &name, const Array &a, const Part &part) {
    Index shape = a.shape;
    const bool is_pair = name == "conj" || name == "complex_exchange";
    if (name == "complex_pad_imag") shape.back() *= 2;
    if (!is_pair && name != "complex_pad_imag") shape.back() /= 2;
    return Make(shape, [&](const Index &i) {
      const bool gives_pairs = shape.back() >= a.shape.back();
      const int64_t n = gives_pairs ? i.back() / 2 : i.back();
      const int p = gives_pairs ? static_cast<int>(i.back() % 2) : 0;
      const Estimate real = part(i, n, 0), imag = part(i, n, 1);
      const ScalarKind kind = real.kind;
      if (name == "conj") return p == 0 ? real : Apply(Op::kNeg, kind, {imag});
      if (name == "complex_exchange") return p == 0 ? imag : real;
      if (name == "complex_pad_imag") return p == 0 ? real : imag;
      if (name == "complex_toreal") return real;
      if (name == "complex_sum_real_imag") return Apply(Op::kAdd, kind, {real, imag});
      return Apply(Op::kAdd, kind,
                   {Apply(Op::kMul, kind, {real, real}), Apply(Op::kMul, kind, {imag, imag})});
    });
  }

  const View &view_;
  const std::string &text_;
  const ViewOperands &operands_;
  size_t at_ = 0;
};

}  // namespace

Array ReadView(const View &view, const ViewOperands &operands) {
  return Reader(view, operands).Run();
}

}  // namespace mshadow_test
