// SPDX-License-Identifier: Apache-2.0
/// \file physics.h
/// Steps of simulations: fields on grids, and particles.
#ifndef SPECS_SCIENCE_PHYSICS_H_
#define SPECS_SCIENCE_PHYSICS_H_

#include <mshadow/kernel.h>

namespace science {
using namespace mshadow;
using namespace mshadow::expr;

/// The sum of the four neighbours of each element of a grid, less four times the element; outside
/// the grid all is 0.
template <typename E>
auto Laplacian(const E &u) {
  return crop(pad(u, 1), u.shape_, 0, 1) + crop(pad(u, 1), u.shape_, 2, 1) +
         crop(pad(u, 1), u.shape_, 1, 0) + crop(pad(u, 1), u.shape_, 1, 2) - 4.0f * u;
}

/// A step of the heat equation: u + ratio (the sum of the four neighbours - 4 u), with 0 outside
/// the grid. Courant, Friedrichs and Lewy 1928.
/// \param next the temperatures after the step
/// \param now the temperatures before it
/// \param ratio diffusivity times the step of time / the square of the grid's step; stable up to
/// 0.25
template <typename xpu, typename DType>
MSHADOW_KERNEL void HeatStep(Tensor<xpu, 2, DType> next, const Tensor<xpu, 2, DType> &now,
                             float ratio = 0.25f) {
  next = now + ratio * Laplacian(now);
}
MSHADOW_INSTANTIATE(HeatStep, float);

/// A step of the wave equation by leapfrog: 2 u - the value before + ratio (the sum of the four
/// neighbours - 4 u), with 0 outside the grid. Courant, Friedrichs and Lewy 1928.
/// \param next the heights after the step; holds the heights before `now` when called
/// \param now the heights
/// \param ratio the square of (speed times the step of time / the grid's step); stable up to 0.5
template <typename xpu, typename DType>
MSHADOW_KERNEL void WaveStep(Tensor<xpu, 2, DType> next, const Tensor<xpu, 2, DType> &now,
                             float ratio = 0.25f) {
  next = 2.0f * now - next + ratio * Laplacian(now);
}
MSHADOW_INSTANTIATE(WaveStep, float);

/// Lennard-Jones potential of pairs: with s = (sigma / r)^6, energy = 4 epsilon (s^2 - s) and push
/// = 24 epsilon (2 s^2 - s) / r^2, which the difference of the two positions is multiplied by for
/// the force. Jones 1924. Pairs beyond the cutoff have neither.
/// \param energy of each pair
/// \param push of each pair
/// \param square r^2 of each pair; may be energy
/// \param epsilon depth of the potential
/// \param sigma distance at which it is 0
/// \param cutoff the largest r that counts
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LennardJones(Tensor<xpu, dim, DType> energy, Tensor<xpu, dim, DType> push,
                                 const Tensor<xpu, dim, DType> &square, float epsilon = 1.0f,
                                 float sigma = 1.0f, float cutoff = 2.5f) {
  const float farthest = cutoff * cutoff, four = 4.0f * epsilon, six = 24.0f * epsilon;
  const float sigma_square = sigma * sigma;
  auto inverse = 1.0f / square;
  auto t = sigma_square * inverse;
  auto s = t * t * t;
  push = where(square <= farthest, six * (2.0f * s * s - s) * inverse, 0.0f);
  energy = where(square <= farthest, four * (s * s - s), 0.0f);
}
MSHADOW_INSTANTIATE(LennardJones, float);

/// Lennard-Jones forces on each body of a list from those of another, as the sums over all pairs:
/// the push of LennardJones times the difference of the positions. A body is no pair with itself:
/// pairs at one place do not count.
/// \param force_x on each body of the first list
/// \param force_y on each body of the first list
/// \param force_z on each body of the first list
/// \param x1 of each body of the first list
/// \param y1 of each body of the first list
/// \param z1 of each body of the first list
/// \param x2 of each body of the second list
/// \param y2 of each body of the second list
/// \param z2 of each body of the second list
/// \param epsilon depth of the potential
/// \param sigma distance at which it is 0
template <typename xpu, typename DType>
MSHADOW_KERNEL void LennardJonesForces(
    Tensor<xpu, 1, DType> force_x, Tensor<xpu, 1, DType> force_y, Tensor<xpu, 1, DType> force_z,
    const Tensor<xpu, 1, DType> &x1, const Tensor<xpu, 1, DType> &y1,
    const Tensor<xpu, 1, DType> &z1, const Tensor<xpu, 1, DType> &x2,
    const Tensor<xpu, 1, DType> &y2, const Tensor<xpu, 1, DType> &z2, float epsilon = 1.0f,
    float sigma = 1.0f) {
  const float six = 24.0f * epsilon, sigma_square = sigma * sigma;
  auto dx = broadcast_with_axis(x1, 0, x2.size(0)) - broadcast_with_axis(x2, -1, x1.size(0));
  auto dy = broadcast_with_axis(y1, 0, x2.size(0)) - broadcast_with_axis(y2, -1, x1.size(0));
  auto dz = broadcast_with_axis(z1, 0, x2.size(0)) - broadcast_with_axis(z2, -1, x1.size(0));
  auto square = dx * dx + dy * dy + dz * dz;
  auto inverse = where(square > 0.0f, 1.0f / square, 0.0f);
  auto t = sigma_square * inverse;
  auto s = t * t * t;
  auto push = six * (2.0f * s * s - s) * inverse;
  force_x = sumall_except_dim<0>(push * dx);
  force_y = sumall_except_dim<0>(push * dy);
  force_z = sumall_except_dim<0>(push * dz);
}
MSHADOW_INSTANTIATE(LennardJonesForces, float);

/// A step of leapfrog integration: v + h a, and then x + h v. Verlet 1967.
/// \param position x of each coordinate
/// \param velocity v of each coordinate, half a step before the position
/// \param acceleration a, at the position
/// \param step h
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LeapfrogStep(Tensor<xpu, dim, DType> position, Tensor<xpu, dim, DType> velocity,
                                 const Tensor<xpu, dim, DType> &acceleration, float step = 0.01f) {
  velocity += step * acceleration;
  position += step * velocity;
}
MSHADOW_INSTANTIATE(LeapfrogStep, float);

}  // namespace science

#endif  // SPECS_SCIENCE_PHYSICS_H_
