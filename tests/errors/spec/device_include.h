// SPDX-License-Identifier: Apache-2.0
#include "/dev/zero"  // expected-error [cxx] {{'/dev/zero' file not found}}
