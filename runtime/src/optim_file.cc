// SPDX-License-Identifier: Apache-2.0
// Checkpoints of optimizers. All numbers are in the machine's byte order:
//
//     8 bytes   kMark
//     u32       kVersion
//     u32       kByteOrder
//     u64       bytes of the body
//     body      u64 step; u64 groups, each: text rule, u64 phase, u64 step, u64 scalars, each: text
//               name, f64 value; u64 entries, each: u64 group, u64 tensors, each: text name, u64
//               type, u64 rank, u64 extents, rows without padding. A text is its length as u64,
//               then its bytes
//     u64       CRC-64 of the body
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "checksum.h"
#include "optimizer_state.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

constexpr char kMark[8] = {'m', 's', 'h', 'o', 'p', 't', '\r', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kByteOrder = 0x01020304;
static_assert(sizeof(double) == sizeof(uint64_t), "a scalar takes 8 bytes");

struct Header {
  char mark[sizeof(kMark)];
  uint32_t version, byte_order;
  uint64_t bytes;
};

[[noreturn]] void Fail(const std::string &where, const std::string &expected,
                       const std::string &got) {
  throw Error("Optimizer::Load: " + where + "expected " + expected + ", got " + got);
}

std::string Hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// Counts the bytes of a body.
struct BodySize {
  uint64_t bytes = 0;
  void Add(const void *, size_t size) { bytes += size; }
  void AddElements(const ListedTensor &tensor) {
    bytes += static_cast<uint64_t>(ByteRows(tensor).Size());
  }
};

/// Writes a body.
struct BodyOutput {
  utils::IStream *stream;
  OptimizerMemory *memory;
  Checksum checksum;
  void Add(const void *bytes, size_t size) {
    checksum.Add(bytes, size);
    stream->Write(bytes, size);
  }
  void AddElements(const ListedTensor &tensor) {
    memory->Read(tensor, [this](const void *bytes, size_t size) { Add(bytes, size); });
  }
};

template <typename Output>
void AddNumber(Output *out, int64_t number) {
  out->Add(&number, sizeof(number));
}
template <typename Output>
void AddText(Output *out, const std::string &text) {
  AddNumber(out, static_cast<int64_t>(text.size()));
  out->Add(text.data(), text.size());
}

template <typename Output>
void AddTensor(Output *out, const char *name, const ListedTensor &tensor) {
  const TensorArg<void> &arg = tensor.arg;
  AddText(out, name);
  AddNumber(out, tensor.type);
  AddNumber(out, arg.dim);
  for (int i = 0; i < arg.dim; ++i) AddNumber(out, arg.shape[i]);
  out->AddElements(tensor);
}

int64_t CountSaved(const RuleInfo &rule) {
  int64_t count = 0;
  ForEachTensor(rule, [&](size_t, const ParamInfo &param) { count += IsSaved(param); });
  return count;
}

/// Up to \p size bytes of a stream; fewer at its end. A size that is not true allocates little.
std::vector<char> ReadBytes(utils::IStream *in, uint64_t size) {
  constexpr uint64_t kPiece = uint64_t{1} << 24;
  std::vector<char> bytes;
  for (uint64_t done = 0; done < size;) {
    const size_t piece = static_cast<size_t>(std::min(kPiece, size - done));
    bytes.resize(static_cast<size_t>(done) + piece);
    const size_t got = std::min(piece, in->Read(bytes.data() + done, piece));
    done += got;
    if (got == piece) continue;
    bytes.resize(static_cast<size_t>(done));
    break;
  }
  return bytes;
}

/// The body of a checkpoint, whose version and checksum are right.
std::vector<char> ReadBody(utils::IStream *in) {
  const std::vector<char> start = ReadBytes(in, sizeof(Header));
  Header header = {};
  std::copy(start.begin(), start.end(), reinterpret_cast<char *>(&header));
  if (std::memcmp(header.mark, kMark, sizeof(kMark)) != 0) {
    Fail("", "a checkpoint of an optimizer", "a stream that begins with other bytes");
  }
  if (start.size() < sizeof(header)) {
    Fail("", std::to_string(sizeof(header)) + " bytes of a header",
         "a stream that ends after " + std::to_string(start.size()));
  }
  if (header.byte_order != kByteOrder) {
    Fail("", "the byte order of this machine", "another one");
  }
  if (header.version != kVersion) {
    Fail("", "version " + std::to_string(kVersion), std::to_string(header.version));
  }
  std::vector<char> body = ReadBytes(in, header.bytes);
  uint64_t expected = 0;
  const size_t got = body.size() < header.bytes ? 0 : in->Read(&expected, sizeof(expected));
  if (got != sizeof(expected)) {
    Fail("", std::to_string(header.bytes) + " bytes and a checksum",
         "a stream that ends after " + std::to_string(body.size() + got) + " of them");
  }
  Checksum checksum;
  checksum.Add(body.data(), body.size());
  if (checksum.value() != expected) {
    Fail("", "the checksum " + Hex(expected), Hex(checksum.value()) + ": the stream is damaged");
  }
  return body;
}

}  // namespace

