// SPDX-License-Identifier: Apache-2.0
// Signatures that the shipped rules do not have.
#include <mshadow/kernel.h>

namespace entry {
using namespace mshadow;
using namespace mshadow::expr;

/// Two type parameters, and a scalar of one of them.
/// \param out result
/// \param in what is scaled
/// \param scale factor
template <typename xpu, int dim, typename DType, typename SType>
MSHADOW_KERNEL void Convert(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, SType> &in,
                            SType scale) {
  out = tcast<DType>(in * scale);
}
MSHADOW_INSTANTIATE(Convert, Types<float, double>, Types<int32_t, float>);

/// No type parameter, ranks that are fixed, and names that Python or the entry itself has.
/// \param sums one value per row
/// \param in rows
/// \param device added to each row's sum
/// \param tensors what is taken off again
/// \param lambda whether to do that
template <typename xpu>
MSHADOW_KERNEL void RowSums(Tensor<xpu, 1, float> sums, const Tensor<xpu, 2, float> &in,
                            int64_t device, double tensors = 0.5, bool lambda = true) {
  sums = sumall_except_dim<0>(in);
  if (lambda) {
    sums += static_cast<float>(static_cast<double>(device) - tensors);
  } else {
    sums += static_cast<float>(device);
  }
}
MSHADOW_INSTANTIATE(RowSums, Types<>);

/// Two results, of whose memory only the launch knows.
/// \param left the first columns
/// \param right the others
/// \param in what is shared out
template <typename xpu, typename DType>
MSHADOW_KERNEL void Split(Tensor<xpu, 2, DType> left, Tensor<xpu, 2, DType> right,
                          const Tensor<xpu, 2, DType> &in) {
  concat<1>(left, right) = in;
}
MSHADOW_INSTANTIATE(Split, float);

/// Elements at other places, in tensors of any rank.
/// \param out result
/// \param in what is turned
/// \param bias one value per column
/// \param scale factor of the first half of each row
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Turned(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           const Tensor<xpu, 1, DType> &bias, float scale = 2.0f) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  auto swapped = concat<dim - 1>(slice<dim - 1>(in, half, cols), slice<dim - 1>(in, 0, half));
  out = swapped + flip(in, 0) * DType(10) + broadcast<dim - 1>(flip(bias, 0), in.shape_);
  MSHADOW_STAGE();
  slice<dim - 1>(out, 0, half) *= DType(scale);
}
MSHADOW_INSTANTIATE(Turned, float, int32_t);

/// Elements in the last dimension but one, which tensors of one dimension do not have.
/// \param out result
/// \param in what is turned
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Upturned(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = flip(in, dim - 2) - in;
}
MSHADOW_INSTANTIATE(Upturned, float);

/// Some channels of images out of the others.
/// \param out result, of which the other channels stay as they are
/// \param in whose channels from `count` on are taken
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             int count) {
  slice<1>(out, 0, count) = slice<1>(in, count, 2 * count) * DType(2);
}
MSHADOW_INSTANTIATE(Channels, float, int32_t);

/// A rule whose name formulas use, for what they convert.
template <typename xpu, int dim, typename DType, typename SType>
MSHADOW_KERNEL void Cast(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, SType> &in) {
  out = tcast<DType>(in);
}
MSHADOW_INSTANTIATE(Cast, Types<int32_t, float>);

/// A tensor of the type in which C++ computes with the elements of another.
/// \param sum running sum
/// \param in what is added
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Accumulate(Tensor<xpu, dim, Promoted<DType>> sum,
                               const Tensor<xpu, dim, DType> &in) {
  sum += tcast<Promoted<DType>>(in);
}
MSHADOW_INSTANTIATE(Accumulate, float, double, half::half_t, uint8_t, int16_t);

/// Shares its name with the next rule.
/// \param out result
/// \param in what is reversed
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reversed(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = flip(in, 0);
}
/// The rows of a matrix in reverse.
/// \param out result
/// \param in what is reversed
/// \param scale factor
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reversed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             float scale = 2.0f) {
  out = flip(in, 0) * DType(scale);
}
MSHADOW_INSTANTIATE(Reversed, float);
}  // namespace entry

namespace entry_too {
using namespace mshadow;
using namespace mshadow::expr;

/// A rule of the same name elsewhere.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RowSums(Tensor<xpu, dim, DType> out) {
  out = out + 1.0f;
}
MSHADOW_INSTANTIATE(RowSums, half::half_t);
/// Results with fewer columns than what they are found in.
/// \param best greatest elements of each row, the greatest first
/// \param column their columns
/// \param in what is sorted
/// \param scale factor of the results
template <typename xpu, typename DType>
MSHADOW_KERNEL void Best(Tensor<xpu, 2, DType> best, Tensor<xpu, 2, int64_t> column,
                         const Tensor<xpu, 2, DType> &in, float scale = 1.0f) {
  TopK(best, column, in);
  best *= DType(scale);
}
MSHADOW_INSTANTIATE(Best, float);

}  // namespace entry_too
