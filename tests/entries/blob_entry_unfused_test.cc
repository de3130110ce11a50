// SPDX-License-Identifier: Apache-2.0
// Compiled with MSHADOW_UNFUSED: the rule by its own name is the spec's, the entry the library's.
#include <entry_kernels.h>
#include <entry_rules.blob.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_blob.h>

#include <cstdio>

int main() {
  using namespace mshadow;
  half::half_t one(1.0f), two(1.0f);
  const Tensor<cpu, 1, half::half_t> tensor(&one, Shape1(1));
  entry_too::RowSums(tensor);
  entry_too::RowSums(TBlob(&two, TShape{1}, cpu::kDevMask));
  const bool same = static_cast<float>(one) == 2.0f && static_cast<float>(two) == 2.0f;
  std::puts(same ? "Success!" : "the two differ");
  return same ? 0 : 1;
}
