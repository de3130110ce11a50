// SPDX-License-Identifier: Apache-2.0
#include "emit/cpp_expr.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emit/literal.h"
#include "emit/output_file.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The precedences of C++'s grammar. A larger one binds tighter.
enum Precedence {
  kConditional,
  kOrOr,
  kAndAnd,
  kPipe,
  kCaret,
  kAmpersand,
  kEquality,
  kRelation,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPostfix,
};

/// The precedence of an operator with two operands.
Precedence PrecedenceOf(Op op) {
  static constexpr std::pair<Op, Precedence> kRows[] = {
      {Op::kAdd, kSum},     {Op::kSub, kSum},          {Op::kMul, kProduct},  {Op::kDiv, kProduct},
      {Op::kRem, kProduct}, {Op::kShl, kShift},        {Op::kShr, kShift},    {Op::kLt, kRelation},
      {Op::kLe, kRelation}, {Op::kGt, kRelation},      {Op::kGe, kRelation},  {Op::kEq, kEquality},
      {Op::kNe, kEquality}, {Op::kBitAnd, kAmpersand}, {Op::kBitXor, kCaret}, {Op::kBitOr, kPipe},
      {Op::kAnd, kAndAnd},  {Op::kOr, kOrOr}};
  const auto row = llvm::find_if(kRows, [op](const auto &r) { return r.first == op; });
  return row == std::end(kRows) ? kUnary : row->second;
}

struct Piece {
  Layout layout;
  Precedence precedence;
  Op op = Op::kLiteral;    // of an operator
  bool is_scalar = false;  // among packets: one value for all lanes
};

/// Whether grouping does not matter: a op (b op c) is printed without parentheses.
bool IsAssociative(Op op) {
  return op == Op::kAnd || op == Op::kOr || op == Op::kBitAnd || op == Op::kBitOr ||
         op == Op::kBitXor;
}

/// Operators whose precedence few remember: compilers ask for parentheses.
bool NeedsClarity(Precedence parent, Precedence child) {
  if (child >= kUnary) return false;
  const bool bits = parent >= kPipe && parent <= kAmpersand;
  return (parent == kOrOr && child == kAndAnd) || (parent == kShift && child == kSum) ||
         (bits && child > parent) ||
         (parent == kEquality && child >= kEquality && child < kShift) ||
         (parent == kRelation && child == kRelation);
}

Layout Parenthesized(const Piece &piece) {
  return Concat({Text("("), Align(piece.layout), Text(")")});
}

Layout Wrapped(const Piece &piece, bool parentheses) {
  return parentheses ? Parenthesized(piece) : piece.layout;
}

class Printer {
 public:
  explicit Printer(const ExprStyle &style) : style_(style) {}

  Layout Print(const Expr &root) {
    ForEachNode(root, [this](const Expr &node) {
      Piece piece = IsFast(*node) ? PrintFast(*node) : PrintNode(*node);
      piece.is_scalar = style_.target == ExprStyle::kPacket && IsScalar(*node);
      pieces_[node.get()] = std::move(piece);
    });
    return pieces_.at(root.get()).layout;
  }

 private:
  bool IsScalar(const Node &node) const {
    return node.op == Op::kLiteral || (ClassOf(node.op) == OpClass::Leaf && style_.is_scalar(node));
  }

  /// Whether operand `arg` must become a packet. An operation on packets needs at least one: if all
  /// operands were scalars, it would be C++'s own.
  bool NeedsLanes(const Node &node, size_t arg) const {
    if (style_.target != ExprStyle::kPacket) return false;
    const size_t first = node.op == Op::kSelect && At(node, 0).is_scalar ? 1 : 0;
    if (arg != first) return false;
    for (const Expr &other : node.args) {
      if (!pieces_.at(other.get()).is_scalar) return false;
    }
    return true;
  }

  /// An operand, as a packet if one is needed.
  Piece Operand(const Node &node, size_t arg) const {
    const Piece &piece = At(node, arg);
    if (!NeedsLanes(node, arg)) return piece;
    const std::string head = "Broadcast<" + style_.lanes + ">(";
    return {Concat({Text(head), Align(piece.layout), Text(")")}), kPostfix};
  }

  Piece PrintNode(const Node &node) const {
    switch (ClassOf(node.op)) {
      case OpClass::Leaf:
        return node.op == Op::kLiteral ? PrintLiteral(node)
                                       : Piece{Text(style_.leaf(node)), kPostfix};
      case OpClass::Infix:
      case OpClass::Compare:
        if (ContractsWith(node) != nullptr) return PrintMulAdd(node, *ContractsWith(node));
        return node.args.size() == 1 ? PrintUnary(node) : PrintBinary(node);
      case OpClass::Packet:
      case OpClass::Math:
      case OpClass::FastMath:
        return PrintCall((IsCorrect(node) ? "Correct" : "") + FunctionName(node.op), node, 0);
      default:
        return PrintForm(node);
    }
  }

