// SPDX-License-Identifier: Apache-2.0
#include "passes/buffer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/index_reads.h"
#include "passes/names.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

/// The most buffers of a kernel, since a buffer is an array on the stack.
constexpr size_t kMaxBuffers = 2;

/// The work in a value is counted up to this: a value that is used twice counts twice, and in a
/// deep DAG that doubles with every level.
constexpr int kMostWork = 1000;

/// Where a value is used: the sweep, an index into Plan::phases, and its outermost step.
struct Place {
  int sweep;
  int step;
  bool operator<(const Place &other) const {
    return sweep != other.sweep ? sweep < other.sweep : step < other.step;
  }
};

/// A value, by its value number.
struct Value {
  std::set<Place> uses;
  std::set<int> always;  ///< the sweeps that use it under all conditions
  std::string hint;      ///< the first name that the spec gave it
  /// How often it does what takes longer than to load an element: computes a function of the
  /// element, elementary or of libm, or reads a view (IsSlowToRead).
  int work = 0;
  bool of_element = false;
};

class Bufferer {
 public:
  explicit Bufferer(Plan plan) : plan_(std::move(plan)) {}

  Plan Run() {
    if (!plan_.kept.is_rows() || plan_.sweeps() < 2) return std::move(plan_);
    for (phase_ = 0; phase_ < static_cast<int>(plan_.phases.size()); ++phase_) {
      Survey(plan_.phases[phase_].steps, true);
    }
    Choose();
    if (buffers_.empty()) return std::move(plan_);
    AddOperands();
    BuildValues();
    for (phase_ = 0; phase_ < static_cast<int>(plan_.phases.size()); ++phase_) {
      Phase &phase = plan_.phases[phase_];
      Rewrite(&phase.steps);
      if (phase.is_sweep) AddSteps(&phase);
    }
    return std::move(plan_);
  }

