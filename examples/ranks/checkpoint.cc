// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace demo {
namespace {

constexpr char kMagic[] = "ranks 2\n";
constexpr size_t kMagicSize = sizeof(kMagic) - 1;

[[noreturn]] void Refuse(const std::string &path) {
  throw std::runtime_error("'" + path + "' is no checkpoint of this program, or is cut short");
}

/// Cuts a value from the front of what is left of a text.
template <typename T>
bool Cut(const std::string &text, size_t *at, T *value) {
  if (text.size() - *at < sizeof(T)) return false;
  std::memcpy(value, text.data() + *at, sizeof(T));
  *at += sizeof(T);
  return true;
}

/// The CRC-32 of the first bytes of a text.
uint32_t ChecksumOf(const std::string &text, size_t size) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char *>(text.data()), size));
}

bool WriteAll(int file, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = write(file, text.data() + at, text.size() - at);
    if (count < 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

void AppendPart(const std::string &part, std::string *to) {
  const uint64_t size = part.size();
  to->append(reinterpret_cast<const char *>(&size), sizeof(size));
  to->append(part);
}

void WriteCheckpoint(const std::string &path, const CheckpointHeader &header,
                     const std::vector<std::string> &parts) {
  std::string text(kMagic, kMagicSize);
  text.append(reinterpret_cast<const char *>(&header), sizeof(header));
  for (const std::string &part : parts) text.append(part);
  const uint32_t checksum = ChecksumOf(text, text.size());
  text.append(reinterpret_cast<const char *>(&checksum), sizeof(checksum));
  const std::string beside = path + ".new";
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = file >= 0 && WriteAll(file, text) && fsync(file) == 0 ? 0 : errno;
  if (file >= 0 && close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (file >= 0) unlink(beside.c_str());
  throw std::runtime_error("cannot write checkpoint '" + path + "': " + std::strerror(error));
}

Checkpoint ReadCheckpoint(const std::string &path, size_t parts) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read checkpoint '" + path + "'");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.compare(0, kMagicSize, kMagic) != 0) Refuse(path);
  Checkpoint checkpoint;
  size_t at = kMagicSize;
  if (!Cut(text, &at, &checkpoint.header)) Refuse(path);
  for (size_t i = 0; i < parts; ++i) {
    uint64_t size = 0;
    if (!Cut(text, &at, &size) || text.size() - at < size) Refuse(path);
    checkpoint.parts.push_back(text.substr(at, size));
    at += size;
  }
  const size_t end = at;
  uint32_t checksum = 0;
  if (!Cut(text, &at, &checksum) || at != text.size()) Refuse(path);
  if (checksum != ChecksumOf(text, end)) {
    throw std::runtime_error("checkpoint '" + path + "' is damaged: its checksum is wrong");
  }
  return checkpoint;
}

}  // namespace demo
