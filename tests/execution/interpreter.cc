// SPDX-License-Identifier: Apache-2.0
#include "interpreter.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "checked_argument.h"
#include "indexed_array.h"
#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/stages.h"
#include "ir/view_call.h"
#include "ir/walk.h"
#include "moved_array.h"
#include "product.h"
#include "program.h"
#include "reduced_like.h"
#include "row_reduction.h"
#include "saved.h"
#include "scatter.h"
#include "sorted_rows.h"
#include "view_reader.h"
#include "workspaces.h"

namespace mshadow_test {
namespace {

using mgen::Axes;
using mgen::Expr;
using mgen::Node;
using mgen::Op;
using mgen::Rule;
using mgen::ScalarKind;
using mgen::Statement;

class Interpreter {
 public:
  Interpreter(const Rule &rule, size_t instance, const Scalars &scalars, Arrays *arrays)
      : rule_(rule),
        scalars_(scalars),
        arrays_(*arrays),
        values_(mgen::ValuesOf(rule)),
        kept_(mgen::KeptBy(rule)) {
    if (instance < rule.instances.size()) kinds_ = rule.instances[instance];
    for (const mgen::Stage &stage : rule.stages) used_.merge(mgen::EffectsOf(stage.body).used());
    mgen::ForEachStatement(rule, [this](const mgen::Statement &statement) {
      fitting_.merge(mgen::FittingTensors(statement));
    });
    for (const mgen::Param &param : rule.params) {
      if (param.is_argument()) CheckArgument(param, KindOf(param.type), scalars, *arrays);
    }
    for (const mgen::Local &local : rule.prologue) locals_.push_back(HostValue(local.value));
    ReadViews(/*parts=*/true);
    const bool reduces_all = kept_.is_none();
    for (size_t i = 0; i < rule.params.size(); ++i) {
      const mgen::Param &param = rule.params[i];
      if (!param.is_temporary || !IsUsed(static_cast<int>(i))) continue;
      const bool is_single = reduces_all && values_.count(static_cast<int>(i)) != 0;
      arrays_[param.name] = is_single ? OneOf(param) : MakeTemporary(param);
    }
  }

  void Run() {
    ReadViews(/*parts=*/false);
    for (const mgen::Stage &stage : rule_.stages) RunBody(stage.body);
  }

 private:
  ScalarKind KindOf(mgen::Type type) const { return KindIn(type, kinds_); }

  /// Nothing that a view reads is written: its elements are there before the first statement. So
  /// are a part's, which are its argument's again after each that writes some of them.
  void ReadViews(bool parts) {
    for (size_t i = 0; i < rule_.params.size(); ++i) {
      const mgen::Param &param = rule_.params[i];
      const int view = static_cast<int>(i);
      if (!param.view || param.is_part() != parts) continue;
      if (!IsUsed(view) && fitting_.count(view) == 0) continue;
      arrays_[param.name] = ReadView(*param.view, ViewOperandsOf());
    }
  }

  void StoreParts(const std::vector<int> &targets) {
    bool has_parts = false;
    for (const int target : targets) {
      if (!rule_.params[target].is_part()) continue;
      StorePart(target);
      has_parts = true;
    }
    if (has_parts) ReadViews(/*parts=*/true);
  }

  void StorePart(int target) {
    const mgen::Param &part = rule_.params[target];
    const Array &from = ArrayOf(target);
    Array &to = ArrayOf(part.view->Sources().front());
    if (part.view->is_flat || part.view->is_reshaped) {
      const size_t count = from.elements.size();
      const size_t apart = mgen::DiagonalIn(*part.view) ? count + 1 : 1;
      for (size_t i = 0; i < count; ++i) to.elements[i * apart] = from.elements[i];
    }
    if (part.view->names_rows) StoreNamedRows(from, ArrayOf(part.view->Indices()), &to);
    if (part.view->ranges.empty()) return;
    const size_t rank = to.shape.size();
    std::vector<int64_t> begin(rank, 0);
    for (size_t i = 0; i < part.view->ranges.size(); ++i) {
      const int dim = part.view->ranges[i];
      begin[dim == mgen::Node::kLastDim ? rank - 1 : static_cast<size_t>(dim)] +=
          HostValue(part.view->Begin(i)).integer;
    }
    StoreSlice(from, begin, &to);
  }

