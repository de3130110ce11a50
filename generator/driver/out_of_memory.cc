// SPDX-License-Identifier: Apache-2.0
#include "driver/out_of_memory.h"

#include <unistd.h>

#include <cstring>

#include "driver/exit_code.h"

namespace mgen {
namespace {

void Say(const char *text) { static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text))); }

/// Takes no memory.
[[noreturn]] void EndProcess() {
  Say("mshadow-gen: error: ");
  Say(kOutOfMemory);
  Say("\n");
  _exit(kExitInternal);
}

}  // namespace

const char kOutOfMemory[] =
    "out of memory; nothing was written. A run takes 1 GiB of addresses and a thread, and each "
    "further spec that is parsed at the same time half as much and a thread: see 'ulimit -v' and "
    "'ulimit -u'";

EndsWithoutMemory::EndsWithoutMemory() : before_(std::set_new_handler(EndProcess)) {}

}  // namespace mgen
