// SPDX-License-Identifier: Apache-2.0
namespace toy {
struct rate {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(0.5f) * a;
  }
};
}  // namespace toy
