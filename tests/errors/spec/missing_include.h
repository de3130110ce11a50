// SPDX-License-Identifier: Apache-2.0
#include "not_there.h"  // expected-error [cxx] {{'not_there.h' file not found}}
