// Protobufs of profiles as tests write them.

#pragma once

#include <string>
#include <string_view>

#include <protozero/pbf_writer.hpp>

namespace tilewise {

class Wire {
 public:
  Wire& Number(uint32_t field, uint64_t value) {
    protozero::pbf_writer(bytes_).add_uint64(field, value);
    return *this;
  }
  Wire& Real(uint32_t field, double value) {
    protozero::pbf_writer(bytes_).add_double(field, value);
    return *this;
  }
  Wire& Text(uint32_t field, std::string_view value) {
    protozero::pbf_writer(bytes_).add_bytes(field, value.data(), value.size());
    return *this;
  }
  Wire& Add(uint32_t field, const Wire& message) { return Text(field, message.bytes_); }
  // An entry of a map from numbers.
  Wire& Entry(uint32_t field, uint64_t key, const Wire& value) {
    return Add(field, Wire().Number(1, key).Add(2, value));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace tilewise
