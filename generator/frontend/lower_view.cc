// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_view.h"

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/expressions.h"
#include "frontend/materialise.h"
#include "frontend/reduced_axes.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"

namespace mgen {
namespace {

/// The kind that the base Exp of an expression says; -1 of what is none.
int KindOfExpression(clang::QualType type) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  if (!record) return -1;
  if (QualifiedName(*record) == "mshadow::expr::Exp") {
    return static_cast<int>((*TemplateArgs(type))[2].getAsIntegral().getExtValue());
  }
  if (!record->hasDefinition()) return -1;
  for (const clang::CXXBaseSpecifier &base : record->getDefinition()->bases()) {
    if (const int kind = KindOfExpression(base.getType()); kind >= 0) return kind;
  }
  return -1;
}

/// Nodes that the generator gives a meaning of their own.
bool IsKnownNode(const std::string &record) {
  static const char *const kNodes[] = {
      "mshadow::Tensor",
      "mshadow::Temporary",
      "mshadow::expr::BinaryMapExp",
      "mshadow::expr::BitCastExp",
      "mshadow::expr::Broadcast1DExp",
      "mshadow::expr::BroadcastScalarExp",
      "mshadow::expr::MatChooseRowElementExp",
      "mshadow::expr::MatFillRowElementExp",
      "mshadow::expr::OneHotEncodeExp",
      "mshadow::expr::RangeExp",
      "mshadow::expr::ScalarExp",
      "mshadow::expr::TernaryMapExp",
      "mshadow::expr::TypecastExp",
      "mshadow::expr::UnaryMapExp",
  };
  return std::find(std::begin(kNodes), std::end(kNodes), record) != std::end(kNodes);
}

constexpr int kChainer = 3;  // mshadow::expr::type

/// Whether it was declared as index_t, which may be another integer where emitted code is compiled.
bool IsIndex(clang::QualType type) {
  const auto *name = type->getAs<clang::TypedefType>();
  return name && name->getDecl()->getName() == "index_t";
}

/// Whether an expression has each element of its source several times.
bool Repeats(clang::QualType type) {
  const std::string record = RecordName(type);
  return record == "mshadow::expr::RepeatingViewExp" || record == "mshadow::expr::Broadcast1DExp" ||
         record == "mshadow::expr::BroadcastScalarExp";
}

/// What a name of the rule's stands for; null if `e` is none.
const clang::Expr *NamedBy(const clang::Stmt *e) {
  const auto *value = llvm::dyn_cast<clang::Expr>(e);
  const clang::VarDecl *variable = value ? ExpressionNamedBy(value) : nullptr;
  return variable ? variable->getInit() : nullptr;
}

/// Whether an element of a tensor is read in there, and not numbers alone, such as its extents.
bool ReadsTensor(const clang::Stmt *e) {
  const auto *value = llvm::dyn_cast_or_null<clang::Expr>(e);
  const bool is_object = value && llvm::isa<clang::MemberExpr>(value);  // of t.T()
  if (!value || (!is_object && !IsExpression(value->getType()))) return false;
  if (IsTensor(value->getType()) || RecordName(value->getType()) == "mshadow::Temporary") {
    return true;
  }
  if (const clang::Expr *named = NamedBy(value)) return ReadsTensor(named);
  return std::any_of(e->child_begin(), e->child_end(), ReadsTensor);
}

/// The name by which a header was included in `<…>`; "" if it was in quotes.
std::string AngledName(const clang::SourceManager &sources, clang::FileID file) {
  const clang::SourceLocation place = sources.getIncludeLoc(file);
  if (place.isInvalid()) return "";
  const llvm::StringRef rest(sources.getCharacterData(place));
  if (!compat::StartsWith(rest, "<")) return "";
  return rest.substr(1, rest.find('>') - 1).str();
}

/// `header`, which stands somewhere beside `spec`, named from where `name` names the spec.
std::string NameBeside(const std::string &spec, const std::string &name,
                       const std::string &header) {
  const auto absolute = [](const std::string &path) {
    llvm::SmallString<256> result(path);
    llvm::sys::fs::make_absolute(result);
    llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
    return result.str().str();
  };
  const std::string from = absolute(spec), to = absolute(header);
  size_t common = 0;
  for (size_t i = 0; i < from.size() && i < to.size() && from[i] == to[i]; ++i) {
    if (from[i] == '/') common = i + 1;
  }
  std::string directory = name.substr(0, name.rfind('/') + 1);
  for (size_t i = common; (i = from.find('/', i)) != std::string::npos; ++i) {
    if (directory.empty()) return to.substr(common);  // above what the name knows
    directory.pop_back();
    directory.erase(directory.rfind('/') + 1);
  }
  return directory + to.substr(common);
}

}  // namespace

