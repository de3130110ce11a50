// SPDX-License-Identifier: Apache-2.0
/// \file gpu_training.h
/// The same model and optimizer on the CPU and on the GPU. To be included after the rules.
#ifndef MSHADOW_TESTS_CUDA_GPU_TRAINING_H_
#define MSHADOW_TESTS_CUDA_GPU_TRAINING_H_

#include <mshadow/optim.h>
#include <mshadow/tensor.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "../runtime/memory_stream.h"
#include "gpu_fixture.h"
#include "gpu_layer.h"

namespace cuda_test {

using mshadow::cpu;
using mshadow::Optimizer;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;
using mshadow_test::Memory;

/// A matrix with the same numbers on the CPU and on the GPU.
template <typename T = float>
struct Both {
  Matrix<T> on_gpu;
  std::vector<T> memory;
  Tensor<cpu, 2, T> on_cpu;

  Both(Stream<gpu> *stream, index_t rows, index_t cols, int seed, index_t pad = 0,
       index_t offset = 0)
      : on_gpu(stream, rows, cols, seed, pad, offset),
        memory(on_gpu.Bits()),
        on_cpu(memory.data() + offset, on_gpu.view.shape_, on_gpu.view.stride_, nullptr) {}

  template <typename Device>
  Tensor<Device, 2, T> On() const {
    if constexpr (std::is_same<Device, cpu>::value) {
      return on_cpu;
    } else {
      return on_gpu.view;
    }
  }
  /// Whether all bits are the same, those between rows, too.
  bool AreSame() const {
    const std::vector<T> there = on_gpu.Bits();
    return std::memcmp(there.data(), memory.data(), memory.size() * sizeof(T)) == 0;
  }
};

inline std::string CheckpointOf(const Optimizer &optimizer) {
  Memory memory;
  optimizer.Save(memory);
  return memory.bytes;
}
inline void Load(Optimizer *optimizer, const std::string &bytes) {
  Memory memory{bytes};
  optimizer->Load(memory);
}

/// A model and its optimizer, on the CPU and on the GPU: several shapes, types, groups and phases.
class Training {
 public:
  explicit Training(Stream<gpu> *stream, int layers = 8)
      : master_(stream, 7, 6, 3),
        copy_(stream, 7, 6, 1),
        short_grad_(stream, 7, 6, 2),
        matrix_(stream, 6, 9, 4),
        matrix_grad_(stream, 6, 9, 5) {
    for (int i = 0; i < layers; ++i) {
      const index_t rows = 1 + i % 3, cols = 5 + i * i;
      const index_t offset = i % 5 == 4 ? 1 : 0;
      weights_.push_back(std::make_unique<Both<>>(stream, rows, cols, i, i % 2, offset));
      grads_.push_back(std::make_unique<Both<>>(stream, rows, cols, i + 9));
      halves_.push_back(std::make_unique<Both<half_t>>(stream, 2, 3 + i, i));
      half_grads_.push_back(std::make_unique<Both<half_t>>(stream, 2, 3 + i, i + 1));
    }
    AddTo<cpu>(&on_cpu);
    AddTo<gpu>(&on_gpu);
  }

  void Step() {
    on_cpu.Step();
    on_gpu.Step();
  }
  void ExpectSame(const std::string &when) const {
    for (size_t i = 0; i < weights_.size(); ++i) {
      EXPECT_TRUE(weights_[i]->AreSame()) << i << ' ' << when;
      EXPECT_TRUE(halves_[i]->AreSame()) << i << ' ' << when;
    }
    EXPECT_TRUE(master_.AreSame() && copy_.AreSame() && matrix_.AreSame()) << when;
    EXPECT_EQ(on_gpu.step(), on_cpu.step());
    EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu)) << when;
  }

  Optimizer on_cpu, on_gpu;

 private:
  template <typename Device>
  void AddTo(Optimizer *optimizer) {
    auto adam = optimizer->Group<optim::AdamWRule>({{"decay", 0.125}});
    auto lamb = optimizer->Group<optim::LambRule>();
    auto plain = optimizer->Group<optim::AdamWRule>({{"decay", 0}, {"beta1", 0.5}});
    auto reads_step = optimizer->Group<state_rules::ReadsStepRule>();
    for (size_t i = 0; i < weights_.size(); ++i) {
      const auto add = [&](auto *group) {
        group->Add(weights_[i]->On<Device>(), grads_[i]->On<Device>());
      };
      if (i % 3 == 0) add(&adam);
      if (i % 3 == 1) add(&lamb);
      if (i % 3 == 2) add(&reads_step);
      const auto half = halves_[i]->On<Device>(), half_grad = half_grads_[i]->On<Device>();
      i % 2 == 0 ? plain.Add(half, half_grad) : reads_step.Add(half, half_grad);
    }
    optimizer->Group<state_rules::MasterMomentumRule>().Add(
        master_.On<Device>(), copy_.On<Device>(), short_grad_.On<Device>());
    AddAdafactor<Device>(optimizer);
    optimizer->Schedule("lr", [](int64_t step) { return 0.5 / static_cast<double>(step); });
    plain.Set("lr", 0.25);
  }
  template <typename Device>
  void AddAdafactor(Optimizer *optimizer) {
    const Tensor<Device, 2> grad = matrix_grad_.On<Device>();
    const int64_t rows = optimizer->Group<optim::AdafactorRowsRule>().Add(grad);
    const int64_t columns = optimizer->Group<optim::AdafactorColumnsRule>().Add(grad);
    optimizer->Then();
    optimizer->Group<optim::AdafactorRule>().Add(
        matrix_.On<Device>(), optimizer->State<Device, 1>(rows, "row_mean"),
        optimizer->State<Device, 1>(columns, "column_mean"), grad);
  }

  std::vector<std::unique_ptr<Both<>>> weights_, grads_;
  std::vector<std::unique_ptr<Both<half_t>>> halves_, half_grads_;
  Both<> master_;
  Both<bf16_t> copy_, short_grad_;
  Both<> matrix_, matrix_grad_;
};

class OptimizerOnGpu : public GpuFixture {};

}  // namespace cuda_test

#endif  // MSHADOW_TESTS_CUDA_GPU_TRAINING_H_
