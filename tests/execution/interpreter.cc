// SPDX-License-Identifier: Apache-2.0
#include "interpreter.h"

#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "ir/walk.h"

namespace mshadow_test {
namespace {

using mgen::Expr;
using mgen::IndexMap;
using mgen::Node;
using mgen::Op;
using mgen::Rule;
using mgen::ScalarKind;
using mgen::Statement;

Estimate LiteralOf(ScalarKind kind, const mgen::LiteralValue &value) {
  return std::visit(
      [kind](auto v) {
        if (!mgen::IsFloat(kind)) return ExactInteger(kind, static_cast<int64_t>(v));
        // A literal of a type parameter is rounded to the instance's type.
        const Estimate wide = ExactFloat(ScalarKind::kFloat64, static_cast<double>(v));
        return Convert(kind, wide);
      },
      value);
}

/// An expression as a list of operations, operands first, to be run for many elements.
class Program {
 public:
  using LeafValue = std::function<Estimate(const Node &leaf)>;

  Program(const Expr &root, std::function<ScalarKind(mgen::Type)> kind_of)
      : kind_of_(std::move(kind_of)) {
    mgen::ForEachNode(root, [this](const Expr &node) {
      Line line{node, kind_of_(node->type), {}};
      for (const Expr &arg : node->args) line.args.push_back(index_.at(arg.get()));
      index_[node.get()] = lines_.size();
      lines_.push_back(std::move(line));
    });
    values_.resize(lines_.size());
  }

  const Estimate &Run(const LeafValue &leaf_value) {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line &line = lines_[i];
      args_.clear();
      for (size_t arg : line.args) args_.push_back(values_[arg]);
      values_[i] = RunLine(line, leaf_value);
    }
    return values_.back();
  }

 private:
  struct Line {
    Expr node;
    ScalarKind kind;
    std::vector<size_t> args;
  };

  Estimate RunLine(const Line &line, const LeafValue &leaf_value) const {
    const Node &node = *line.node;
    if (node.op == Op::kLiteral) return LiteralOf(line.kind, node.value);
    if (node.args.empty() && node.op != Op::kCall) return leaf_value(node);
    if (node.op == Op::kCast) return Convert(line.kind, args_[0]);
    if (node.op == Op::kCall) return CallLibm(node.name, line.kind, args_);
    return Apply(node.op, line.kind, args_);
  }

  std::function<ScalarKind(mgen::Type)> kind_of_;
  std::vector<Line> lines_;
  std::unordered_map<const Node *, size_t> index_;
  std::vector<Estimate> values_;
  std::vector<Estimate> args_;
};

class Interpreter {
 public:
  Interpreter(const Rule &rule, size_t instance, const Scalars &scalars, Arrays *arrays)
      : rule_(rule), scalars_(scalars), arrays_(*arrays) {
    if (instance < rule.instances.size()) kinds_ = rule.instances[instance];
    for (const mgen::Param &param : rule.params) CheckArgument(param);
  }

  void Run() {
    for (const mgen::Local &local : rule_.prologue) locals_.push_back(HostValue(local.value));
    for (const mgen::Stage &stage : rule_.stages) RunBody(stage.body);
  }

 private:
  ScalarKind KindOf(mgen::Type type) const { return KindIn(type, kinds_); }

  Program Compile(const Expr &expr) const {
    return Program(expr, [this](mgen::Type type) { return KindOf(type); });
  }

  void CheckArgument(const mgen::Param &param) const {
    const auto refuse = [&param](const char *why) {
      throw std::invalid_argument("argument " + param.name + " " + why);
    };
    if (!param.is_tensor) {
      const auto scalar = scalars_.find(param.name);
      if (scalar == scalars_.end()) return refuse("is missing");
      if (scalar->second.kind != KindOf(param.type)) refuse("is of another kind");
      return;
    }
    const auto array = arrays_.find(param.name);
    if (array == arrays_.end()) return refuse("is missing");
    int64_t size = 1;
    for (int64_t extent : array->second.shape) size *= extent;
    if (size != static_cast<int64_t>(array->second.elements.size())) refuse("is of another size");
    for (const Estimate &element : array->second.elements) {
      if (element.kind != KindOf(param.type)) refuse("is of another kind");
    }
  }

