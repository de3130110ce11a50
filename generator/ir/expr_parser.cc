// SPDX-License-Identifier: Apache-2.0
#include "ir/expr_parser.h"

#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ir/builder.h"
#include "ir/parser.h"

namespace mgen {

Type ExprParser::ParseType(Cursor *cursor) const {
  const SourceLocation here = cursor->Here();
  const std::string name = cursor->Identifier("a type");
  if (name == "promoted") {
    cursor->Punctuation("<");
    Type type = ParseType(cursor);
    cursor->Punctuation(">");
    type.kind = Promoted(type.kind);
    type.promoted = type.symbolic();
    return type;
  }
  const std::vector<std::string> params = rule_.type_params();
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] != name) continue;
    const ScalarKind kind =
        rule_.instances.empty() ? ScalarKind::kFloat32 : rule_.instances[0].at(i);
    return {kind, static_cast<int>(i)};
  }
  if (const std::optional<ScalarKind> kind = ParseScalarKind(name)) return {*kind};
  throw ParseError(here, "no type is named '" + name + "'");
}

Expr ExprParser::NumberLiteral(Cursor *cursor, const std::string &number) const {
  const SourceLocation here = cursor->Here();
  const std::optional<ScalarKind> kind = ParseScalarKind(cursor->TryIdentifier());
  LiteralValue value;
  if (!kind || !ParseNumber(number, *kind, &value)) {
    throw ParseError(here, "'" + number + "' needs a type, as in 1.0f32");
  }
  return MakeLiteral(Type{*kind}, value);
}

Expr ExprParser::SymbolicLiteral(Cursor *cursor) const {
  cursor->Punctuation("<");
  const Type type = ParseType(cursor);
  cursor->Punctuation(">");
  cursor->Punctuation("(");
  LiteralValue value;
  std::string number = cursor->TryNumber();
  if (number.empty()) number = cursor->TryIdentifier();  // true, false
  const bool is_float = IsFloat(type.kind);
  if (number.empty() || !ParseNumber(number, is_float ? ScalarKind::kFloat64 : type.kind, &value)) {
    cursor->Fail("expected a value of " + std::string(IrName(type.kind)));
  }
  cursor->Punctuation(")");
  return MakeLiteral(type, value);
}

int ExprParser::TensorNamed(Cursor *cursor) const {
  const SourceLocation here = cursor->Here();
  const std::string name = cursor->Identifier("a tensor");
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    if (rule_.params[i].is_tensor && rule_.params[i].name == name) return static_cast<int>(i);
  }
  throw ParseError(here, "no tensor is named '" + name + "'");
}

int ExprParser::ReducerNamed(Cursor *cursor) const {
  const SourceLocation here = cursor->Here();
  const std::string name = cursor->Identifier("a reducer");
  for (size_t i = 0; i < rule_.reducers.size(); ++i) {
    if (rule_.reducers[i].name == name) return static_cast<int>(i);
  }
  throw ParseError(here, "no reducer is named '" + name + "'");
}

namespace {

/// A dimension: "0", "last" or "last - 1"; or several: "rows" for all but the last, "but 1" for all
/// but 1.
int Dim(Cursor *cursor) {
  if (cursor->TryWord("last")) {
    return cursor->TryPunctuation("-") ? Node::kFromLast + cursor->Integer() : Node::kLastDim;
  }
  if (cursor->TryWord("rows")) return Node::kRows;
  const bool is_rest = cursor->TryWord("but");
  const int dim = cursor->Integer();
  if (dim < 0) cursor->Fail("expected a dimension");
  return is_rest ? Node::kRest - dim : dim;
}

}  // namespace

Expr ExprParser::Dimension(Cursor *cursor, bool is_size) const {
  cursor->Punctuation("(");
  const int tensor = TensorNamed(cursor);
  int dim = -1;
  if (!is_size) {
    cursor->Punctuation(",");
    dim = Dim(cursor);
  }
  cursor->Punctuation(")");
  return MakeDim(tensor, dim);
}

Expr ExprParser::Index(Cursor *cursor) const {
  const Type type = ParseType(cursor);
  cursor->Punctuation(">");
  cursor->Punctuation("(");
  const int tensor = TensorNamed(cursor);
  const int dim = cursor->TryPunctuation(",") ? cursor->Integer() : -1;
  cursor->Punctuation(")");
  return MakeIndex(type, tensor, dim);
}

Expr ExprParser::Axis(Cursor *cursor) const {
  const int dim = Dim(cursor);
  cursor->Punctuation(")");
  return MakeAxis(dim);
}

Expr ExprParser::Gather(Cursor *cursor) const {
  const int tensor = TensorNamed(cursor);
  cursor->Punctuation(",");
  const int by = TensorNamed(cursor);
  cursor->Punctuation(")");
  return MakeGather(tensor, rule_.params[tensor].type, by);
}

