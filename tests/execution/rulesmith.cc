// SPDX-License-Identifier: Apache-2.0
#include "rulesmith.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "random.h"

namespace mshadow_test {
namespace {

// Element types as a spec spells them. kGeneric is the rule's own DType.
enum Type { kGeneric, kFloat, kDouble, kHalf, kBf16, kInt8, kUint8, kInt32, kInt64, kBool };

const char *Name(Type type) {
  static const char *const names[] = {"DType",          "float",  "double",  "half::half_t",
                                      "bfloat::bf16_t", "int8_t", "uint8_t", "int32_t",
                                      "int64_t",        "bool"};
  return names[type];
}

struct TensorParam {
  std::string name;
  Type type;
  bool written;
  bool row;  // a vector read through broadcast<dim - 1>
};

struct ScalarParam {
  std::string name;
  const char *type;
  const char *value;
};

struct Alias {
  std::string name;
  Type type;
};

/// A user-defined operator: any number of them, with bodies made at random.
class OpSmith {
 public:
  OpSmith(SplitMix64 *random, std::string prefix) : random_(*random), prefix_(std::move(prefix)) {}

  /// Defines an operator of `arity` arguments and returns its name.
  std::string Define(int arity, bool integral) {
    const std::string name = prefix_ + std::to_string(count_++);
    static const char *const heads[] = {"", "T a", "T a, T b", "T a, T b, T c"};
    text_ << "struct " << name << " {\n  template <typename T>\n  MSHADOW_XINLINE static T Map("
          << heads[arity] << ") {\n";
    Body(arity, integral);
    text_ << "  }\n};\n";
    return name;
  }

  std::string text() const { return text_.str(); }

 private:
  void Body(int arity, bool integral) {
    const bool local = random_.Chance(50);
    if (local) text_ << "    T t = " << Value(arity, integral, 1, false) << ";\n";
    const int branches = random_.Below(3);
    for (int i = 0; i < branches; ++i) {
      const std::string condition = Condition(arity, integral, local);
      if (local && random_.Chance(40)) {
        text_ << "    if " << condition << " t = " << Value(arity, integral, 1, local) << ";\n";
      } else {
        text_ << "    if " << condition << " return " << Value(arity, integral, 2, local) << ";\n";
      }
    }
    text_ << "    return " << Value(arity, integral, 2, local) << ";\n";
  }

  std::string Leaf(int arity, bool local) {
    if (local && random_.Chance(40)) return "t";
    if (random_.Chance(15)) {
      static const char *const constants[] = {"T(2)", "T(0.5f)", "T(1)", "T(0)", "T(3)", "T(1.25)"};
      return constants[random_.Below(6)];
    }
    return std::string(1, static_cast<char>('a' + random_.Below(arity)));
  }

  std::string Condition(int arity, bool integral, bool local) {
    static const char *const comparisons[] = {" < ", " > ", " <= ", " >= ", " == ", " != "};
    const std::string right = arity > 1 ? Leaf(arity, local) : random_.Chance(50) ? "T(0)" : "T(1)";
    const std::string text = "(" + Leaf(arity, local) + comparisons[random_.Below(6)] + right + ")";
    if (!random_.Chance(20)) return text;
    return "(" + text + (random_.Chance(50) ? " && " : " || ") + Condition(arity, integral, local) +
           ")";
  }

  // Sums and differences are cast back to T, so that the promoted int of the narrow types does not
  // leak into a comparison, and products of integers stay in range of what C++ defines.
  std::string Value(int arity, bool integral, int depth, bool local) {
    if (depth == 0 || random_.Chance(20)) return Leaf(arity, local);
    const std::string a = Value(arity, integral, depth - 1, local);
    if (!integral && random_.Chance(30)) return Function(a);
    const std::string b = Value(arity, integral, depth - 1, local);
    switch (random_.Below(integral ? 5 : 6)) {
      case 0:
        return "T(" + a + " + " + b + ")";
      case 1:
        return "T(" + a + " - " + b + ")";
      case 2:
        return "T(" + a + " * " + b + ")";
      case 3:
        return "(" + Condition(arity, integral, local) + " ? " + a + " : " + b + ")";
      case 4:
        return integral ? "(" + b + " > T(0) ? T(" + a + " / (" + b + ")) : " + a + ")"
                        : "math::max(" + a + ", " + b + ")";
      default:
        return "T(" + a + " / " + b + ")";
    }
  }

