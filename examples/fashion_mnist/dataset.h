// SPDX-License-Identifier: Apache-2.0
/// \file dataset.h
/// Fashion-MNIST: 70,000 grey images of 28 x 28 pixels in ten classes.
/// Xiao, Rasul & Vollgraf 2017, https://github.com/zalandoresearch/fashion-mnist
#ifndef EXAMPLES_FASHION_MNIST_DATASET_H_
#define EXAMPLES_FASHION_MNIST_DATASET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels.h"

namespace demo {

constexpr int kPixels = 28 * 28;
constexpr int kClasses = 10;
extern const char *const kClassNames[kClasses];

/// Images and their classes, as the files have them.
struct Dataset {
  std::vector<uint8_t> pixels;  ///< kPixels for each image
  std::vector<uint8_t> labels;  ///< 0 to kClasses - 1

  int size() const { return static_cast<int>(labels.size()); }

  /// Copies images `order[begin]` … into the rows of \p images, normalised by the mean and the
  /// standard deviation of the training set's pixels, and their labels, one-hot, into \p labels.
  void Batch(const std::vector<int> &order, int begin, Matrix images, Matrix one_hot) const;
};

/// Reads the images and labels "train" or "t10k" of \p directory; each file may be compressed, with
/// the suffix .gz.
/// \throws DataError if a file is missing or is not what it should be
Dataset ReadDataset(const std::string &directory, const std::string &name);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_DATASET_H_
