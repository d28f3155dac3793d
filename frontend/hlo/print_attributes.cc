// Writes attributes of instructions. What is as it stands by default is left
// out, as readers take it so.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "frontend/hlo/print_values.h"

namespace tilewise::hlo {
namespace {

void AppendList(std::string_view name, const std::vector<int64_t>& values, std::string& text) {
  if (values.empty()) return;
  text += fmt::format(", {}=", name);
  AppendIntegers(values, text);
}

void AppendInteger(std::string_view name, int64_t value, int64_t standard, std::string& text) {
  if (value != standard) text += fmt::format(", {}={}", name, value);
}

void AppendWord(std::string_view name, std::string_view word, std::string& text) {
  if (word.empty()) return;
  text += fmt::format(", {}=", name);
  AppendPlain(word, text);
}

void AppendString(std::string_view name, std::string_view value, std::string& text) {
  if (value.empty()) return;
  text += fmt::format(", {}=", name);
  AppendQuoted(value, text);
}

template <typename Field>
void AppendWindowPart(std::string_view name, const std::vector<HloWindowDim>& window, Field field,
                      bool always, std::string& text) {
  std::string part;
  bool plain = true;
  for (const HloWindowDim& dim : window) {
    if (!part.empty()) part += 'x';
    plain = field(dim, part) && plain;
  }
  if (!plain || always) text += fmt::format(" {}={}", name, part);
}

void AppendWindow(const std::vector<HloWindowDim>& window, std::string& text) {
  if (window.empty()) return;
  const auto number = [](int64_t HloWindowDim::*field) {
    return [field](const HloWindowDim& dim, std::string& part) {
      part += std::to_string(dim.*field);
      return dim.*field == 1;
    };
  };
  std::string inside;
  AppendWindowPart("size", window, number(&HloWindowDim::size), true, inside);
  AppendWindowPart("stride", window, number(&HloWindowDim::stride), false, inside);
  AppendWindowPart(
      "pad", window,
      [](const HloWindowDim& dim, std::string& part) {
        part += fmt::format("{}_{}", dim.pad_low, dim.pad_high);
        return dim.pad_low == 0 && dim.pad_high == 0;
      },
      false, inside);
  AppendWindowPart("lhs_dilate", window, number(&HloWindowDim::base_dilation), false, inside);
  AppendWindowPart("rhs_dilate", window, number(&HloWindowDim::window_dilation), false, inside);
  AppendWindowPart(
      "rhs_reversal", window,
      [](const HloWindowDim& dim, std::string& part) {
        part += dim.reversal ? '1' : '0';
        return !dim.reversal;
      },
      false, inside);
  text += fmt::format(", window={{{}}}", inside.substr(1));
}

// "b01f": the letters of two dims, digits for the others, "?" for gaps.
std::string Labels(char first, int64_t first_dim, char second, int64_t second_dim,
                   const std::vector<int64_t>& spatial) {
  int64_t last = std::max(first_dim, second_dim);
  for (const int64_t dim : spatial) last = std::max(last, dim);
  std::string labels(static_cast<size_t>(std::clamp<int64_t>(last, 0, 63)) + 1, '?');
  const auto set = [&](int64_t dim, char label) {
    const size_t at = dim;
    if (dim >= 0 && at < labels.size()) labels[at] = label;
  };
  set(first_dim, first);
  set(second_dim, second);
  for (size_t i = 0; i < spatial.size(); ++i) {
    set(spatial[i], static_cast<char>('0' + i));
  }
  return labels;
}

// Writes nothing for dims that overlap: no reader takes them.
void AppendConvDims(const ConvDims& dims, std::string& text) {
  const std::string input =
      Labels('b', dims.input_batch, 'f', dims.input_feature, dims.input_spatial);
  const std::string kernel = Labels('i', dims.kernel_in, 'o', dims.kernel_out, dims.kernel_spatial);
  const std::string output =
      Labels('b', dims.output_batch, 'f', dims.output_feature, dims.output_spatial);
  const auto whole = [](const std::string& labels, const std::vector<int64_t>& spatial) {
    const auto gaps = std::count(labels.begin(), labels.end(), '?');
    return spatial.size() <= 10 && labels.size() - static_cast<size_t>(gaps) == spatial.size() + 2;
  };
  if (!whole(input, dims.input_spatial) || !whole(kernel, dims.kernel_spatial) ||
      !whole(output, dims.output_spatial)) {
    return;
  }
  text += fmt::format(", dim_labels={}_{}->{}", input, kernel, output);
}

void AppendSlice(const InstructionExtras& extras, std::string& text) {
  if (extras.slice->starts.empty()) return;
  text += ", slice={";
  for (size_t i = 0; i < extras.slice->starts.size(); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("[{}:{}", extras.slice->starts[i], extras.slice->limits[i]);
    if (extras.slice->strides[i] != 1) text += fmt::format(":{}", extras.slice->strides[i]);
    text += ']';
  }
  text += '}';
}

void AppendPadding(const InstructionExtras& extras, std::string& text) {
  for (size_t i = 0; i < extras.pad->low.size(); ++i) {
    text += fmt::format("{}{}_{}", i == 0 ? ", padding=" : "x", extras.pad->low[i],
                        extras.pad->high[i]);
    if (extras.pad->interior[i] != 0) {
      text += fmt::format("_{}", extras.pad->interior[i]);
    }
  }
}

void AppendDot(const DotDims& dims, std::string& text) {
  AppendList("lhs_batch_dims", dims.lhs_batch, text);
  AppendList("lhs_contracting_dims", dims.lhs_contract, text);
  AppendList("rhs_batch_dims", dims.rhs_batch, text);
  AppendList("rhs_contracting_dims", dims.rhs_contract, text);
}

void AppendPrecision(const InstructionExtras& extras, std::string& text) {
  if (extras.precision == InstructionExtras::Precision::kHigh) {
    text += ", operand_precision={high,high}";
  } else if (extras.precision == InstructionExtras::Precision::kHighest) {
    text += ", operand_precision={highest,highest}";
  }
  AppendWord("algorithm", extras.algorithm, text);
}

void AppendGather(Opcode opcode, const GatherDims& dims, std::string& text) {
  if (opcode == Opcode::kScatter) {
    AppendList("update_window_dims", dims.offset_dims, text);
    AppendList("inserted_window_dims", dims.collapsed_dims, text);
    AppendList("scatter_dims_to_operand_dims", dims.start_dims, text);
    AppendList("input_batching_dims", dims.operand_batch, text);
    AppendList("scatter_indices_batching_dims", dims.indices_batch, text);
  } else {
    AppendList("offset_dims", dims.offset_dims, text);
    AppendList("collapsed_slice_dims", dims.collapsed_dims, text);
    AppendList("start_index_map", dims.start_dims, text);
    AppendList("operand_batching_dims", dims.operand_batch, text);
    AppendList("start_indices_batching_dims", dims.indices_batch, text);
    AppendList("slice_sizes", dims.slice_sizes, text);
  }
  AppendInteger("index_vector_dim", dims.index_dim, 0, text);
}

void AppendDevices(const InstructionExtras& extras, std::string& text) {
  if (extras.channel_id) {
    text += fmt::format(", channel_id={}", *extras.channel_id);
  }
  if (!extras.devices->groups.empty()) {
    text += ", replica_groups={";
    for (size_t i = 0; i < extras.devices->groups.size(); ++i) {
      if (i > 0) text += ',';
      AppendIntegers(extras.devices->groups[i], text);
    }
    text += '}';
  } else if (extras.devices->group_count > 0 && extras.devices->group_size > 0) {
    int64_t devices = 0;
    if (__builtin_mul_overflow(extras.devices->group_count, extras.devices->group_size, &devices)) {
      devices = 0;
    }
    text += fmt::format(", replica_groups=[{},{}]<=[{}]", extras.devices->group_count,
                        extras.devices->group_size, devices);
  }
  for (size_t i = 0; i < extras.devices->source_target.size(); ++i) {
    const auto& [source, target] = extras.devices->source_target[i];
    text += fmt::format("{}{{{},{}}}", i == 0 ? ", source_target_pairs={" : ",", source, target);
  }
  if (!extras.devices->source_target.empty()) text += '}';
}

void AppendSharding(const Sharding& sharding, std::string& text) {
  if (!sharding.text.empty()) {
    text += fmt::format(", sharding={}", sharding.text);
    return;
  }
  switch (sharding.kind) {
    case Sharding::Kind::kNone:
      return;
    case Sharding::Kind::kReplicated:
      text += ", sharding={replicated}";
      return;
    case Sharding::Kind::kMaximal:
      text += ", sharding={maximal device=0}";
      return;
    case Sharding::Kind::kManual:
      text += ", sharding={manual}";
      return;
    case Sharding::Kind::kTiled:
      break;
  }
  int64_t devices = 1;
  for (const int64_t tiles : sharding.tiles) {
    if (__builtin_mul_overflow(devices, tiles, &devices)) devices = 0;
  }
  text += fmt::format(", sharding={{devices=[{}]<=[{}]{}}}", fmt::join(sharding.tiles, ","),
                      devices, sharding.last_dim_replicated ? " last_tile_dim_replicate" : "");
}

void AppendMetadata(const Metadata& metadata, std::string& text) {
  std::string inside;
  const auto put = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    inside += fmt::format(" {}=", key);
    AppendQuoted(value, inside);
  };
  put("op_type", metadata.op_type);
  put("op_name", metadata.op_name);
  put("source_file", metadata.source_file);
  if (metadata.source_line != 0) {
    inside += fmt::format(" source_line={}", metadata.source_line);
  }
  if (metadata.source_column != 0) {
    inside += fmt::format(" source_column={}", metadata.source_column);
  }
  if (!inside.empty()) {
    text += fmt::format(", metadata={{{}}}", inside.substr(1));
  }
}

void AppendBackendConfig(const InstructionExtras& extras, std::string& text) {
  if (!extras.backend_config.empty()) {
    AppendString("backend_config", extras.backend_config, text);
  } else if (extras.trip_count) {
    AppendString("backend_config",
                 fmt::format(R"({{"known_trip_count":{{"n":"{}"}}}})", *extras.trip_count), text);
  }
}

void AppendExtras(Opcode opcode, const InstructionExtras& extras, std::string& text) {
  AppendList("dynamic_slice_sizes", extras.slice->sizes, text);
  AppendSlice(extras, text);
  AppendPadding(extras, text);
  AppendWindow(extras.window, text);
  AppendConvDims(extras.conv, text);
  AppendInteger("feature_group_count", extras.feature_groups, 1, text);
  AppendInteger("batch_group_count", extras.batch_groups, 1, text);
  AppendPrecision(extras, text);
  AppendGather(opcode, extras.gather, text);
  AppendDevices(extras, text);
  AppendWord("kind", extras.fusion_kind, text);
  AppendWord("distribution", extras.distribution, text);
  AppendWord("algorithm", extras.algorithm, text);
  AppendString("custom_call_target", extras.custom_call_target, text);
  AppendString("infeed_config", extras.infeed_config, text);
  AppendWord("fft_type", extras.fft->type, text);
  AppendList("fft_length", extras.fft->length, text);
  AppendInteger("k", extras.k, 0, text);
  if (!extras.largest) text += ", largest=false";
  if (extras.epsilon != 0) text += fmt::format(", epsilon={}", extras.epsilon);
  AppendInteger("feature_index", extras.feature_index, 0, text);
  AppendInteger("exponent_bits", extras.exponent_bits, 0, text);
  AppendInteger("mantissa_bits", extras.mantissa_bits, 0, text);
  AppendSharding(extras.sharding, text);
}

}  // namespace

void AppendAttributes(const Instruction& instruction, std::string& text) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::kIota && instruction.dims.size() == 1) {
    text += fmt::format(", iota_dimension={}", instruction.dims[0]);
  } else {
    AppendList("dimensions", instruction.dims, text);
  }
  if (opcode == Opcode::kCompare) {
    text += fmt::format(", direction={}",
                        kComparisonWords[static_cast<size_t>(instruction.comparison)]);
  }
  if (opcode == Opcode::kGetTupleElement) {
    text += fmt::format(", index={}", instruction.index);
  }
  if (instruction.is_stable) text += ", is_stable=true";
  AppendDot(instruction.dot, text);
  if (instruction.extras) AppendExtras(opcode, *instruction.extras, text);
  AppendMetadata(instruction.metadata, text);
  if (!instruction.extras) return;
  AppendBackendConfig(*instruction.extras, text);
  if (!instruction.extras->frontend.empty()) {
    AppendFrontendAttributes(instruction.extras->frontend, text);
  }
}

}  // namespace tilewise::hlo
