// Flat messages of integers, read by field number.

#include "frontend/tensorflow/ops/xla_numbers.h"

#include <utility>

#include <protozero/pbf_reader.hpp>

namespace tilewise::tf {
namespace {

constexpr size_t kMostNumbers = 256;

void Read(protozero::pbf_reader& reader, std::vector<int64_t>& numbers) {
  if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
    for (const int64_t number : reader.get_packed_int64()) {
      if (numbers.size() < kMostNumbers) numbers.push_back(number);
    }
  } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
    const int64_t number = reader.get_int64();
    if (numbers.size() < kMostNumbers) numbers.push_back(number);
  } else {
    reader.skip();
  }
}

absl::StatusOr<DimensionNumbers> Decoded(std::string_view bytes) {
  DimensionNumbers numbers;
  try {
    protozero::pbf_reader reader(bytes.data(), bytes.size());
    while (reader.next()) {
      if (reader.tag() < kMostFields) {
        Read(reader, numbers[reader.tag()]);
      } else {
        reader.skip();
      }
    }
  } catch (const protozero::exception& error) {
    return InvalidInput(std::string("malformed dimension numbers: ") + error.what());
  }
  return numbers;
}

}  // namespace

absl::StatusOr<DimensionNumbers> NumbersOf(const OpContext& ctx) {
  return Decoded(ctx.Text("dimension_numbers", ""));
}

int64_t Single(const DimensionNumbers& numbers, size_t field) {
  return numbers[field].empty() ? 0 : numbers[field].back();
}

Reducer ReducerOf(const OpContext& ctx) {
  constexpr std::pair<std::string_view, Reducer> kReducers[] = {
      {"Add", Reducer::kSum},        {"AddV2", Reducer::kSum},      {"Maximum", Reducer::kMax},
      {"Minimum", Reducer::kMin},    {"Mul", Reducer::kProduct},    {"LogicalAnd", Reducer::kAnd},
      {"LogicalOr", Reducer::kOr},   {"BitwiseAnd", Reducer::kAnd}, {"BitwiseOr", Reducer::kOr},
      {"BitwiseXor", Reducer::kXor},
  };
  for (const std::string_view attr : {"reducer", "computation", "scatter", "update_computation"}) {
    const FunctionDef* function = ctx.Function(attr);
    if (function == nullptr) continue;
    for (const NodeDef& node : function->nodes) {
      for (const auto& [name, reducer] : kReducers) {
        if (node.op == name) return reducer;
      }
    }
  }
  return Reducer::kOther;
}

}  // namespace tilewise::tf
