// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/instances.h"

#include <string>
#include <vector>

namespace mshadow {
namespace {

std::string TypeName(int flag) {
  const char *const name = detail::NameOfFlag(flag);
  if (name != nullptr) return name;
  return flag < 0 ? "none" : "flag " + std::to_string(flag) + ", which is not an element type";
}

std::string DeviceName(int device) {
  if (device == cpu::kDevMask) return "the CPU";
  if (device == gpu::kDevMask) return "a GPU";
  return "device " + std::to_string(device);
}

/// "a", "a or b", "a, b or c".
std::string JoinOr(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

/// "float32", or of several types "<float32, int32>".
std::string TupleText(const int *flags, int count) {
  if (count == 1) return TypeName(flags[0]);
  std::string text = "<";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + TypeName(flags[i]);
  return text + ">";
}

/// The search for one call's instance. It allocates nothing unless it fails.
class Search {
 public:
  Search(const RuleInfo &rule, const detail::InstanceTypes *instances, int count, int type_params)
      : rule_(rule), instances_(instances), count_(count), type_params_(type_params) {}

  int Run(const BlobArg *const *tensors) {
    const BlobArg *const *const all = tensors;
    const ParamInfo *first = nullptr;
    for (const ParamInfo &param : rule_) {
      if (!param.is_tensor) continue;
      if (first == nullptr) {
        first = &param;
        device_ = (*tensors)->device;
      }
      CheckDevice(param, (*tensors)->device, *first);
      CheckRank(param, (*tensors)->dim);
      TakeType(param, (*tensors)->type);
      ++tensors;
    }
    CheckPromoted(all);
    return Find();
  }

 private:
  std::string Text(const ParamInfo &param, const std::string &expected,
                   const std::string &got) const {
    return std::string(rule_.name) + ": argument '" + param.name + "': expected " + expected +
           ", got " + got;
  }
  [[noreturn]] void Fail(const ParamInfo &param, const std::string &expected,
                         const std::string &got) const {
    throw Error(Text(param, expected, got));
  }

  [[noreturn]] void FailType(const ParamInfo &param, const std::string &expected, int type) const {
    throw NoInstance(Text(param, expected, TypeName(type)));
  }

  /// Whether one of the first `count` instances has `type` for type parameter `t`.
  bool IsIn(int t, int count, int type) const {
    for (int i = 0; i < count; ++i) {
      if (instances_[i].flags[t] == type) return true;
    }
    return false;
  }

  /// What type parameter `t` can be.
  std::string Choices(int t) const {
    std::vector<std::string> names;
    for (int i = 0; i < count_; ++i) {
      const int type = instances_[i].flags[t];
      if (!IsIn(t, i, type)) names.push_back(TypeName(type));
    }
    return JoinOr(names);
  }

  void CheckDevice(const ParamInfo &param, int device, const ParamInfo &first) const {
    if (device != cpu::kDevMask && device != gpu::kDevMask) {
      Fail(param, "a tensor on the CPU or a GPU", "one on " + DeviceName(device));
    }
    if (device != device_) {
      Fail(param, "a tensor on " + DeviceName(device_) + ", like '" + first.name + "'",
           "one on " + DeviceName(device));
    }
  }

  void CheckRank(const ParamInfo &param, int dim) const {
    const int expected = param.rank;
    const bool fits = expected == kRankParam ? 1 <= dim && dim <= kMaxRank : dim == expected;
    if (fits) return;
    const std::string ranks =
        expected == kRankParam ? "1 to " + std::to_string(kMaxRank) : std::to_string(expected);
    Fail(param, ranks + (ranks == "1" ? " dimension" : " dimensions"), std::to_string(dim));
  }

  /// A type of the rule's own must be the argument's; a type parameter's is the first argument's
  /// that has it.
  void TakeType(const ParamInfo &param, int type) {
    if (param.type_param < 0) {
      if (type != param.type) FailType(param, TypeName(param.type), type);
      return;
    }
    if (param.is_promoted) return;  // CheckPromoted, since it decides no type parameter
    const ParamInfo *&holder = holders_[param.type_param];
    int &held = types_[param.type_param];
    if (holder == nullptr) {
      if (!IsIn(param.type_param, count_, type)) {
        const bool can_be = detail::NameOfFlag(type) != nullptr;
        throw NoInstance(Text(param, Choices(param.type_param), TypeName(type)) +
                         (can_be ? Others() : ""));
      }
      holder = &param;
      held = type;
    } else if (type != held) {
      FailType(param, TypeName(held) + ", the element type of '" + holder->name + "'", type);
    }
  }

  /// The types that follow from those of other arguments.
  void CheckPromoted(const BlobArg *const *tensors) const {
    for (const ParamInfo &param : rule_) {
      if (!param.is_tensor) continue;
      const int type = (*tensors++)->type;
      if (!param.is_promoted || holders_[param.type_param] == nullptr) continue;
      const int expected = param.TypeIn(types_);
      if (type == expected) continue;
      const std::string of = std::string(", for the elements of '") +
                             holders_[param.type_param]->name + "', which are " +
                             TypeName(types_[param.type_param]);
      FailType(param, TypeName(expected) + of, type);
    }
  }

  bool Fits(const detail::InstanceTypes &instance) const {
    for (int t = 0; t < type_params_; ++t) {
      if (holders_[t] != nullptr && instance.flags[t] != types_[t]) return false;
    }
    return true;
  }

  int Find() const {
    int found = -1;
    for (int i = 0; i < count_; ++i) {
      if (!Fits(instances_[i])) continue;
      if (found >= 0) FailAmbiguous();
      found = i;
    }
    if (found < 0) FailNone();
    return found;
  }

  std::string All() const {
    std::vector<std::string> all;
    for (int i = 0; i < count_; ++i) {
      all.push_back(TupleText(instances_[i].flags, type_params_));
    }
    return JoinOr(all);
  }

  /// A type parameter that no tensor has is a scalar's alone, which blobs cannot decide.
  [[noreturn]] void FailAmbiguous() const {
    throw NoInstance(std::string(rule_.name) +
                     ": expected a tensor of each type parameter, to choose between " + All() +
                     ", got none for one of them");
  }

  /// Each type is an instance's, but no instance has them together.
  [[noreturn]] void FailNone() const {
    std::string who;
    for (int t = 0; t < type_params_; ++t) {
      if (holders_[t] == nullptr) continue;
      who += (who.empty() ? "'" : ", '") + std::string(holders_[t]->name) + "'";
    }
    throw NoInstance(std::string(rule_.name) + ": arguments " + who + ": expected " + All() +
                     ", got " + TupleText(types_, type_params_) + Others());
  }

  /// Only the generator knows which types those are.
  std::string Others() const {
    return "; to support other element types, add them to MSHADOW_INSTANTIATE in " +
           std::string(rule_.spec);
  }

  const RuleInfo &rule_;
  const detail::InstanceTypes *const instances_;
  const int count_, type_params_;
  int device_ = 0;
  const ParamInfo *holders_[detail::kMaxTypeParams] = {};  // of each type parameter: who has it
  int types_[detail::kMaxTypeParams] = {};                 // and which it is
};

}  // namespace

int detail::FindInstance(const RuleInfo &rule, const InstanceTypes *instances, int count,
                         int type_params, const BlobArg *const *tensors) {
  return Search(rule, instances, count, type_params).Run(tensors);
}

}  // namespace mshadow
