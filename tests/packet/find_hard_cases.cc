// SPDX-License-Identifier: Apache-2.0
// find_hard_cases [FUNCTION]: the floats for which a function of doubles, rounded to float, is not
// the exact result rounded to float. The tables in mshadow/packet/math_correct.inc are what it
// prints. It goes over all 2^32 floats; MPFR decides where the double is near the middle of two
// floats.
#include <cstdio>

#include "correct_functions.h"

namespace packet_test {
namespace {

struct Found {
  std::string cases;
  uint64_t hard = 0, near = 0, missed = 0;
};

/// One block of 2^16 floats.
void Look(const CorrectFunction &f, Oracle oracle, uint32_t first, Found *found) {
  constexpr int kCount = 1 << 16;
  static thread_local std::vector<float> in(kCount);
  static thread_local std::vector<double> close(kCount), is_hard(kCount), rounded(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = FloatOfBits(first + static_cast<uint32_t>(i));
  f.close(in.data(), close.data(), kCount);
  f.is_hard(in.data(), is_hard.data(), kCount);
  f.in_double(in.data(), rounded.data(), kCount);
  for (int i = 0; i < kCount; ++i) {
    const float got = static_cast<float>(rounded[i]);
    if (!IsNearMiddle(rounded[i], 4)) {
      const bool other = static_cast<float>(close[i]) != got && got == got;
      found->missed += other && is_hard[i] == 0;
      continue;
    }
    ++found->near;
    found->missed += is_hard[i] == 0;
    const float want = RoundedByMpfr(oracle, in[i], rounded[i]);
    if (want == got) continue;
    ++found->hard;
    char text[80];
    std::snprintf(text, sizeof text, "{%af, %af}, ", static_cast<double>(in[i]),
                  static_cast<double>(want));
    found->cases += text;
  }
}

void Find(const std::string &name, const CorrectFunction &f, Oracle oracle) {
  constexpr int kThreads = 2;
  Found parts[kThreads];
  std::vector<std::thread> workers;
  for (int i = 0; i < kThreads; ++i) {
    workers.emplace_back([&, i] {
      const uint64_t begin = (uint64_t{1} << 32) / kThreads * static_cast<uint64_t>(i);
      for (uint64_t at = 0; at < (uint64_t{1} << 32) / kThreads; at += 1 << 16) {
        Look(f, oracle, static_cast<uint32_t>(begin + at), &parts[i]);
      }
    });
  }
  for (std::thread &worker : workers) worker.join();
  std::printf("%s: near %llu, hard %llu, missed %llu: %s%s\n", name.c_str(),
              static_cast<unsigned long long>(parts[0].near + parts[1].near),
              static_cast<unsigned long long>(parts[0].hard + parts[1].hard),
              static_cast<unsigned long long>(parts[0].missed + parts[1].missed),
              parts[0].cases.c_str(), parts[1].cases.c_str());
  std::fflush(stdout);
}

}  // namespace
}  // namespace packet_test

int main(int argc, char **argv) {
  for (const auto &[name, f] : packet_test::FastestFunctions()) {
    if (argc > 1 && name != argv[1]) continue;
    packet_test::Find(name, f, packet_test::Oracles().at(name));
  }
  return 0;
}
