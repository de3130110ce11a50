// SPDX-License-Identifier: Apache-2.0
#include "passes/performance.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "ir/walk.h"
#include "passes/tiles.h"

namespace mgen {
namespace {

bool IsComputed(const Node &node) {
  const OpClass op_class = ClassOf(node.op);
  return op_class == OpClass::Infix || IsFunction(op_class);
}

/// Whether the value is the same for all elements of a launch.
bool IsOfLaunch(const Expr &value) {
  const Node *node = value.get();
  while (node->op == Op::kCast || node->op == Op::kNeg) node = node->args[0].get();
  return node->op == Op::kHoisted || node->op == Op::kLiteral || node->op == Op::kParam ||
         node->op == Op::kLocal;
}

/// What to write instead of a power with this exponent; "" if there is nothing shorter.
std::string_view InsteadOfPower(const Expr &exponent) {
  static constexpr struct {
    double exponent;
    std::string_view instead;
  } kPowers[] = {{2, "x * x"},
                 {3, "x * x * x"},
                 {4, "a square of a square"},
                 {0.5, "a square root"},
                 {-0.5, "a reciprocal root"},
                 {-1, "1 / x"},
                 {-2, "1 / (x * x)"}};
  const Node *node = exponent.get();
  while (node->op == Op::kCast) node = node->args[0].get();
  if (node->op != Op::kLiteral) return "";
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, node->value);
  for (const auto &power : kPowers) {
    if (power.exponent == value) return power.instead;
  }
  return "";
}

class Finder {
 public:
  explicit Finder(const Plan &kernel) : kernel_(kernel) {
    for (const Stage &stage : kernel.rule.stages) {
      ForEachStatement(stage.body, [this](const Statement &statement) {
        places_.emplace(statement.number, statement.location);
      });
    }
    for (const Operand &operand : kernel.operands) {
      widest_operand_ = std::max(widest_operand_, Bytes(operand.type.kind));
    }
  }

  std::vector<SlowPart> Find() {
    if (kernel_.is_staged()) return {};  // its kernels have Plans of their own
    FindViews();
    LookAt(kernel_.steps);
    for (const Phase &phase : kernel_.phases) {
      if (!phase.is_sweep) continue;
      LookAt(phase.steps);
      LookForScans(phase.steps);
    }
    return std::move(parts_);
  }

 private:
  void FindViews() {
    for (size_t i = 0; i < kernel_.operands.size(); ++i) {
      const Operand &operand = kernel_.operands[i];
      const View *view = kernel_.ViewOf(static_cast<int>(i));
      const bool is_scattered = static_cast<int>(i) == kernel_.schedule.scattered;
      if (!view || operand.is_temporary || !view->Drawn().empty() || is_scattered) continue;
      const Param &param = kernel_.rule.params[operand.param];
      if (!operand.read) {
        Add(DiagId::kElementView, DiagId::kElementViewNote, param.name, param.location);
      } else if (IsReadAcross(static_cast<int>(i))) {
        Add(DiagId::kReadAcross, DiagId::kReadAcrossNote, param.name, param.location);
      }
    }
  }

  /// Whether the kernel reads across the rows of a tensor, lane by lane, and a kernel of its own
  /// would read tiles. Kernels over planes are not reported, since channels are often too few for
  /// a tile.
  bool IsReadAcross(int i) const {
    const Operand &operand = kernel_.operands[i];
    if (!operand.load || kernel_.schedule.is_tiled(i)) return false;
    const int axis = AxisAcross(*operand.read);
    const bool has_neighbours = axis + 2 == static_cast<int>(operand.read->extents.size());
    return axis >= 0 && (has_neighbours || !kernel_.reductions.empty());
  }

  void LookAt(const std::vector<Step> &steps) {
    ForEachStep(steps, [this](const Step &step) {
      ForEachNode(step.value, [&](const Expr &node) { LookAt(*node, step); });
    });
  }