bool IsSlice(const clang::Expr *target) {
  const clang::QualType type = StripWrappers(target)->IgnoreImplicit()->getType();
  return RecordName(type) == "mshadow::expr::AssignableViewExp";
}

bool ReducesDimension(const std::string &name) {
  static const char *const kFunctions[] = {
      "mshadow::expr::implicit_dot", "mshadow::expr::reduce_keepdim",
      "mshadow::expr::reduce_multi_axes", "mshadow::expr::reduce_with_axis"};
  return std::find(std::begin(kFunctions), std::end(kFunctions), name) != std::end(kFunctions);
}

bool IsReduced(const clang::Stmt *e) {
  const auto *value = llvm::dyn_cast_or_null<clang::Expr>(e);
  if (!value || Repeats(value->getType())) return false;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(value);
  if (call && ReducesDimension(CalleeOf(call))) return true;
  if (const clang::Expr *named = NamedBy(value)) return IsReduced(named);
  return std::any_of(e->child_begin(), e->child_end(), IsReduced);
}

bool IsView(clang::QualType type) {
  const std::string record = RecordName(type);
  const int kind = KindOfExpression(type);
  return 0 <= kind && kind <= kChainer && !IsKnownNode(record);
}

namespace {

std::optional<Range> RangeOf(const clang::CallExpr *call, const clang::ASTContext &ast) {
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getDeclName().isIdentifier()) return std::nullopt;
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    if (callee->getName() != "Slice" || !IsTensor(call->getType())) return std::nullopt;
    return Range{0, member->getImplicitObjectArgument(), call->getArg(0), call->getArg(1)};
  }
  const clang::TemplateArgumentList *args = callee->getTemplateSpecializationArgs();
  const bool is_slice = args && QualifiedName(*callee) == "mshadow::expr::slice" &&
                        (*args)[0].getKind() == clang::TemplateArgument::Integral;
  if (!is_slice) return std::nullopt;
  return Range{DimensionNamedBy(call, ast), call->getArg(0), call->getArg(1), call->getArg(2)};
}

}  // namespace

bool ViewLowering::IsMentionedIn(const clang::Stmt *e) const {
  if (!e) return false;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (RangesIn(call) || IsFlat(call) || CalleeOf(call) == "mshadow::expr::rows") return false;
    if (IsView(call->getType()) || IsTensor(call->getType())) return true;
  }
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (scalars_.TensorOf(name) >= 0) return false;
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool is_name = variable && !llvm::isa<clang::ParmVarDecl>(variable);
    return is_name && IsExpression(variable->getType()) && IsMentionedIn(variable->getInit());
  }
  return std::any_of(e->child_begin(), e->child_end(),
                     [this](const clang::Stmt *child) { return IsMentionedIn(child); });
}

View ViewLowering::Lower(const clang::Expr *e, const Replacements &replaced) {
  view_ = View();
  replaced_ = replaced;
  view_.text = Text(e);
  CheckRank(e);
  return std::move(view_);
}

