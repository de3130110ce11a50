// SPDX-License-Identifier: Apache-2.0
// A list gives the bits of single calls, and refuses what they refuse: every rule and instance of
// the target, tensors of many sizes, padded and contiguous, with one thread and with two, again
// after scalars have changed; and all rules in one list.
#include <gtest/gtest.h>
#include <mshadow/detail/exception.h>
#include <mshadow/limit_isa.h>
#include <mshadow/list.h>
#include <mshadow/parallel.h>
#include <mshadow/streaming.h>

#include <memory>

#include "arguments.h"
#include "misfit.h"

namespace mshadow_test {
namespace {

using mshadow::Isa;

/// Shapes that a list joins, cuts and runs as a whole.
std::vector<Layout> Layouts(int dim) {
  std::vector<Layout> layouts;
  const auto add = [&](int64_t rows, int64_t cols, int pad, int offset) {
    Layout layout;
    layout.dim = dim;
    layout.rows = dim == 1 ? 1 : rows;
    layout.cols = dim == 1 ? rows * cols : cols;
    layout.pad = dim == 1 ? 0 : pad;
    layout.offset = offset;
    layouts.push_back(layout);
  };
  for (int size : {1, 2, 3, 16, 17, 64}) add(1, size, 0, size % 5);
  for (int rows : {2, 5, 33}) add(rows, 7, 0, 0);
  add(8, 24, 8, 0);
  add(24, 13, 3, 1);
  add(37, 3, 2, 0);  // in blocks of rows, and some rows alone
  add(0, 4, 0, 0);
  add(96, 257, 0, 0);  // longer than a link
  add(9, 4, 0, 0);
  return layouts;
}

/// A call that is made on its own and from a list.
struct Twin {
  RuleEntry rule;
  std::unique_ptr<Arguments> single, listed;
};

class Lists : public testing::Test {
 protected:
  void TearDown() override {
    mshadow::LimitIsa(Isa::kAvx512);
    mshadow::SetNumThreads(0);
    mshadow::SetStreamingBytes(-1);
  }

  /// Adds a call to the list. If a single call is refused, then this one is, too, and no twin made.
  void Add(const RuleEntry &rule, const Layout &layout, uint64_t seed) {
    auto arguments = std::make_unique<Arguments>(rule, layout);
    arguments->Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
    arguments->PickScalars(0);
    Add(rule, std::move(arguments));
  }
  void Add(const RuleEntry &rule, std::unique_ptr<Arguments> arguments) {
    Twin twin = {rule, std::move(arguments), nullptr};
    twin.listed = std::make_unique<Arguments>(twin.single->Clone());
    std::string refused;
    try {
      twin.single->Clone().Call(rule);
    } catch (const mshadow::Error &error) {
      refused = error.what();
    }
    const mshadow::ListRecording recording(list_.get());
    if (refused.empty()) {
      twin.listed->AddToList(rule);
      twins_.push_back(std::move(twin));
      return;
    }
    try {
      twin.listed->AddToList(rule);
      ADD_FAILURE() << rule.Name() << ": a list takes what a call refuses: " << refused;
    } catch (const mshadow::Error &error) {
      EXPECT_EQ(error.what(), "list entry " + std::to_string(twins_.size()) + ": " + refused);
    }
  }

  /// Runs the list, and makes the single calls.
  void Run() {
    list_->Run();
    for (const Twin &twin : twins_) twin.single->Call(twin.rule);
    for (size_t i = 0; i < twins_.size(); ++i) {
      ASSERT_EQ(twins_[i].listed->Difference(*twins_[i].single), "")
          << twins_[i].rule.Name() << ", entry " << i;
    }
  }

  /// Gives every scalar of every entry the values that `seed` draws: each entry its own, or all
  /// together.
  void ChangeScalars(uint64_t seed, bool each) {
    for (size_t i = 0; i < twins_.size(); ++i) {
      Arguments &single = *twins_[i].single;
      single.PickScalars(seed);
      size_t next = 0;
      for (const mshadow::ParamInfo &param : single.info()) {
        if (param.is_tensor) continue;
        const double value = single.scalars()[next++];
        if (each) {
          list_->Set(static_cast<int64_t>(i), param.name, value);
        } else {
          list_->Set(param.name, value);
        }
      }
    }
  }

  /// Whether single calls take their arguments.
  bool AllRun() const {
    try {
      for (const Twin &twin : twins_) twin.single->Clone().Call(twin.rule);
    } catch (const mshadow::Error &) {
      return false;
    }
    return true;
  }

  void Clear() {
    twins_.clear();
    list_ = std::make_unique<mshadow::RuleList>();
  }

  std::unique_ptr<mshadow::RuleList> list_ = std::make_unique<mshadow::RuleList>();
  std::vector<Twin> twins_;
};

TEST_F(Lists, EveryRule) {
  uint64_t seed = 0;
  for (const RuleEntry &rule : FusedRules()) {
    for (int dim : rule.Dims()) {
      Clear();
      mshadow::SetNumThreads(static_cast<int>(++seed % 3));
      mshadow::SetStreamingBytes(seed % 2 == 0 ? 0 : -1);
      for (const Layout &layout : Layouts(dim)) Add(rule, layout, ++seed);
      ASSERT_NO_FATAL_FAILURE(Run()) << "dim " << dim;
      for (const bool each : {false, true}) {
        ChangeScalars(seed + each, each);
        if (AllRun()) {
          ASSERT_NO_FATAL_FAILURE(Run()) << "dim " << dim << ", other scalars";
        } else {  // some rules refuse some scalars
          EXPECT_THROW(list_->Run(), mshadow::Error) << rule.Name();
        }
      }
    }
  }
}

TEST_F(Lists, AllRulesInOneWithEveryInstructionSet) {
  for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512Vl, Isa::kAvx512}) {
    mshadow::LimitIsa(isa);
    Clear();
    uint64_t seed = 7;
    for (const RuleEntry &rule : FusedRules()) {
      const std::vector<int> dims = rule.Dims(2);
      const std::vector<Layout> layouts = Layouts(dims[0]);
      for (int i = 0; i < 3; ++i) Add(rule, layouts[++seed % layouts.size()], seed);
    }
    mshadow::SetNumThreads(2);
    ASSERT_NO_FATAL_FAILURE(Run()) << mshadow::IsaName(isa);
    ASSERT_NO_FATAL_FAILURE(Run()) << mshadow::IsaName(isa) << ", again";
  }
}

/// A list refuses the tensors that a call refuses, with the same words.
TEST_F(Lists, OneTensorDoesNotFit) {
  for (const RuleEntry &rule : FusedRules()) {
    const Layout layout{rule.Dims(2).front(), 6, 13};
    const size_t count = Arguments(rule, layout).tensors().size();
    for (size_t tensor = 0; tensor < count; ++tensor) {
      for (const auto &[misfit, what] : kMisfits) {
        SCOPED_TRACE(rule.Name() + ", tensor " + std::to_string(tensor) + what);
        for (uint64_t seed = 1; seed <= 2; ++seed) {
          Clear();
          auto arguments = std::make_unique<Arguments>(rule, layout);
          if (!Change(arguments.get(), tensor, misfit)) continue;
          arguments->Fill(Data::kTame, seed);
          arguments->PickScalars(seed);
          Add(rule, std::move(arguments));
        }
      }
    }
  }
}

}  // namespace
}  // namespace mshadow_test
