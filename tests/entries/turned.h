/* SPDX-License-Identifier: Apache-2.0 */
/* What entry::Turned gives, for tests in C and C++. */
#ifndef MSHADOW_TESTS_ENTRIES_TURNED_H_
#define MSHADOW_TESTS_ENTRIES_TURNED_H_

#include <stdint.h>

/* Shapes of 24 elements, one for each rank from 1 to 5; the first and the last extent differ. */
enum { kTurnedSize = 24, kTurnedRanks = 5 };
static const int64_t kTurnedShapes[kTurnedRanks][kTurnedRanks] = {
    {24}, {3, 8}, {2, 3, 4}, {3, 2, 2, 2}, {2, 1, 3, 2, 2}};

/* Element `i` of the result, of rows one behind the other. */
static inline float TurnedElement(const float *in, const float *bias, const int64_t *shape,
                                  int rank, float scale, int64_t i) {
  const int64_t cols = shape[rank - 1], half = cols / 2, column = i % cols;
  const int64_t block = kTurnedSize / shape[0], first = i / block;
  const int64_t from = column < cols - half ? column + half : column - (cols - half);
  const int64_t turned = (shape[0] - 1 - first) * block + i % block;
  const float value = in[i - column + from] + in[turned] * 10.0f + bias[cols - 1 - column];
  return column < half ? value * scale : value;
}

#endif /* MSHADOW_TESTS_ENTRIES_TURNED_H_ */