/// In a rule for any rank a view is of that rank, whatever it is.
void ViewLowering::CheckRank(const clang::Expr *e) {
  ViewRanks ranks(scalars_, front_.ast);
  const std::optional<RankNumber> rank = ranks.Of(e);
  if (const clang::CallExpr *call = ranks.too_low()) {
    const std::string name = CalleeOf(call).substr(sizeof("mshadow::expr::") - 1);
    front_.diagnostics.Report(DiagId::kCxx, front_.Where(call->getSourceRange()),
                              name + " takes an expression of rank 3 or more");
    throw Rejected();
  }
  if (!TensorLowering::HasRankParam(scalars_.rule())) return;
  if (!rank || !(*rank == RankNumber{true, 0})) {
    scalars_.RejectRank(e, "this view", DiagId::kViewRankNote);
  }
  view_.least_rank = ranks.least();
}

/// What is written in terms of the rank is said of it again.
std::optional<std::string> ViewLowering::RankHole(const clang::Expr *e) {
  if (!TensorLowering::HasRankParam(scalars_.rule())) return std::nullopt;
  const std::optional<RankNumber> rank = RankNumberOf(e, front_.ast);
  if (!rank || !rank->of_rule) return std::nullopt;
  View::Operand operand{View::Operand::kRank, -1, nullptr, {}};
  operand.offset = rank->number;
  return Hole(std::move(operand));
}

std::optional<Ranges> ViewLowering::RangesIn(const clang::Expr *e) const {
  const auto range =
      RangeOf(llvm::dyn_cast<clang::CallExpr>(StripWrappers(e)->IgnoreImplicit()), front_.ast);
  if (!range) return std::nullopt;
  std::optional<Ranges> ranges;
  if (const int source = scalars_.TensorOf(range->tensor); source >= 0) {
    ranges = Ranges{source, {}};
  } else {
    ranges = RangesIn(range->tensor);
  }
  if (!ranges) return std::nullopt;
  ranges->added.push_back(*range);
  return IsPart(*ranges) ? ranges : std::nullopt;
}

/// Whether it is known which of the ranges are of one dimension, and rows lie at two distances.
bool ViewLowering::IsPart(const Ranges &ranges) const {
  const Param &source = scalars_.rule().params[ranges.source];
  if (source.view && source.view->ranges.empty()) return false;
  std::vector<int> dims = source.view ? source.view->ranges : std::vector<int>();
  for (const Range &range : ranges.added) dims.push_back(range.dim);
  // Whether an inner dimension is one at every rank, only the launch knows.
  if (source.rank == Param::kRankParam) {
    const bool is_known = dims.front() == 0 || dims.front() == Node::kLastDim;
    return is_known && std::count(dims.begin(), dims.end(), dims.front()) ==
                           static_cast<std::ptrdiff_t>(dims.size());
  }
  std::set<int> inner;
  for (const int dim : dims) {
    if (source.IsInner(dim)) inner.insert(dim);
  }
  return inner.size() <= 1;
}

std::optional<View> ViewLowering::LowerPart(const clang::Expr *e) {
  if (std::optional<View> rows = LowerRows(e)) return rows;
  if (IsFlat(e)) return LowerReshaped(e);
  const std::optional<Ranges> ranges = RangesIn(e);
  if (!ranges) return std::nullopt;
  const Param source = scalars_.rule().params[ranges->source];
  std::vector<View::Range> all;
  for (size_t i = 0; source.view && i < source.view->ranges.size(); ++i) {
    all.push_back({source.view->ranges[i], source.view->Begin(i), source.view->End(i)});
  }
  for (const Range &range : ranges->added) {
    all.push_back({range.dim, scalars_.Lower(range.begin), scalars_.Lower(range.end)});
  }
  // Ranges of two dimensions are the same part in either order: one that makes runs is the last.
  std::stable_sort(all.begin(), all.end(), [&](const View::Range &a, const View::Range &b) {
    return std::pair(source.IsInner(a.dim), a.dim) < std::pair(source.IsInner(b.dim), b.dim);
  });
  return View::PartOf(source.view ? source.view->Sources().front() : ranges->source, all);
}

