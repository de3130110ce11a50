// SPDX-License-Identifier: Apache-2.0
/// \file channel_pool.h
/// Pooling over neighbouring channels, the third dimension from the last: chpool, ch_unpool. Local
/// response normalisation is made of them.
#ifndef MSHADOW_EXTENSION_CHANNEL_POOL_H_
#define MSHADOW_EXTENSION_CHANNEL_POOL_H_

#include "mshadow/extension/pool.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// \p Reducer over windows of channels. Channels beyond both ends, \p pad of them, are left out.
template <typename Reducer, typename SrcExp, typename DType, int srcdim>
struct ChannelPoolingExp
    : MakeTensorExp<ChannelPoolingExp<Reducer, SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  static constexpr int kC = srcdim - 3;
  SrcExp src_;
  detail::Windows channels_;
  index_t pad_;

  ChannelPoolingExp(const SrcExp &src, index_t nsize, index_t stride, index_t pad)
      : src_(src), pad_(pad) {
    detail::CheckPositive("chpool", "number of channels", nsize);
    detail::CheckPositive("chpool", "stride", stride);
    detail::CheckNotNegative("chpool", "padding", pad);
    this->shape_ = ShapeCheck<srcdim, SrcExp>::Check(src);
    const index_t source = this->shape_[kC];
    if (source + 2 * pad < nsize) {
      const Shape<1> window = Shape1(nsize);
      detail::ThrowMisfit("chpool", "the window has more channels than the padded tensor",
                          this->shape_.shape_, srcdim, window.shape_, 1);
    }
    this->shape_[kC] = (source + 2 * pad - nsize) / stride + 1;
    channels_ = {{nsize, stride, 1}, source, this->shape_[kC]};
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return channels_.size; }
};

template <typename Reducer, typename SrcExp, typename DType, int srcdim>
class Plan<ChannelPoolingExp<Reducer, SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const ChannelPoolingExp<Reducer, SrcExp, DType, srcdim> &exp)
      : src_(MakePlan(exp.src_)),
        height_(exp.shape_[srcdim - 2]),
        pooled_(exp.channels_.pooled),
        channels_(exp.channels_),
        pad_(exp.pad_) {}

  MSHADOW_XINLINE DType Eval(index_t row, index_t x) const {
    const Channels at = Find(row);
    Acc result;
    Reducer::SetInitValue(result);
    for (detail::Signed c = at.begin; c < at.end; ++c) {
      Reducer::Reduce(result, static_cast<Acc>(src_.Eval(at.row + c * height_.divisor(), x)));
    }
    return ScalarCast<DType>(result);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t row, index_t x, int n, DType *out) const {
    const Channels at = Find(row);
    Acc result[detail::kMaxRun];
    for (int i = 0; i < n; ++i) Reducer::SetInitValue(result[i]);
    for (detail::Signed c = at.begin; c < at.end; ++c) {
      const detail::Run<Plan<SrcExp, DType>, DType> run(src_, at.row + c * height_.divisor(), x, n);
      for (int i = 0; i < n; ++i) Reducer::Reduce(result[i], static_cast<Acc>(run[i]));
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(result[i]);
  }

 private:
  using Acc = typename detail::Accumulator<DType>::type;
  struct Channels {
    index_t row;  ///< of the source's channel 0, at this height
    detail::Signed begin;
    detail::Signed end;
  };

  MSHADOW_XINLINE Channels Find(index_t row) const {
    index_t image = row;
    const index_t y = height_.Split(&image);
    const detail::Signed begin = pooled_.Split(&image) * channels_.stride - pad_;
    const detail::Signed end = begin + channels_.size;
    const detail::Signed source = channels_.source;
    return {image * channels_.source * height_.divisor() + y, begin < 0 ? 0 : begin,
            end < source ? end : source};
  }

  Plan<SrcExp, DType> src_;
  ::mshadow::detail::Divider height_;
  ::mshadow::detail::Divider pooled_;
  detail::Windows channels_;
  index_t pad_;
};

/// \p Reducer over windows of \p nsize channels of \p src, \p stride apart; the first one begins
/// \p pad channels before the first. The result has (channels + 2 pad - nsize) / stride + 1.
/// \throws Error if there are fewer channels than that, or nsize or stride is not positive
template <typename Reducer, typename SrcExp, typename DType, int etype>
ChannelPoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> chpool(
    const Exp<SrcExp, DType, etype> &src, index_t nsize, index_t stride, index_t pad) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 3, "chpool takes an expression of rank 3 or more");
  return ChannelPoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), nsize, stride,
                                                                          pad);
}
/// The same around each channel: as many channels as \p src has. \p nsize is odd.
template <typename Reducer, typename SrcExp, typename DType, int etype>
ChannelPoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> chpool(
    const Exp<SrcExp, DType, etype> &src, index_t nsize) {
  if (nsize % 2 == 0) {
    ::mshadow::detail::ThrowError("chpool: " + std::to_string(nsize) +
                                  " channels, an even number, have no middle: pass stride and pad");
  }
  return chpool<Reducer>(src, nsize, 1, nsize / 2);
}

