// SPDX-License-Identifier: Apache-2.0
// Checkpoints of an Optimizer: a training that was killed and resumed has the bits of one that was
// not, for every shipped optimizer; a wrong stream throws, names what was expected, and changes
// nothing.
#include <gtest/gtest.h>
#include <mshadow/parallel.h>
#include <mshadow_specs.h>
#include <optimizer_rules.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "checksum.h"
#include "optimizer_testing.h"

namespace optimizer_testing {
namespace {

/// A stream of a file.
class File {
 public:
  File(const std::string &path, const char *mode) : file_(std::fopen(path.c_str(), mode)) {
    if (file_ == nullptr) throw Error("cannot open " + path);
  }
  ~File() { std::fclose(file_); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  void Write(const void *from, size_t size) {
    if (std::fwrite(from, 1, size, file_) != size) throw Error("cannot write");
  }
  size_t Read(void *to, size_t size) { return std::fread(to, 1, size, file_); }

 private:
  std::FILE *file_;
};

/// Layers of several shapes and types, and what updates them.
struct Training {
  std::vector<Matrix<>> weights, grads;
  std::vector<Matrix<half_t>> halves, half_grads;
  Matrix<bf16_t> copy, short_grad;
  Matrix<> master;
  Optimizer optimizer;

  Training() : copy(7, 6, 1), short_grad(7, 6, 2), master(7, 6, 3) {
    auto adam = optimizer.Group<optim::AdamWRule>({{"decay", 0.125}});
    auto nadam = optimizer.Group<optim::NAdamRule>();
    for (int i = 0; i < 6; ++i) {
      weights.emplace_back(1 + i % 3, 5 + i * i, i, i % 2);
      grads.emplace_back(1 + i % 3, 5 + i * i, i);
      halves.emplace_back(2, 3 + i, i);
      half_grads.emplace_back(2, 3 + i, i);
    }
    for (size_t i = 0; i < weights.size(); ++i) {
      if (i % 2 == 0) {
        adam.Add(weights[i].view, grads[i].view);
      } else {
        nadam.Add(weights[i].view, grads[i].view);
      }
      adam.Add(halves[i].view, half_grads[i].view);
    }
    optimizer.Group<state_rules::MasterMomentumRule>().Add(master.view, copy.view, short_grad.view);
    optimizer.Schedule("lr", [](int64_t step) { return 0.5 / static_cast<double>(step); });
    nadam.Set("lr", 0.25);
  }

  /// Gradients of the weights as they are, then an update.
  void Step() {
    for (size_t i = 0; i < weights.size(); ++i) {
      using namespace mshadow::expr;  // NOLINT
      grads[i].view = weights[i].view * 0.5f + 0.25f;
      half_grads[i].view = halves[i].view * half_t(0.5f);
    }
    short_grad.view = mshadow::expr::F<mshadow::op::identity>(copy.view);
    optimizer.Step();
  }

