// SPDX-License-Identifier: Apache-2.0
/// \file models.h
/// How many elements the parameters of known models have, each tensor by itself.
#ifndef MSHADOW_BENCHMARKS_MODELS_H_
#define MSHADOW_BENCHMARKS_MODELS_H_

#include <cstdint>
#include <vector>

namespace mshadow_bench {

using Sizes = std::vector<int64_t>;

int64_t SumOf(const Sizes &sizes);

/// A ResNet of bottlenecks, with so many in each of its four stages: 3, 4, 6, 3 is ResNet-50, and
/// 3, 8, 36, 3 ResNet-152. He et al. 2016, Table 1, with the batch normalisations of torchvision's
/// models: resnet50 has 161 tensors.
Sizes ResNet(const std::vector<int> &bottlenecks);

/// GPT-2 with 124 M parameters. Radford et al. 2019, Table 2, and OpenAI's code: 148 tensors, since
/// the output shares the weights of the embedding.
Sizes Gpt2();

/// Llama 3 with 8 B parameters, 291 tensors, whose widths are divided by `divisor`. Grattafiori et
/// al. 2024, Table 3, and the published configuration: 32 layers of width 4,096, with 8 heads of
/// 128 for keys, and 14,336 in between. The vocabulary of 128,256 is divided, too.
Sizes Llama3(int64_t divisor);

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_MODELS_H_