  std::string Function(const std::string &argument) {
    static const char *const functions[] = {
        "math::exp",   "math::tanh", "math::abs", "math::sigmoid", "math::sqrt",  "math::expm1",
        "math::log1p", "math::erf",  "math::log", "math::floor",   "math::rsqrt", "math::trunc"};
    return std::string(functions[random_.Below(12)]) + "(" + argument + ")";
  }

  SplitMix64 &random_;
  std::string prefix_;
  int count_ = 0;
  std::ostringstream text_;
};

/// One rule with the operators that it uses.
class RuleSmith {
 public:
  RuleSmith(uint64_t seed, int number)
      : random_(seed ^ (0x517cc1b727220a95u * static_cast<uint64_t>(number + 1))),
        views_(seed ^ (0x9e3779b97f4a7c15u * static_cast<uint64_t>(number + 1))),
        branches_(seed ^ (0xd1342543de82ef95u * static_cast<uint64_t>(number + 1))),
        number_(number),
        reduces_(ReducesOf(number)),
        is_staged_(number % 4 == 3),
        ops_(&random_, "op" + std::to_string(number) + "_") {}

  std::string Make() {
    integral_ = random_.Chance(20);
    MakeParams();
    const int statements = 1 + random_.Below(5);
    if (branches_.Chance(30)) AddKept();
    for (int i = 0; i < statements; ++i) {
      if (i > 0 && is_staged_ && random_.Chance(50)) body_ << "  MSHADOW_STAGE();\n";
      if (reduces_ != kNothing && (i == 0 || random_.Chance(50))) AddReduction();
      AddStatement();
    }
    return ops_.text() + "\n" + Signature() + body_.str() + "}\n" + Instances() + "\n";
  }

 private:
  /// What the reductions of a rule reduce.
  enum Reduces { kNothing, kRows, kColumns, kChannels, kAll };

  /// One rule in six reduces rows, one columns, one channels, one everything.
  static Reduces ReducesOf(int number) {
    static constexpr Reduces kTurns[] = {kNothing, kChannels, kAll, kNothing, kColumns, kRows};
    return kTurns[number % 6];
  }
  /// Rules that reduce rows or columns do that to matrices, those that reduce channels to images;
  /// others have any rank.
  std::string Rank() const {
    return reduces_ == kRows || reduces_ == kColumns ? "2" : reduces_ == kChannels ? "4" : "dim";
  }
  /// The dimension that reductions keep: of images the first three in turn.
  std::string Kept() const {
    return std::to_string(reduces_ == kChannels ? number_ / 6 % 3 : reduces_ == kColumns ? 1 : 0);
  }

  void MakeParams() {
    static const std::vector<Type> float_types = {kGeneric, kGeneric, kGeneric, kFloat,
                                                  kFloat,   kDouble,  kHalf,    kBf16};
    static const std::vector<Type> int_types = {kGeneric, kGeneric, kInt32, kInt8, kUint8, kInt64};
    const int tensors = 1 + random_.Below(5);
    for (int i = 0; i < tensors; ++i) {
      // The first tensor names DType, so that a call can deduce it.
      const Type type = i == 0 ? kGeneric : random_.Pick(integral_ ? int_types : float_types);
      const bool written = i == 0 || random_.Chance(40);
      const bool row = !written && random_.Chance(15);
      tensors_.push_back({(written ? "out"
                           : row   ? "row"
                                   : "in") +
                              std::to_string(i),
                          type, written, row});
    }
    static const ScalarParam kinds[] = {{"rate", "float", "0.75f"},
                                        {"count", "int", "3"},
                                        {"scale", "double", "-1.5"},
                                        {"decay", "float", "0.0625f"},
                                        {"bound", "float", "1.0f"}};
    const int scalars = random_.Below(4);
    for (int i = 0; i < scalars; ++i) scalars_.push_back(kinds[(number_ + i) % 5]);
    if (random_.Chance(30) || (is_staged_ && branches_.Chance(40))) flag_ = "flag";
  }

