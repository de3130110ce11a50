// SPDX-License-Identifier: Apache-2.0
#include "driver/mark_rules.h"

#include <algorithm>
#include <cctype>

#include "driver/sha256.h"
#include "emit/rule_mark.h"

namespace mgen {
namespace {

void ReplaceAll(const std::string &from, const std::string &to, std::string *text) {
  for (size_t i = 0; (i = text->find(from, i)) != std::string::npos; i += to.size()) {
    text->replace(i, from.size(), to);
  }
}

std::string InCapitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool IsOf(const std::string &stem, const OutputFile &output) {
  return output.name.rfind(stem + ".", 0) == 0;
}

/// As long as kRuleMark.
std::string HashOf(const std::string &stem, const std::string &license,
                   const std::vector<OutputFile> &rules) {
  std::string all;
  for (const OutputFile &rule : rules) {
    if (!IsOf(stem, rule)) continue;
    const bool is_licensed = rule.text.compare(0, license.size(), license) == 0;
    all += rule.name + "\n" + rule.text.substr(is_licensed ? license.size() : 0);
  }
  return "r" + Sha256(all).substr(0, std::string(kRuleMark).size() - 1);
}

}  // namespace

void MarkRules(const std::string &stem, const std::string &license,
               const std::vector<OutputFile> &rules, std::vector<OutputFile> *outputs) {
  const std::string hash = HashOf(stem, license, rules);
  for (OutputFile &output : *outputs) {
    if (!IsOf(stem, output)) continue;
    ReplaceAll(kRuleMark, hash, &output.text);
    ReplaceAll(kGuardMark, InCapitals(hash), &output.text);
  }
}

}  // namespace mgen