  bool operator==(const Training &other) const {
    return weights == other.weights && halves == other.halves && copy == other.copy &&
           master == other.master && StatesOf(*this) == StatesOf(other);
  }
  static std::vector<float> StatesOf(const Training &training) {
    std::vector<float> all;
    for (int64_t i = 0; i < 12; i += 2) {
      const bool is_adam = i % 4 == 0;
      const auto state = training.optimizer.State<2>(i, is_adam ? "variance" : "exp_avg_sq");
      all.insert(all.end(), state.dptr_, state.dptr_ + state.MSize());
    }
    all.push_back(training.optimizer.State<1>(2, "mu_product")[0]);
    all.push_back(static_cast<float>(training.optimizer.step()));
    return all;
  }
};

/// The process that trains is killed between two checkpoints; another one goes on from the first.
TEST(Checkpoint, ResumesAfterAKill) {
  const std::string path = testing::TempDir() + "optimizer_" + std::to_string(getpid());
  constexpr int kSteps = 9, kSaved = 4, kKilled = 6;
  Training expected;
  for (int step = 1; step <= kSteps; ++step) expected.Step();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Training training;
    for (int step = 1;; ++step) {
      training.Step();
      if (step == kSaved) {
        File file(path, "wb");
        training.optimizer.Save(file);
      }
      if (step == kKilled) kill(getpid(), SIGKILL);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Training resumed;
  {
    File file(path, "rb");
    resumed.optimizer.Load(file);
  }
  std::remove(path.c_str());
  EXPECT_EQ(resumed.optimizer.step(), kSaved);
  for (int step = kSaved + 1; step <= kSteps; ++step) resumed.Step();
  EXPECT_TRUE(resumed == expected);
}

#ifndef MSHADOW_UNFUSED  // so many rules take minutes to compile
/// Every shipped rule that needs no tensors but a weight and a gradient.
struct ResumeRule {
  int *count;

  template <typename Rule>
  void operator()() const {
    if constexpr (IsOptimizer(Rule::kInfo) && mshadow::HasInstance<Rule, float>()) {
      ++*count;
      SCOPED_TRACE(Rule::kInfo.name);
      Run<Rule>();
    }
  }

  static constexpr bool IsOptimizer(const mshadow::RuleInfo &info) {
    int parameters = 0, gradients = 0;
    for (int i = 0; i < info.num_params; ++i) {
      parameters += info.params[i].role == mshadow::Role::kParameter;
      gradients += info.params[i].role == mshadow::Role::kGradient;
      if (info.params[i].role == mshadow::Role::kNone) return false;
    }
    return parameters == 1 && gradients == 1;
  }

  template <typename Rule>
  static void Run() {
    Matrix<> straight(5, 6, 1), stopped(5, 6, 1), grad(5, 6, 2);
    const Matrix<> before = straight;
    Optimizer whole, first;
    whole.Group<Rule>().Add(straight.view, grad.view);
    first.Group<Rule>().Add(stopped.view, grad.view);
    for (int i = 0; i < 5; ++i) whole.Step();
    EXPECT_FALSE(straight == before);
    for (int i = 0; i < 3; ++i) first.Step();
    Memory memory;
    first.Save(memory);
    Matrix<> resumed(5, 6, 1);
    resumed.view = 0.0f;
    Optimizer second;
    second.Group<Rule>().Add(resumed.view, grad.view);
    second.Load(memory);
    EXPECT_EQ(memory.at, memory.bytes.size());
    EXPECT_TRUE(resumed == stopped);
    for (int i = 0; i < 2; ++i) second.Step();
    EXPECT_TRUE(resumed == straight);
  }
};

TEST(Checkpoint, ResumesEveryShippedOptimizer) {
  int count = 0;
  mshadow_specs_rules::ForEach(ResumeRule{&count});
  EXPECT_GT(count, 60);
}
#endif

TEST(Checkpoint, RestoresScalarsButNoSchedules) {
  Matrix<> weight(2, 3, 1), other(2, 3, 1), grad(2, 3, 2);
  Optimizer saved, loaded;
  auto group = saved.Group<optim::SGDRule>({{"lr", 0.5}});
  group.Add(weight.view, grad.view);
  saved.Step();
  Memory memory;
  saved.Save(memory);
  memory.Write("tail", 4);
  auto other_group = loaded.Group<optim::SGDRule>({{"lr", 0.125}});
  other_group.Add(other.view, grad.view);
  loaded.Load(memory);
  EXPECT_EQ(memory.bytes.size() - memory.at, 4u);
  saved.Step();
  loaded.Step();
  EXPECT_TRUE(weight == other);
  saved.Step();
  saved.Step();
  memory.at = 0;
  other_group.Schedule("lr", [](int64_t) { return 0.0; });
  loaded.Load(memory);
  const Matrix<> before = other;
  loaded.Step();
  EXPECT_TRUE(other == before);
  EXPECT_EQ(loaded.step(), 2);
}

/// A stream that another optimizer is to refuse.
class WrongStream : public testing::Test {
 protected:
  WrongStream() : weight_(3, 4, 1), bias_(1, 5, 2), grad_(3, 4, 3), bias_grad_(1, 5, 4) {
    auto adam = optimizer_.Group<optim::AdamWRule>();
    adam.Add(weight_.view, grad_.view);
    adam.Add(bias_.view, bias_grad_.view);
    optimizer_.Step();
    optimizer_.Save(memory_);
    for (int i = 0; i < 3; ++i) optimizer_.Step();
  }

  /// The message with which the optimizer refuses a stream. Nothing has changed.
  std::string Refused(const std::string &bytes) {
    Memory memory{bytes};
    const Matrix<> weight = weight_, bias = bias_;
    const std::string message = MessageOf([&] { optimizer_.Load(memory); });
    EXPECT_TRUE(weight == weight_ && bias == bias_) << message;
    EXPECT_EQ(optimizer_.step(), 4);
    EXPECT_LE(memory.largest, size_t{1} << 24) << "memory for a size that is not true";
    return message;
  }
  /// The message if that other optimizer made the stream.
  std::string RefusedOf(const Optimizer &other) {
    Memory memory;
    other.Save(memory);
    return Refused(memory.bytes);
  }

  Matrix<> weight_, bias_, grad_, bias_grad_;
  Optimizer optimizer_;
  Memory memory_;
};

TEST_F(WrongStream, EveryDamagedByte) {
  for (size_t i = 0; i < memory_.bytes.size(); ++i) {
    std::string bytes = memory_.bytes;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << i % 8));
    EXPECT_NE(Refused(bytes), "") << i;
  }
  std::string bytes = memory_.bytes;
  bytes[100] = static_cast<char>(~bytes[100]);
  const std::string message = Refused(bytes);
  EXPECT_EQ(message.substr(0, 39), "Optimizer::Load: expected the checksum ");
  EXPECT_NE(message.find(": the stream is damaged"), std::string::npos) << message;
}

/// A stream that someone changed on purpose: it is refused, or gives other numbers.
TEST_F(WrongStream, EveryByteWithTheRightChecksum) {
  constexpr size_t kHeader = 24, kChecksum = 8;
  const size_t body = memory_.bytes.size() - kHeader - kChecksum;
  int loaded = 0;
  for (size_t i = 0; i < body; ++i) {
    Memory memory{memory_.bytes};
    memory.bytes[kHeader + i] = static_cast<char>(memory.bytes[kHeader + i] ^ 0x81);
    mshadow::detail::Checksum checksum;
    checksum.Add(memory.bytes.data() + kHeader, body);
    const uint64_t value = checksum.value();
    std::memcpy(&memory.bytes[kHeader + body], &value, sizeof(value));
    const std::string message = MessageOf([&] { optimizer_.Load(memory); });
    EXPECT_TRUE(message.empty() || message.find("Optimizer::Load: ") == 0) << i << message;
    loaded += message.empty();
  }
  const int numbers = 8 + 8 + 8 * 6 + 3 * 4 * (12 + 5);  // steps, scalars, elements
  EXPECT_EQ(loaded, numbers);
}

TEST_F(WrongStream, EveryCut) {
  for (size_t size = 0; size < memory_.bytes.size(); ++size) {
    EXPECT_NE(Refused(memory_.bytes.substr(0, size)), "") << size;
  }
  EXPECT_EQ(Refused(""),
            "Optimizer::Load: expected a checkpoint of an optimizer, got a stream that begins with "
            "other bytes");
  EXPECT_EQ(Refused(memory_.bytes.substr(0, 20)),
            "Optimizer::Load: expected 24 bytes of a header, got a stream that ends after 20");
  const std::string body = std::to_string(memory_.bytes.size() - 32);
  EXPECT_EQ(Refused(memory_.bytes.substr(0, 30)),
            "Optimizer::Load: expected " + body +
                " bytes and a checksum, got a stream that ends after 6 of them");
}

TEST_F(WrongStream, OtherHeaders) {
  std::string bytes = memory_.bytes;
  bytes[8] = 2;
  EXPECT_EQ(Refused(bytes), "Optimizer::Load: expected version 1, got 2");
  bytes = memory_.bytes;
  std::swap(bytes[12], bytes[15]);
  EXPECT_EQ(Refused(bytes),
            "Optimizer::Load: expected the byte order of this machine, got another "
            "one");
  bytes = memory_.bytes;
  bytes[23] = 0x7f;  // 2^62 bytes
  EXPECT_NE(Refused(bytes).find("bytes and a checksum, got a stream that ends after"),
            std::string::npos);
}

TEST_F(WrongStream, OtherGroups) {
  Optimizer other;
  EXPECT_EQ(RefusedOf(other), "Optimizer::Load: expected 1 groups, got 0");
  auto sgd = other.Group<optim::SGDRule>();
  EXPECT_EQ(RefusedOf(other),
            "Optimizer::Load: group 0: expected rule 'optim::AdamW', got 'optim::SGD'");
  Optimizer later;
  later.Then();
  later.Group<optim::AdamWRule>();
  EXPECT_EQ(RefusedOf(later), "Optimizer::Load: group 0: expected phase 0, got 1");
}

TEST_F(WrongStream, OtherTensors) {
  Matrix<> wide(3, 5, 1);
  Optimizer few;
  auto adam = few.Group<optim::AdamWRule>();
  adam.Add(wide.view, wide.view);
  EXPECT_EQ(RefusedOf(few), "Optimizer::Load: expected 2 entries, got 1");
  adam.Add(bias_.view, bias_grad_.view);
  EXPECT_EQ(RefusedOf(few),
            "Optimizer::Load: entry 0: tensor 'weight': expected float32 (3,4), got float32 (3,5)");
  Matrix<half_t> half(3, 4, 1);
  Optimizer halves;
  auto half_adam = halves.Group<optim::AdamWRule>();
  half_adam.Add(half.view, half.view);
  half_adam.Add(bias_.view, bias_grad_.view);
  EXPECT_EQ(RefusedOf(halves),
            "Optimizer::Load: entry 0: tensor 'weight': expected float32 (3,4), got float16 (3,4)");
  const Tensor<cpu, 1> flat(bias_.view.dptr_, Shape1(5));
  Optimizer vectors;
  auto vector_adam = vectors.Group<optim::AdamWRule>();
  vector_adam.Add(weight_.view, grad_.view);
  vector_adam.Add(flat, flat);
  EXPECT_EQ(RefusedOf(vectors),
            "Optimizer::Load: entry 1: tensor 'weight': expected float32 (1,5), got float32 (5,)");
}

/// Rules of one name whose declarations differ, as before and after an edit of a spec.
template <int version>
struct EditedRule {
  using Instances = mshadow::TypeList<mshadow::Types<float>>;
  using Param = mshadow::ParamInfo;
  static constexpr Param kParams[] = {
      Param::Tensor("weight").OfParam(0).Parameter().Written(),
      Param::Tensor(version == 1 ? "sum" : "mean").Of<float>().State().Value(0.0).Written(),
      Param::Tensor("grad").OfParam(0).Gradient(),
      Param::Scalar(version == 2 ? "rate" : "lr").Of<float>().Hyper().Value(0.5f)};
  static constexpr mshadow::RuleInfo kInfo =
      mshadow::RuleInfo::Of("Edited", "toy", "toy.h", kParams);
  template <typename xpu, int dim, typename DType>
  static void Call(void *const *, const double *) {}
};

TEST(Checkpoint, OfAnEditedRule) {
  Matrix<> weight(2, 3, 1), grad(2, 3, 2);
  const auto add = [&](Optimizer *optimizer, auto rule) {
    optimizer->Group<decltype(rule)>().Add(weight.view, grad.view);
  };
  Optimizer now, sum, rate;
  add(&now, EditedRule<0>());
  add(&sum, EditedRule<1>());
  add(&rate, EditedRule<2>());
  Memory of_sum, of_rate;
  sum.Save(of_sum);
  rate.Save(of_rate);
  EXPECT_EQ(MessageOf([&] { now.Load(of_sum); }),
            "Optimizer::Load: entry 0: expected tensor 'mean', got 'sum'");
  EXPECT_EQ(MessageOf([&] { now.Load(of_rate); }),
            "Optimizer::Load: group 0: expected scalar 'lr', got 'rate'");
}

TEST(Checkpoint, ChecksumIsCrc64) {
  mshadow::detail::Checksum whole, pieces;
  whole.Add("123456789", 9);
  EXPECT_EQ(whole.value(), 0x995dc9bbdf1939fau);  // the check value of CRC-64/XZ
  const std::string text(1000, 'a');
  mshadow::detail::Checksum of_text;
  of_text.Add(text.data(), text.size());
  for (size_t at = 0, size = 1; at < text.size(); at += size, size = size % 13 + 1) {
    pieces.Add(text.data() + at, std::min(size, text.size() - at));
  }
  EXPECT_EQ(pieces.value(), of_text.value());
}

}  // namespace
}  // namespace optimizer_testing
