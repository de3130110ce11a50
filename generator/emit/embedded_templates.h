// SPDX-License-Identifier: Apache-2.0
/// \file embedded_templates.h
/// The files of templates/, in the program. Written by embed_templates.cmake at build time.
#ifndef MSHADOW_GENERATOR_EMIT_EMBEDDED_TEMPLATES_H_
#define MSHADOW_GENERATOR_EMIT_EMBEDDED_TEMPLATES_H_

#include <string_view>
#include <vector>

namespace mgen {

struct EmbeddedTemplate {
  std::string_view name;  ///< path below templates/: "cpu/loop.tmpl.inc"
  std::string_view text;
};

const std::vector<EmbeddedTemplate> &EmbeddedTemplates();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_EMBEDDED_TEMPLATES_H_
