// SPDX-License-Identifier: Apache-2.0
#include "ir/made_name.h"

namespace mgen {
namespace {

/// C++20's, the alternative tokens, and what nvcc and common headers take as words of their own;
/// each between two spaces.
constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
    " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
    " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
    " else enum explicit export extern false float for friend goto if inline int linux long"
    " mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected"
    " public register reinterpret_cast requires restrict return short signed sizeof static"
    " static_assert static_cast struct switch template this thread_local throw true try"
    " typedef typeid typename typeof typeof_unqual union unix unsigned using virtual void"
    " volatile wchar_t while xor xor_eq ";

}  // namespace

bool IsCxxKeyword(std::string_view name) {
  return kKeywords.find(" " + std::string(name) + " ") != kKeywords.npos;
}

std::string MadeName(const std::string &name) {
  std::string made;
  for (char c : name) {
    if (c != '_' || made.empty() || made.back() != '_') made += c;
  }
  return made;
}

}  // namespace mgen
