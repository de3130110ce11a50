// SPDX-License-Identifier: Apache-2.0
/// \file out_of_memory.h
/// What happens where memory ends.
#ifndef MSHADOW_GENERATOR_DRIVER_OUT_OF_MEMORY_H_
#define MSHADOW_GENERATOR_DRIVER_OUT_OF_MEMORY_H_

#include <new>

namespace mgen {

extern const char kOutOfMemory[];  ///< the message

/// While it lives, a lack of memory ends the process at once, with the message and kExitInternal.
/// For the time of a parse, in which nothing is written: exceptions cannot pass through Clang.
class EndsWithoutMemory {
 public:
  EndsWithoutMemory();
  ~EndsWithoutMemory() { std::set_new_handler(before_); }

 private:
  std::new_handler before_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_OUT_OF_MEMORY_H_
