// SPDX-License-Identifier: Apache-2.0
// Found by INCLUDE_DIRECTORIES; the factor comes from LINK_LIBRARIES.
#define TUNED_RATE TUNED_FACTOR