  ViewOperands ViewOperandsOf() const {
    return {[this](int param) -> const Array & { return ArrayOf(param); },
            [this](const Expr &value) { return HostValue(value); },
            [this](mgen::Type type) { return KindOf(type); }, AnyRank()};
  }

  /// The rank of the tensors that have the rule's; 0 of a rule that is not for any.
  int AnyRank() const {
    const auto signature = rule_.signature();
    const auto param = std::find_if(signature.begin(), signature.end(), [](const auto &p) {
      return p.is_tensor && p.rank == mgen::Param::kRankParam;
    });
    return param == signature.end() ? 0 : static_cast<int>(arrays_.at(param->name).shape.size());
  }

  Program Compile(const Expr &expr) const {
    return Program(expr, [this](mgen::Type type) { return KindOf(type); });
  }

  Array OneOf(const mgen::Param &temporary) const {
    Array array;
    array.shape = {1};
    array.elements.assign(1, Undecided(KindOf(temporary.type)));
    return array;
  }

  /// The shape of the arguments of that rank; without any, a value for each row of a matrix, or for
  /// each column or channel of a tensor.
  Array MakeTemporary(const mgen::Param &temporary) const {
    const Array *like = nullptr;
    for (size_t i = 0; i < rule_.params.size(); ++i) {
      const mgen::Param &param = rule_.params[i];
      const bool has_memory = param.is_tensor && (param.is_argument() || param.is_part());
      if (!has_memory || !IsUsed(static_cast<int>(i))) continue;
      const Array &array = arrays_.at(param.name);
      const bool same = param.rank == temporary.rank && temporary.rank != 1;
      if (like == nullptr || same) like = &array;
      if (same) break;
      const size_t least = kept_.only() >= 0 ? 3 : 2;
      if (temporary.rank == 1 && array.shape.size() >= least) like = &array;
    }
    if (like == nullptr) throw std::invalid_argument("a temporary without tensors");
    Array array;
    array.shape = like->shape;
    if (temporary.rank == 1 && array.shape.size() >= 2) {
      const int axis = mgen::ReducedAxisOf(rule_);
      const int dim = axis >= 0           ? Node::kRest - axis
                      : kept_.has_last()  ? Node::kLastDim
                      : kept_.only() >= 0 ? static_cast<int>(ChannelDim())
                                          : Node::kRows;
      array.shape = {ExtentOf(array, dim)};
    }
    size_t size = 1;
    for (int64_t extent : array.shape) size *= static_cast<size_t>(extent);
    array.elements.assign(size, Undecided(KindOf(temporary.type)));
    return array;
  }

  /// In a kernel of a rule of several, tensors of the others have shapes of their own.
  bool IsUsed(int param) const { return used_.empty() || used_.count(param) != 0; }

  Array &ArrayOf(int param) const { return arrays_.at(rule_.params[param].name); }

  Estimate HostLeaf(const Node &leaf) const {
    if (leaf.op == Op::kParam) return scalars_.at(rule_.params[leaf.index].name);
    if (leaf.op == Op::kLocal) return locals_.at(leaf.index);
    if (leaf.op != Op::kDim) throw std::invalid_argument("an element is read outside a statement");
    return ExactInteger(ScalarKind::kInt64, ExtentOf(ArrayOf(leaf.index), leaf.dim));
  }

  Estimate HostValue(const Expr &expr) const {
    return Compile(expr).Run(
        [this](const Node &leaf, const std::vector<Estimate> &) { return HostLeaf(leaf); });
  }

  /// The number of element `n` among those with its index in a dimension.
  int64_t NumberWithout(int dim, int64_t n) const {
    const int64_t inner = InnerOf(space_, dim), extent = space_[static_cast<size_t>(dim)];
    return n / inner / extent * inner + n % inner;
  }
  /// Elements with one index in the dimensions up to `dim`.
  static int64_t InnerOf(const std::vector<int64_t> &shape, int dim) {
    int64_t inner = 1;
    for (size_t d = static_cast<size_t>(dim) + 1; d < shape.size(); ++d) inner *= shape[d];
    return inner;
  }

