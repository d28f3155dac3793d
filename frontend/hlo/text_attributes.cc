// Reads attributes of instructions by name.

#include "frontend/hlo/text_attributes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "frontend/hlo/backend_config.h"
#include "frontend/hlo/text_values.h"
#include "frontend/hlo/word_table.h"

namespace tilewise::hlo {
namespace {

using X = InstructionExtras;

// Reads the value of an attribute, by the type of what it goes to.
template <typename Type>
bool ReadValue(TextCursor& cursor, Type& value) {
  if constexpr (std::is_same_v<Type, std::vector<int64_t>>) {
    return cursor.IntegerList(value);
  } else if constexpr (std::is_same_v<Type, int64_t>) {
    return cursor.Integer(value);
  } else if constexpr (std::is_same_v<Type, std::optional<int64_t>>) {
    return cursor.Integer(value.emplace());
  } else if constexpr (std::is_same_v<Type, double>) {
    return cursor.Real(value);
  } else {
    const std::string_view word = cursor.ExpectName("a word");
    if constexpr (std::is_same_v<Type, bool>) {
      value = word == "true";
    } else {
      value = word;
    }
    return cursor.ok();
  }
}

// A field of the instruction, of its dot, of its extras, of a part of them.
template <auto kField>
bool Own(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadValue(reader.cursor(), instruction.*kField);
}

template <auto kField>
bool OfDot(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadValue(reader.cursor(), (*instruction.dot).*kField);
}

template <auto kField>
bool More(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadValue(reader.cursor(), instruction.Extras().*kField);
}

template <auto kPart, auto kField>
bool Of(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadValue(reader.cursor(), (*(instruction.Extras().*kPart)).*kField);
}

template <auto kField>
bool OfGather(AttributeReader& reader, Instruction& instruction, CalledNames& called) {
  return Of<&X::gather, kField>(reader, instruction, called);
}

template <auto kField>
bool String(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadString(reader.cursor(), reader.module(), instruction.Extras().*kField);
}

// What text_values.h reads.
template <auto kRead>
bool Parts(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return kRead(reader.cursor(), instruction.Extras());
}

template <size_t kSlot>
bool Called(AttributeReader& reader, Instruction&, CalledNames& called) {
  return reader.ReadCalled(kSlot, called);
}

bool CalledList(AttributeReader& reader, Instruction&, CalledNames& called) {
  return reader.ReadCalledList(0, called);
}

bool IotaDimension(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  instruction.dims.assign(1, 0);
  return reader.cursor().Integer(instruction.dims[0]);
}

bool Direction(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  TextCursor& cursor = reader.cursor();
  const std::string_view word = cursor.ExpectName("a word");
  if (!cursor.ok()) return false;
  const auto* const found = std::ranges::find(kComparisonWords, word);
  if (found == kComparisonWords.end()) {
    return cursor.Fail(fmt::format("found direction {}, expected EQ, NE, LT, LE, GT or GE", word));
  }
  instruction.comparison = static_cast<Comparison>(found - kComparisonWords.begin());
  return true;
}

bool MetadataOf(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadMetadata(reader.cursor(), reader.module(), reader.frames(), instruction.metadata);
}

bool FrontendOf(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  return ReadFrontendAttributes(reader.cursor(), reader.module(), instruction.Extras().frontend);
}

bool BackendConfig(AttributeReader& reader, Instruction& instruction, CalledNames&) {
  TextCursor& cursor = reader.cursor();
  std::string_view config;
  if (cursor.PeekSign() == '"') {
    if (!ReadString(cursor, reader.module(), config)) return false;
  } else {
    config = cursor.SkipValue();
    if (!cursor.ok()) return false;
  }
  instruction.Extras().backend_config = config;
  if (instruction.opcode == Opcode::kWhile) {
    instruction.Extras().trip_count = KnownTripCount(config);
  }
  return true;
}

struct Attribute {
  std::string_view name;
  bool (*read)(AttributeReader& reader, Instruction& instruction, CalledNames& called);
};

constexpr auto kRows = std::to_array<Attribute>({
    {"dimensions", Own<&Instruction::dims>},
    {"index", Own<&Instruction::index>},
    {"is_stable", Own<&Instruction::is_stable>},
    {"iota_dimension", IotaDimension},
    {"direction", Direction},
    {"lhs_contracting_dims", OfDot<&DotDims::lhs_contract>},
    {"rhs_contracting_dims", OfDot<&DotDims::rhs_contract>},
    {"lhs_batch_dims", OfDot<&DotDims::lhs_batch>},
    {"rhs_batch_dims", OfDot<&DotDims::rhs_batch>},
    {"dynamic_slice_sizes", Of<&X::slice, &SliceDims::sizes>},
    {"fft_length", Of<&X::fft, &Fft::length>},
    {"fft_type", Of<&X::fft, &Fft::type>},
    // Gathers have these and, under names of their own, scatters.
    {"offset_dims", OfGather<&GatherDims::offset_dims>},
    {"update_window_dims", OfGather<&GatherDims::offset_dims>},
    {"collapsed_slice_dims", OfGather<&GatherDims::collapsed_dims>},
    {"inserted_window_dims", OfGather<&GatherDims::collapsed_dims>},
    {"start_index_map", OfGather<&GatherDims::start_dims>},
    {"scatter_dims_to_operand_dims", OfGather<&GatherDims::start_dims>},
    {"operand_batching_dims", OfGather<&GatherDims::operand_batch>},
    {"input_batching_dims", OfGather<&GatherDims::operand_batch>},
    {"start_indices_batching_dims", OfGather<&GatherDims::indices_batch>},
    {"scatter_indices_batching_dims", OfGather<&GatherDims::indices_batch>},
    {"slice_sizes", OfGather<&GatherDims::slice_sizes>},
    {"index_vector_dim", OfGather<&GatherDims::index_dim>},
    {"unique_indices", More<&X::unique_indices>},
    {"indices_are_sorted", More<&X::sorted_indices>},
    {"feature_group_count", More<&X::feature_groups>},
    {"batch_group_count", More<&X::batch_groups>},
    {"channel_id", More<&X::channel_id>},
    {"k", More<&X::k>},
    {"largest", More<&X::largest>},
    {"feature_index", More<&X::feature_index>},
    {"exponent_bits", More<&X::exponent_bits>},
    {"mantissa_bits", More<&X::mantissa_bits>},
    {"epsilon", More<&X::epsilon>},
    {"kind", More<&X::fusion_kind>},
    {"distribution", More<&X::distribution>},
    {"algorithm", More<&X::algorithm>},
    {"custom_call_target", String<&X::custom_call_target>},
    {"infeed_config", String<&X::infeed_config>},
    {"to_apply", Called<0>},
    {"calls", Called<0>},
    {"condition", Called<0>},
    {"body", Called<1>},
    {"true_computation", Called<0>},
    {"false_computation", Called<1>},
    {"select", Called<0>},
    {"scatter", Called<1>},
    {"branch_computations", CalledList},
    {"called_computations", CalledList},
    {"window", Parts<ReadWindow>},
    {"dim_labels", Parts<ReadDimLabels>},
    {"slice", Parts<ReadSlice>},
    {"padding", Parts<ReadPadding>},
    {"replica_groups", Parts<ReadReplicaGroups>},
    {"source_target_pairs", Parts<ReadSourceTargetPairs>},
    {"operand_precision", Parts<ReadPrecision>},
    {"sharding", Parts<ReadSharding>},
    {"metadata", MetadataOf},
    {"backend_config", BackendConfig},
    {"frontend_attributes", FrontendOf},
});

constexpr auto kRowNames = [] {
  std::array<std::string_view, kRows.size()> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = kRows[i].name;
  return names;
}();
constexpr WordTable<kRows.size()> kRowTable(kRowNames);

}  // namespace

bool AttributeReader::Read(Instruction& instruction, CalledNames& called) {
  while (cursor_.Take(',')) {
    const std::string_view name = cursor_.ExpectName("an attribute");
    if (!cursor_.ok() || !cursor_.Expect('=')) return false;
    const size_t row = kRowTable.Find(name);
    if (row < kRows.size()) {
      if (!kRows[row].read(*this, instruction, called)) return false;
    } else {
      cursor_.SkipValue();
    }
  }
  return cursor_.ok();
}

bool AttributeReader::ReadCalled(size_t slot, CalledNames& called) {
  if (cursor_.PeekSign() == '{') return ReadCalledList(slot, called);
  const char* at = cursor_.at();
  const std::string_view name = cursor_.ExpectName("a computation");
  called.push_back({slot, name, at});
  return cursor_.ok();
}

// "{%a, %b}", or the instructions of one computation.
bool AttributeReader::ReadCalledList(size_t slot, CalledNames& called) {
  if (cursor_.PeekSign() != '{') return cursor_.FailExpected("'{'");
  const char* start = cursor_.at();
  const size_t first = slot;
  cursor_.Take('{');
  while (cursor_.PeekSign() != '}') {
    const char* at = cursor_.at();
    const std::string_view name = cursor_.ExpectName("a computation");
    if (!cursor_.ok()) return false;
    if (slot == first && (name == "ROOT" || cursor_.PeekSign() == '=')) {
      cursor_.Return(start);
      CalledName& here = called.emplace_back();
      here.slot = slot;
      here.at = start;
      return read_inline_(here.computation);
    }
    called.push_back({slot++, name, at});
    cursor_.Take(',');
  }
  return cursor_.Expect('}');
}

}  // namespace tilewise::hlo
