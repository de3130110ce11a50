// SPDX-License-Identifier: Apache-2.0
// Fused kernels against the reference interpreter: every element of every written tensor lies
// within the error bound that the interpreter computes from the rule's meaning. What "same bits"
// cannot see, a mistake that the fused and the unfused rule share, shows here.
//
// The rules' meaning comes from the generator (--dump-after=merge_instances), before any pass that
// plans or rearranges: MSHADOW_TEST_IR names that text.
#include <gtest/gtest.h>
#include <mshadow/isa.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "arguments.h"
#include "interpreter.h"
#include "ir/parser.h"
#include "ir/walk.h"

namespace mshadow_test {
namespace {

using mgen::Rule;
using mgen::ScalarKind;

ScalarKind KindOfFlag(int flag) {
  switch (flag) {
    case mshadow::kFloat32:
      return ScalarKind::kFloat32;
    case mshadow::kFloat64:
      return ScalarKind::kFloat64;
    case mshadow::kFloat16:
      return ScalarKind::kFloat16;
    case mshadow::kBfloat16:
      return ScalarKind::kBFloat16;
    case mshadow::kUint8:
      return ScalarKind::kUint8;
    case mshadow::kInt8:
      return ScalarKind::kInt8;
    case mshadow::kInt32:
      return ScalarKind::kInt32;
    case mshadow::kInt64:
      return ScalarKind::kInt64;
    case mshadow::kBool:
      return ScalarKind::kBool;
  }
  throw std::invalid_argument("no element type has flag " + std::to_string(flag));
}

/// Whether a line belongs to a rule's text; messages of the generator may stand between rules.
bool IsRuleLine(const std::string &line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (line.rfind("  ", 0) != 0 || word.empty()) return false;
  for (const char *known : {"spec", "doc", "const", "tensor", "scalar", "temporary", "view", "part",
                            "let", "expression", "channels", "reducer", "stage", "if", "else"}) {
    if (word == known) return true;
  }
  return std::isdigit(static_cast<unsigned char>(word[0])) != 0 && word.back() == ':';
}

/// The rules of a dump, by "namespace::name".
std::map<std::string, Rule> ReadRules(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::map<std::string, std::string> texts;
  std::string *text = nullptr;
  for (std::string line; std::getline(file, line);) {
    const bool is_head = line.rfind("rule ", 0) == 0;
    if (is_head) text = &texts[line.substr(5, line.find('<') - 5)];
    if (text != nullptr && (is_head || IsRuleLine(line))) *text += line + "\n";
  }
  std::map<std::string, Rule> rules;
  for (const auto &[name, rule] : texts) rules.emplace(name, mgen::ParseRule(rule, name));
  return rules;
}

/// The instance of `rule` that `entry` calls.
size_t InstanceOf(const Rule &rule, const RuleEntry &entry) {
  std::vector<ScalarKind> kinds;
  for (int flag : entry.types) kinds.push_back(KindOfFlag(flag));
  for (size_t i = 0; i < rule.instances.size(); ++i) {
    if (rule.instances[i] == kinds) return i;
  }
  throw std::invalid_argument("the generator has no instance " + entry.Name());
}

Estimate ElementOf(ScalarKind kind, double value) {
  return mgen::IsFloat(kind) ? ExactFloat(kind, value)
                             : ExactInteger(kind, static_cast<int64_t>(value));
}

Array ArrayOf(const TensorArgument &tensor, ScalarKind kind, int rank) {
  Array array;
  array.shape = ShapeOfRank(rank, tensor.rows(), tensor.cols());
  for (int64_t y = 0; y < tensor.rows(); ++y) {
    for (int64_t x = 0; x < tensor.cols(); ++x) {
      array.elements.push_back(ElementOf(kind, tensor.Value(y, x)));
    }
  }
  return array;
}

/// What one comparison found.
struct Outcome {
  int64_t elements = 0;
  int64_t undecided = 0;
  std::string mistake;  ///< the first element outside its bound
};

std::string Describe(const std::string &tensor, size_t i, double computed, const Estimate &e) {
  std::ostringstream text;
  text.precision(17);
  text << tensor << "[" << i << "] is " << computed << ", should be ";
  if (mgen::IsFloat(e.kind)) {
    text << static_cast<double>(e.value) << " within " << e.bound;
  } else {
    text << e.integer;
  }
  return text.str();
}

class Oracle {
 public:
  Oracle(const Rule &rule, const RuleEntry &entry)
      : rule_(rule), entry_(entry), instance_(InstanceOf(rule, entry)) {}