  /// The coordinate of element (y, x) along an axis of what is computed.
  int64_t CoordinateOf(int axis, int64_t y, int64_t x) const {
    const std::vector<int64_t> &shape = space_;
    const int last = static_cast<int>(shape.size()) - 1;
    if (axis == Node::kRows) return shape.size() == 1 ? 0 : y;
    if (axis <= Node::kRest) return NumberWithout(Node::kRest - axis, y * shape.back() + x);
    if (axis == Node::kLastDim || axis >= last) return x;
    for (int d = last - 1; d > axis; --d) y /= shape[static_cast<size_t>(d)];
    return axis == 0 ? y : y % shape[static_cast<size_t>(axis)];
  }

  /// The element with these coordinates; 0 where there is none.
  Estimate ElementAt(const Node &read, const std::vector<Estimate> &indices) const {
    const Array &array = ArrayOf(read.index);
    int64_t at = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      const Estimate &index = indices[d];
      const int64_t extent = array.shape.at(d);
      if (index.undecided) return Undecided(KindOf(read.type));
      if (index.integer < 0 || index.integer >= extent) {
        return Convert(KindOf(read.type), ExactInteger(ScalarKind::kInt64, 0));
      }
      at = at * extent + index.integer;
    }
    return array.elements.at(static_cast<size_t>(at));
  }

  /// In a statement between vectors, y and x are both the element's number.
  Estimate Element(const Node &read, int64_t y, int64_t x) const {
    const Array &array = ArrayOf(read.index);
    const bool is_vector = array.shape.size() == 1;
    if (read.axes.is_picked()) {
      const Estimate &index = ArrayOf(read.by).elements.at(static_cast<size_t>(y));
      const Estimate whole = Convert(ScalarKind::kInt64, index);
      if (whole.undecided) return Undecided(array.elements.at(0).kind);
      if (whole.integer < 0 || whole.integer >= array.columns()) {
        return Convert(KindOf(read.type), ExactInteger(ScalarKind::kInt64, 0));
      }
      x = whole.integer;
    }
    const int64_t at = read.axes.is_none()                      ? 0
                       : read.axes.is_rows()                    ? y
                       : read.axes.only() >= 0                  ? in_values_ ? y : ChannelOf(y)
                                        : read.axes == Axes::Last() || is_vector ? x
                                                                : y * array.columns() + x;
    return array.elements.at(static_cast<size_t>(at));
  }

  /// Of reductions: by row, column or channel, or one.
  using Results = std::vector<std::vector<Estimate>>;

  /// \param planes of a channel; of others one
  Estimate Reduce(const Node &node, const std::vector<std::vector<Estimate>> &planes) const {
    if (mgen::ReducingOf(node.op) == mgen::Reducing::kOwn) return ReduceOwn(node, planes);
    if (!mgen::IsArg(node.op)) return Reduce(node, CombinerOf(node.op, KindOf(node.type)), planes);
    std::vector<Estimate> all;
    for (const auto &plane : planes) all.insert(all.end(), plane.begin(), plane.end());
    return NumberOf(node.op, KindOf(node.type), all);
  }
  static Estimate Reduce(const Node &node, const Combiner &combiner,
                         const std::vector<std::vector<Estimate>> &planes) {
    return mgen::KeptBy(node).has_last() ? ReduceColumn(combiner, planes.at(0))
                                         : ReduceChannel(combiner, planes);
  }
  Estimate ReduceOwn(const Node &node, const std::vector<std::vector<Estimate>> &planes) const {
    return Reduce(node, OwnCombiner(node.index), planes);
  }
  /// Of a reducer of the rule's own.
  Combiner OwnCombiner(int reducer) const {
    const mgen::Reducer &own = rule_.reducers.at(static_cast<size_t>(reducer));
    Program initial = Compile(own.initial);
    const auto combine = [this](const Expr &value) {
      const auto program = std::make_shared<Program>(Compile(value));
      return [program](const Estimate &a, const Estimate &b) {
        return program->Run([&](const Node &leaf, const std::vector<Estimate> &) {
          return leaf.index == 0 ? a : b;
        });
      };
    };
    const auto none = [](const Node &, const std::vector<Estimate> &) -> Estimate {
      throw std::invalid_argument("no constant");
    };
    return {initial.Run(none), combine(own.reduce), combine(own.merge)};
  }

