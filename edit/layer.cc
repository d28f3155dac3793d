// A script's call and a JSON entry are both looked up by the layer's location.

#include "edit/layer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "edit/data.h"
#include "edit/keras_text.h"
#include "edit/python.h"
#include "edit/setting.h"
#include "edit/span_text.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// What a class calls its size, and at which position its constructor takes it.
struct SizeArgument {
  std::string_view classes;  // how their names begin
  LayerSize size;
  std::string_view name;
  size_t position;
  int64_t kernels = 1;  // side by side in its weight
};
constexpr std::array kSizes = {
    SizeArgument{"Embedding", LayerSize::kRows, "input_dim", 0},
    SizeArgument{"Embedding", LayerSize::kFeatures, "output_dim", 1},
    SizeArgument{"Dense", LayerSize::kFeatures, "units", 0},
    SizeArgument{"LSTM", LayerSize::kFeatures, "units", 0, 4},
    SizeArgument{"GRU", LayerSize::kFeatures, "units", 0, 3},
    SizeArgument{"SimpleRNN", LayerSize::kFeatures, "units", 0},
    SizeArgument{"ConvLSTM", LayerSize::kFeatures, "filters", 0, 4},
    SizeArgument{"Conv", LayerSize::kFeatures, "filters", 0},
    SizeArgument{"SeparableConv", LayerSize::kFeatures, "filters", 0},
};

// A size as it is written.
struct WrittenSize {
  Span span;
  int64_t kernels = 1;
};

const SizeArgument* SizeOf(std::string_view class_name, LayerSize size) {
  // Its kernel has the features in another dim.
  if (class_name.find("Transpose") != std::string_view::npos) return nullptr;
  const auto* found = std::ranges::find_if(kSizes, [&](const auto& row) {
    return row.size == size && class_name.starts_with(row.classes);
  });
  return found == kSizes.end() ? nullptr : &*found;
}

// The layers of that name in the JSON of its file, and the file's text.
std::vector<LayerText> EntriesOf(const Workload& workload, const Location& layer,
                                 std::string_view& text) {
  const Span start = {layer.file, 0, 0, 0};
  const std::string* whole = layer.item.empty() ? nullptr : TextWith(workload, start);
  if (whole == nullptr || !layer.file.ends_with(".json")) return {};
  text = *whole;
  std::vector<LayerText> layers = LayersIn(text);
  std::erase_if(layers, [&](const LayerText& other) { return other.name != layer.item; });
  return layers;
}

// The value of an argument of a call, by its keyword or its position.
std::optional<Span> ValueOf(const Workload& workload, const SourceCall& call,
                            const SizeArgument& argument) {
  const Span& all = call.arguments_span;
  size_t place = 0;
  for (const ArgumentText& given : SplitArguments(TextOf(workload, all))) {
    if (given.stars > 0) return std::nullopt;
    const bool meant =
        given.keyword.empty() ? place++ == argument.position : given.keyword == argument.name;
    if (!meant) continue;
    return RangeOf(all, Begin(all) + given.value, Begin(all) + given.end);
  }
  return std::nullopt;
}

// Returns where the sizes of the layer are written.
std::vector<WrittenSize> SizesOf(const Workload& workload, const Location& layer, LayerSize size) {
  std::vector<WrittenSize> sizes;
  if (const SourceCall* call = CallAt(workload.facts, layer)) {
    const SizeArgument* argument = SizeOf(LastName(call->name), size);
    if (argument == nullptr) return {};
    const auto value = ValueOf(workload, *call, *argument);
    if (value) sizes.push_back({*value, argument->kernels});
    return sizes;
  }
  std::string_view text;
  for (const LayerText& entry : EntriesOf(workload, layer, text)) {
    const SizeArgument* argument = SizeOf(entry.class_name, size);
    const JsonPart* value =
        argument == nullptr ? nullptr : FindJsonMember(entry.settings, argument->name);
    if (value == nullptr) continue;
    sizes.push_back({RangeOf({layer.file, 0, 0, 0}, value->begin, value->end), argument->kernels});
  }
  return sizes;
}

// "2D" of "MaxPooling2D"; empty for other classes.
std::string_view DimsOfMaxPool(std::string_view class_name) {
  for (const std::string_view name : {"MaxPooling", "MaxPool"}) {
    if (!class_name.starts_with(name)) continue;
    const std::string_view dims = class_name.substr(name.size());
    if (dims == "1D" || dims == "2D" || dims == "3D") return dims;
  }
  return {};
}

}  // namespace

std::vector<TextEdit> SetLayerSize(const Workload& workload, const Location& layer, LayerSize size,
                                   int64_t now, int64_t then) {
  const std::vector<WrittenSize> sizes = SizesOf(workload, layer, size);
  if (sizes.size() != 1) return {};
  const auto& [span, kernels] = sizes[0];
  const auto written = NumberIn(workload, span);
  if (!written || *written * kernels != now || then % kernels != 0) return {};
  return {{.span = span, .replacement = std::to_string(then / kernels)}};
}

std::vector<TextEdit> PoolByAverage(const Workload& workload, const Location& layer) {
  if (const SourceCall* call = CallAt(workload.facts, layer)) {
    const std::string_view dims = DimsOfMaxPool(LastName(call->name));
    if (dims.empty()) return {};
    std::vector<TextEdit> edits =
        ReplaceLastName(workload, call->arguments_span, fmt::format("AveragePooling{}", dims));
    // A name that stands alone was imported by that name.
    if (edits.size() != 1 || edits[0].span.begin < 1) return {};
    Span before = edits[0].span;
    before.end = before.begin--;
    return TextOf(workload, before) == "." ? edits : std::vector<TextEdit>{};
  }
  std::string_view text;
  const std::vector<LayerText> entries = EntriesOf(workload, layer, text);
  if (entries.size() != 1) return {};
  const std::string_view dims = DimsOfMaxPool(entries[0].class_name);
  if (dims.empty()) return {};
  return SetJson(workload, layer.file, entries[0].path + ".class_name",
                 fmt::format("\"AveragePooling{}\"", dims));
}

}  // namespace tilewise
