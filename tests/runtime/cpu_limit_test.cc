// SPDX-License-Identifier: Apache-2.0
// Limits of control groups, in directories that look like those of machines and containers.
#include "cpu_limit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {
using mshadow::detail::CpuLimit;

/// A directory with the files of a machine.
class CpuLimitTest : public ::testing::Test {
 protected:
  CpuLimitTest() : root_(testing::TempDir() + "cpu_limit_" + std::to_string(getpid())) {}
  ~CpuLimitTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string &path, const std::string &text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void WriteV2(const std::string &group, const std::string &root = "/") {
    Write("/proc/self/cgroup", "0::" + group + "\n");
    Write("/proc/self/mountinfo",
          "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
          "29 22 0:26 " +
              root + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  void WriteV1(const std::string &group, const std::string &root = "/") {
    Write("/proc/self/cgroup",
          "12:cpuset:/other\n4:cpu,cpuacct:" + group + "\n1:name=systemd:/x\n");
    Write("/proc/self/mountinfo",
          "30 22 0:27 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset\n"
          "31 22 0:28 " +
              root + " /sys/fs/cgroup/cpu rw master:3 - cgroup cgroup rw,cpu,cpuacct\n");
  }
  void WriteQuota(const std::string &directory, const std::string &quota,
                  const std::string &period) {
    Write(directory + "/cpu.cfs_quota_us", quota + "\n");
    Write(directory + "/cpu.cfs_period_us", period + "\n");
  }

  const std::string root_;
};

TEST_F(CpuLimitTest, NoFilesAreNoLimit) { EXPECT_EQ(CpuLimit(root_), 0); }

TEST_F(CpuLimitTest, Version2InAContainer) {
  WriteV2("/");
  EXPECT_EQ(CpuLimit(root_), 0);
  Write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(CpuLimit(root_), 0);
  Write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 4);
}

TEST_F(CpuLimitTest, PartsOfAProcessorAreRoundedUp) {
  WriteV2("/");
  Write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 2);
  Write("/sys/fs/cgroup/cpu.max", "10000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 1);
}

/// The least limit counts, whichever group states it.
TEST_F(CpuLimitTest, GroupsAroundLimitToo) {
  WriteV2("/system.slice/docker-1.scope/job");
  Write("/sys/fs/cgroup/system.slice/docker-1.scope/job/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/system.slice/docker-1.scope/cpu.max", "300000 100000\n");
  Write("/sys/fs/cgroup/system.slice/cpu.max", "800000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 3);
  Write("/sys/fs/cgroup/system.slice/docker-1.scope/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 2);
}

TEST_F(CpuLimitTest, Version1OnTheMachine) {
  WriteV1("/batch/job");
  WriteQuota("/sys/fs/cgroup/cpu/batch/job", "-1", "100000");
  WriteQuota("/sys/fs/cgroup/cpu/batch", "250000", "50000");
  WriteQuota("/sys/fs/cgroup/cpuset/other", "50000", "50000");  // not the group of `cpu`
  EXPECT_EQ(CpuLimit(root_), 5);
}

/// The container sees its own group as the root, but the path of the machine.
TEST_F(CpuLimitTest, Version1InAContainer) {
  WriteV1("/docker/abc", "/docker/abc");
  WriteQuota("/sys/fs/cgroup/cpu", "200000", "100000");
  EXPECT_EQ(CpuLimit(root_), 2);
  WriteV1("/docker/abc/inner", "/docker/abc");
  WriteQuota("/sys/fs/cgroup/cpu/inner", "100000", "100000");
  EXPECT_EQ(CpuLimit(root_), 1);
}

/// A group whose name begins as that of the mounted one.
TEST_F(CpuLimitTest, NamesOfGroupsAreComparedWhole) {
  WriteV1("/docker/abcd", "/docker/abc");
  WriteQuota("/sys/fs/cgroup/cpu", "200000", "100000");
  EXPECT_EQ(CpuLimit(root_), 2);
}

TEST_F(CpuLimitTest, PathsBeyondTheMountAreItsRoot) {
  WriteV2("/../sibling");
  Write("/sys/fs/cgroup/cpu.max", "700000 100000\n");
  Write("/sys/fs/sibling/cpu.max", "100000 100000\n");
  EXPECT_EQ(CpuLimit(root_), 7);
}

TEST_F(CpuLimitTest, BrokenFilesAreNoLimit) {
  Write("/proc/self/cgroup", "0:/\n\nx\n0::\n");
  Write("/proc/self/mountinfo", "29 22 0:26 / - cgroup2\n- cgroup2 a b\n\n");
  EXPECT_EQ(CpuLimit(root_), 0);
  WriteV2("/");
  Write("/sys/fs/cgroup/cpu.max", "400000");
  EXPECT_EQ(CpuLimit(root_), 0);
  Write("/sys/fs/cgroup/cpu.max", "400000 0\n");
  EXPECT_EQ(CpuLimit(root_), 0);
}

TEST(CpuLimitOfThisMachineTest, IsNoMoreThanAnyMachineHas) {
  EXPECT_GE(CpuLimit(""), 0);
  EXPECT_LE(CpuLimit(""), 1 << 20);
}

}  // namespace
