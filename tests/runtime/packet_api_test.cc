// SPDX-License-Identifier: Apache-2.0
// Packets as mshadow's users write them.
#include <cmath>
#include <type_traits>

#include "testing.h"

namespace {
using namespace testing_runtime;
using packet::Packet;

constexpr packet::PacketArch kArch = MSHADOW_DEFAULT_PACKET;

struct cube {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a * a * a;
  }
};

template <typename T, packet::PacketArch Arch>
void CheckPacket() {
  using P = Packet<T, Arch>;
  alignas(16) T a[4] = {1, 2, 3, 4}, out[5] = {};
  P p = P::Load(a) * P::Fill(2) - P::Fill(1) / P::Fill(4) + P::LoadUnAligned(a);
  p.Store(out);
  T sum = 0;
  for (int i = 0; i < P::kSize; ++i) {
    EXPECT_EQ(out[i], a[i] * 3 - T(0.25));
    sum += out[i];
  }
  EXPECT_EQ(out[P::kSize], T(0));
  EXPECT_EQ(p.Sum(), sum);
  EXPECT_TRUE(std::signbit(P::Fill(T(-0.0)).Sum()));
  p = T(7);
  packet::Saver<sv::plusto, T, Arch>::Save(a, p);
  EXPECT_EQ(a[0], T(8));
}

TEST(PacketApi, Arithmetic) {
  static_assert(Packet<float>::kSize == 4 && Packet<double>::kSize == 2, "16 bytes");
  static_assert(Packet<float, packet::kPlain>::kSize == 1, "one element");
  CheckPacket<float, packet::kSSE2>();
  CheckPacket<double, packet::kSSE2>();
  CheckPacket<float, packet::kPlain>();
  CheckPacket<double, packet::kPlain>();
}

TEST(PacketApi, Alignment) {
  EXPECT_EQ((packet::UpperAlign<float, kArch>(5)), 8);
  EXPECT_EQ((packet::LowerAlign<float, kArch>(7)), 4);
  EXPECT_EQ((packet::UpperAlign<double, packet::kPlain>(5)), 5);
  size_t pitch = 0;
  void *const memory = packet::AlignedMallocPitch(&pitch, 20, 3);
  EXPECT_EQ(pitch, 32u);
  EXPECT_TRUE(packet::CheckAlign<kArch>(memory));
  EXPECT_FALSE(packet::CheckAlign<kArch>(static_cast<char *>(memory) + 4));
  packet::AlignedFree(memory);
}

TEST(PacketApi, ChecksSeeTheWholeExpression) {
  Tensor<cpu, 2> f;
  Tensor<cpu, 2, double> d;
  Tensor<cpu, 2, int> i;
  const auto sum = f * 2.0f + f / f - F<op::identity>(f);
  EXPECT_TRUE((PacketCheck<std::decay_t<decltype(sum)>, kArch>::kPass));
  EXPECT_TRUE((PacketCheck<std::decay_t<decltype(d + 1.0)>, kArch>::kPass));
  EXPECT_FALSE((PacketCheck<std::decay_t<decltype(i + 1)>, kArch>::kPass));
  EXPECT_FALSE((PacketCheck<std::decay_t<decltype(F<cube>(f))>, kArch>::kPass));
  EXPECT_FALSE((PacketCheck<std::decay_t<decltype(f + f.T())>, kArch>::kPass));
}

template <typename T>
void CheckPlan() {
  auto a = Make<T>(Shape2(3, 7), 1);
  auto b = Make<T>(Shape2(3, 7), 2);
  TensorContainer<cpu, 2, T> dst(Shape2(3, 7), 1), want(Shape2(3, 7), 1);
  const auto exp = a * b - T(2) / b;
  ASSERT_TRUE((PacketAlignCheck<2, std::decay_t<decltype(exp)>, kArch>::Check(exp)));
  MapPacketPlan<sv::plusto>(&dst, MakePacketPlan<kArch>(exp));
  want += exp;
  ExpectSame<T>(dst, want);
  auto odd = Make<T>(Shape2(3, 7), 1, false);
  const auto unaligned = odd + T(1);
  EXPECT_FALSE((PacketAlignCheck<2, std::decay_t<decltype(unaligned)>, kArch>::Check(unaligned)));
}

TEST(PacketApi, PlansGiveTheSameElements) {
  CheckPlan<float>();
  CheckPlan<double>();
}

}  // namespace
