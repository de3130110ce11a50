// SPDX-License-Identifier: Apache-2.0
/// \file instance_lists_test.cc
/// A rule over a list of element types means for each of them what it means for that one alone: for
/// every pair and triple of types, in every order.
///
/// MSHADOW_TEST_FULL=1 in the environment takes the shipped specs, too.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/printers.h"
#include "frontend/parse_spec.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "meaning.h"
#include "passes/merge_instances.h"

namespace {

using mgen::Rule;
using mgen::ScalarKind;

/// An instance's element types.
using Kinds = std::vector<ScalarKind>;
/// A rule's instances.
using Instances = std::map<Kinds, Rule>;
using Rules = std::map<std::string, Instances>;

constexpr ScalarKind kElements[] = {
    ScalarKind::kFloat32,  ScalarKind::kFloat64, ScalarKind::kFloat16,
    ScalarKind::kBFloat16, ScalarKind::kInt8,    ScalarKind::kUint8,
    ScalarKind::kInt16,    ScalarKind::kInt32,   ScalarKind::kInt64};

/// Adds the rules that the spec has where its ELEMENT is `kind`. \returns what is wrong with it
std::string Parse(const std::string &path, ScalarKind kind, std::vector<std::string> flags,
                  Rules *rules) {
  mgen::ParseOptions options;
  options.flags = std::move(flags);
  options.flags.push_back("-DELEMENT=" + std::string(CppName(kind)));
  mgen::Diagnostics diagnostics;
  for (std::vector<Rule> &instances : mgen::ParseSpec(options, path, diagnostics, nullptr)) {
    for (Rule &rule : instances) {
      const Kinds kinds = rule.instances.at(0);
      (*rules)[rule.name].emplace(kinds, std::move(rule));
    }
  }
  return diagnostics.has_errors() ? FormatText(diagnostics, false) : "";
}

using Lists = std::vector<std::vector<const Rule *>>;

/// All lists of two instances, in each order; of three, where they are not too many.
Lists ListsOf(const Instances &instances) {
  constexpr size_t kFew = 10;
  Lists lists;
  for (const auto &[a, first] : instances) {
    for (const auto &[b, second] : instances) {
      if (a == b) continue;
      lists.push_back({&first, &second});
      for (const auto &[c, third] : instances) {
        if (instances.size() <= kFew && c != a && c != b) {
          lists.push_back({&first, &second, &third});
        }
      }
    }
  }
  return lists;
}

std::string NamesOf(const std::vector<const Rule *> &list) {
  std::string names;
  for (const Rule *rule : list) {
    names += " [";
    for (ScalarKind kind : rule->instances.at(0)) names += " " + std::string(IrName(kind));
    names += " ]";
  }
  return names;
}

/// Merges the instances, and compares. \returns why they are no one rule, or ""
std::string Check(const std::vector<const Rule *> &list) {
  std::vector<Rule> instances;
  for (const Rule *rule : list) instances.push_back(*rule);
  mgen::Diagnostics diagnostics;
  const std::optional<Rule> merged = mgen::MergeInstances(instances, diagnostics);
  if (!merged) return FormatText(diagnostics, false);
  EXPECT_EQ(mgen::Problems(*merged), std::vector<std::string>());
  mgen_test::Meanings meanings;
  for (size_t i = 0; i < instances.size(); ++i) {
    EXPECT_EQ(meanings.Of(*merged, i), meanings.Of(instances[i], 0))
        << mgen::Print(*merged) << mgen::Print(instances[i]);
  }
  return "";
}

/// Sums of half_t accumulate in float, those of int8_t in int8_t: there is no name for that.
bool HasReason(const std::string &refusal) {
  return refusal.find("rule 'Rows' differs") != std::string::npos &&
         refusal.find("a conversion has type") != std::string::npos;
}

/// \returns why lists of the rules' instances were refused without a reason
std::set<std::string> CheckAll(const Rules &rules) {
  std::set<std::string> refused;
  for (const auto &[name, instances] : rules) {
    for (const std::vector<const Rule *> &list : ListsOf(instances)) {
      SCOPED_TRACE(name + " over" + NamesOf(list));
      const std::string why = Check(list);
      if (!why.empty() && !HasReason(why)) refused.insert(why);
      if (testing::Test::HasFailure()) return refused;
    }
  }
  return refused;
}

TEST(InstanceLists, EachInstanceMeansWhatItMeansAlone) {
  Rules rules;
  for (ScalarKind kind : kElements) {
    const bool multiplies = mgen::IsFloat(kind) && Promoted(kind) == kind;
    const std::string product = multiplies ? std::string(CppName(kind)) : "float";
    EXPECT_EQ(Parse(SPEC, kind, {"-DPRODUCT_ELEMENT=" + product}, &rules), "");
  }
  EXPECT_EQ(CheckAll(rules), std::set<std::string>());
}

namespace fs = std::filesystem;

std::string ReadFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A shipped spec whose rules over one element type are over ELEMENT; `only`: of them that one.
std::string OverElement(const std::string &text, const std::string &only) {
  static const std::regex instantiate("MSHADOW_INSTANTIATE\\((\\w+),([^;]*)\\);");
  std::string result;
  auto last = text.begin();
  for (auto it = std::sregex_iterator(text.begin(), text.end(), instantiate);
       it != std::sregex_iterator(); ++it) {
    result.append(last, (*it)[0].first);
    last = (*it)[0].second;
    const bool is_left_out = !only.empty() && only != (*it)[1];
    const bool has_several = (*it)[2].str().find("Types<") != std::string::npos;
    if (!is_left_out && !has_several)
      result += "MSHADOW_INSTANTIATE(" + (*it)[1].str() + ", ELEMENT);";
  }
  return result.append(last, text.end());
}

std::vector<std::string> NamesIn(const std::string &text) {
  static const std::regex instantiate("MSHADOW_INSTANTIATE\\((\\w+),");
  std::vector<std::string> names;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), instantiate);
       it != std::sregex_iterator(); ++it) {
    names.push_back((*it)[1]);
  }
  return names;
}

/// Every shipped rule over one element type, for all types that it compiles for.
TEST(InstanceLists, ShippedRules) {
  if (std::getenv("MSHADOW_TEST_FULL") == nullptr) GTEST_SKIP() << "MSHADOW_TEST_FULL is not set";
  const fs::path scratch =
      fs::temp_directory_path() / ("mshadow-lists-" + std::to_string(getpid()));
  fs::create_directories(scratch);
  for (const auto &entry : fs::recursive_directory_iterator(SPECS_DIR)) {
    if (entry.path().extension() != ".h") continue;
    const std::string text = ReadFile(entry.path());
    const std::string copy = (scratch / entry.path().filename()).string();
    const std::vector<std::string> flags = {"-I", entry.path().parent_path().string(), "-I",
                                            SPECS_DIR};
    const auto parse = [&](ScalarKind kind, const std::string &only, Rules *rules) {
      std::ofstream(copy, std::ios::binary) << OverElement(text, only);
      return Parse(copy, kind, flags, rules).empty();
    };
    Rules rules;
    for (ScalarKind kind : kElements) {
      if (parse(kind, "", &rules)) continue;
      for (const std::string &name : NamesIn(text)) parse(kind, name, &rules);
    }
    for (const std::string &why : CheckAll(rules)) std::cout << why;
  }
  fs::remove_all(scratch);
}

}  // namespace