/// Whether `e` is the FlatTo1D() or FlatTo2D() of a tensor of the rule.
bool ViewLowering::IsFlat(const clang::Expr *e) const {
  const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(StripWrappers(e)->IgnoreImplicit());
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  const std::string name = method ? method->getNameAsString() : "";
  if (name != "FlatTo1D" && name != "FlatTo2D") return false;
  const int tensor = scalars_.TensorOf(call->getImplicitObjectArgument());
  return tensor >= 0 && !scalars_.rule().params[tensor].view;
}

std::optional<View> ViewLowering::LowerReshaped(const clang::Expr *e) {
  View view = Lower(e);
  view.is_reshaped = view.Reshapes();
  return view.is_reshaped ? std::optional(std::move(view)) : std::nullopt;
}

/// rows(matrix, indices), of tensors of the rule.
std::optional<View> ViewLowering::LowerRows(const clang::Expr *e) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(e)->IgnoreImplicit());
  if (!call || CalleeOf(call) != "mshadow::expr::rows") return std::nullopt;
  const Rule &rule = scalars_.rule();
  if (TensorLowering::HasRankParam(rule)) scalars_.RejectRank(e, "a matrix of rows with indices");
  const int indices = scalars_.TensorOf(call->getArg(1));
  if (indices < 0 || !rule.params[indices].is_argument() ||
      rule.params[indices].type == kBoolType) {
    const SourceLocation place = front_.Where(call->getArg(1)->getSourceRange());
    front_.diagnostics.Report(DiagId::kIndexTensor, place, "rows")
        .Note(DiagId::kIndexTensorNote, place);
    throw Rejected();
  }
  const int matrix = scalars_.TensorOf(call->getArg(0));
  if (matrix < 0 || rule.params[matrix].view) {
    scalars_.RejectExpression(call->getArg(0), "rows of a slice or an expression",
                              DiagId::kRowsOfNote);
  }
  return View::RowsOf(matrix, indices);
}

std::string ViewLowering::NameOf(const View &view) {
  const std::string &text = view.text;
  if (text.substr(text.size() - 2) == "()" && text[text.size() - 3] == 'T') return "transposed";
  const size_t end = text.find_first_of("<(");
  if (end == 0 || end == std::string::npos) return "part";
  const size_t begin = text.find_last_of(":.", end);
  const std::string name = text.substr(begin + 1, end - begin - 1);
  if (name == "FlatTo1D") return "vector";
  if (name == "FlatTo2D") return "matrix";
  return name.empty() || name[0] < 'a' ? "part" : name;
}

void ViewLowering::Reject(const clang::Expr *e, const std::string &what, DiagId note) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics.Report(DiagId::kView, location, what).Note(note, location);
  throw Rejected();
}

std::string ViewLowering::Hole(View::Operand operand) {
  view_.operands.push_back(std::move(operand));
  return "$" + std::to_string(view_.operands.size() - 1);
}

std::string ViewLowering::Text(const clang::Expr *e) {
  e = StripWrappers(e);
  front_.Step(e->getSourceRange());
  if (const auto other = replaced_.find(e); other != replaced_.end()) return Text(other->second);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) return Text(cast->getSubExpr());
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) return NameText(name);
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) return MemberText(call);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) return OperatorText(call);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return CallText(call);
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (construct && construct->getNumArgs() == 1 &&
      construct->getConstructor()->isCopyOrMoveConstructor()) {
    return Text(construct->getArg(0));
  }
  Reject(e, "this");
}

/// A tensor, or the expression that a name of the rule's stands for, with the scalars of where it
/// was named.
std::string ViewLowering::NameText(const clang::DeclRefExpr *e) {
  if (const int param = scalars_.TensorOf(e); param >= 0) {
    if (scalars_.rule().params[param].is_part()) {
      const View part = *scalars_.rule().params[param].view;
      return part.Fill([this](const View::Operand &operand) { return Hole(operand); });
    }
    return Hole({View::Operand::kTensor, param, nullptr, {}});
  }
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
  const bool is_name = variable && !llvm::isa<clang::ParmVarDecl>(variable) && variable->getInit();
  if (!is_name) Reject(e, "'" + e->getDecl()->getNameAsString() + "'");
  Restore<Variables> now(scalars_.variables());
  if (const Variables *then = scalars_.ScalarsOf(variable)) scalars_.variables() = *then;
  return Text(variable->getInit());
}

