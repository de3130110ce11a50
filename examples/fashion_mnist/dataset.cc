// SPDX-License-Identifier: Apache-2.0
#include "dataset.h"

#include <algorithm>
#include <filesystem>

#include "idx_file.h"

namespace demo {
namespace {

constexpr float kMean = 0.2860f, kDeviation = 0.3530f;  // of the training set's pixels / 255

/// The compressed file if it is there, else the plain one.
std::string FindFile(const std::string &directory, const std::string &name) {
  const std::filesystem::path plain = std::filesystem::path(directory) / name;
  const std::filesystem::path compressed = plain.string() + ".gz";
  std::error_code ignored;
  if (std::filesystem::exists(compressed, ignored)) return compressed.string();
  if (std::filesystem::exists(plain, ignored)) return plain.string();
  throw DataError("data file '" + compressed.string() +
                  "' does not exist; install the Debian package dataset-fashion-mnist, or name "
                  "the directory of the four files with --data");
}

void CheckLabels(const std::string &path, const Dataset &data, uint32_t images) {
  if (data.labels.size() != images) {
    throw DataError("data file '" + path + "' does not fit the images: expected " +
                    std::to_string(images) + " labels, got " + std::to_string(data.labels.size()));
  }
  for (size_t i = 0; i < data.labels.size(); ++i) {
    if (data.labels[i] < kClasses) continue;
    throw DataError("data file '" + path + "' is corrupt: expected labels 0 to 9, got " +
                    std::to_string(data.labels[i]) + " for image " + std::to_string(i));
  }
}

}  // namespace

const char *const kClassNames[kClasses] = {"T-shirt/top", "trouser",   "pullover", "dress",
                                           "coat",        "sandal",    "shirt",    "sneaker",
                                           "bag",         "ankle boot"};

Dataset ReadDataset(const std::string &directory, const std::string &name) {
  const std::string image_path = FindFile(directory, name + "-images-idx3-ubyte");
  IdxArray images = ReadIdx(image_path, 3);
  if (images.extents[1] != 28 || images.extents[2] != 28) {
    throw DataError("data file '" + image_path + "' has images of " +
                    std::to_string(images.extents[1]) + " x " + std::to_string(images.extents[2]) +
                    " pixels, expected 28 x 28");
  }
  if (images.extents[0] == 0) throw DataError("data file '" + image_path + "' has no images");
  const std::string label_path = FindFile(directory, name + "-labels-idx1-ubyte");
  Dataset data{std::move(images.bytes), ReadIdx(label_path, 1).bytes};
  CheckLabels(label_path, data, images.extents[0]);
  return data;
}

void Dataset::Batch(const std::vector<int> &order, int begin, Matrix images, Matrix one_hot) const {
  constexpr float kScale = 1.0f / (255.0f * kDeviation), kShift = -kMean / kDeviation;
  for (mshadow::index_t row = 0; row < images.size(0); ++row) {
    const int image = order[static_cast<size_t>(begin + row)];
    const uint8_t *source = pixels.data() + static_cast<size_t>(image) * kPixels;
    float *target = images[row].dptr_;
    for (int i = 0; i < kPixels; ++i) target[i] = static_cast<float>(source[i]) * kScale + kShift;
    float *label = one_hot[row].dptr_;
    std::fill(label, label + kClasses, 0.0f);
    label[labels[static_cast<size_t>(image)]] = 1.0f;
  }
}

}  // namespace demo
