// SPDX-License-Identifier: Apache-2.0
/// \file statistics.h
/// Prices, filters, clusters and random numbers.
#ifndef SPECS_SCIENCE_STATISTICS_H_
#define SPECS_SCIENCE_STATISTICS_H_

#include <mshadow/kernel.h>

namespace science {
using namespace mshadow;
using namespace mshadow::expr;

/// \brief the distribution function of the standard normal distribution
struct normal_cdf {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x) {
    return T(0.5) * mshadow::math::erfc(T(-0.70710678118654752) * x);
  }
};

/// Prices of European options: with d1 = (log(S / K) + (r + v^2 / 2) T) / (v sqrt(T)) and d2 = d1 -
/// v sqrt(T), call = S Phi(d1) - K e^(-r T) Phi(d2), put = K e^(-r T) Phi(-d2) - S Phi(-d1). Black
/// and Scholes 1973, equation 13.
/// \param call price of each option to buy
/// \param put price of each option to sell
/// \param spot S, the price of each stock
/// \param strike K, the price agreed on
/// \param years T, to maturity, above 0
/// \param rate r, of interest, per year
/// \param volatility v, per year, above 0
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void BlackScholes(Tensor<xpu, dim, DType> call, Tensor<xpu, dim, DType> put,
                                 const Tensor<xpu, dim, DType> &spot,
                                 const Tensor<xpu, dim, DType> &strike,
                                 const Tensor<xpu, dim, DType> &years, float rate = 0.02f,
                                 float volatility = 0.3f) {
  const float drift = rate + 0.5f * volatility * volatility, minus_rate = -rate;
  auto deviation = volatility * F<op::square_root>(years);
  auto d1 = (F<op::log>(spot / strike) + drift * years) / deviation;
  auto d2 = d1 - deviation;
  auto present = strike * F<op::exp>(minus_rate * years);
  call = spot * F<normal_cdf>(d1) - present * F<normal_cdf>(d2);
  put = present * F<normal_cdf>(-d2) - spot * F<normal_cdf>(-d1);
}
MSHADOW_INSTANTIATE(BlackScholes, float);

/// Update of a scalar Kalman filter for each element: p = p + q, k = p / (p + r), x = x + k (z -
/// x), p = (1 - k) p. Kalman 1960.
/// \param mean x, the estimates
/// \param variance p, of the estimates
/// \param measured z
/// \param process q, the variance that a step adds
/// \param noise r, the variance of the measurements
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void KalmanUpdate(Tensor<xpu, dim, DType> mean, Tensor<xpu, dim, DType> variance,
                                 const Tensor<xpu, dim, DType> &measured, float process = 0.01f,
                                 float noise = 1.0f) {
  Temporary<xpu, dim, DType> gain(mean.shape_, mean.stream_);
  variance += process;
  gain = variance / (variance + noise);
  mean += gain * (measured - mean);
  variance = (1.0f - gain) * variance;
}
MSHADOW_INSTANTIATE(KalmanUpdate, float);

/// Two independent normal numbers of two uniform ones: with r = sqrt(-2 log(u)), r cos(2 pi v) and
/// r sin(2 pi v). Box and Muller 1958.
/// \param first normal numbers; may be u or v
/// \param second normal numbers, independent of the first
/// \param u uniform in (0, 1]
/// \param v uniform in [0, 1)
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void BoxMuller(Tensor<xpu, dim, DType> first, Tensor<xpu, dim, DType> second,
                              const Tensor<xpu, dim, DType> &u, const Tensor<xpu, dim, DType> &v) {
  constexpr float kTwoPi = 6.28318530717958648f;
  auto radius = F<op::square_root>(-2.0f * F<op::log>(u));
  second = radius * F<op::sin>(kTwoPi * v);
  first = radius * F<op::cos>(kTwoPi * v);
}
MSHADOW_INSTANTIATE(BoxMuller, float);

/// The nearest of some centres for each point, by squares of distances: sum(c^2) - 2 x c, which is
/// the square less sum(x^2). Lloyd 1982, the first half of a step of k-means.
/// \param nearest number of the nearest centre of each point, the first of equal ones
/// \param square squared distance of each point from it
/// \param points one in each row
/// \param centres one in each row
template <typename xpu, typename DType>
MSHADOW_KERNEL void KMeansAssign(Tensor<xpu, 1, DType> nearest, Tensor<xpu, 1, DType> square,
                                 const Tensor<xpu, 2, DType> &points,
                                 const Tensor<xpu, 2, DType> &centres) {
  Temporary<xpu, 2, DType> products(Shape2(points.size(0), centres.size(0)), points.stream_);
  Temporary<xpu, 1, DType> lengths(Shape1(centres.size(0)), points.stream_);
  lengths = sumall_except_dim<0>(centres * centres);
  square = sumall_except_dim<0>(points * points);
  products = dot(points, centres.T());
  auto distance = broadcast<1>(lengths, products.shape_) - 2.0f * products;
  nearest = reduce_except_dim<0, red::argmin>(distance);
  square += reduce_except_dim<0, red::minimum>(distance);
}
MSHADOW_INSTANTIATE(KMeansAssign, float);

}  // namespace science

#endif  // SPECS_SCIENCE_STATISTICS_H_