Expr ExprParser::MappedRead(Cursor *cursor, Axes axes) const {
  cursor->Punctuation("(");
  const int tensor = TensorNamed(cursor);
  cursor->Punctuation(")");
  return MakeRead(tensor, rule_.params[tensor].type, axes);
}

/// "<1>"
int Bracketed(Cursor *cursor) {
  cursor->Punctuation("<");
  const int number = cursor->Integer();
  cursor->Punctuation(">");
  return number;
}

/// The parameter or local of that name; null if there is none. Later locals hide earlier ones.
Expr ExprParser::Named(const std::string &name) const {
  for (size_t i = rule_.prologue.size(); i-- > 0;) {
    const Local &local = rule_.prologue[i];
    if (local.name == name) return MakeLocal(static_cast<int>(i), local.type);
  }
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const Param &param = rule_.params[i];
    if (param.name != name) continue;
    const int index = static_cast<int>(i);
    return param.is_tensor ? MakeRead(index, param.type) : MakeParam(index, param.type);
  }
  return nullptr;
}

Expr ExprParser::Labelled(Cursor *cursor) const {
  const SourceLocation here = cursor->Here();
  std::string label = cursor->TryIdentifier();
  if (label.empty()) label = cursor->TryNumber();
  const auto found = labels_.find(label);
  if (found == labels_.end()) throw ParseError(here, "nothing is labelled '" + label + "'");
  return found->second;
}

/// The leaf that begins with `word`; null if it is an operation.
Expr ExprParser::Leaf(Cursor *cursor, const std::string &word, const SourceLocation &here) const {
  // A tensor may have these names: it has no brackets.
  if (word == "index" && cursor->TryPunctuation("<")) return Index(cursor);
  if (word == "axis" && cursor->TryPunctuation("(")) return Axis(cursor);
  if (word == "gather" && cursor->TryPunctuation("(")) return Gather(cursor);
  if (word == "operand" && cursor->TryPunctuation("(")) {
    const int which = cursor->Integer();
    cursor->Punctuation(")");
    return MakeOperand(which, operand_type_);
  }
  const bool is_named = !cursor->NextIs('(') && !cursor->NextIs('<');
  if (Expr leaf = is_named ? Named(word) : nullptr) return leaf;
  if (word == "true" || word == "false") return MakeLiteral(kBoolType, word == "true");
  if (word == "literal") return SymbolicLiteral(cursor);
  if (word == "dim" || word == "size") return Dimension(cursor, word == "size");
  if (word == "row") return MappedRead(cursor, Axes::Last());
  if (word == "column") return MappedRead(cursor, Axes::Rows());
  if (word == "channel") return MappedRead(cursor, Axes::Only(Bracketed(cursor)));
  if (word == "one") return MappedRead(cursor, Axes::None());
  if (word == "rest") return MappedRead(cursor, Axes::Without(Bracketed(cursor)));
  const std::string number = word.substr(0, 3);
  if (number != "inf" && number != "nan") return nullptr;
  Cursor type(std::string_view(word).substr(3), here.file, here.line);
  return NumberLiteral(&type, number);
}

Expr ExprParser::LeafOrOpen(Cursor *cursor, bool is_index, Frame *frame) {
  frame->location = cursor->Here();
  if (cursor->TryPunctuation("@")) return Labelled(cursor);
  std::string word = cursor->TryIdentifier();
  const bool is_number = word.empty();
  if (is_number) word = cursor->TryNumber();
  if (word.empty()) throw ParseError(frame->location, "expected an expression");
  if (cursor->TryPunctuation("@")) {
    frame->label = word;
    word = cursor->Identifier("an operation");
  } else if (is_number) {
    const bool is_plain = is_index && (cursor->NextIs(',') || cursor->NextIs(']'));
    Cursor type("i64", frame->location.file, frame->location.line);
    return WithLocation(NumberLiteral(is_plain ? &type : cursor, word), frame->location);
  } else if (Expr leaf = Leaf(cursor, word, frame->location)) {
    if (leaf->op != Op::kRead || !cursor->TryPunctuation("[")) {
      return WithLocation(leaf, frame->location);
    }
    frame->op = Op::kRead;
    frame->tensor = leaf->index;
    return nullptr;
  }
  Open(cursor, word, frame);
  return nullptr;
}

/// "keep 0 by lanes>", before it a reducer of the rule's own.
void ExprParser::ParseKept(Cursor *cursor, Frame *frame) const {
  if (frame->op == Op::kReduceOwn) frame->reducer = ReducerNamed(cursor);
  if (cursor->TryWord("keep")) {
    frame->kept = Dim(cursor);
  }
  if (!cursor->TryWord("by")) cursor->Fail("expected 'by' and an order");
  const std::string name = cursor->Identifier("an order");
  const std::optional<Order> order = ParseOrder(name);
  if (!order) cursor->Fail("there is no order '" + name + "'");
  frame->order = *order;
  cursor->Punctuation(">");
}