  std::string Signature() const {
    std::ostringstream text;
    text << "/// A random rule.\ntemplate <typename xpu, " << (Rank() == "dim" ? "int dim, " : "")
         << "typename DType>\nMSHADOW_KERNEL void Rule" << number_ << "(";
    const char *separator = "";
    for (const TensorParam &tensor : tensors_) {
      text << separator << (tensor.written ? "" : "const ") << "Tensor<xpu, "
           << (tensor.row ? "1" : Rank()) << ", " << Name(tensor.type) << "> "
           << (tensor.written ? "" : "&") << tensor.name;
      separator = ",\n    ";
    }
    for (const ScalarParam &scalar : scalars_) {
      text << separator << scalar.type << " " << scalar.name << " = " << scalar.value;
    }
    if (!flag_.empty()) text << separator << "bool " << flag_ << " = true";
    text << ") {\n";
    return text.str();
  }

  std::string Instances() {
    static const char *const float_lists[] = {
        "float", "float, double", "float, half::half_t, bfloat::bf16_t", "double, half::half_t"};
    static const char *const int_lists[] = {"int32_t", "int8_t, int32_t", "uint8_t, int64_t"};
    const char *list = integral_ ? int_lists[random_.Below(3)] : float_lists[random_.Below(4)];
    return "MSHADOW_INSTANTIATE(Rule" + std::to_string(number_) + ", " + list + ");\n";
  }

  void AddStatement() {
    if (random_.Chance(35)) AddAlias();
    const bool is_branch = !flag_.empty() && (random_.Chance(25) || branches_.Chance(30));
    if (!is_branch) {
      body_ << Assignment();
      return;
    }
    body_ << "  if (" << flag_ << ") {\n" << Branch() << "  }";
    if (random_.Chance(50)) body_ << " else {\n" << Branch() << "  }";
    body_ << "\n";
  }

  std::string Branch() {
    std::string text = "  " + Assignment();
    if (is_staged_ && branches_.Chance(50)) text += "    MSHADOW_STAGE();\n  " + Assignment();
    return text;
  }

  /// A temporary with an element for each of the rule's, which later statements read and write.
  void AddKept() {
    const Type type = random_.Pick(tensors_).type;
    const std::string first = tensors_[0].name;
    body_ << "  Temporary<xpu, " << Rank() << ", " << Name(type) << "> kept(" << first
          << ".shape_, " << first << ".stream_);\n  kept = " << NotBare(Value(type, 2)) << ";\n";
    kept_ = TensorParam{"kept", type, true, false};
  }

  /// A vector with an element for each row, column or channel, or with one, which later statements
  /// read.
  void AddReduction() {
    const Type type = random_.Pick(tensors_).type;
    const std::string name = "t" + std::to_string(values_.size());
    const std::string first = tensors_[0].name;
    const bool is_one = reduces_ == kAll;
    body_ << "  Temporary<xpu, 1, " << Name(type) << "> " << name << "(Shape1("
          << (is_one ? "1" : first + ".size(" + Kept() + ")") << "), " << first << ".stream_);\n  "
          << name << " = " << (random_.Chance(30) ? Scalar() + " * " : "")
          << (is_one ? "reduce_all<red::" : "reduce_except_dim<" + Kept() + ", red::")
          << Reducer(type) << ">(" << Mapped(type, 2) << ");\n";
    values_.push_back({name, type});
    if (random_.Chance(30)) body_ << "  " << name << " = " << name << " - " << Scalar() << ";\n";
  }

