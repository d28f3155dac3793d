// Flat messages of integers, read by field number.

#include "frontend/tensorflow/ops/xla_numbers.h"

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
  return Decoded(ctx.String("dimension_numbers", ""));
}

int64_t Single(const DimensionNumbers& numbers, size_t field) {
  return numbers[field].empty() ? 0 : numbers[field].back();
}

}  // namespace tilewise::tf
