// SPDX-License-Identifier: Apache-2.0
#include "driver/response_file.h"

#include <algorithm>

#include "driver/exit_code.h"
#include "driver/files.h"

namespace mgen {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::vector<std::string> SplitArguments(std::string_view text) {
  std::vector<std::string> args;
  bool inside = false;  // whether it is within an argument; '' is one, too
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && IsSpace(c)) {
      inside = false;
      continue;
    }
    if (!inside) args.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      args.back() += text[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      args.back() += c;
    }
  }
  if (quote != 0) throw UsageError(std::string("quote ") + quote + " is not closed");
  return args;
}

std::vector<std::string> ExpandResponseFiles(const std::vector<std::string> &args) {
  std::vector<std::string> expanded;
  const auto end = std::find(args.begin(), args.end(), "--");
  for (auto arg = args.begin(); arg != end; ++arg) {
    if (arg->size() < 2 || arg->front() != '@') {
      expanded.push_back(*arg);
      continue;
    }
    try {
      for (std::string &inner : SplitArguments(ReadFile(arg->substr(1)))) {
        if (!inner.empty() && inner.front() == '@') {
          throw UsageError("'" + inner + "': response files do not nest");
        }
        expanded.push_back(std::move(inner));
      }
    } catch (const UsageError &error) {
      throw UsageError(arg->substr(1) + ": " + error.what());
    }
  }
  expanded.insert(expanded.end(), end, args.end());
  return expanded;
}

}  // namespace mgen