  Piece PrintLiteral(const Node &node) const {
    std::string text = LiteralText(node.value, node.type, style_.type_name(node.type));
    if (style_.target == ExprStyle::kPeople) text = ForPeople(node);
    return {Text(text), text[0] == '-' ? kUnary : kPostfix,
            text[0] == '-' ? Op::kNeg : Op::kLiteral};
  }

  /// "1" for 1.0f and int64_t(1).
  static std::string ForPeople(const Node &node) {
    const bool is_bool = node.type == Type{ScalarKind::kBool};
    const bool is_float = CategoryOf(node.type.kind) == Category::kFloat;
    if (is_bool || !is_float) return IntegerDigits(node.value, is_bool);
    std::string text = FloatLiteral(static_cast<float>(std::get<double>(node.value)));
    if (text.back() == 'f') text.pop_back();
    if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.resize(text.size() - 2);
    return text;
  }

  Piece PrintUnary(const Node &node) const {
    const Piece arg = Operand(node, 0);
    const bool same_sign = arg.precedence == kUnary && arg.op == node.op;  // "--a" is a decrement
    const Layout operand = Wrapped(arg, arg.precedence < kUnary || same_sign);
    return {Concat({Text(std::string(Spelling(node.op))), operand}), kUnary, node.op};
  }

  Piece PrintBinary(const Node &node) const {
    const Piece left = Operand(node, 0);
    const Piece right = Operand(node, 1);
    const Precedence own = PrecedenceOf(node.op);
    const bool regroup =
        right.precedence == own && !(IsAssociative(node.op) && right.op == node.op);
    const bool left_in = left.precedence < own || NeedsClarity(own, left.precedence);
    const bool right_in = right.precedence < own || regroup || NeedsClarity(own, right.precedence);
    // A chain of equal precedence is one list; anything else moves to the next line as a whole.
    const bool chain = left.precedence == own && !left_in;
    return {Concat({chain ? left.layout : Align(Wrapped(left, left_in)),
                    Text(" " + std::string(Spelling(node.op))),
                    Continuation(Align(Wrapped(right, right_in)))}),
            own, node.op};
  }

  /// The product with which a sum or difference of floats is printed as one operation; null if
  /// there is none. If all three values are the same for all lanes, they are printed as scalars.
  const Node *ContractsWith(const Node &node) const {
    const bool contracts = MayContract(style_.numerics) && style_.target == ExprStyle::kPacket;
    const bool sums = contracts && (node.op == Op::kAdd || node.op == Op::kSub);
    if (!sums || !(node.type.symbolic() || IsFloat(node.type.kind))) return nullptr;
    for (size_t i = 0; i < 2; ++i) {
      const Node &product = *node.args[i];
      if (product.op != Op::kMul) continue;
      const bool lanes = !At(product, 0).is_scalar || !At(product, 1).is_scalar;
      if (lanes || !At(node, 1 - i).is_scalar) return &product;
    }
    return nullptr;
  }

  /// MulAdd(a, b, c) for a b + c, MulAdd(a, b, -c) for a b - c, MulAdd(-a, b, c) for c - a b.
  Piece PrintMulAdd(const Node &node, const Node &product) const {
    const bool is_first = node.args[0].get() == &product;
    Layout a = At(product, 0).layout, c = At(node, is_first ? 1 : 0).layout;
    if (node.op == Op::kSub) {
      const Piece &turned = is_first ? At(node, 1) : At(product, 0);
      const Layout text = Wrapped(turned, turned.precedence < kUnary || turned.op == Op::kNeg);
      (is_first ? c : a) = Concat({Text("-"), text});
    }
    const auto comma = [](const Layout &part) { return Concat({Align(part), Text(",")}); };
    return {Concat({Text("MulAdd("),
                    Align(Fill({comma(a), comma(At(product, 1).layout), Align(c)})), Text(")")}),
            kPostfix};
  }

  bool IsCorrect(const Node &node) const {
    return style_.numerics == Numerics::kCorrect && style_.target == ExprStyle::kPacket &&
           HasCorrectForm(node);
  }

  bool IsFast(const Node &node) const {
    return style_.numerics == Numerics::kFast && style_.target == ExprStyle::kPacket &&
           ApproximationOf(node, style_.divides) != Approximation::kNone;
  }

  Piece PrintFast(const Node &node) const {
    const Approximation form = ApproximationOf(node, style_.divides);
    if (form == Approximation::kDivSqrt) {
      Node quotient = node;
      quotient.args[1] = node.args[1]->args[0];
      return PrintCall("FastDivSqrt", quotient, 0);
    }
    if (form == Approximation::kFunction) {
      return PrintCall("Fast" + FunctionName(node.op), node, 0);
    }
    return PrintCall(form == Approximation::kDiv    ? "FastDiv"
                     : form == Approximation::kSqrt ? "FastSqrt"
                                                    : "FastRsqrt",
                     node, 0);
  }

