// Small parts of reading protobufs from their wire form.

#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include <protozero/pbf_reader.hpp>

namespace tilewise::hlo {

// A field is of another wire type than the schema says.
struct WrongWireType : protozero::exception {
  const char* what() const noexcept override { return "wrong wire type"; }
};

// protozero takes the wire type of a field for granted; here it is checked
// before the field is read, and WrongWireType thrown.
class FieldReader : public protozero::pbf_reader {
 public:
  using pbf_reader::pbf_reader;

  int64_t get_int64() { return Of(Type::varint).pbf_reader::get_int64(); }
  int32_t get_int32() { return Of(Type::varint).pbf_reader::get_int32(); }
  int32_t get_enum() { return Of(Type::varint).pbf_reader::get_enum(); }
  bool get_bool() { return Of(Type::varint).pbf_reader::get_bool(); }
  float get_float() { return Of(Type::fixed32).pbf_reader::get_float(); }
  double get_double() { return Of(Type::fixed64).pbf_reader::get_double(); }
  protozero::data_view get_view() { return Of(Type::length_delimited).pbf_reader::get_view(); }
  FieldReader get_message() { return FieldReader(get_view()); }

 private:
  using Type = protozero::pbf_wire_type;
  FieldReader& Of(Type type) {
    if (wire_type() != type) throw WrongWireType();
    return *this;
  }
};

inline std::string_view ViewOf(FieldReader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

inline FieldReader ReaderOf(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

// A repeated int64, packed or one by one: appends.
inline void ReadIntegers(FieldReader& reader, std::vector<int64_t>& values) {
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
    values.push_back(reader.get_int64());
    return;
  }
  for (const int64_t value : reader.get_packed_int64()) values.push_back(value);
}

// The function runs on every entry of a map.
inline constexpr int kMapKey = 1;
inline constexpr int kMapValue = 2;

// A field by number, and where its value goes: a variable, a vector that it is
// appended to, or a function of the reader.
template <typename Target>
struct Field {
  int number;
  Target target;
};
template <typename Number, typename Target>
Field(Number, Target&&) -> Field<Target>;

template <typename Target>
bool TakeField(FieldReader& reader, Target& target) {
  if constexpr (std::is_invocable_v<Target&, FieldReader&>) {
    target(reader);
  } else if constexpr (std::is_same_v<Target, int64_t>) {
    target = reader.get_int64();
  } else if constexpr (std::is_same_v<Target, int32_t>) {
    target = reader.get_int32();
  } else if constexpr (std::is_same_v<Target, bool>) {
    target = reader.get_bool();
  } else if constexpr (std::is_same_v<Target, std::string_view>) {
    target = ViewOf(reader);
  } else if constexpr (std::is_same_v<Target, std::vector<std::string_view>>) {
    target.push_back(ViewOf(reader));
  } else {
    ReadIntegers(reader, target);
  }
  return true;
}

// Reads a message; fields that are not named are skipped.
template <typename... Targets>
void ReadFields(FieldReader reader, const Field<Targets>&... fields) {
  while (reader.next()) {
    const auto number = static_cast<int>(reader.tag());
    const bool taken = ((fields.number == number && TakeField(reader, fields.target)) || ...);
    if (!taken) reader.skip();
  }
}

}  // namespace tilewise::hlo
