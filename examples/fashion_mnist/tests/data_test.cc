// SPDX-License-Identifier: Apache-2.0
// Data files that are not what they should be: each is refused with a message that names the file,
// what was expected and what it has.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "dataset.h"
#include "idx_file.h"

namespace demo {
namespace {

using testing::TempDir;

std::string Number(uint32_t n) {
  return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
          static_cast<char>(n)};
}

std::string Compress(const std::string &bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// A directory with a data set of three images, which a test then damages.
class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = TempDir() + "fashion_mnist_" + std::to_string(getpid());
    std::filesystem::create_directories(directory_);
    Write(kImages, Images(3, 28, 28));
    Write(kLabels, Labels("\1\2\3"));
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static std::string Images(uint32_t count, uint32_t rows, uint32_t cols) {
    std::string bytes = Number(0x803) + Number(count) + Number(rows) + Number(cols);
    for (uint32_t i = 0; i < count * rows * cols; ++i)
      bytes += static_cast<char>(i * 2654435761u >> 24);
    return bytes;
  }
  static std::string Labels(const std::string &labels) {
    return Number(0x801) + Number(static_cast<uint32_t>(labels.size())) + labels;
  }
  void Write(const std::string &name, const std::string &bytes) {
    std::ofstream(directory_ + "/" + name, std::ios::binary) << bytes;
  }
  /// The message with which the data set is refused, "" if it is not.
  std::string Problem() {
    try {
      ReadDataset(directory_, "train");
      return "";
    } catch (const DataError &error) {
      return error.what();
    }
  }
  /// Expects a refusal that names the file and contains \p text.
  void ExpectProblem(const std::string &file, const std::string &text) {
    const std::string problem = Problem();
    EXPECT_NE(problem.find(directory_ + "/" + file + "'"), std::string::npos) << problem;
    EXPECT_NE(problem.find(text), std::string::npos) << problem;
  }

  const std::string kImages = "train-images-idx3-ubyte", kLabels = "train-labels-idx1-ubyte";
  std::string directory_;
};

TEST_F(DataFiles, PlainAndCompressedAreTheSame) {
  const Dataset plain = ReadDataset(directory_, "train");
  EXPECT_EQ(plain.size(), 3);
  EXPECT_EQ(plain.labels, (std::vector<uint8_t>{1, 2, 3}));
  ASSERT_EQ(plain.pixels.size(), size_t{3 * kPixels});
  std::filesystem::remove(directory_ + "/" + kImages);
  Write(kImages + ".gz", Compress(Images(3, 28, 28)));
  EXPECT_EQ(ReadDataset(directory_, "train").pixels, plain.pixels);
}

TEST_F(DataFiles, BatchIsNormalisedAndOneHot) {
  const Dataset data = ReadDataset(directory_, "train");
  Buffer images(mshadow::Shape2(2, kPixels)), labels(mshadow::Shape2(2, kClasses));
  data.Batch({2, 0, 1}, 1, images, labels);
  EXPECT_NEAR(images[0][5], (data.pixels[5] / 255.0 - 0.2860) / 0.3530, 1e-5);
  EXPECT_NEAR(images[1][5], (data.pixels[kPixels + 5] / 255.0 - 0.2860) / 0.3530, 1e-5);
  for (int i = 0; i < kClasses; ++i) {
    EXPECT_EQ(labels[0][i], i == 1 ? 1.0f : 0.0f);
    EXPECT_EQ(labels[1][i], i == 2 ? 1.0f : 0.0f);
  }
}

TEST_F(DataFiles, Missing) {
  std::filesystem::remove(directory_ + "/" + kLabels);
  ExpectProblem(kLabels + ".gz", "does not exist; install the Debian package");
}

TEST_F(DataFiles, Directory) {
  std::filesystem::create_directory(directory_ + "/" + kLabels + ".gz");
  ExpectProblem(kLabels + ".gz", "cannot be read after byte 0: Is a directory");
}

TEST_F(DataFiles, WrongMagicNumber) {
  Write(kLabels, Images(3, 28, 28));
  ExpectProblem(kLabels, "its magic number is 0x00000803, expected 0x00000801");
}

TEST_F(DataFiles, ShortHeader) {
  Write(kImages, Number(0x803) + Number(3));
  ExpectProblem(kImages, "ends inside its header");
  Write(kImages, "");
  ExpectProblem(kImages, "ends inside its header");
}

TEST_F(DataFiles, Truncated) {
  const std::string images = Images(3, 28, 28);
  Write(kImages, images.substr(0, images.size() - 100));
  ExpectProblem(kImages, "is truncated: expected 3 x 28 x 28 = 2352 bytes of data, got 2252");
}

TEST_F(DataFiles, TruncatedCompressed) {
  const std::string images = Compress(Images(3, 28, 28));
  Write(kImages + ".gz", images.substr(0, images.size() / 2));
  ExpectProblem(kImages + ".gz", "t");
  // All data is there, but not the check sum behind it.
  Write(kImages + ".gz", images.substr(0, images.size() - 4));
  ExpectProblem(kImages + ".gz", "the compressed data ends too early");
}

TEST_F(DataFiles, CorruptCompressed) {
  std::string images = Compress(Images(3, 28, 28));
  images[images.size() - 6] = static_cast<char>(~images[images.size() - 6]);  // the check sum
  Write(kImages + ".gz", images);
  ExpectProblem(kImages + ".gz", "cannot be read after byte");
}

TEST_F(DataFiles, HeaderOfTerabytes) {
  Write(kImages, Number(0x803) + Number(0xffffffff) + Number(28) + Number(28));
  ExpectProblem(kImages, "is corrupt: its header announces 4294967295 x 28 x 28 bytes");
}

TEST_F(DataFiles, TooLong) {
  Write(kLabels, Labels("\1\2\3") + "x");
  ExpectProblem(kLabels, "goes on after the 11 bytes that its header announces");
}

TEST_F(DataFiles, WrongExtents) {
  Write(kImages, Images(3, 28, 27));
  ExpectProblem(kImages, "has images of 28 x 27 pixels, expected 28 x 28");
  Write(kImages, Images(0, 28, 28));
  ExpectProblem(kImages, "has no images");
}

TEST_F(DataFiles, LabelsThatDoNotFit) {
  Write(kLabels, Labels("\1\2"));
  ExpectProblem(kLabels, "expected 3 labels, got 2");
  Write(kLabels, Labels("\1\12\3"));
  ExpectProblem(kLabels, "expected labels 0 to 9, got 10 for image 1");
}

}  // namespace
}  // namespace demo
