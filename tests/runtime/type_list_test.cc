// SPDX-License-Identifier: Apache-2.0
// Lists of more types than a compiler nests expressions.
#include <gtest/gtest.h>
#include <mshadow/emitted/types.h>

#include <utility>
#include <vector>

namespace {

using mshadow::TypeList;

template <int i>
struct Numbered {
  static constexpr int kNumber = i;
};
template <int... i>
TypeList<Numbered<i>...> NumberedList(std::integer_sequence<int, i...>);
constexpr int kSize = 600;  // Clang allows 256 by default
using Many = decltype(NumberedList(std::make_integer_sequence<int, kSize>()));

struct Note {
  std::vector<int> *numbers;
  template <typename T>
  void operator()() const {
    numbers->push_back(T::kNumber);
  }
};

TEST(TypeList, CallsForEachInOrder) {
  std::vector<int> numbers;
  Many::ForEach(Note{&numbers});
  ASSERT_EQ(numbers.size(), static_cast<size_t>(kSize));
  for (int i = 0; i < kSize; ++i) EXPECT_EQ(numbers[static_cast<size_t>(i)], i);
  TypeList<>::ForEach(Note{&numbers});
  EXPECT_EQ(numbers.size(), static_cast<size_t>(kSize));
}

}  // namespace