std::string ViewLowering::MemberText(const clang::CXXMemberCallExpr *e) {
  const clang::CXXMethodDecl *method = e->getMethodDecl();
  const std::string name = method ? method->getNameAsString() : "";
  const clang::Expr *object = e->getImplicitObjectArgument();
  if (name == "self" || name == "ptrself" || name == "real_self") return Text(object);
  const bool is_known = name == "T" || name == "Slice" || name == "FlatTo1D" || name == "FlatTo2D";
  if (!is_known) Reject(e, "a call of '" + name + "'");
  std::string text = Text(object) + "." + name + "(";
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    text += (i > 0 ? ", " : "") + Argument(e->getArg(i), method, i);
  }
  return text + ")";
}

std::string ViewLowering::OperatorText(const clang::CXXOperatorCallExpr *e) {
  const std::string symbol = clang::getOperatorSpelling(e->getOperator());
  const auto kind = e->getOperator();
  if (kind == clang::OO_Subscript && IsTensor(e->getType())) {
    const std::string tensor = Text(e->getArg(0));
    return tensor + "[" + Argument(e->getArg(1), e->getDirectCallee(), 0) + "]";
  }
  static const clang::OverloadedOperatorKind kKnown[] = {
      clang::OO_Plus,       clang::OO_Minus,       clang::OO_Star,    clang::OO_Slash,
      clang::OO_Less,       clang::OO_LessEqual,   clang::OO_Greater, clang::OO_GreaterEqual,
      clang::OO_EqualEqual, clang::OO_ExclaimEqual};
  if (std::find(std::begin(kKnown), std::end(kKnown), kind) == std::end(kKnown))
    Reject(e, "operator " + symbol);
  if (e->getNumArgs() == 1) return "(" + symbol + Argument(e->getArg(0)) + ")";
  // In this order: the operands are numbered as they are met.
  const std::string left = Argument(e->getArg(0));
  return "(" + left + " " + symbol + " " + Argument(e->getArg(1)) + ")";
}

std::string ViewLowering::CallText(const clang::CallExpr *e) {
  const clang::FunctionDecl *callee = e->getDirectCallee();
  const auto *named =
      llvm::dyn_cast<clang::DeclRefExpr>(StripWrappers(e->getCallee()->IgnoreImpCasts()));
  if (!callee || !named || !named->getFoundDecl()) Reject(e, "this call");
  const std::string name = QualifiedName(*callee);
  Include(callee, name, e);
  if (KindOfExpression(e->getType()) > kChainer) Reject(e, "a reduction or a product");
  if (name == "mshadow::expr::take_grad") Reject(e, "take_grad", DiagId::kTakeGradNote);
  if (compat::StartsWith(name, "mshadow::expr::random_")) CheckKey(e, name);
  if (materialiser_ && ReducesAxes(name)) {
    const int result = materialiser_->OfAxes(e);
    if (result >= 0) return Hole({View::Operand::kTensor, result, nullptr, {}});
  }
  const std::optional<std::string> memory = Materialised(e);
  const bool is_lazy = !memory && Repeats(e->getType()) && IsLazy(e);
  std::string text = (is_lazy ? "mshadow::expr::lazy" + name.substr(name.rfind(':') - 1) : name) +
                     TemplateText(named) + "(";
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(e->getArg(i))) break;
    const bool has_memory = i == 0 && memory;
    text += (i > 0 ? ", " : "") + (has_memory ? *memory : Argument(e->getArg(i), callee, i));
  }
  return text + ")";
}

