// SPDX-License-Identifier: Apache-2.0
#include "ir/parser.h"

#include <optional>
#include <utility>

#include "ir/builder.h"
#include "ir/cursor.h"
#include "ir/expr_parser.h"

namespace mgen {
namespace {

struct TextLine {
  std::string_view text;
  int number = 0;
  size_t indent = 0;
};

std::vector<TextLine> SplitLines(std::string_view text) {
  std::vector<TextLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t indent = line.find_first_not_of(' ');
    if (indent != std::string_view::npos) lines.push_back({line, number, indent});
  }
  return lines;
}

class RuleParser {
 public:
  RuleParser(std::string_view text, std::string file)
      : file_(std::move(file)), lines_(SplitLines(text)), exprs_(rule_) {}

  Rule Parse() {
    Cursor head = Next("a rule");
    ParseHead(&head);
    while (!AtEnd()) {
      Cursor cursor = Next("");
      ParseLine(&cursor);
    }
    for (const Shape &shape : shapes_) {
      rule_.params[shape.param].shape_of = TensorNamed(shape.like, shape.location);
    }
    return std::move(rule_);
  }

 private:
  bool AtEnd() const { return at_ == lines_.size(); }

  Cursor Next(const std::string &what) {
    if (AtEnd()) throw ParseError({file_, 1, 1, 0}, "expected " + what);
    const TextLine &line = lines_[at_++];
    return Cursor(line.text, file_, line.number);
  }

  void End(Cursor *cursor) {
    if (!cursor->AtEnd()) cursor->Fail("expected the end of the line");
  }

  std::string Remark(Cursor *cursor) {
    std::string remark;
    if (cursor->TryPunctuation(";")) remark = cursor->String();
    End(cursor);
    return remark;
  }

  void ParseHead(Cursor *cursor);
  void ParseTemplateParam(Cursor *cursor);
  void ParseInstance(Cursor *cursor);
  void ParseLine(Cursor *cursor);
  void ParseParam(Cursor *cursor, bool is_tensor, bool is_const);
  void ParseShape(Cursor *cursor, Param *param);
  void ParseRole(Cursor *cursor, Param *param);
  std::variant<int64_t, double, bool> ParseValue(Cursor *cursor, const Param &param);
  void ParseCounts(Cursor *cursor, Statement *statement);
  void ParseLocal(Cursor *cursor);
  bool IsConstPart(const View &view, const SourceLocation &location) const;
  void ParseReducer(Cursor *cursor);
  void ParseView(Cursor *cursor);
  Expr ParseOfOperands(Cursor *cursor, Type type);
  View::Operand ParseViewOperand(Cursor *cursor);
  std::vector<Statement> ParseBody(size_t above);
  Statement ParseStatement(Cursor *cursor);
  void ParseFactors(Cursor *cursor, Statement *statement);
  void ParseProduct(Cursor *cursor, Statement *statement);
  void ParseScatter(Cursor *cursor, Statement *statement);
  bool TrySort(Cursor *cursor, Statement *statement);
  Statement ParseIf(Cursor *cursor, size_t indent);
  std::vector<int> Targets(Cursor *cursor);
  int Target(Cursor *cursor);
  int TensorNamed(const std::string &name, const SourceLocation &here) const;

  /// A temporary has the shape of a tensor, which may be a part, declared behind it.
  struct Shape {
    size_t param;
    std::string like;
    SourceLocation location;
  };

