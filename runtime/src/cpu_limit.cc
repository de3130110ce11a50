// SPDX-License-Identifier: Apache-2.0
#include "cpu_limit.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// The text of a file; "" if there is none.
std::string ReadText(const std::string &path) {
  std::string text;
  std::FILE *const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return text;
  char piece[4096];
  for (size_t got; (got = std::fread(piece, 1, sizeof(piece), file)) > 0;) text.append(piece, got);
  std::fclose(file);
  return text;
}

std::vector<std::string> Split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool Has(const std::vector<std::string> &words, const char *word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Quota and period in microseconds as a number of processors; 0 for no quota.
int Processors(int64_t quota, int64_t period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::min<int64_t>((quota - 1) / period + 1, 1 << 20));
}

int64_t NumberIn(const std::string &text) { return std::strtoll(text.c_str(), nullptr, 10); }

/// The limit that a control group states itself. "max 100000" is none.
int LimitOf(const std::string &directory, bool is_v2) {
  if (!is_v2) {
    return Processors(NumberIn(ReadText(directory + "/cpu.cfs_quota_us")),
                      NumberIn(ReadText(directory + "/cpu.cfs_period_us")));
  }
  const std::vector<std::string> words = Split(ReadText(directory + "/cpu.max"), ' ');
  return words.size() == 2 ? Processors(NumberIn(words[0]), NumberIn(words[1])) : 0;
}

int Lesser(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

/// A mounted hierarchy of control groups: a row of /proc/self/mountinfo.
struct Hierarchy {
  std::string root;  ///< the group that is mounted
  std::string mount;
  bool is_v2;
};

/// The hierarchies that may limit processors.
std::vector<Hierarchy> Hierarchies(const std::string &mountinfo) {
  std::vector<Hierarchy> found;
  for (const std::string &line : Split(mountinfo, '\n')) {
    // 36 35 98:0 /root /mount options [optional fields] - type source superoptions
    const std::vector<std::string> words = Split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4) continue;
    const bool is_v2 = dash[1] == "cgroup2";
    const bool is_v1 = dash[1] == "cgroup" && Has(Split(dash[3], ','), "cpu");
    if (is_v1 || is_v2) found.push_back({words[3], words[4], is_v2});
  }
  return found;
}

/// The group of this process in a hierarchy, as a path below its mount.
std::string GroupIn(const Hierarchy &hierarchy, const std::string &cgroups) {
  for (const std::string &line : Split(cgroups, '\n')) {
    // 4:cpu,cpuacct:/group, or 0::/group in version 2
    const size_t first = line.find(':');
    const size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (hierarchy.is_v2 ? !controllers.empty() : !Has(Split(controllers, ','), "cpu")) continue;
    std::string path = line.substr(second + 1);
    const std::string &root = hierarchy.root;
    const bool is_in_root = (path + "/").compare(0, root.size() + 1, root + "/") == 0;
    if (root != "/" && is_in_root) path.erase(0, root.size());
    // In a container the path may be the machine's, whose groups are not mounted here.
    const bool is_below = path.find("..") == path.npos && path != "/";
    return is_below ? path : "";
  }
  return "";
}

}  // namespace

int CpuLimit(const std::string &root) {
  const std::string cgroups = ReadText(root + "/proc/self/cgroup");
  int limit = 0;
  for (const Hierarchy &hierarchy : Hierarchies(ReadText(root + "/proc/self/mountinfo"))) {
    const std::string mount = root + hierarchy.mount;
    std::string group = GroupIn(hierarchy, cgroups);
    for (;; group.erase(group.rfind('/'))) {
      limit = Lesser(limit, LimitOf(mount + group, hierarchy.is_v2));
      if (group.rfind('/') == group.npos) break;
    }
  }
  return limit;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