/// The last two arguments of random numbers must be integers: a float would be cut off.
void ViewLowering::CheckKey(const clang::CallExpr *e, const std::string &name) {
  const std::string function = name.substr(name.rfind(':') + 1);
  for (unsigned i = e->getNumArgs() - 2; i < e->getNumArgs(); ++i) {
    const clang::Expr *key = e->getArg(i)->IgnoreParenImpCasts();
    if (key->getType()->isIntegralOrEnumerationType()) continue;
    const SourceLocation location = front_.Where(key->getSourceRange());
    front_.diagnostics
        .Report(DiagId::kRandomKey, location, function, TypeText(front_.ast, key->getType()))
        .Note(DiagId::kRandomKeyNote, location, function);
    throw Rejected();
  }
}

/// A source that is reduced is computed before, if it is broadcast. What is reduced again could be
/// computed where it is read, but its elements would be read in an order that caches do not like;
/// only, unfused nothing is written before all is read.
std::optional<std::string> ViewLowering::Materialised(const clang::CallExpr *e) {
  const bool is_reduced_again =
      materialiser_ && materialiser_->is_at_work() && ReducesDimension(CalleeOf(e));
  if (!materialiser_ || !(Repeats(e->getType()) || is_reduced_again)) return std::nullopt;
  if (!ReadsTensor(e->getArg(0)) || !IsReduced(e->getArg(0))) return std::nullopt;
  const int temporary = materialiser_->Of(e->getArg(0));
  if (temporary < 0) return std::nullopt;
  return Hole({View::Operand::kTensor, temporary, nullptr, {}});
}

/// Unfused, what is computed and then repeated is evaluated first, into memory, and the one element
/// of a vector is read. A kernel evaluates the source where it reads it.
bool ViewLowering::IsLazy(const clang::CallExpr *e) {
  const clang::Expr *source = e->getArg(0);
  if (!ReadsTensor(source)) return false;
  if (IsReduced(source)) Reject(source, "a reduction that is repeated", DiagId::kRepeatedNote);
  return RecordName(e->getType()) == "mshadow::expr::BroadcastScalarExp" ||
         KindOfExpression(StripWrappers(source)->IgnoreImplicit()->getType()) != 0;
}

std::string ViewLowering::Argument(const clang::Expr *e) {
  if (IsExpression(e->getType())) return Text(e);
  if (RecordName(e->getType()) == "mshadow::Shape") return ShapeText(e);
  if (auto rank = RankHole(e)) return *rank;
  return Hole({View::Operand::kScalar, -1, scalars_.Lower(e), {}});
}

/// Argument `number` of a call.
std::string ViewLowering::Argument(const clang::Expr *e, const clang::FunctionDecl *callee,
                                   unsigned number) {
  const clang::QualType taken = callee->getParamDecl(number)->getType();
  if (!IsIndex(taken)) return Argument(e);
  if (auto rank = RankHole(e)) return *rank;
  return Hole({View::Operand::kIndex, -1, scalars_.Lower(e), {}});
}

std::string ViewLowering::PartShapeText(const clang::Expr *e, int part) {
  if (scalars_.rule().params[part].rank == Param::kRankParam) {
    scalars_.RejectRank(e, "the shape of a part");
  }
  std::vector<Expr> extents;
  for (int d = 0; d < scalars_.rule().params[part].rank; ++d) {
    extents.push_back(scalars_.PartExtent(part, d));
  }
  return ShapeText(extents);
}

/// The call of Shape1 to Shape5 that makes a shape of these extents.
std::string ViewLowering::ShapeText(const std::vector<Expr> &extents) {
  std::string text;
  for (const Expr &extent : extents) {
    text += (text.empty() ? "" : ", ") + Hole({View::Operand::kIndex, -1, extent, {}});
  }
  return "mshadow::Shape" + std::to_string(extents.size()) + "(" + text + ")";
}