  std::string file_;
  std::vector<TextLine> lines_;
  size_t at_ = 0;
  Rule rule_;
  std::vector<Shape> shapes_;
  ExprParser exprs_;
};

void RuleParser::ParseHead(Cursor *cursor) {
  if (!cursor->TryWord("rule")) cursor->Fail("expected 'rule'");
  rule_.location = cursor->Here();
  rule_.name = cursor->Identifier("the rule's name");
  while (cursor->TryPunctuation("::")) {
    rule_.namespaces.push_back(rule_.name);
    rule_.name = cursor->Identifier("the rule's name");
  }
  cursor->Punctuation("<");
  if (!cursor->TryPunctuation(">")) {
    do {
      ParseTemplateParam(cursor);
    } while (cursor->TryPunctuation(","));
    cursor->Punctuation(">");
  }
  while (cursor->TryPunctuation("[")) ParseInstance(cursor);
  End(cursor);
}

void RuleParser::ParseTemplateParam(Cursor *cursor) {
  const std::string name = cursor->Identifier("a template parameter");
  TemplateParam::Kind kind = name == "xpu"   ? TemplateParam::kDevice
                             : name == "dim" ? TemplateParam::kRank
                                             : TemplateParam::kElementType;
  if (cursor->TryPunctuation(":")) {
    if (cursor->TryWord("device")) {
      kind = TemplateParam::kDevice;
    } else if (cursor->TryWord("rank")) {
      kind = TemplateParam::kRank;
    } else if (cursor->TryWord("type")) {
      kind = TemplateParam::kElementType;
    } else {
      cursor->Fail("expected device, rank or type");
    }
  }
  rule_.template_params.push_back({kind, name});
}

void RuleParser::ParseInstance(Cursor *cursor) {
  std::vector<ScalarKind> instance;
  const SourceLocation here = cursor->Here();
  if (!cursor->TryPunctuation("]")) {
    do {
      const std::optional<ScalarKind> kind = ParseScalarKind(cursor->TryIdentifier());
      if (!kind) cursor->Fail("expected an element type");
      instance.push_back(*kind);
    } while (cursor->TryPunctuation(","));
    cursor->Punctuation("]");
  }
  if (instance.size() != rule_.type_params().size()) {
    throw ParseError(here, "an instance has one type for each type parameter");
  }
  rule_.instances.push_back(std::move(instance));
}

void RuleParser::ParseLine(Cursor *cursor) {
  if (cursor->TryWord("overloads")) {
    rule_.overloads = cursor->Identifier("the name that it shares");
    End(cursor);
  } else if (cursor->TryWord("spec")) {
    rule_.spec = cursor->String();
    End(cursor);
  } else if (cursor->TryWord("doc")) {
    rule_.doc.push_back(cursor->String());
    End(cursor);
  } else if (cursor->TryWord("let")) {
    ParseLocal(cursor);
  } else if (cursor->TryWord("view") || cursor->TryWord("part")) {
    ParseView(cursor);
  } else if (cursor->TryWord("expression")) {
    rule_.is_expression = true;
    End(cursor);
  } else if (cursor->TryWord("reducer")) {
    ParseReducer(cursor);
  } else if (cursor->TryWord("stage")) {
    End(cursor);
    rule_.stages.push_back({ParseBody(lines_[at_ - 1].indent)});
  } else {
    const bool is_const = cursor->TryWord("const");
    const bool is_temporary = cursor->TryWord("temporary");
    const bool is_tensor = is_temporary || cursor->TryWord("tensor");
    if (!is_tensor && !cursor->TryWord("scalar")) {
      cursor->Fail(
          "expected overloads, spec, doc, tensor, scalar, temporary, view, part, let, expression, "
          "reducer or stage");
    }
    ParseParam(cursor, is_tensor, is_const);
    rule_.params.back().is_temporary = is_temporary;
  }
}

void RuleParser::ParseParam(Cursor *cursor, bool is_tensor, bool is_const) {
  Param param;
  param.is_tensor = is_tensor;
  param.is_const = is_const;
  param.location = cursor->Here();
  param.name = cursor->Identifier("a parameter");
  cursor->Punctuation(":");
  param.type = exprs_.ParseType(cursor);
  if (is_tensor) param.rank = cursor->TryWord("dim") ? Param::kRankParam : cursor->Integer();
  param.is_single = cursor->TryWord("single");
  if (cursor->TryWord("shape")) ParseShape(cursor, &param);
  param.is_workspace = cursor->TryWord("workspace");
  if (cursor->TryWord("for")) param.title = cursor->String();
  if (cursor->TryWord("const")) {
    cursor->Punctuation("&");
    param.passing = Param::kByConstRef;
  } else if (cursor->TryPunctuation("&")) {
    param.passing = Param::kByRef;
  }
  ParseRole(cursor, &param);
  param.doc = Remark(cursor);
  rule_.params.push_back(std::move(param));
}

/// "(x)", the shape of another tensor, or "(size(x, 0), size(w, 0))".
void RuleParser::ParseShape(Cursor *cursor, Param *param) {
  cursor->Punctuation("(");
  Cursor ahead = *cursor;
  const std::string name = ahead.TryIdentifier();
  if (ahead.TryPunctuation(")") && !name.empty()) {
    const SourceLocation here = cursor->Here();
    shapes_.push_back({rule_.params.size(), cursor->Identifier("a tensor"), here});
  } else {
    do {
      param->extents.push_back(exprs_.Parse(cursor));
    } while (cursor->TryPunctuation(","));
  }
  cursor->Punctuation(")");
}

void RuleParser::ParseRole(Cursor *cursor, Param *param) {
  for (Role role : {Role::kParameter, Role::kGradient, Role::kState, Role::kHyper, Role::kStep}) {
    if (cursor->TryWord(IrName(role))) param->role = role;
  }
  param->is_checked = cursor->TryWord("checked");
  if (param->is_tensor && cursor->TryPunctuation("(")) {
    param->value = ParseValue(cursor, *param);
    cursor->Punctuation(")");
  } else if (!param->is_tensor && cursor->TryPunctuation("=")) {
    param->value = ParseValue(cursor, *param);
  }
}

std::variant<int64_t, double, bool> RuleParser::ParseValue(Cursor *cursor, const Param &param) {
  if (cursor->TryWord("true")) return true;
  if (cursor->TryWord("false")) return false;
  const std::string text = cursor->TryNumber();
  const bool is_float = text.find_first_of(".ein") != std::string::npos;
  const bool is_double = param.is_tensor || !IsFloat(param.type.kind);
  const ScalarKind kind = !is_float   ? ScalarKind::kInt64
                          : is_double ? ScalarKind::kFloat64
                                      : param.type.kind;
  LiteralValue value;
  if (text.empty() || !ParseNumber(text, kind, &value)) cursor->Fail("expected a number");
  if (is_float) return std::get<double>(value);
  return std::get<int64_t>(value);
}

/// ` counting x by "range" instead "range<float>(0, out.size(1))"`, behind the word.
void RuleParser::ParseCounts(Cursor *cursor, Statement *statement) {
  do {
    CountedExtent extent;
    extent.tensor = Target(cursor);
    extent.location = cursor->Here();
    if (!cursor->TryWord("by")) cursor->Fail("expected 'by'");
    extent.name = cursor->String();
    if (!cursor->TryWord("instead")) cursor->Fail("expected 'instead'");
    extent.instead = cursor->String();
    statement->counts.push_back(std::move(extent));
  } while (cursor->TryPunctuation(","));
}

void RuleParser::ParseLocal(Cursor *cursor) {
  Local local;
  local.location = cursor->Here();
  local.name = cursor->Identifier("a local");
  cursor->Punctuation(":");
  local.type = exprs_.ParseType(cursor);
  cursor->Punctuation("=");
  const SourceLocation here = cursor->Here();
  local.value = exprs_.Parse(cursor);
  if (local.value->type != local.type) throw ParseError(here, "the value has another type");
  End(cursor);
  rule_.prologue.push_back(std::move(local));
}

/// Whether what a part is of may not be written.
bool RuleParser::IsConstPart(const View &view, const SourceLocation &location) const {
  const std::vector<int> sources = view.Sources();
  if (view.is_reshaped && !view.Reshapes()) {
    throw ParseError(location, "a reshaped tensor is a call of reshape, FlatTo1D or FlatTo2D");
  }
  if (view.is_reshaped) return rule_.params[sources.front()].is_const;
  const size_t has_rank = view.LastRangeOf(Node::kLastDim) >= 0;
  const size_t operands = 1 + 2 * view.ranges.size() + has_rank + view.names_rows;
  if (sources.size() != (view.names_rows ? 2 : 1) || view.operands.size() != operands) {
    throw ParseError(
        location, view.names_rows ? "rows are of one tensor, named by another"
                                  : "a part is of one tensor, each range from an index to another");
  }
  return rule_.params[sources.front()].is_const;
}

void RuleParser::ParseReducer(Cursor *cursor) {
  Reducer reducer;
  reducer.location = cursor->Here();
  reducer.name = cursor->Identifier("a reducer");
  cursor->Punctuation(":");
  reducer.type = exprs_.ParseType(cursor);
  if (!cursor->TryWord("initial")) cursor->Fail("expected 'initial'");
  reducer.initial = exprs_.Parse(cursor);
  if (!cursor->TryWord("reduce")) cursor->Fail("expected 'reduce'");
  reducer.reduce = ParseOfOperands(cursor, reducer.type);
  reducer.merge = cursor->TryWord("merge") ? ParseOfOperands(cursor, reducer.type) : reducer.reduce;
  End(cursor);
  rule_.reducers.push_back(std::move(reducer));
}

/// An expression over the operands of a reducer, which have its type.
Expr RuleParser::ParseOfOperands(Cursor *cursor, Type type) {
  exprs_.set_operand_type(type);
  return exprs_.Parse(cursor);
}

void RuleParser::ParseView(Cursor *cursor) {
  Param param;
  param.is_tensor = param.is_const = true;
  param.location = cursor->Here();
  param.name = cursor->Identifier("a view");
  cursor->Punctuation(":");
  param.type = exprs_.ParseType(cursor);
  param.rank = cursor->TryWord("dim") ? Param::kRankParam : cursor->Integer();
  View view;
  if (cursor->TryWord("least")) view.least_rank = cursor->Integer();
  view.names_rows = cursor->TryWord("named");
  view.is_flat = cursor->TryWord("flat");
  view.is_reshaped = cursor->TryWord("reshaped");
  if (cursor->TryWord("of")) {
    do {
      view.ranges.push_back(cursor->TryWord("last") ? Node::kLastDim : cursor->Integer());
    } while (cursor->TryPunctuation(","));
  }
  cursor->Punctuation("=");
  view.text = cursor->String();
  while (!cursor->AtEnd() && !cursor->TryWord("from")) {
    view.operands.push_back(ParseViewOperand(cursor));
    cursor->TryPunctuation(",");
  }
  if (!cursor->AtEnd()) {
    do {
      view.headers.push_back(cursor->String());
    } while (cursor->TryWord("from"));
  }
  End(cursor);
  if (view.is_part()) param.is_const = IsConstPart(view, param.location);
  param.view = std::move(view);
  rule_.params.push_back(std::move(param));
}

namespace {

/// Whether `word` stands there as what says of which kind an operand is, and not as a scalar of
/// that name, which is all of its operand.
bool TryKind(Cursor *cursor, std::string_view word) {
  Cursor ahead = *cursor;
  if (!ahead.TryWord(word) || ahead.AtEnd() || ahead.TryPunctuation(",") || ahead.TryWord("from")) {
    return false;
  }
  *cursor = ahead;
  return true;
}

}  // namespace

View::Operand RuleParser::ParseViewOperand(Cursor *cursor) {
  View::Operand operand{};
  if (TryKind(cursor, "type")) {
    operand.kind = View::Operand::kType;
    operand.type = exprs_.ParseType(cursor);
  } else if (TryKind(cursor, "shape")) {
    operand.kind = View::Operand::kShape;
    operand.param = Target(cursor);
  } else if (TryKind(cursor, "index")) {
    operand.kind = View::Operand::kIndex;
    operand.value = exprs_.Parse(cursor);
  } else if (TryKind(cursor, "rank")) {
    operand.kind = View::Operand::kRank;
    cursor->Identifier("dim");
    if (cursor->TryPunctuation("-")) operand.offset = -cursor->Integer();
    if (cursor->TryPunctuation("+")) operand.offset = cursor->Integer();
  } else {
    operand.kind = View::Operand::kScalar;
    operand.value = exprs_.Parse(cursor);
    if (operand.value->op == Op::kRead) {
      operand.kind = View::Operand::kTensor;
      operand.param = operand.value->index;
      operand.value = nullptr;
    }
  }
  return operand;
}

std::vector<Statement> RuleParser::ParseBody(size_t above) {
  std::vector<Statement> body;
  if (AtEnd() || lines_[at_].indent <= above) return body;
  const size_t indent = lines_[at_].indent;
  while (!AtEnd() && lines_[at_].indent == indent) {
    Cursor cursor = Next("");
    if (cursor.TryWord("boundary")) {
      End(&cursor);
      body.emplace_back().kind = Statement::kBoundary;
    } else {
      body.push_back(cursor.TryWord("if") ? ParseIf(&cursor, indent) : ParseStatement(&cursor));
    }
  }
  if (!AtEnd() && lines_[at_].indent > above) Next("").Fail("this line is indented otherwise");
  return body;
}

/// "a, b".
std::vector<int> RuleParser::Targets(Cursor *cursor) {
  std::vector<int> tensors;
  do {
    tensors.push_back(Target(cursor));
  } while (cursor->TryPunctuation(","));
  return tensors;
}

int RuleParser::Target(Cursor *cursor) {
  const SourceLocation here = cursor->Here();
  return TensorNamed(cursor->Identifier("a tensor"), here);
}

int RuleParser::TensorNamed(const std::string &name, const SourceLocation &here) const {
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    if (rule_.params[i].is_tensor && rule_.params[i].name == name) return static_cast<int>(i);
  }
  throw ParseError(here, "no tensor is named '" + name + "'");
}