  /// Numbers of elements are for types that hold many.
  std::string Reducer(Type type) {
    static const char *const reducers[] = {"sum",     "maximum", "minimum",
                                           "product", "argmax",  "argmin"};
    const bool counts = type == kFloat || type == kDouble || type == kInt32 || type == kInt64;
    return reducers[random_.Below(counts ? 6 : 4)];
  }

  void AddAlias() {
    const Type type = random_.Pick(tensors_).type;
    const std::string name = "e" + std::to_string(aliases_.size());
    const std::string value = Mapped(type, 2);  // a copy of a temporary there is none
    body_ << "  auto " << name << " = " << (value == "kept" ? NotBare(value) : value) << ";\n";
    aliases_.push_back({name, type});
  }

  std::string Assignment() {
    std::vector<TensorParam> targets;
    for (const TensorParam &tensor : tensors_) {
      if (tensor.written) targets.push_back(tensor);
    }
    if (kept_) targets.push_back(*kept_);
    // The first written tensor is certain to be assigned: it takes the first statement.
    const TensorParam target = assigned_ ? random_.Pick(targets) : targets[0];
    assigned_ = true;
    static const char *const savers[] = {" = ", " = ", " = ", " += ", " -= ", " *= ", " /= "};
    const char *saver = savers[random_.Below(integral_ ? 6 : 7)];
    return "  " + target.name + saver + NotBare(Value(target.type, 3)) + ";\n";
  }

  // `tensor = tensor` copies a handle in mshadow, so a bare name needs an operator around it.
  std::string NotBare(const std::string &value) const {
    const auto is_it = [&value](const auto &named) { return named.name == value; };
    const bool bare = value == "kept" || std::any_of(tensors_.begin(), tensors_.end(), is_it) ||
                      std::any_of(aliases_.begin(), aliases_.end(), is_it);
    return bare ? "F<op::identity>(" + value + ")" : value;
  }

  // An expression that may also be a bare scalar.
  std::string Value(Type type, int depth) {
    if (random_.Chance(4)) return Scalar();
    return Mapped(type, depth);
  }

  std::string Scalar() {
    static const char *const literals[] = {"2.0f", "0.5f", "3", "1.0f", "-0.125f"};
    if (scalars_.empty() || random_.Chance(50)) return literals[random_.Below(5)];
    const std::string name = random_.Pick(scalars_).name;
    return random_.Chance(30) ? "(1.0f - " + name + ")" : name;
  }

  std::string Leaf(Type type) {
    std::vector<std::string> choices;
    for (const Alias &alias : aliases_) {
      if (alias.type == type) choices.push_back(alias.name);
    }
    for (const TensorParam &tensor : tensors_) {
      if (tensor.type != type) continue;
      choices.push_back(Read(tensor));
    }
    if (kept_ && kept_->type == type) choices.insert(choices.end(), 2, kept_->name);
    for (const Alias &value : values_) {
      if (value.type != type) continue;
      const std::string broadcast =
          reduces_ == kAll ? "broadcast_scalar(" : "broadcast<" + Kept() + ">(";
      choices.push_back(broadcast + value.name + ", " + tensors_[0].name + ".shape_)");
    }
    if (!choices.empty() && random_.Chance(80)) return random_.Pick(choices);
    const TensorParam &other = random_.Pick(tensors_);
    const std::string read = Read(other);
    return other.type == type ? read : std::string("tcast<") + Name(type) + ">(" + read + ")";
  }

  std::string Read(const TensorParam &tensor) {
    // A view for any rank is code for each.
    const int chance = Rank() == "dim" ? 4 : 20;
    if (!tensor.row && !tensor.written && views_.Chance(chance)) return Viewed(tensor.name);
    if (!tensor.row) return tensor.name;
    const std::string dimension = Rank() == "2" ? "1" : Rank() == "4" ? "3" : "dim - 1";
    return "broadcast<" + dimension + ">(" + tensor.name + ", " + tensors_[0].name + ".shape_)";
  }

