// Fields of encoded messages as protozero gives them, with the numbers of the
// schema. Functions here throw protozero::exception on malformed bytes; callers
// are fenced (Fenced).

#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

#include "base/status.h"

namespace tilewise::tf {

inline std::string_view View(const protozero::data_view& view) {
  return {view.data(), view.size()};
}
inline protozero::pbf_reader Reader(std::string_view bytes) {
  return protozero::pbf_reader(bytes.data(), bytes.size());
}

// The length-delimited field at hand, or an empty view after skipping a field
// of another wire type.
inline std::string_view Bytes(protozero::pbf_reader& reader) {
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
    reader.skip();
    return {};
  }
  return View(reader.get_view());
}

// The number of the varint field at hand; 0 after skipping one of another type.
inline int64_t Varint(protozero::pbf_reader& reader) {
  if (reader.wire_type() != protozero::pbf_wire_type::varint) {
    reader.skip();
    return 0;
  }
  return reader.get_int64();
}

// Runs `read`, which reads with protozero; what that throws becomes an error
// that says `what` was malformed.
template <typename Read>
absl::Status Fenced(std::string_view what, Read read) {
  try {
    return read();
  } catch (const protozero::exception& e) {
    return InvalidInput(
        fmt::format("found a malformed or cut off {} ({}), expected protobuf "
                    "fields within its length",
                    what, e.what()));
  }
}

}  // namespace tilewise::tf