  /// Replaces each reduction and each scan in `value` by a leaf. Puts the results of the reductions
  /// into `reduced`: one for each row, or a single one. Puts the elements of the scans into
  /// `scanned_`.
  Expr WithoutReductions(const Expr &value, Results *reduced) {
    mgen::Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      if (mgen::ClassOf(node->op) == mgen::OpClass::Scan) {
        scanned_.push_back(ScanRows(*node, args, *reduced));
        return mgen::MakeLet(static_cast<int>(scanned_.size()) - 1, node->type);
      }
      if (mgen::ClassOf(node->op) != mgen::OpClass::Reduce) return WithArgs(node, std::move(args));
      const Axes kept = mgen::KeptBy(*node);
      space_ = LikeElements().shape;
      const auto reduce = kept.is_none()             ? &Interpreter::ReduceAll
                          : node->dim <= Node::kRest ? &Interpreter::ReduceAxis
                          : kept.has_last()          ? &Interpreter::ReduceColumns
                          : kept.only() >= 0         ? &Interpreter::ReduceChannels
                                                     : &Interpreter::ReduceRows;
      reduced->push_back((this->*reduce)(*node, args[0], *reduced));
      return mgen::MakeReduced(static_cast<int>(reduced->size()) - 1, node->type);
    });
    return rewrite(value);
  }

  /// The elements of a scan, in row-major order.
  std::vector<Estimate> ScanRows(const Node &node, const std::vector<Expr> &args,
                                 const Results &reduced) {
    space_ = LikeElements().shape;
    const int64_t rows = ExtentOf(LikeElements(), Node::kRows);
    std::vector<Estimate> all;
    for (int64_t y = 0; y < rows; ++y) {
      std::vector<std::vector<Estimate>> operands;
      for (const Expr &arg : args) operands.push_back(RowOf(arg, y, reduced));
      const ScalarKind kind = KindOf(node.type);
      const std::vector<Estimate> row =
          node.op == Op::kRecurrence
              ? RecurRow(kind, operands.at(0), operands.at(1))
              : ScanRow(node.index < 0 ? CombinerOf(node.reducer, kind) : OwnCombiner(node.index),
                        node.is_exclusive, operands.at(0));
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  }

  /// What an expression is at the elements of a row.
  std::vector<Estimate> RowOf(const Expr &value, int64_t y, const Results &reduced) const {
    Program program = Compile(value);
    std::vector<Estimate> row;
    for (int64_t x = 0; x < space_.back(); ++x) {
      row.push_back(program.Run(LeavesAt(y, x, reduced), x));
    }
    return row;
  }

  std::vector<Estimate> ReduceRows(const Node &node, const Expr &term,
                                   const Results &reduced) const {
    const Array &like = LikeElements();
    const int64_t rows = ExtentOf(like, Node::kRows), columns = like.columns();
    Program program = Compile(term);
    std::vector<Estimate> results;
    for (int64_t y = 0; y < rows; ++y) {
      std::vector<Estimate> row;
      for (int64_t x = 0; x < columns; ++x) {
        row.push_back(program.Run(LeavesAt(y, x, reduced), x));
      }
      results.push_back(Reduce(node, {row}));
    }
    return results;
  }

  size_t ChannelDim() const { return static_cast<size_t>(mgen::ChannelDimOf(rule_)); }

  /// The channel of row \p y of memory.
  int64_t ChannelOf(int64_t y) const {
    const std::vector<int64_t> &shape = LikeElements().shape;
    for (size_t d = ChannelDim() + 1; d + 1 < shape.size(); ++d) y /= shape[d];
    return y % shape[ChannelDim()];
  }

  /// Planes are what lies behind the channels' dimension.
  std::vector<Estimate> ReduceChannels(const Node &node, const Expr &term,
                                       const Results &reduced) const {
    const Array &like = LikeElements();
    const int64_t columns = like.columns();
    const size_t channels = static_cast<size_t>(like.shape[ChannelDim()]);
    size_t plane = 1;
    for (size_t d = ChannelDim() + 1; d < like.shape.size(); ++d) {
      plane *= static_cast<size_t>(like.shape[d]);
    }
    std::vector<std::vector<std::vector<Estimate>>> planes(channels);
    Program program = Compile(term);
    for (size_t i = 0; i < like.elements.size(); ++i) {
      const int64_t n = static_cast<int64_t>(i);
      auto &of_channel = planes[i / plane % channels];
      if (i % plane == 0) of_channel.emplace_back();
      of_channel.back().push_back(
          program.Run(LeavesAt(n / columns, n % columns, reduced), n % columns));
    }
    std::vector<Estimate> results;
    for (const auto &of_channel : planes) results.push_back(Reduce(node, of_channel));
    return results;
  }

  /// One dimension, which is not the last one: a value for each index of all others.
  std::vector<Estimate> ReduceAxis(const Node &node, const Expr &term,
                                   const Results &reduced) const {
    const Array &like = LikeElements();
    const int axis = Node::kRest - node.dim;
    const int64_t columns = like.columns(), inner = InnerOf(like.shape, axis);
    const int64_t extent = like.shape[static_cast<size_t>(axis)];
    Program program = Compile(term);
    std::vector<Estimate> results;
    for (int64_t i = 0; i < ExtentOf(like, node.dim); ++i) {
      std::vector<Estimate> column;
      for (int64_t k = 0; k < extent; ++k) {
        const int64_t n = (i / inner * extent + k) * inner + i % inner;
        column.push_back(program.Run(LeavesAt(n / columns, n % columns, reduced), n % columns));
      }
      results.push_back(Reduce(node, {column}));
    }
    return results;
  }

  std::vector<Estimate> ReduceColumns(const Node &node, const Expr &term,
                                      const Results &reduced) const {
    const Array &like = LikeElements();
    const int64_t columns = like.columns(), rows = ExtentOf(like, Node::kRows);
    Program program = Compile(term);
    std::vector<Estimate> results;
    for (int64_t x = 0; x < columns; ++x) {
      std::vector<Estimate> column;
      for (int64_t y = 0; y < rows; ++y) {
        column.push_back(program.Run(LeavesAt(y, x, reduced), x));
      }
      results.push_back(Reduce(node, {column}));
    }
    return results;
  }

  /// All elements as one row, in row-major order.
  std::vector<Estimate> ReduceAll(const Node &node, const Expr &term,
                                  const Results &reduced) const {
    const Array &like = LikeElements();
    const int64_t columns = like.columns();
    Program program = Compile(term);
    std::vector<Estimate> row;
    for (size_t i = 0; i < like.elements.size(); ++i) {
      const int64_t n = static_cast<int64_t>(i);
      row.push_back(program.Run(LeavesAt(n / columns, n % columns, reduced), n % columns));
    }
    return {Reduce(node, {row})};
  }

  /// A tensor of the shape that is reduced.
  const Array &LikeElements() const { return ArrayOf(ReducedLike(rule_, values_, used_)); }

  /// The element's number along a dimension; in a statement between vectors it is y and x.
  Estimate IndexOf(const Node &leaf, int64_t y, int64_t x) const {
    if (leaf.dim < 0) return NumberOfElement(leaf, y, x);
    const bool is_row = rule_.params[leaf.index].rank == 2 && leaf.dim == 0;
    const Estimate number = ExactFloat(ScalarKind::kFloat64, static_cast<double>(is_row ? y : x));
    return Convert(KindOf(leaf.type), number);
  }

  /// Among those that are reduced together.
  Estimate NumberOfElement(const Node &leaf, int64_t y, int64_t x) const {
    int64_t number = kept_.has_last() ? y : x;
    if (kept_.is_none()) number = y * LikeElements().columns() + x;
    if (kept_.only() >= 0) {
      const std::vector<int64_t> &shape = LikeElements().shape;
      int64_t inner = 1;
      for (size_t d = ChannelDim() + 1; d + 1 < shape.size(); ++d) inner *= shape[d];
      const int64_t outer = y / inner / shape[ChannelDim()];
      number = (outer * inner + y % inner) * shape.back() + x;
    }
    return Convert(KindOf(leaf.type),
                   ExactFloat(ScalarKind::kFloat64, static_cast<double>(number)));
  }

  /// What the leaves are for element (y, x).
  Program::LeafValue LeavesAt(int64_t y, int64_t x, const Results &reduced) const {
    return [this, y, x, &reduced](const Node &leaf, const std::vector<Estimate> &indices) {
      return indices.empty() ? Leaf(leaf, y, x, reduced) : ElementAt(leaf, indices);
    };
  }

  Estimate Leaf(const Node &leaf, int64_t y, int64_t x, const Results &reduced) const {
    if (leaf.op == Op::kIndex) return IndexOf(leaf, y, x);
    if (leaf.op == Op::kAxis) {
      return ExactInteger(ScalarKind::kInt64, CoordinateOf(leaf.dim, y, x));
    }
    if (leaf.op == Op::kReduced) {
      const std::vector<Estimate> &results = reduced.at(leaf.index);
      return results.at(results.size() == 1 ? 0 : static_cast<size_t>(y));
    }
    if (leaf.op == Op::kLet) {
      const int64_t before = space_.size() == 1 ? 0 : y * space_.back();
      return scanned_.at(leaf.index).at(static_cast<size_t>(before + x));
    }
    return leaf.op == Op::kRead ? Element(leaf, y, x) : HostLeaf(leaf);
  }

  void RunBody(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.writes()) {
        statement.kind == Statement::kAssign ? RunAssign(statement) : RunCall(statement);
        StoreParts(statement.targets());
        continue;
      }
      const Estimate condition = HostValue(statement.condition);
      if (condition.undecided) {
        Forget(statement);
      } else {
        RunBody(condition.integer != 0 ? statement.then_body : statement.else_body);
      }
    }
  }

  /// Makes what the branches write undecided.
  void Forget(const Statement &branches) {
    mgen::ForEachStatement({branches}, [this](const Statement &statement) {
      if (statement.kind == Statement::kIf) return;
      for (const int target : statement.targets()) {
        for (Estimate &element : ArrayOf(target).elements) element = Undecided(element.kind);
      }
      StoreParts(statement.targets());
    });
  }

  void RunAssign(const Statement &statement) {
    Array &target = ArrayOf(statement.target);
    Results reduced;
    Program program = Compile(WithoutReductions(statement.value, &reduced));
    const int64_t columns = target.columns();
    const bool is_vector = target.shape.size() == 1;
    in_values_ = is_vector;
    space_ = target.shape;
    for (size_t i = 0; i < target.elements.size(); ++i) {
      const int64_t number = static_cast<int64_t>(i);
      const int64_t y = is_vector ? number : number / columns;
      const int64_t x = is_vector ? number : number % columns;
      const Estimate &value = program.Run(LeavesAt(y, x, reduced), x);
      target.elements[i] = Saved(statement.saver, target.elements[i], value);
    }
    in_values_ = false;
  }

  void RunCall(const Statement &statement) {
    if (statement.kind == Statement::kSort) return RunSort(statement);
    Array &target = ArrayOf(statement.target);
    const Array &left = ArrayOf(statement.left.tensor), &right = ArrayOf(statement.right.tensor);
    const bool scatters = statement.kind == Statement::kScatter;
    if (scatters) return AddNamedRows(left, right, statement.clips, &target);
    const Array product =
        ProductOf(KindOf(rule_.params[statement.target].type), HostValue(statement.value), left,
                  statement.left.transposed, right, statement.right.transposed, target);
    for (size_t i = 0; i < target.elements.size(); ++i) {
      target.elements[i] = Saved(statement.saver, target.elements[i], product.elements[i]);
    }
  }

  void RunSort(const Statement &statement) {
    const int columns = statement.sort.columns;
    Array *const values = columns == statement.target ? nullptr : &ArrayOf(statement.target);
    SortEachRow(ArrayOf(statement.left.tensor), statement.sort.ascends, values,
                columns < 0 ? nullptr : &ArrayOf(columns));
  }

  const Rule &rule_;
  std::set<int> used_;     ///< the tensors of the rule's statements
  std::set<int> fitting_;  ///< those of which the statements need the shape
  std::vector<ScalarKind> kinds_;
  const Scalars &scalars_;
  Arrays &arrays_;
  const std::set<int> values_;  ///< tensors with one value for what the rule reduces
  const Axes kept_;
  Results scanned_;             ///< the elements of scans
  bool in_values_ = false;      ///< whether y counts channels, not rows of memory
  std::vector<int64_t> space_;  ///< the shape of what is computed
  std::vector<Estimate> locals_;
};

}  // namespace

void Interpret(const Rule &rule, size_t instance, const Scalars &scalars, Arrays *arrays) {
  if (!mgen::IsStaged(rule)) return Interpreter(rule, instance, scalars, arrays).Run();
  AddWorkspaces(rule, instance, arrays);
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    Interpreter(mgen::StageRule(rule, i), instance, scalars, arrays).Run();
  }
}

}  // namespace mshadow_test