  /// The elements of a matrix, of images, or of a tensor of any rank, at other places.
  std::string Viewed(const std::string &t) {
    const std::string first = t + ".size(0)", third = first + " / 3";
    const std::vector<std::string> tensors = {"mirror(" + t + ")", "flip(" + t + ", 0)",
                                              "flip(flip(" + t + ", 0), dim - 1)",
                                              "concat<0>(" + t + ".Slice(" + third + ", " + first +
                                                  "), slice<0>(" + t + ", 0, " + third + "))"};
    if (Rank() == "dim") return views_.Pick(tensors);
    const std::string cols = t + ".size(1)", left = cols + " / 3";
    const std::vector<std::string> matrices = {
        "mirror(" + t + ")", "flip(" + t + ", 0)", "reshape(" + t + ".T(), " + t + ".shape_)",
        "concat<1>(slice<1>(" + t + ", " + left + ", " + cols + "), slice<1>(" + t + ", 0, " +
            left + "))",
        "crop(pad(" + t + ", 1), Shape2(" + t + ".size(0), " + cols + "), 0, 2)"};
    const std::vector<std::string> images = {
        "mirror(" + t + ")", "flip(" + t + ", " + std::to_string(views_.Below(4)) + ")",
        "pool<red::maximum>(pad(" + t + ", 1), 3, 3, 1)",
        "crop(upsampling_nearest(" + t + ", 2), Shape2(" + t + ".size(2), " + t + ".size(3)))",
        "crop(pad(" + t + ", 1, 2), Shape2(" + t + ".size(2), " + t + ".size(3)), 2, 0)"};
    return views_.Pick(Rank() == "2" ? matrices : images);
  }

  // An expression with at least one tensor in it.
  std::string Mapped(Type type, int depth) {
    if (depth == 0 || random_.Chance(15)) return Leaf(type);
    const int draw = random_.Below(100);
    if (draw < 12)
      return std::string("tcast<") + Name(type) + ">(" +
             Mapped(random_.Pick(tensors_).type, depth - 1) + ")";
    if (draw < 32) return "F<" + ops_.Define(1, integral_) + ">(" + Mapped(type, depth - 1) + ")";
    if (draw < 42) {
      return "F<" + ops_.Define(2, integral_) + ">(" + Mapped(type, depth - 1) + ", " +
             Mapped(type, depth - 1) + ")";
    }
    if (draw < 47) {
      return "F<" + ops_.Define(3, integral_) + ">(" + Mapped(type, depth - 1) + ", " +
             Mapped(type, depth - 1) + ", " + Mapped(type, depth - 1) + ")";
    }
    static const char *const operators[] = {" + ", " - ", " * ", " / "};
    const char *op = operators[random_.Below(integral_ ? 3 : 4)];
    const std::string mapped = Mapped(type, depth - 1);
    if (draw < 65)
      return random_.Chance(50) ? "(" + Scalar() + op + mapped + ")"
                                : "(" + mapped + op + Scalar() + ")";
    return "(" + mapped + op + Mapped(type, depth - 1) + ")";
  }

  SplitMix64 random_;
  // Their own numbers: other rules stay what they are.
  SplitMix64 views_, branches_;
  int number_;
  const Reduces reduces_;
  const bool is_staged_;  // one rule in four is several kernels
  OpSmith ops_;
  bool integral_ = false;
  bool assigned_ = false;
  std::string flag_;
  std::vector<TensorParam> tensors_;
  std::optional<TensorParam> kept_;
  std::vector<ScalarParam> scalars_;
  std::vector<Alias> aliases_;
  std::vector<Alias> values_;
  std::ostringstream body_;
};

}  // namespace

std::string RandomSpec(uint64_t seed, int first, int count) {
  std::ostringstream text;
  text << "// Random rules " << first << " to " << first + count - 1 << " of seed " << seed << ".\n"
       << "#include <mshadow/kernel.h>\n\nnamespace random_rules {\n"
       << "using namespace mshadow;\nusing namespace mshadow::expr;\n\n";
  for (int i = 0; i < count; ++i) text << RuleSmith(seed, first + i).Make();
  text << "}  // namespace random_rules\n";
  return text.str();
}

}  // namespace mshadow_test
