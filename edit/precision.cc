// A policy is stated by a call, a setting of a configuration or the layers of a
// model's JSON.

#include "edit/precision.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "edit/data.h"
#include "edit/keras_text.h"
#include "edit/python.h"
#include "edit/setting.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 2> kTypes = {"float16", "float32"};

// set_global_policy("float32"), set_policy("mixed_float16").
FileEdit InCall(const Workload& workload, const SourceCall& call) {
  const std::string policy = workload.facts.precision_policy.value_or("");
  if (call.arguments.size() != 1) return {};
  const SourceArgument& argument = call.arguments[0];
  if (!argument.keyword.empty() || argument.string != policy) return {};
  const std::string_view instead = policy == "float16" ? "bfloat16" : "mixed_bfloat16";
  return {
      fmt::format("set the policy to {}", instead),
      SetArgumentAt(workload, call.arguments_span, 0, "policy", fmt::format("\"{}\"", instead))};
}

// What a block of settings calls the type that it does not state.
struct Switch {
  std::string_view block;
  std::string_view key;
  std::string_view value;
  std::vector<TextEdit> (*set)(const Workload&, const std::string& file, std::string_view path,
                               std::string_view value);
};
constexpr std::array kSwitches = {
    Switch{"runtime", "mixed_precision_dtype", "'bfloat16'", SetYaml},
    Switch{"train_config", "use_bfloat16", "true", SetTextproto},
};

FileEdit InBlock(const Workload& workload, const SettingText& block) {
  for (const Switch& known : kSwitches) {
    if (known.block != block.name) continue;
    return {fmt::format("set {} to {}", known.key, known.value),
            known.set(workload, block.value.file, fmt::format("{}.{}", known.block, known.key),
                      known.value)};
  }
  return {};
}

// "mixed_precision_dtype: 'float32'", "use_bfloat16: false". Settings name the
// type alone: that weights stay float32 is the library's part.
FileEdit InSetting(const Workload& workload, const SettingText& setting) {
  if (setting.value.begin == setting.value.end) {
    return InBlock(workload, setting);
  }
  std::string value(TextOf(workload, setting.value));
  const std::string flag = setting.name.find("bfloat16") == std::string::npos ? "" : value;
  if (flag == "false" || flag == "False") {
    value = flag[0] == 'F' ? "True" : "true";
  } else {
    if (value.find("bfloat16") != std::string::npos) return {};
    size_t at = std::string::npos;
    for (const std::string_view type : kTypes) {
      at = value.find(type);
      if (at == std::string::npos) continue;
      value.replace(at, type.size(), "bfloat16");
      break;
    }
    if (at == std::string::npos) return {};
  }
  return {fmt::format("set {} to {}", setting.name, value),
          {{.span = setting.value, .replacement = value}}};
}

// The path to what names a layer's own type; empty where that is not float32.
std::string PathOfType(std::string_view text, const LayerText& layer) {
  const std::string path = layer.path + ".config.dtype";
  const JsonPart* dtype = FindJsonMember(layer.settings, "dtype");
  if (text[dtype->begin] != '{') {
    return JsonString(text, dtype) == "float32" ? path : "";
  }
  const std::vector<JsonPart> policy = JsonParts(text, dtype->begin);
  const JsonPart* config = FindJsonMember(policy, "config");
  if (config == nullptr) return "";
  const std::vector<JsonPart> settings = JsonParts(text, config->begin);
  const JsonPart* name = FindJsonMember(settings, "name");
  return JsonString(text, name) == "float32" ? path + ".config.name" : "";
}

// The last layer gives the loss its input: its type stays. Files of releases
// that know no policies state types of inputs alone, and are left alone.
std::vector<TextEdit> InLayers(const Workload& workload, const SourceFile& file) {
  std::vector<LayerText> layers = LayersIn(file.text);
  const bool stated = std::ranges::all_of(layers, [](const LayerText& layer) {
    return FindJsonMember(layer.settings, "dtype") != nullptr;
  });
  if (layers.size() < 2 || !stated) return {};
  layers.pop_back();
  std::vector<TextEdit> edits;
  for (const LayerText& layer : layers) {
    if (layer.class_name == "InputLayer") continue;
    const std::string path = PathOfType(file.text, layer);
    if (path.empty()) continue;
    const std::vector<TextEdit> edit = SetJson(workload, file.path, path, "\"mixed_bfloat16\"");
    edits.insert(edits.end(), edit.begin(), edit.end());
  }
  return edits;
}

}  // namespace

FileEdit UseBFloat16(const Workload& workload) {
  const Location& stated = workload.facts.precision_policy_location;
  if (stated.known()) {
    const SourceCall* call = CallAt(workload.facts, stated);
    if (call != nullptr) return InCall(workload, *call);
    const auto setting = SettingAt(workload, stated);
    return setting ? InSetting(workload, *setting) : FileEdit{};
  }
  for (const SourceFile& file : workload.files) {
    if (!file.path.ends_with(".json")) continue;
    std::vector<TextEdit> edits = InLayers(workload, file);
    if (edits.empty()) continue;
    return {fmt::format("set the dtype of {} layers to mixed_bfloat16, all but "
                        "that of the last one",
                        edits.size()),
            std::move(edits)};
  }
  return {};
}

}  // namespace tilewise
