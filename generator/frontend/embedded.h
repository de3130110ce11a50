// SPDX-License-Identifier: Apache-2.0
/// \file embedded.h
/// Headers that are part of the generator's binary, so that it runs wherever it is copied: Clang's
/// own (stddef.h, …) and the runtime's that specs include. Made at build time by embed_main.cc.
#ifndef MSHADOW_GENERATOR_FRONTEND_EMBEDDED_H_
#define MSHADOW_GENERATOR_FRONTEND_EMBEDDED_H_

#include <cstddef>

namespace mgen {

struct EmbeddedFile {
  const char *name;  ///< relative to the include directory: "mshadow/kernel.h"
  const char *text;
  size_t size;
};

struct EmbeddedFiles {
  const EmbeddedFile *files;
  size_t count;
  const EmbeddedFile *begin() const { return files; }
  const EmbeddedFile *end() const { return files + count; }
};

extern const EmbeddedFiles kBuiltinHeaders;
extern const EmbeddedFiles kRuntimeHeaders;
extern const EmbeddedFiles kCompatHeaders;  ///< older paths of those
/// The driver's: what standalone outputs are made of, relative to runtime/.
extern const EmbeddedFiles kStandaloneFiles;
/// The driver's: docs/messages/*.md, which explain messages.
extern const EmbeddedFiles kMessagePages;

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_EMBEDDED_H_
