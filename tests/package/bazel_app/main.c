/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "toy_c.h"

int main(void) {
  float w[] = {1, 2, 3};
  const int64_t shape[] = {3};
  const mshadow_tensor weight = {w, MSHADOW_FLOAT32, MSHADOW_CPU, 1, shape, 0, NULL};
  if (toy_Scale(&weight, 2.0f)) {
    puts(mshadow_last_error());
    return 1;
  }
  printf("%g %g %g\n", w[0], w[1], w[2]);
  return 0;
}