/// Compares a body with an optimizer, and then copies it there.
class CheckpointReader {
 public:
  CheckpointReader(OptimizerState *state, const std::vector<char> &body)
      : state_(state), at_(body.data()), end_(body.data() + body.size()) {}

  /// Compares everything, and changes nothing.
  void Check() {
    step_ = Number("");
    Expect("", "groups", static_cast<int64_t>(state_->groups_.size()));
    for (size_t i = 0; i < state_->groups_.size(); ++i) CheckGroup(i);
    Expect("", "entries", state_->size());
    for (size_t i = 0; i < state_->entries_.size(); ++i) CheckEntry(i);
    if (at_ != end_) Fail("", "the end", std::to_string(end_ - at_) + " more bytes");
  }

  /// Copies what Check has found.
  void Apply() const {
    for (const Data &data : data_) state_->memory_->Write(*data.tensor, data.bytes);
    if (!data_.empty()) state_->memory_->Wait();
    state_->step_ = step_;
    const double *value = scalars_.data();
    for (size_t i = 0; i < state_->groups_.size(); ++i) {
      OptimizerGroupState &group = state_->groups_[i];
      group.step = steps_[i];
      for (OptimizerScalar &scalar : group.scalars) {
        scalar.value = *value++;
        group.set(scalar.param->name, scalar.value);
      }
    }
  }

 private:
  struct Data {
    const ListedTensor *tensor;
    const char *bytes;
  };

  const char *Take(const std::string &where, int64_t bytes) {
    if (bytes < 0 || bytes > end_ - at_) {
      Fail(where, std::to_string(bytes) + " more bytes", std::to_string(end_ - at_));
    }
    at_ += bytes;
    return at_ - bytes;
  }
  template <typename T = int64_t>
  T Number(const std::string &where) {
    T number;
    std::memcpy(&number, Take(where, sizeof(number)), sizeof(number));
    return number;
  }
  std::string Text(const std::string &where) {
    const int64_t bytes = Number(where);
    return std::string(Take(where, bytes), static_cast<size_t>(bytes));
  }
  /// Reads the number of some things.
  void Expect(const std::string &where, const char *what, int64_t expected) {
    const int64_t got = Number(where);
    if (got != expected) {
      Fail(where, std::to_string(expected) + " " + what, std::to_string(got));
    }
  }
  /// Reads the name of a thing.
  void ExpectName(const std::string &where, const char *what, const std::string &expected) {
    const std::string got = Text(where);
    if (got != expected) Fail(where, what + (" '" + expected) + "'", "'" + got + "'");
  }

  void CheckGroup(size_t index) {
    const OptimizerGroupState &group = state_->groups_[index];
    const std::string where = "group " + std::to_string(index) + ": ";
    ExpectName(where, "rule", group.Name());
    const int64_t phase = Number(where);
    if (phase != group.phase) {
      Fail(where, "phase " + std::to_string(group.phase), std::to_string(phase));
    }
    steps_.push_back(Number(where));
    Expect(where, "scalars", static_cast<int64_t>(group.scalars.size()));
    for (const OptimizerScalar &scalar : group.scalars) {
      ExpectName(where, "scalar", scalar.param->name);
      scalars_.push_back(Number<double>(where));
    }
  }