Statement RuleParser::ParseStatement(Cursor *cursor) {
  Statement statement;
  statement.number = cursor->Integer();
  cursor->Punctuation(":");
  statement.location = cursor->Here();
  statement.target = Target(cursor);
  bool found = false;
  for (Saver saver : {Saver::kSave, Saver::kPlus, Saver::kMinus, Saver::kMul, Saver::kDiv}) {
    if (found || !cursor->TryPunctuation(Spelling(saver))) continue;
    statement.saver = saver;
    found = true;
  }
  if (!found) cursor->Fail("expected =, +=, -=, *= or /=");
  if (cursor->TryWord("scatter")) {
    ParseScatter(cursor, &statement);
  } else if (!TrySort(cursor, &statement)) {
    if (cursor->TryWord("dot")) ParseProduct(cursor, &statement);
    statement.value = exprs_.Parse(cursor);
  }
  if (cursor->TryWord("apart")) {
    if (!cursor->TryWord("from")) cursor->Fail("expected 'from'");
    statement.apart = Targets(cursor);
  }
  if (cursor->TryWord("fitting")) {
    do {
      statement.fitting.push_back(exprs_.Parse(cursor));
    } while (cursor->TryPunctuation(","));
  }
  if (cursor->TryWord("flattened")) statement.flattened = Targets(cursor);
  if (cursor->TryWord("counting")) ParseCounts(cursor, &statement);
  statement.text = Remark(cursor);
  return statement;
}