  /// name(arguments from `first` on).
  Piece PrintCall(const std::string &name, const Node &node, size_t first,
                  const std::string &extra = "") const {
    std::vector<Layout> list;
    if (!extra.empty()) list.push_back(Text(extra + ","));
    for (size_t i = first; i < node.args.size(); ++i) {
      const bool last = i + 1 == node.args.size();
      list.push_back(Concat({Align(Operand(node, i).layout), Text(last ? "" : ",")}));
    }
    return {Concat({Text(name + "("), Align(Fill(list)), Text(")")}), kPostfix};
  }

  Piece PrintForm(const Node &node) const {
    if (node.op == Op::kCast) return PrintCast(node);
    if (node.op == Op::kCall) return PrintLibm(node);
    if (node.op == Op::kBitCast) {
      const char *const name = style_.target == ExprStyle::kPeople ? "bit_cast<" : "BitsAs<";
      return PrintCall(name + style_.type_name(node.type) + ">", node, 0);
    }
    if (node.op == Op::kRoundStochastic) {
      return PrintCall("RoundStochastic<" + style_.type_name(node.type) + ">", node, 0);
    }
    if (node.op == Op::kAtColumn) {
      return PrintCall("ColumnIs<" + style_.lanes + ">", node, 0, "at");
    }
    return style_.target == ExprStyle::kPacket ? PrintCall("Select", node, 0)
                                               : PrintConditional(node);
  }

  Piece PrintConditional(const Node &node) const {
    const auto arm = [&](const char *mark, const Piece &piece) {
      const Layout operand = Align(Wrapped(piece, piece.precedence == kConditional));
      return Group(Concat({Line(), Text(mark), operand}));
    };
    const Piece &condition = At(node, 0);
    return {Concat({Align(Wrapped(condition, condition.precedence == kConditional)),
                    arm("? ", At(node, 1)), arm(": ", At(node, 2))}),
            kConditional};
  }

  Piece PrintCast(const Node &node) const {
    const bool identity = node.type == node.args[0]->type;
    if (identity || style_.target == ExprStyle::kPeople) return At(node, 0);
    const std::string type = style_.type_name(node.type);
    return PrintCall(style_.target == ExprStyle::kPacket ? "Cast<" + type + ">" : type, node, 0);
  }

  /// A libm function is named from the global namespace. One that C++ overloads needs a lambda to
  /// be an argument of Lanewise.
  Piece PrintLibm(const Node &node) const {
    if (style_.target == ExprStyle::kPeople) return PrintCall(node.name, node, 0);
    if (style_.target == ExprStyle::kHost) return PrintCall("::" + node.name, node, 0);
    if (node.name.back() == 'f') return PrintCall("Lanewise", node, 0, "::" + node.name);
    std::string parameters, arguments;
    for (size_t i = 0; i < node.args.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      const std::string separator = i == 0 ? "" : ", ";
      parameters += separator + style_.type_name(node.args[i]->type) + " " + name;
      arguments += separator + name;
    }
    return PrintCall("Lanewise", node, 0,
                     "[](" + parameters + ") { return ::" + node.name + "(" + arguments + "); }");
  }

  std::string FunctionName(Op op) const {
    if (style_.target == ExprStyle::kPacket) return std::string(Spelling(op));
    const std::string name(op == Op::kPowInt ? "pow" : IrName(op));
    return style_.target == ExprStyle::kHost ? "mshadow::math::" + name : name;
  }

  const Piece &At(const Node &node, size_t arg) const { return pieces_.at(node.args[arg].get()); }

  const ExprStyle &style_;
  std::unordered_map<const Node *, Piece> pieces_;
};

}  // namespace

Layout PrintExpr(const Expr &expr, const ExprStyle &style) { return Printer(style).Print(expr); }

std::string RenderExpr(const std::string &head, const Expr &expr, const std::string &tail,
                       const ExprStyle &style, int width) {
  const Layout layout = Concat({Align(PrintExpr(expr, style)), Text(tail)});
  const std::string beside = Render(Concat({Text(head), layout}), width);
  const size_t last = head.find_last_not_of(' ');
  if (beside.find('\n') == std::string::npos || last == std::string::npos || head[last] != '=') {
    return beside;
  }
  const std::string indent(head.find_first_not_of(' ') + 4, ' ');
  const std::string below =
      head.substr(0, last + 1) + "\n" + Render(Concat({Text(indent), layout}), width);
  const auto rows = [](const std::string &text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  return rows(below) < rows(beside) ? below : beside;
}

}  // namespace mgen
