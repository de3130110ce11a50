// SPDX-License-Identifier: Apache-2.0
/// \file namespaces.h
/// Puts pieces of emitted code into their namespaces.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_NAMESPACES_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_NAMESPACES_H_

#include <string>
#include <vector>

namespace mgen {

/// Namespaces from the outermost in: names, "inline fused_…", "" for an unnamed one.
using NamespacePath = std::vector<std::string>;

/// Pieces of one file in order. Neighbours in one namespace share its braces.
class NamespacedText {
 public:
  /// Adds `text`, which has no empty lines around it, in namespace `path`.
  void Add(const NamespacePath &path, const std::string &text);

  /// Returns all pieces, with an empty line between each two.
  std::string Finish();

 private:
  void Enter(const NamespacePath &path);

  NamespacePath open_;
  std::string text_;
};

/// "a::b": a path without its inline and unnamed namespaces.
std::string Qualified(const NamespacePath &path);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_NAMESPACES_H_
