// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

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
    case mshadow::kInt16:
      return ScalarKind::kInt16;
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

double Rounded(const Estimate &wide) { return static_cast<double>(wide.integer); }

}  // namespace

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

Oracle::Oracle(const Rule &rule, const RuleEntry &entry)
    : rule_(rule), entry_(entry), instance_(InstanceOf(rule, entry)) {}

Outcome Oracle::Compare(Data data, uint64_t seed, double spoil) const {
  Layout layout;
  layout.dim = DimOf(seed);
  layout.rows = 3;
  const bool reduces = !mgen::KeptBy(rule_).is_every();
  layout.cols = reduces ? 1100 : 37;  // a row of several leaves
  Arguments arguments(entry_, layout);
  arguments.Fill(data, seed);
  arguments.PickScalars(seed);
  Arrays arrays = ArraysOf(arguments);
  Interpret(rule_, instance_, ScalarsOf(arguments, spoil), &arrays);
  arguments.Call(entry_);
  return Check(arguments, arrays);
}

bool Oracle::HasWideIntegers() const {
  for (const mgen::Param &param : rule_.signature()) {
    const ScalarKind kind = KindOf(param);
    if (kind == ScalarKind::kInt64) return true;  // a double does not hold them
  }
  return false;
}

ScalarKind Oracle::KindOf(const mgen::Param &param) const {
  return mgen::KindIn(param.type, rule_.instances.at(instance_));
}

/// The rank of the tensors of a rule for any, one after the other.
int Oracle::DimOf(uint64_t seed) const {
  const auto has_any = [](const mgen::Param &param) {
    return param.is_tensor && param.rank == mgen::Param::kRankParam;
  };
  if (std::none_of(rule_.params.begin(), rule_.params.end(), has_any)) return 2;
  const std::vector<int> dims = entry_.Dims();
  return dims[seed % dims.size()];
}

Arrays Oracle::ArraysOf(const Arguments &arguments) const {
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

Scalars Oracle::ScalarsOf(const Arguments &arguments, double spoil) const {
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

Outcome Oracle::Check(const Arguments &arguments, const Arrays &arrays) const {
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

}  // namespace mshadow_test
