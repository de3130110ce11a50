// SPDX-License-Identifier: Apache-2.0
#include "driver/depfile.h"

namespace mgen {
namespace {

std::string Escape(const std::string &path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '$') text += '$';
    if (path[i] == '#') text += '\\';
    if (path[i] == ' ' || path[i] == '\t') {
      // Backslashes before the space are doubled, or they would be read as escapes themselves.
      for (size_t j = i; j > 0 && path[j - 1] == '\\'; --j) text += '\\';
      text += '\\';
    }
    text += path[i];
  }
  return text;
}

}  // namespace

std::string MakeDepfile(const std::string &target, const std::vector<std::string> &prerequisites) {
  std::string text = Escape(target) + ":";
  for (const std::string &path : prerequisites) text += " \\\n  " + Escape(path);
  return text + "\n";
}

}  // namespace mgen