/// "(x, transposed w)".
void RuleParser::ParseFactors(Cursor *cursor, Statement *statement) {
  const auto factor = [&] {
    const bool transposed = cursor->TryWord("transposed");
    return Factor{Target(cursor), transposed};
  };
  cursor->Punctuation("(");
  statement->left = factor();
  cursor->Punctuation(",");
  statement->right = factor();
  cursor->Punctuation(")");
}

/// "(x, transposed w) scaled", and then comes the scale.
void RuleParser::ParseProduct(Cursor *cursor, Statement *statement) {
  statement->kind = Statement::kProduct;
  ParseFactors(cursor, statement);
  if (!cursor->TryWord("scaled")) cursor->Fail("expected 'scaled'");
}

/// "(indices, x)", and perhaps "modulo rows".
void RuleParser::ParseScatter(Cursor *cursor, Statement *statement) {
  statement->kind = Statement::kScatter;
  ParseFactors(cursor, statement);
  statement->value = MakeLiteral(rule_.params[statement->target].type, 1);
  statement->clips = !cursor->TryWord("modulo");
  if (!statement->clips && !cursor->TryWord("rows")) cursor->Fail("expected 'rows'");
}

/// "top(x)", "sort(x) ascending columns to at", "columns of sort(x)". Returns false, and takes
/// nothing, if it is something else: the words may be names of tensors.
bool RuleParser::TrySort(Cursor *cursor, Statement *statement) {
  const Cursor begin = *cursor;
  Sort &sort = statement->sort;
  if (cursor->TryWord("columns") && cursor->TryWord("of")) sort.columns = statement->target;
  sort.takes_all = cursor->TryWord("sort");
  if (!(sort.takes_all || cursor->TryWord("top")) || !cursor->NextIs('(')) {
    *cursor = begin;
    sort = Sort();
    return false;
  }
  statement->kind = Statement::kSort;
  cursor->Punctuation("(");
  statement->left.tensor = Target(cursor);
  cursor->Punctuation(")");
  statement->value = MakeLiteral(rule_.params[statement->target].type, 1);
  sort.ascends = cursor->TryWord("ascending");
  if (cursor->TryWord("columns")) {
    if (!cursor->TryWord("to")) cursor->Fail("expected 'to'");
    sort.columns = Target(cursor);
  }
  return true;
}

Statement RuleParser::ParseIf(Cursor *cursor, size_t indent) {
  Statement statement;
  statement.kind = Statement::kIf;
  statement.location = cursor->Here();
  statement.condition = exprs_.Parse(cursor);
  statement.text = Remark(cursor);
  statement.then_body = ParseBody(indent);
  if (AtEnd() || lines_[at_].indent != indent) return statement;
  Cursor next(lines_[at_].text, file_, lines_[at_].number);
  if (!next.TryWord("else")) return statement;
  End(&next);
  ++at_;
  statement.else_body = ParseBody(indent);
  return statement;
}

}  // namespace

ParseError::ParseError(const SourceLocation &location, const std::string &message)
    : std::runtime_error(location.file + ":" + std::to_string(location.line) + ":" +
                         std::to_string(location.column) + ": " + message),
      location_(location) {}

Rule ParseRule(std::string_view text, const std::string &file) {
  return RuleParser(text, file).Parse();
}

}  // namespace mgen