  Array &ArrayOf(int param) const { return arrays_.at(rule_.params[param].name); }

  Estimate HostLeaf(const Node &leaf) const {
    if (leaf.op == Op::kParam) return scalars_.at(rule_.params[leaf.index].name);
    if (leaf.op == Op::kLocal) return locals_.at(leaf.index);
    if (leaf.op != Op::kDim) throw std::invalid_argument("an element is read outside a statement");
    const Array &array = ArrayOf(leaf.index);
    const int64_t extent = leaf.dim < 0 ? static_cast<int64_t>(array.elements.size())
                                        : array.shape.at(static_cast<size_t>(leaf.dim));
    return ExactInteger(ScalarKind::kInt64, extent);
  }

  Estimate HostValue(const Expr &expr) const {
    return Compile(expr).Run([this](const Node &leaf) { return HostLeaf(leaf); });
  }

  Estimate Element(const Node &read, int64_t y, int64_t x) const {
    const Array &array = ArrayOf(read.index);
    const int64_t at = read.map == IndexMap::kIdentity ? y * array.columns() + x
                       : read.map == IndexMap::kRow    ? x
                                                       : y;
    return array.elements.at(static_cast<size_t>(at));
  }

  void RunBody(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kAssign) {
        RunAssign(statement);
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
      if (statement.kind != Statement::kAssign) return;
      for (Estimate &element : ArrayOf(statement.target).elements) {
        element = Undecided(element.kind);
      }
    });
  }

  static Op OpOf(mgen::Saver saver) {
    switch (saver) {
      case mgen::Saver::kPlus:
        return Op::kAdd;
      case mgen::Saver::kMinus:
        return Op::kSub;
      case mgen::Saver::kMul:
        return Op::kMul;
      default:
        return Op::kDiv;
    }
  }

  static Estimate Save(mgen::Saver saver, const Estimate &old, const Estimate &value) {
    if (saver == mgen::Saver::kSave) return value;
    if (old.kind != ScalarKind::kBool) return Apply(OpOf(saver), old.kind, {old, value});
    const ScalarKind wide = ScalarKind::kInt32;  // as C++ promotes it
    const Estimate result = Apply(OpOf(saver), wide, {Convert(wide, old), Convert(wide, value)});
    return Convert(ScalarKind::kBool, result);
  }

  void RunAssign(const Statement &statement) {
    Array &target = ArrayOf(statement.target);
    Program program = Compile(statement.value);
    const int64_t columns = target.columns();
    for (size_t i = 0; i < target.elements.size(); ++i) {
      const int64_t y = static_cast<int64_t>(i) / columns;
      const int64_t x = static_cast<int64_t>(i) % columns;
      const Estimate &value = program.Run([&](const Node &leaf) {
        return leaf.op == Op::kRead ? Element(leaf, y, x) : HostLeaf(leaf);
      });
      target.elements[i] = Save(statement.saver, target.elements[i], value);
    }
  }

  const Rule &rule_;
  std::vector<ScalarKind> kinds_;
  const Scalars &scalars_;
  Arrays &arrays_;
  std::vector<Estimate> locals_;
};

template <typename Value, typename Make>
Array MakeArray(std::vector<int64_t> shape, const std::vector<Value> &elements, Make make) {
  Array array;
  array.shape = std::move(shape);
  for (Value element : elements) array.elements.push_back(make(element));
  return array;
}

}  // namespace

Array FloatArray(ScalarKind kind, std::vector<int64_t> shape, const std::vector<double> &elements) {
  return MakeArray(std::move(shape), elements, [kind](double v) { return ExactFloat(kind, v); });
}

Array IntegerArray(ScalarKind kind, std::vector<int64_t> shape,
                   const std::vector<int64_t> &elements) {
  return MakeArray(std::move(shape), elements, [kind](int64_t v) { return ExactInteger(kind, v); });
}

void Interpret(const Rule &rule, size_t instance, const Scalars &scalars, Arrays *arrays) {
  Interpreter(rule, instance, scalars, arrays).Run();
}

}  // namespace mshadow_test