  /// Runs both. `spoil` changes the scalars that the interpreter is given, for controls.
  Outcome Compare(Data data, uint64_t seed, double spoil = 1) const {
    Layout layout;
    layout.dim = DimOf(seed);
    layout.rows = 3;
    const bool reduces = mgen::FrameOf(rule_) != mgen::Frame::kElement;
    layout.cols = reduces ? 1100 : 37;  // a row of several leaves
    Arguments arguments(entry_, layout);
    arguments.Fill(data, seed);
    arguments.PickScalars(seed);
    Arrays arrays = ArraysOf(arguments);
    Interpret(rule_, instance_, ScalarsOf(arguments, spoil), &arrays);
    arguments.Call(entry_);
    return Check(arguments, arrays);
  }

  bool HasWideIntegers() const {
    for (const mgen::Param &param : rule_.signature()) {
      const ScalarKind kind = KindOf(param);
      if (kind == ScalarKind::kInt64) return true;  // a double does not hold them
    }
    return false;
  }

 private:
  ScalarKind KindOf(const mgen::Param &param) const {
    return mgen::KindIn(param.type, rule_.instances.at(instance_));
  }

  /// The rank of the tensors of a rule for any, one after the other.
  int DimOf(uint64_t seed) const {
    const auto has_any = [](const mgen::Param &param) {
      return param.is_tensor && param.rank == mgen::Param::kRankParam;
    };
    if (std::none_of(rule_.params.begin(), rule_.params.end(), has_any)) return 2;
    const std::vector<int> dims = entry_.Dims();
    return dims[seed % dims.size()];
  }

  Arrays ArraysOf(const Arguments &arguments) const {
    Arrays arrays;
    size_t next = 0;
    for (const mgen::Param &param : rule_.signature()) {
      if (!param.is_tensor) continue;
      const bool has_any = param.rank == mgen::Param::kRankParam;
      const int rank = has_any ? arguments.layout().dim : param.rank;
      arrays[param.name] = ArrayOf(*arguments.tensors()[next++], KindOf(param), rank);
    }
    return arrays;
  }

  Scalars ScalarsOf(const Arguments &arguments, double spoil) const {
    Scalars scalars;
    size_t next = 0;
    for (const mgen::Param &param : rule_.signature()) {
      if (param.is_tensor) continue;
      const ScalarKind kind = KindOf(param);
      const double value = arguments.scalars()[next++] * (mgen::IsFloat(kind) ? spoil : 1);
      scalars[param.name] = ElementOf(kind, mgen::RoundTo(kind, value));
    }
    return scalars;
  }

  static double Rounded(const Estimate &wide) { return static_cast<double>(wide.integer); }

  Outcome Check(const Arguments &arguments, const Arrays &arrays) const {
    Outcome outcome;
    size_t next = 0;
    for (const mgen::Param &param : rule_.signature()) {
      if (!param.is_tensor) continue;
      const TensorArgument &tensor = *arguments.tensors()[next++];
      const Array &array = arrays.at(param.name);
      for (size_t i = 0; i < array.elements.size(); ++i) {
        const int64_t y = static_cast<int64_t>(i) / tensor.cols();
        const double computed = tensor.Value(y, static_cast<int64_t>(i) % tensor.cols());
        const Estimate &expected = array.elements[i];
        ++outcome.elements;
        outcome.undecided += expected.undecided ? 1 : 0;
        // A double does not hold every int64.
        const bool is_wide = expected.kind == ScalarKind::kInt64;
        const bool accepted = mgen::IsFloat(expected.kind) ? expected.Accepts(computed)
                              : is_wide ? expected.undecided || computed == Rounded(expected)
                                        : expected.AcceptsInteger(static_cast<int64_t>(computed));
        if (!accepted && outcome.mistake.empty()) {
          outcome.mistake = Describe(param.name, i, computed, expected);
        }
      }
    }
    return outcome;
  }

