// SPDX-License-Identifier: Apache-2.0
// A spec reads files beside it and below the given include directories, nothing else.
#include "/etc/passwd"  // expected-error [cxx] {{'/etc/passwd' file not found}} expected-note {{this file exists, but the spec may not read it}}