/// A tensor's shape, a computed shape that has a name, or Shape1(…) to Shape5(…).
std::string ViewLowering::ShapeText(const clang::Expr *e) {
  if (const std::vector<Expr> *extents = scalars_.NamedExtents(e)) return ShapeText(*extents);
  if (const int param = scalars_.ShapeOf(e); param >= 0) {
    if (scalars_.rule().params[param].is_part()) return PartShapeText(e, param);
    if (!scalars_.rule().params[param].is_argument()) Reject(e, "the shape of a temporary");
    return Hole({View::Operand::kShape, param, nullptr, {}});
  }
  e = StripWrappers(e);
  while (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (construct->getNumArgs() != 1) break;
    e = StripWrappers(construct->getArg(0)->IgnoreImplicit());
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) return ShapeText(cast->getSubExpr());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const std::string name = callee ? QualifiedName(*callee) : "";
  const bool makes_shape =
      name.size() == sizeof("mshadow::Shape1") - 1 && compat::StartsWith(name, "mshadow::Shape");
  if (!makes_shape) {
    Reject(e, "a shape other than 'x.shape_' or 'Shape2(...)'");
  }
  std::string text = name + "(";
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    text += (i > 0 ? ", " : "") + Argument(call->getArg(i), callee, i);
  }
  return text + ")";
}

/// The template arguments as they were written; the others are deduced again.
std::string ViewLowering::TemplateText(const clang::DeclRefExpr *callee) {
  std::string text;
  for (const clang::TemplateArgumentLoc &written : callee->template_arguments()) {
    if (!text.empty()) text += ", ";
    const clang::TemplateArgument &arg = written.getArgument();
    if (arg.getKind() == clang::TemplateArgument::Type) {
      text += TypeArgument(arg.getAsType(), callee);
      continue;
    }
    const clang::Expr *source = SourceOf(written);
    if (const auto rank = source ? RankHole(source) : std::nullopt) {
      text += *rank;
      continue;
    }
    clang::Expr::EvalResult value;
    const bool is_number = arg.getKind() == clang::TemplateArgument::Expression &&
                           arg.getAsExpr()->EvaluateAsInt(value, front_.ast);
    if (is_number && arg.getAsExpr()->getType()->isBooleanType()) {
      text += value.Val.getInt().getBoolValue() ? "true" : "false";
    } else if (arg.getKind() == clang::TemplateArgument::Integral) {
      text += std::to_string(arg.getAsIntegral().getExtValue());
    } else if (is_number) {
      text += std::to_string(value.Val.getInt().getExtValue());
    } else {
      Reject(callee, "this template argument");
    }
  }
  return text.empty() ? "" : "<" + text + ">";
}

std::string ViewLowering::TypeArgument(clang::QualType type, const clang::Expr *e) {
  if (const auto kind = ScalarKindOf(front_.ast, type)) {
    return Hole({View::Operand::kType, -1, nullptr, Type{*kind}});
  }
  const clang::CXXRecordDecl *record = RecordOf(type);
  if (!record || TemplateArgs(type)) Reject(e, "this template argument");
  Include(record, QualifiedName(*record), e);
  return QualifiedName(*record);
}

/// Emitted code includes the header that declares what a view names.
void ViewLowering::Include(const clang::Decl *decl, const std::string &name, const clang::Expr *e) {
  if (compat::StartsWith(name, "mshadow::")) return;
  const clang::SourceManager &sources = front_.ast.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(decl->getLocation());
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (sources.isInMainFile(place) || decl->isInAnonymousNamespace()) {
    front_.diagnostics.Report(DiagId::kViewHeader, location, name)
        .Note(DiagId::kViewHeaderNote, location);
    throw Rejected();
  }
  const clang::FileID file = sources.getFileID(place);
  std::string header = AngledName(sources, file);
  if (header.empty()) {
    const auto main = sources.getFilename(sources.getLocForStartOfFile(sources.getMainFileID()));
    header = NameBeside(main.str(), scalars_.rule().spec, sources.getFilename(place).str());
  }
  if (std::find(view_.headers.begin(), view_.headers.end(), header) == view_.headers.end()) {
    view_.headers.push_back(header);
  }
}

}  // namespace mgen