  const Rule &rule_;
  const RuleEntry &entry_;
  size_t instance_;
};

class OracleTest : public testing::Test {
 protected:
  // Not of the suite: what fails there leaves its tests skipped.
  void SetUp() override {
    rules_ = ReadRules(MSHADOW_TEST_IR);
#ifdef MSHADOW_TEST_ULPS
    approximation_ulps = MSHADOW_TEST_ULPS;
#endif
  }

  const Rule &RuleOf(const RuleEntry &entry) const {
    const std::string name = std::string(entry.info->name_space) + "::" + entry.info->name;
    return rules_.at(name);
  }

 private:
  std::map<std::string, Rule> rules_;
};

TEST_F(OracleTest, EveryElementIsWithinItsBound) {
  const RuleTable table = FusedRules();
  ASSERT_FALSE(table.empty());
  int64_t elements = 0;
  int64_t undecided = 0;
  for (const RuleEntry &entry : table) {
    const Oracle oracle(RuleOf(entry), entry);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const bool is_mixed = seed % 2 == 1 && !oracle.HasWideIntegers();
      const Outcome outcome = oracle.Compare(is_mixed ? Data::kMixed : Data::kTame, seed);
      EXPECT_EQ(outcome.mistake, "") << entry.Name() << ", seed " << seed;
      elements += outcome.elements;
      undecided += outcome.undecided;
    }
  }
  RecordProperty("elements", static_cast<int>(elements));
  RecordProperty("undecided", static_cast<int>(undecided));
  // An oracle that does not decide finds nothing.
  EXPECT_LT(undecided, elements / 5);
}

#ifdef MSHADOW_TEST_ULPS
/// The control of --numerics=fast: some rule is not what correctly rounded quotients and roots
/// give, but on the baseline, which gains nothing by others.
TEST_F(OracleTest, FindsApproximations) {
  if (mshadow::ActiveIsa() == mshadow::Isa::kAvx2) {
    GTEST_SKIP() << "rsqrtps, all that AVX2 approximates by, differs from processor to processor: "
                    "on some, two steps give the exact root of every element here";
  }
  approximation_ulps = 0;
  int found = 0;
  for (const RuleEntry &entry : FusedRules()) {
    const Oracle oracle(RuleOf(entry), entry);
    found += oracle.Compare(Data::kTame, 0).mistake.empty() ? 0 : 1;
  }
  EXPECT_EQ(found > 0, mshadow::ActiveIsa() != mshadow::Isa::kBaseline);
}
#endif

/// The control: where scalars are off by a hundredth, rules are found out. Not all of them: a
/// scalar may be a threshold that no element is near.
TEST_F(OracleTest, FindsWrongScalars) {
  int found = 0;
  int tried = 0;
  for (const RuleEntry &entry : FusedRules()) {
    bool has_float_scalar = false;
    for (const mshadow::ParamInfo &param : *entry.info) {
      has_float_scalar = has_float_scalar || (!param.is_tensor && param.type == mshadow::kFloat32);
    }
    if (!has_float_scalar || (!entry.types.empty() && entry.types[0] != mshadow::kFloat32))
      continue;
    ++tried;
    const Oracle oracle(RuleOf(entry), entry);
    found += oracle.Compare(Data::kTame, 0, 1.01).mistake.empty() ? 0 : 1;
  }
  EXPECT_GT(tried, 0);
  EXPECT_GE(found, tried / 4);
}

}  // namespace
}  // namespace mshadow_test