  void LookAt(const Node &node, const Step &step) {
    const ScalarKind kind = node.type.kind;
    const auto add = [&](DiagId id, DiagId note, std::string_view what) {
      Add(id, note, std::string(what), PlaceOf(node, step));
    };
    if (IsComputed(node) && Bytes(kind) == 8 && widest_operand_ < 8) {
      const bool is_float = CategoryOf(kind) == Category::kFloat;
      add(DiagId::kWideArithmetic,
          is_float ? DiagId::kWideArithmeticNote : DiagId::kWideIntegersNote,
          is_float ? "double" : "integers of 64 bits");
    }
    if (node.op == Op::kPow && !InsteadOfPower(node.args[1]).empty()) {
      add(DiagId::kConstantPower, DiagId::kConstantPowerNote, InsteadOfPower(node.args[1]));
    }
    const bool divides = node.op == Op::kDiv || node.op == Op::kRem;
    if (divides && IsInteger(kind) && Bytes(kind) == 8 && !IsOfLaunch(node.args[1])) {
      add(DiagId::kLongDivision, DiagId::kLongDivisionNote, node.op == Op::kDiv ? "/" : "%");
    }
    if (node.op == Op::kDiv && CategoryOf(kind) == Category::kFloat && IsOfLaunch(node.args[1]) &&
        !IsOfLaunch(node.args[0]) && kernel_.schedule.waits_for_divider) {
      add(DiagId::kScalarDivision, DiagId::kScalarDivisionNote, "");
    }
  }

  /// Finds scans that an earlier sweep has computed, unless only rows without a buffer need them.
  void LookForScans(const std::vector<Step> &sweep) {
    std::set<int> used;  // lets
    ForEachStep(sweep, [&used](const Step &step) {
      if (step.again) return;
      ForEachNode(step.value, [&used](const Expr &node) {
        if (node->op == Op::kLet) used.insert(node->index);
      });
    });
    ForEachStep(sweep, [&](const Step &step) {
      const bool is_scan = ClassOf(step.value->op) == OpClass::Scan;
      if (!is_scan || (step.kind == Step::kLet && used.count(step.let) == 0)) return;
      const SourceLocation place = PlaceOf(*step.value, step);
      if (scans_.insert({place.line, place.column}).second) return;
      Add(DiagId::kScanAgain, DiagId::kScanAgainNote, "", place);
    });
  }

  /// The place of the statement, unless the node has one of its own.
  SourceLocation PlaceOf(const Node &node, const Step &step) const {
    if (node.location.line > 0) return node.location;
    const auto place = places_.find(step.statement);
    return place == places_.end() ? kernel_.rule.location : place->second;
  }

  void Add(DiagId id, DiagId note, std::string what, const SourceLocation &location) {
    const bool known = std::any_of(parts_.begin(), parts_.end(), [&](const SlowPart &part) {
      return part.id == id && part.what == what && part.location.line == location.line;
    });
    if (!known) parts_.push_back({id, note, std::move(what), location});
  }

  const Plan &kernel_;
  std::map<int, SourceLocation> places_;  ///< of statements, by number
  int widest_operand_ = 0;
  std::set<std::pair<int, int>> scans_;  ///< lines and columns of the scans in the sweeps before
  std::vector<SlowPart> parts_;
};

}  // namespace

std::vector<SlowPart> SlowPartsOf(const Plan &kernel) { return Finder(kernel).Find(); }

std::string_view SlowdownBy(DiagId id) {
  switch (id) {
    case DiagId::kElementView:
      return "2.2";
    case DiagId::kWideArithmetic:
      return "1.6";
    case DiagId::kConstantPower:
      return "19";
    case DiagId::kLongDivision:
      return "2.3";
    case DiagId::kScalarDivision:
      return "1.4";
    case DiagId::kReadAcross:
      return "3.4";
    case DiagId::kScanAgain:
      return "1.5";
    default:
      throw std::invalid_argument("this message is not about performance");
  }
}

bool ReportPerformance(const Plan &kernel, Diagnostics &diagnostics) {
  for (const SlowPart &part : SlowPartsOf(kernel)) {
    diagnostics.Report(part.id, part.location, part.what).Note(part.note, part.location, part.what);
  }
  return true;
}

}  // namespace mgen
