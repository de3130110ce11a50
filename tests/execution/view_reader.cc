// SPDX-License-Identifier: Apache-2.0
#include "view_reader.h"

#include <cctype>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;
using mgen::View;

using Index = std::vector<int64_t>;

/// An argument of a function: an array, a number, or a shape.
struct Value {
  std::optional<Array> array;
  Estimate number;
  Index shape;

  int64_t integer() const { return number.integer; }
};

int64_t SizeOf(const Index &shape) {
  int64_t size = 1;
  for (int64_t extent : shape) size *= extent;
  return size;
}

const Estimate &At(const Array &array, const Index &index) {
  int64_t number = 0;
  for (size_t d = 0; d < index.size(); ++d) number = number * array.shape[d] + index[d];
  return array.elements.at(static_cast<size_t>(number));
}

/// The array of that shape whose elements `element` gives.
Array Make(const Index &shape, const std::function<Estimate(const Index &)> &element) {
  Array array;
  array.shape = shape;
  Index index(shape.size(), 0);
  for (int64_t i = 0; i < SizeOf(shape); ++i) {
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    array.elements.push_back(element(index));
  }
  return array;
}

Estimate Zero(ScalarKind kind) {
  return mgen::IsFloat(kind) ? ExactFloat(kind, 0) : ExactInteger(kind, 0);
}

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

  /// `T()`, or `Slice(begin, end)`.
  Array ReadMember(const Array &object) {
    const std::string name = Word();
    if (!Take('(')) Refuse("a member");
    if (name == "T" && Take(')')) return Transposed(object, {1, 0});
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
        Take('$');  // a type is the number of its operand
        templates.push_back(Word());
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
      value.array = Call(name.substr(name.rfind(':') + 1), templates, args);
    }
    return value;
  }

  Value Operand(size_t number) {
    const View::Operand &operand = view_.operands.at(number);
    Value value;
    if (operand.kind == View::Operand::kTensor) value.array = operands_.array(operand.param);
    if (operand.kind == View::Operand::kShape) value.shape = operands_.array(operand.param).shape;
    if (operand.kind == View::Operand::kScalar) value.number = operands_.scalar(operand.value);
    return value;
  }

  /// `a * b)`: tensors, or a tensor and a number.
  Value ReadArithmetic() {
    const Value a = ReadValue();
    static const std::map<char, Op> kOps = {
        {'+', Op::kAdd}, {'-', Op::kSub}, {'*', Op::kMul}, {'/', Op::kDiv}};
    for (const auto &[symbol, op] : kOps) {
      if (!Take(symbol)) continue;
      const Value b = ReadValue();
      Take(')');
      const Array &like = a.array ? *a.array : *b.array;
      const ScalarKind kind = like.elements.empty() ? ScalarKind::kFloat32 : like.elements[0].kind;
      const auto part = [kind](const Value &v, const Index &i) {
        return v.array ? At(*v.array, i) : Convert(kind, v.number);
      };
      Value value;
      value.array = Make(like.shape, [&, op = op](const Index &i) {
        return Apply(op, kind, {part(a, i), part(b, i)});
      });
      return value;
    }
    Refuse("an operator");
  }

  static Array Row(const Array &src, int64_t number) {
    return Make(Index(src.shape.begin() + 1, src.shape.end()), [&](Index i) {
      i.insert(i.begin(), number);
      return At(src, i);
    });
  }

  static Array Transposed(const Array &src, const Index &axes) {
    Index shape;
    for (int64_t axis : axes) shape.push_back(src.shape[static_cast<size_t>(axis)]);
    return Make(shape, [&](const Index &i) {
      Index from(i.size());
      for (size_t d = 0; d < i.size(); ++d) from[static_cast<size_t>(axes[d])] = i[d];
      return At(src, from);
    });
  }

  /// `src` with dimension d counted from `begin` on, `extent` of them.
  static Array Part(const Array &src, size_t d, int64_t begin, int64_t extent) {
    Index shape = src.shape;
    shape[d] = extent;
    return Make(shape, [&](Index i) {
      i[d] += begin;
      return At(src, i);
    });
  }

  static Array Flipped(const Array &src, size_t d) {
    return Make(src.shape, [&](Index i) {
      i[d] = src.shape[d] - 1 - i[d];
      return At(src, i);
    });
  }

  static Array Joined(const Array &a, const Array &b, size_t d) {
    Index shape = a.shape;
    shape[d] += b.shape[d];
    return Make(shape, [&](Index i) {
      if (i[d] < a.shape[d]) return At(a, i);
      i[d] -= a.shape[d];
      return At(b, i);
    });
  }

  static Array Padded(const Array &src, int64_t y, int64_t x) {
    Index shape = src.shape;
    const size_t dy = shape.size() - 2, dx = shape.size() - 1;
    shape[dy] += 2 * y;
    shape[dx] += 2 * x;
    return Make(shape, [&](Index i) {
      i[dy] -= y;
      i[dx] -= x;
      const bool in = 0 <= i[dy] && i[dy] < src.shape[dy] && 0 <= i[dx] && i[dx] < src.shape[dx];
      return in ? At(src, i) : Zero(src.elements[0].kind);
    });
  }

  /// Windows of images of `ky` x `kx` elements, one at each.
  static Array Pooled(const std::string &reducer, const Array &src, int64_t ky, int64_t kx) {
    Index shape = src.shape;
    const size_t dy = shape.size() - 2, dx = shape.size() - 1;
    shape[dy] -= ky - 1;
    shape[dx] -= kx - 1;
    return Make(shape, [&](const Index &i) {
      std::optional<Estimate> result;
      for (int64_t y = 0; y < ky; ++y) {
        for (int64_t x = 0; x < kx; ++x) {
          Index from = i;
          from[dy] += y;
          from[dx] += x;
          result = Reduced(reducer, result, At(src, from));
        }
      }
      return *result;
    });
  }

  /// Windows of `size` channels, the third dimension from the last, around each; those beyond both
  /// ends are left out.
  static Array ChannelsPooled(const std::string &reducer, const Array &src, int64_t size) {
    const size_t channel = src.shape.size() - 3;
    return Make(src.shape, [&](const Index &i) {
      std::optional<Estimate> result;
      for (int64_t c = i[channel] - size / 2; c <= i[channel] + size / 2; ++c) {
        if (c < 0 || c >= src.shape[channel]) continue;
        Index from = i;
        from[channel] = c;
        result = Reduced(reducer, result, At(src, from));
      }
      return *result;
    });
  }

  static Estimate Reduced(const std::string &reducer, const std::optional<Estimate> &sum,
                          const Estimate &next) {
    if (reducer.find("latest") != std::string::npos || !sum) return next;
    const auto is_nan = [](const Estimate &e) { return !e.undecided && e.value != e.value; };
    if (reducer == "mshadow::red::maximum" && is_nan(*sum)) return *sum;
    if (reducer == "mshadow::red::maximum" && is_nan(next)) return next;
    if (reducer == "mshadow::red::sum") return Apply(Op::kAdd, next.kind, {*sum, next});
    if (reducer == "mshadow::red::maximum") return Apply(Op::kMax, next.kind, {*sum, next});
    throw std::invalid_argument("no meaning of the reducer " + reducer);
  }

  static Array Repeated(const Array &src, const Index &shape) {
    return Make(shape, [&](Index i) {
      for (size_t d = 0; d < i.size(); ++d) i[d] = src.shape[d] == 1 ? 0 : i[d];
      return At(src, i);
    });
  }

  Array Call(const std::string &name, const std::vector<std::string> &templates,
             const std::vector<Value> &args) {
    const auto number = [&](size_t i) { return args.at(i).integer(); };
    const auto dimension = [&](size_t i) { return std::stoul(templates.at(i)); };
    const Array &src = *args.at(0).array;
    const size_t last = src.shape.size() - 1;
    if (name == "slice") return Part(src, dimension(0), number(1), number(2) - number(1));
    if (name == "concat") return Joined(src, *args.at(1).array, dimension(0));
    if (name == "flip") return Flipped(src, static_cast<size_t>(number(1)));
    if (name == "mirror") return Flipped(src, last);
    if (name == "pad") return Padded(src, number(1), number(args.size() - 1));
    if (name == "reshape") return Array{args.at(1).shape, src.elements};
    if (name == "transpose") return Transposed(src, args.at(1).shape);
    if (name == "broadcast_to") return Repeated(src, args.at(1).shape);
    if (name == "pool") return Pooled(templates.at(0), src, number(1), number(2));
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

  Array CallMore(const std::string &name, const std::vector<std::string> &templates,
                 const std::vector<Value> &args) {
    const Array &src = *args.at(0).array;
    const size_t last = src.shape.size() - 1;
    if (name == "upsampling_nearest") {
      Index shape = src.shape;
      const int64_t times = args.at(1).integer();
      shape[last - 1] *= times;
      shape[last] *= times;
      return Make(shape, [&](Index i) {
        i[last - 1] /= times;
        i[last] /= times;
        return At(src, i);
      });
    }
    if (name == "broadcast") {
      const size_t d = std::stoul(templates.at(0));
      return Make(args.at(1).shape, [&](const Index &i) { return At(src, {i[d]}); });
    }
    if (name == "tcast") {
      const ScalarKind kind = operands_.kind(view_.operands.at(std::stoul(templates.at(0))).type);
      return Make(src.shape, [&](const Index &i) { return Convert(kind, At(src, i)); });
    }
    if (name == "plough") {  // view_parts.h
      return Make(src.shape, [&](Index i) {
        int64_t row = 0;
        for (size_t d = 0; d < last; ++d) row = row * src.shape[d] + i[d];
        if (row % 2 != 0) i[last] = src.shape[last] - 1 - i[last];
        return At(src, i);
      });
    }
    Refuse("'" + name + "'");
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
