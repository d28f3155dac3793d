// Rematerialisation policies by name. The named policies and the names of
// tensors are those of MaxText (layers/decoders.py, get_remat_policy); which
// layer a tensor is the result of is told by the layer's name.

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "graph/training.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"none", "full", "dots"};

// The input of a block, which is kept anyway and may only be offloaded.
constexpr std::string_view kBlockInput = "decoder_layer_input";

struct Tensor {
  std::string_view name;
  // Last part of the path of the layer whose matmul it is the result of; none:
  // it is that of attention.
  std::string_view layer;
  // The name stands for products of experts, others for those of all other layers.
  bool of_experts = false;
};
constexpr Tensor kTensors[] = {
    {"query_proj", "query"},     {"key_proj", "key"},
    {"value_proj", "value"},     {"context", ""},
    {"out_proj", "output"},      {"mlpwi_0", "up"},
    {"mlpwi_1", "gate"},         {"mlpwo", "down"},
    {"moe_mlpwi_0", "up", true}, {"moe_mlpwi_1", "gate", true},
    {"moe_mlpwo", "down", true},
};

struct Policy {
  std::string_view name;
  Remat base;
  bool offload;
  std::string_view tensors;  // joined by commas
};
constexpr Policy kPolicies[] = {
    {"minimal", Remat::kDots, false, ""},
    {"minimal_with_context", Remat::kDots, false, "context"},
    {"save_out_proj", Remat::kFull, false, "out_proj"},
    {"save_qkv_proj", Remat::kFull, false, "query_proj,key_proj,value_proj"},
    {"save_dot_except_mlp", Remat::kFull, false, "query_proj,key_proj,value_proj,out_proj"},
    {"save_dot_with_context_except_mlp", Remat::kFull, false,
     "query_proj,key_proj,value_proj,context,out_proj"},
    {"save_dot_except_mlpwi", Remat::kFull, false, "query_proj,key_proj,value_proj,out_proj,mlpwo"},
    {"qkv_proj_offloaded", Remat::kFull, true, "query_proj,key_proj,value_proj"},
    {"minimal_offloaded", Remat::kFull, true,
     "query_proj,key_proj,value_proj,out_proj,mlpwi_0,mlpwi_1,mlpwo"},
};

std::string_view CutAt(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool IsTensor(std::string_view name) {
  return name == kBlockInput ||
         std::any_of(std::begin(kTensors), std::end(kTensors),
                     [&](const Tensor& tensor) { return tensor.name == name; });
}

std::string TensorNames() {
  std::string names(kBlockInput);
  for (const Tensor& tensor : kTensors) {
    names += fmt::format(", {}", tensor.name);
  }
  return names;
}

std::string PolicyNames() {
  std::string names = fmt::format("{}", fmt::join(kNames, ", "));
  for (const Policy& policy : kPolicies) {
    names += fmt::format(", {}", policy.name);
  }
  return names;
}

bool SetBase(std::string_view name, RematPolicy& policy) {
  if (const std::optional<Remat> base = ParseRemat(name)) {
    policy.base = *base;
    return true;
  }
  for (const Policy& known : kPolicies) {
    if (known.name != name) continue;
    policy.base = known.base;
    std::string_view tensors = known.tensors;
    while (!tensors.empty()) {
      policy.tensors.push_back({std::string(CutAt(tensors, ',')), known.offload, true});
    }
    return true;
  }
  return false;
}

absl::Status AddTensor(std::string_view word, RematPolicy& policy) {
  std::string_view action = word;
  const std::string_view name = CutAt(action, '=');
  if (!IsTensor(name)) {
    return InvalidInput(
        fmt::format("found tensor '{}' in a rematerialisation policy, expected one of {}", name,
                    TensorNames()));
  }
  if (action != "save" && action != "offload") {
    return InvalidInput(
        fmt::format("found '{}={}' in a rematerialisation policy, expected "
                    "{}=save or {}=offload",
                    name, action, name, name));
  }
  policy.tensors.push_back({std::string(name), action == "offload"});
  return absl::OkStatus();
}

// "query" of "layer1/query/dot".
std::string_view LayerWord(std::string_view path) {
  const size_t end = path.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::string_view layer = path.substr(0, end);
  const size_t begin = layer.rfind('/');
  return begin == std::string_view::npos ? layer : layer.substr(begin + 1);
}

bool IsProduct(const Op& op) { return ClassOf(op.kind) == OpClass::kMxu; }

bool Makes(const Op& op, const Tensor& tensor) {
  if (tensor.layer.empty()) {
    return op.kind == OpKind::kAttention || op.kind == OpKind::kFlashAttention;
  }
  const bool of_experts = op.name.find("/experts/") != std::string::npos;
  return of_experts == tensor.of_experts && IsProduct(op) && LayerWord(op.name) == tensor.layer;
}

}  // namespace

std::string_view RematName(Remat remat) { return kNames[static_cast<size_t>(remat)]; }

std::optional<Remat> ParseRemat(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Remat>(i);
  }
  return std::nullopt;
}

absl::StatusOr<RematPolicy> ParseRematPolicy(std::string_view text) {
  RematPolicy policy;
  std::string_view words = text;
  const std::string_view base = CutAt(words, ',');
  if (!SetBase(base, policy)) {
    return InvalidInput(fmt::format("found rematerialisation policy '{}', expected one of {}", base,
                                    PolicyNames()));
  }
  while (!words.empty()) {
    TW_RETURN_IF_ERROR(AddTensor(CutAt(words, ','), policy));
  }
  if (policy.base == Remat::kNone && !policy.tensors.empty()) {
    return InvalidInput(
        "found tensors in a policy that keeps all, expected them after 'full' "
        "or 'dots'");
  }
  return policy;
}

RematAction RematPolicy::ActionOn(const Op& op) const {
  for (const RematTensor& tensor : tensors) {
    for (const Tensor& known : kTensors) {
      if (known.name != tensor.name || !Makes(op, known)) continue;
      return tensor.offload ? RematAction::kOffload : RematAction::kSave;
    }
  }
  return base == Remat::kDots && IsProduct(op) ? RematAction::kSave : RematAction::kRecompute;
}

std::vector<std::string_view> MadeTensors(const Graph& forward) {
  std::vector<std::string_view> names;
  for (const Tensor& tensor : kTensors) {
    const auto ops = forward.ops();
    const bool is_made =
        std::any_of(ops.begin(), ops.end(), [&](const Op& op) { return Makes(op, tensor); });
    if (is_made) names.push_back(tensor.name);
  }
  return names;
}

std::vector<std::string> RematPolicy::NotMadeBy(const Graph& forward) const {
  const std::vector<std::string_view> made = MadeTensors(forward);
  const auto is_made = [&](const RematTensor& tensor) {
    return tensor.name == kBlockInput ||
           std::find(made.begin(), made.end(), tensor.name) != made.end();
  };
  const bool policy_applies =
      std::any_of(tensors.begin(), tensors.end(),
                  [&](const RematTensor& tensor) { return tensor.by_policy && is_made(tensor); });
  std::vector<std::string> names;
  for (const RematTensor& tensor : tensors) {
    if (is_made(tensor) || (tensor.by_policy && policy_applies)) continue;
    names.push_back(tensor.name);
  }
  return names;
}

bool RematPolicy::OffloadsBlockInputs() const {
  return std::any_of(tensors.begin(), tensors.end(), [](const RematTensor& tensor) {
    return tensor.name == kBlockInput && tensor.offload;
  });
}

}  // namespace tilewise
