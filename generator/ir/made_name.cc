// SPDX-License-Identifier: Apache-2.0
#include "ir/made_name.h"

namespace mgen {

std::string MadeName(const std::string &name) {
  std::string made;
  for (char c : name) {
    if (c != '_' || made.empty() || made.back() != '_') made += c;
  }
  return made;
}

}  // namespace mgen