  void CheckEntry(size_t index) {
    const OptimizerEntry &entry = state_->entries_[index];
    const RuleInfo &rule = *state_->groups_[static_cast<size_t>(entry.group)].rule;
    const std::string where = "entry " + std::to_string(index) + ": ";
    const int64_t group = Number(where);
    if (group != entry.group) {
      Fail(where, "group " + std::to_string(entry.group), std::to_string(group));
    }
    Expect(where, "tensors", CountSaved(rule));
    ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
      if (IsSaved(param)) CheckTensor(where, param.name, entry.tensors[tensor]);
    });
  }

  void CheckTensor(const std::string &entry, const char *name, const ListedTensor &tensor) {
    ExpectName(entry, "tensor", name);
    const TensorArg<void> &arg = tensor.arg;
    const std::string where = entry + "tensor '" + name + "': ";
    const int64_t type = Number(where), rank = Number(where);
    if (rank < 1 || rank > kMaxRank) {
      Fail(where, "rank " + std::to_string(arg.dim), std::to_string(rank));
    }
    int64_t shape[kMaxRank];
    for (int64_t i = 0; i < rank; ++i) shape[i] = Number(where);
    const int dim = static_cast<int>(rank);
    if (type != tensor.type || dim != arg.dim || !std::equal(shape, shape + dim, arg.shape)) {
      const bool is_type = NameOfFlag(static_cast<int>(type)) != nullptr;
      Fail(where, TypeAndShape(tensor.type, arg.shape, arg.dim),
           is_type ? TypeAndShape(static_cast<int>(type), shape, dim)
                   : "type " + std::to_string(type));
    }
    data_.push_back({&tensor, Take(where, ByteRows(tensor).Size())});
  }

  OptimizerState *state_;
  const char *at_, *end_;
  int64_t step_ = 0;
  std::vector<int64_t> steps_;   ///< of the groups
  std::vector<double> scalars_;  ///< of all groups
  std::vector<Data> data_;
};

template <typename Output>
void OptimizerState::Write(Output *out) const {
  AddNumber(out, step_);
  AddNumber(out, static_cast<int64_t>(groups_.size()));
  for (const OptimizerGroupState &group : groups_) {
    AddText(out, group.Name());
    AddNumber(out, group.phase);
    AddNumber(out, group.step);
    AddNumber(out, static_cast<int64_t>(group.scalars.size()));
    for (const OptimizerScalar &scalar : group.scalars) {
      AddText(out, scalar.param->name);
      out->Add(&scalar.value, sizeof(scalar.value));
    }
  }
  AddNumber(out, size());
  for (const OptimizerEntry &entry : entries_) {
    const RuleInfo &rule = *groups_[static_cast<size_t>(entry.group)].rule;
    AddNumber(out, entry.group);
    AddNumber(out, CountSaved(rule));
    ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
      if (IsSaved(param)) AddTensor(out, param.name, entry.tensors[tensor]);
    });
  }
}

/// Finds errors of earlier work before the call writes anything.
void OptimizerState::WaitFor(const char *call) const {
  if (entries_.empty()) return;
  if (memory_->IsCaptured()) FailCaptured(call);
  memory_->Wait();
}

void OptimizerState::Save(utils::IStream *out) const {
  WaitFor("Optimizer::Save: ");
  BodySize size;
  Write(&size);
  Header header = {{}, kVersion, kByteOrder, size.bytes};
  std::copy(std::begin(kMark), std::end(kMark), header.mark);
  out->Write(&header, sizeof(header));
  BodyOutput body = {out, memory_.get(), {}};
  Write(&body);
  const uint64_t checksum = body.checksum.value();
  out->Write(&checksum, sizeof(checksum));
}

void OptimizerState::Load(utils::IStream *in) {
  const std::vector<char> body = ReadBody(in);
  CheckpointReader reader(this, body);
  reader.Check();
  WaitFor("Optimizer::Load: ");
  reader.Apply();
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