/// The gradient of chpool's source, given that of its result.
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
struct ChannelUnpoolingExp
    : MakeTensorExp<ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>, SrcExp,
                    srcdim, DType> {
  static constexpr int kC = srcdim - 3;
  SrcExp data_src_;
  PooledExp data_pooled_;
  GradExp grad_pooled_;
  detail::Windows channels_;
  index_t pad_;

  ChannelUnpoolingExp(const SrcExp &data_src, const PooledExp &data_pooled,
                      const GradExp &grad_pooled, index_t nsize, index_t stride, index_t pad)
      : data_src_(data_src), data_pooled_(data_pooled), grad_pooled_(grad_pooled), pad_(pad) {
    detail::CheckPositive("ch_unpool", "number of channels", nsize);
    detail::CheckPositive("ch_unpool", "stride", stride);
    detail::CheckNotNegative("ch_unpool", "padding", pad);
    const Shape<srcdim> source = ShapeCheck<srcdim, SrcExp>::Check(data_src);
    const Shape<srcdim> pooled = ShapeCheck<srcdim, PooledExp>::Check(data_pooled);
    const Shape<srcdim> grad = ShapeCheck<srcdim, GradExp>::Check(grad_pooled);
    detail::CheckPooled("ch_unpool", srcdim, source.shape_, pooled.shape_, grad.shape_, kC, kC + 1);
    channels_ = {{nsize, stride, 1}, source[kC], pooled[kC]};
    this->shape_ = source;
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(data_src_, false);
    f(data_pooled_, true);
    f(grad_pooled_, true);
  }
  index_t CountReads() const { return (channels_.size - 1) / channels_.stride + 1; }
};
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
struct ExpInfo<ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>>
    : detail::DevicesOf<SrcExp, PooledExp, GradExp> {
  static constexpr int kDim = srcdim;
};

template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
class Plan<ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim> &exp)
      : data_src_(MakePlan(exp.data_src_)),
        data_pooled_(MakePlan(exp.data_pooled_)),
        grad_pooled_(MakePlan(exp.grad_pooled_)),
        height_(exp.shape_[srcdim - 2]),
        source_(exp.channels_.source),
        pooled_(exp.channels_.pooled),
        channels_(exp.channels_, exp.pad_) {}

  MSHADOW_XINLINE DType Eval(index_t row, index_t x) const {
    index_t image = row;
    const index_t y = height_.Split(&image);
    const index_t c = source_.Split(&image);
    const DType source = data_src_.Eval(row, x);
    Acc sum = 0;
    for (index_t p = channels_.First(c); p < channels_.End(c); ++p) {
      const index_t at = (image * pooled_ + p) * height_.divisor() + y;
      const DType grad = Reducer::PartialGrad(source, DType(data_pooled_.Eval(at, x)));
      const Acc grad_pooled = static_cast<Acc>(grad_pooled_.Eval(at, x));
      sum = op::plus::Map(sum, op::mul::Map(static_cast<Acc>(grad), grad_pooled));
    }
    return ScalarCast<DType>(sum);
  }

 private:
  using Acc = Promoted<DType>;
  Plan<SrcExp, DType> data_src_;
  Plan<PooledExp, DType> data_pooled_;
  Plan<GradExp, DType> grad_pooled_;
  ::mshadow::detail::Divider height_;
  ::mshadow::detail::Divider source_;
  index_t pooled_;
  detail::WindowsOf channels_;
};

/// The gradient with respect to \p data_src, for data_pooled = chpool<Reducer>(data_src, nsize,
/// stride, pad). \p grad_pooled is the gradient with respect to data_pooled.
/// \throws Error if the shapes do not fit, or nsize or stride is not positive
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int e1, int e2, int e3, int dim = ExpInfo<SrcExp>::kDim>
ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, dim> ch_unpool(
    const Exp<SrcExp, DType, e1> &data_src, const Exp<PooledExp, DType, e2> &data_pooled,
    const Exp<GradExp, DType, e3> &grad_pooled, index_t nsize, index_t stride, index_t pad) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2 | e3)>());
  static_assert(dim >= 3, "ch_unpool takes expressions of rank 3 or more");
  static_assert(ExpInfo<PooledExp>::kDim == dim && ExpInfo<GradExp>::kDim == dim,
                "ch_unpool takes three expressions of one rank");
  return ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, dim>(
      data_src.self(), data_pooled.self(), grad_pooled.self(), nsize, stride, pad);
}
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int e1, int e2, int e3, int dim = ExpInfo<SrcExp>::kDim>
ChannelUnpoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, dim> ch_unpool(
    const Exp<SrcExp, DType, e1> &data_src, const Exp<PooledExp, DType, e2> &data_pooled,
    const Exp<GradExp, DType, e3> &grad_pooled, index_t nsize) {
  return ch_unpool<Reducer>(data_src, data_pooled, grad_pooled, nsize, 1, nsize / 2);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_CHANNEL_POOL_H_