 private:
  /// Numbers the values of the steps, and notes where they are used. After an `if`, an operand that
  /// one of its branches writes has a new value.
  void Survey(const std::vector<Step> &steps, bool is_outermost) {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (is_outermost) place_ = {phase_, static_cast<int>(i)};
      const Step &step = steps[i];
      if (step.kind != Step::kIf) {
        SurveyStep(step, is_outermost);
        continue;
      }
      const ValueNumbers::Versions before = numbers_.versions();
      Survey(step.then_steps, false);
      numbers_.set_versions(before);
      Survey(step.else_steps, false);
      numbers_.set_versions(before);
      ForEachStep({step}, [this](const Step &inner) { NoteWrite(inner); });
    }
  }

  void SurveyStep(const Step &step, bool always) {
    const int root = numbers_.Of(step.value);
    while (values_.size() < static_cast<size_t>(numbers_.size())) Describe();
    ForEachNode(step.value, [this](const Expr &node) {
      std::string &hint = values_[numbers_.Of(node)].hint;
      if (hint.empty() && node->op != Op::kCall) hint = node->name;
    });
    roots_[&step] = root;
    if (plan_.phases[phase_].is_sweep) Use(root, always);
    NoteWrite(step);
  }

  void NoteWrite(const Step &step) {
    if (step.kind == Step::kAssign) numbers_.Written(plan_.operands[step.operand].param);
  }

  /// Adds the value with the next number. Its operands have been added before.
  void Describe() {
    const int number = static_cast<int>(values_.size());
    const Node &node = *numbers_.node(number);
    Value value;
    value.of_element = (node.op == Op::kRead && !plan_.IsValue(node.axes)) || node.op == Op::kIndex;
    for (int arg : numbers_.args(number)) {
      value.of_element = value.of_element || values_[arg].of_element;
      value.work = std::min(value.work + values_[arg].work, kMostWork);
    }
    const bool is_function = IsElementary(node.op) || node.op == Op::kCall;
    if (value.of_element && (is_function || ReadsSlowView(node))) ++value.work;
    values_.push_back(std::move(value));
  }

  bool ReadsSlowView(const Node &node) const {
    if (node.op != Op::kRead) return false;
    const View *const view = plan_.ViewOf(plan_.FindOperand(node));
    return view != nullptr && IsSlowToRead(plan_, *view);
  }

  void Use(int root, bool always) {
    std::set<std::pair<int, bool>> seen = {{root, always}};
    std::vector<std::pair<int, bool>> pending = {{root, always}};
    while (!pending.empty()) {
      const auto [number, in_any_case] = pending.back();
      pending.pop_back();
      Value &value = values_[number];
      value.uses.insert(place_);
      if (in_any_case) value.always.insert(place_.sweep);
      // Of the values that a condition chooses between, only one is computed.
      const std::vector<int> &args = numbers_.args(number);
      const bool is_choice =
          numbers_.node(number)->op == Op::kSelect && numbers_.node(args[0])->op == Op::kCondition;
      for (int arg : args) {
        const std::pair use(arg, in_any_case && !is_choice);
        if (seen.insert(use).second) pending.push_back(use);
      }
    }
  }

  /// Whether a buffer would save work: the first sweep computes the value in any case.
  bool IsWorthwhile(int number) const {
    const Value &value = values_[number];
    if (value.work == 0 || numbers_.node(number)->type == kBoolType) return false;
    const int first = value.uses.begin()->sweep;
    return value.uses.rbegin()->sweep != first && value.always.count(first) != 0;
  }

  /// Chooses the largest values that are worth a buffer. If there are too many, it chooses those
  /// with the most work.
  void Choose() {
    std::set<int> chosen;
    for (const auto &[step, root] : roots_) {
      std::set<int> seen = {root};
      std::vector<int> pending = {root};
      while (!pending.empty()) {
        const int number = pending.back();
        pending.pop_back();
        if (values_[number].uses.empty()) continue;  // only epilogues use it
        if (IsWorthwhile(number)) {
          chosen.insert(number);
          continue;
        }
        for (int arg : numbers_.args(number)) {
          if (seen.insert(arg).second) pending.push_back(arg);
        }
      }
    }
    std::vector<int> order(chosen.begin(), chosen.end());
    std::stable_sort(order.begin(), order.end(),
                     [this](int a, int b) { return values_[a].work > values_[b].work; });
    if (order.size() > kMaxBuffers) order.resize(kMaxBuffers);
    for (int number : order) buffers_[number] = -1;
  }

  void AddOperands() {
    NameSet names;
    for (const Param &param : plan_.rule.params) {
      if (!param.is_temporary) names.Take(param.name);  // a buffer may have a temporary's value
    }
    for (const Operand &operand : plan_.operands) names.Take(operand.name);
    for (const Reduction &reduction : plan_.reductions) names.Take(reduction.name);
    for (auto &[number, operand] : buffers_) {
      Param param;
      param.name = names.Unique(NameOfValue(number));
      param.is_tensor = param.is_temporary = true;
      param.type = numbers_.node(number)->type;
      param.rank = 2;
      Operand buffer{};
      buffer.param = static_cast<int>(plan_.rule.params.size());
      buffer.name = param.name;
      buffer.type = param.type;
      buffer.load = buffer.is_temporary = true;
      buffer.store = Guard::Always();
      operand = static_cast<int>(plan_.operands.size());
      plan_.rule.params.push_back(std::move(param));
      plan_.operands.push_back(std::move(buffer));
    }
  }

  std::string NameOfValue(int number) const {
    if (!values_[number].hint.empty()) return values_[number].hint;
    const std::string name = NameOf(numbers_.node(number), [this](const Node &leaf) {
      if (leaf.op == Op::kHoisted) return plan_.scalars[leaf.index].name;
      if (leaf.op == Op::kReduced) return plan_.reductions[leaf.index].name;
      return RuleLeafName(plan_.rule, leaf);
    });
    return name.empty() ? "kept" : name;
  }

  /// Builds every value in terms of the buffers, operands first.
  void BuildValues() {
    for (int number = 0; number < numbers_.size(); ++number) {
      std::vector<Expr> args;
      for (int arg : numbers_.args(number)) args.push_back(Reference(arg));
      built_.push_back(WithArgs(numbers_.node(number), std::move(args)));
    }
  }

  Expr Reference(int number) const {
    const auto buffer = buffers_.find(number);
    if (buffer == buffers_.end()) return built_[number];
    const Operand &operand = plan_.operands[buffer->second];
    return MakeRead(operand.param, operand.type);
  }

  void Rewrite(std::vector<Step> *steps) {
    for (Step &step : *steps) {
      if (step.kind != Step::kIf) step.value = Reference(roots_.at(&step));
      Rewrite(&step.then_steps);
      Rewrite(&step.else_steps);
    }
  }

  /// Assigns each buffer that a sweep uses, before the first step that uses it.
  void AddSteps(Phase *phase) {
    std::vector<Step> steps;
    std::set<int> there;
    for (size_t i = 0; i < phase->steps.size(); ++i) {
      for (const auto &[number, operand] : buffers_) {
        const std::set<Place> &uses = values_[number].uses;
        if (uses.count({phase_, static_cast<int>(i)}) == 0 || !there.insert(operand).second) {
          continue;
        }
        Step step{};
        step.kind = Step::kAssign;
        step.operand = operand;
        step.value = WithName(built_[number], "");  // the buffer has it
        step.statement = StatementOf(phase->steps[i]);
        step.again = uses.begin()->sweep != phase_;
        phase->operands.push_back(
            {operand, step.again, step.again ? Guard() : Guard::Always(), step.again});
        steps.push_back(std::move(step));
      }
      steps.push_back(std::move(phase->steps[i]));
    }
    phase->steps = std::move(steps);
    std::sort(phase->operands.begin(), phase->operands.end(),
              [](const Phase::Use &a, const Phase::Use &b) { return a.index < b.index; });
  }

  static int StatementOf(const Step &step) {
    int first = 0;
    ForEachStep({step}, [&first](const Step &inner) {
      if (first == 0) first = inner.statement;
    });
    return first;
  }

  Plan plan_;
  ValueNumbers numbers_;
  std::vector<Value> values_;          // by number
  std::map<const Step *, int> roots_;  // the numbers of steps' values
  std::map<int, int> buffers_;         // by number: the operand
  std::vector<Expr> built_;            // by number
  int phase_ = 0;
  Place place_{};
};

}  // namespace

Plan Buffer(Plan plan) { return Bufferer(std::move(plan)).Run(); }

}  // namespace mgen