/// "sum>" or "exclusive sum>", or "reduce" and a reducer of the rule's own.
void ExprParser::ParseScanned(Cursor *cursor, Frame *frame) const {
  frame->is_exclusive = cursor->TryWord("exclusive");
  const std::string name = cursor->Identifier("a reduction");
  const std::optional<Op> reducer = ParseReduction(name);
  if (!reducer) cursor->Fail("there is no reduction '" + name + "'");
  frame->scanned_by = *reducer;
  if (*reducer == Op::kReduceOwn) frame->reducer = ReducerNamed(cursor);
  cursor->Punctuation(">");
}

void ExprParser::Open(Cursor *cursor, const std::string &word, Frame *frame) const {
  const std::optional<Op> op =
      cursor->NextIs('<') && ParseReduction(word) ? ParseReduction(word) : ParseOp(word);
  if (!op || ClassOf(*op) == OpClass::Leaf) {
    throw ParseError(frame->location, "nothing is named '" + word + "'");
  }
  frame->op = *op;
  if (NamesType(*op)) {
    cursor->Punctuation("<");
    frame->type = ParseType(cursor);
    cursor->Punctuation(">");
  }
  if (ClassOf(*op) == OpClass::Reduce) {
    cursor->Punctuation("<");
    ParseKept(cursor, frame);
  }
  if (*op == Op::kScan) {
    cursor->Punctuation("<");
    ParseScanned(cursor, frame);
  }
  cursor->Punctuation("(");
  if (*op == Op::kCall) {
    frame->name = cursor->Identifier("a function");
    cursor->TryPunctuation(",");
  }
}

Expr ExprParser::Close(Frame frame) {
  Expr node;
  if (frame.op == Op::kRead) {
    for (const Expr &index : frame.args) {
      if (index->type != kIndexType) throw ParseError(frame.location, "an index is an i64");
    }
    node = MakeRead(frame.tensor, rule_.params[frame.tensor].type, std::move(frame.args));
  } else if (frame.op == Op::kCast) {
    if (frame.args.size() != 1) throw ParseError(frame.location, "cast takes 1 operand");
    node = MakeCast(frame.type, frame.args[0]);
  } else if (frame.op == Op::kBitCast) {
    if (const std::string error = BitCastError(frame.type, frame.args); !error.empty()) {
      throw ParseError(frame.location, error);
    }
    node = MakeBitCast(frame.type, frame.args[0]);
  } else if (frame.op == Op::kRoundStochastic) {
    if (frame.args.size() != 2) {
      throw ParseError(frame.location, "round_stochastic takes 2 operands");
    }
    node = MakeRoundStochastic(frame.type, frame.args[0], frame.args[1]);
  } else if (frame.op == Op::kCall) {
    node = MakeCall(frame.name, frame.type, std::move(frame.args));
  } else {
    if (const std::string error = TypeError(frame.op, frame.args); !error.empty()) {
      throw ParseError(frame.location, error);
    }
    node = ClassOf(frame.op) == OpClass::Reduce
               ? MakeReduction(frame.op, frame.kept, frame.order, frame.args[0], frame.reducer)
           : frame.op == Op::kScan
               ? MakeScan(frame.scanned_by, frame.is_exclusive, frame.args[0], frame.reducer)
               : MakeOp(frame.op, std::move(frame.args));
  }
  const bool is_number = !frame.label.empty() && std::isdigit(frame.label[0]) != 0;
  if (!frame.label.empty() && !is_number) node = WithName(node, frame.label);
  node = WithLocation(node, frame.location);
  if (!frame.label.empty()) labels_[frame.label] = node;
  return node;
}

Expr ExprParser::Parse(Cursor *cursor) {
  std::vector<Frame> open;
  while (true) {
    Frame frame;
    Expr value;
    try {
      const bool is_index = !open.empty() && open.back().op == Op::kRead;
      value = LeafOrOpen(cursor, is_index, &frame);
    } catch (const std::invalid_argument &error) {  // the builder's
      throw ParseError(frame.location, error.what());
    }
    if (value == nullptr) {
      open.push_back(std::move(frame));
      if (open.back().op == Op::kRead || !cursor->TryPunctuation(")")) continue;
      value = Close(std::move(open.back()));
      open.pop_back();
    }
    while (true) {
      if (open.empty()) return value;
      open.back().args.push_back(std::move(value));
      if (cursor->TryPunctuation(",")) break;
      cursor->Punctuation(open.back().op == Op::kRead ? "]" : ")");
      value = Close(std::move(open.back()));
      open.pop_back();
    }
  }
}

}  // namespace mgen
