// Takes numbers out of a machine file into a struct, checking their range. The
// first bad one makes the status; later reads give harmless values.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <google/protobuf/message.h>

#include "base/status.h"
#include "base/units.h"
#include "hardware/number.pb.h"
#include "hardware/text_file.h"

namespace tilewise {

inline constexpr double kMiB = 1024.0 * 1024.0;
inline constexpr double kGiB = 1024.0 * kMiB;

// Numbers of a message by the names of their fields; a name that its schema does
// not have is a bug.
class NumberReader {
 public:
  // Messages of errors name the location of the field where `places` has it, else
  // the file. `message` outlives the reader.
  NumberReader(std::string_view file, const google::protobuf::Message& message,
               FieldLocations places = {})
      : file_(file), message_(&message), places_(std::move(places)) {}
  // Reads from a part of the file from now on.
  void Enter(const google::protobuf::Message& message) { message_ = &message; }

  // Reads a number that is finite and above zero, at most 1e18.
  double Positive(std::string_view field);
  // Reads a number as Positive does, or zero.
  double NotNegative(std::string_view field);
  // Reads a number above zero, at most one.
  double Share(std::string_view field);
  // Reads a number as Share does, or zero.
  double ShareOrNone(std::string_view field);
  // A whole number from 1 to 65,536.
  int64_t Whole(std::string_view field);
  // Whether it is not zero, of a number as NotNegative.
  bool Flag(std::string_view field) { return NotNegative(field) != 0; }
  // Reads a time in units of `unit` seconds.
  Seconds Time(std::string_view field, double unit) { return {NotNegative(field) * unit}; }
  // Reads a rate in GB/s.
  BytesPerSecond Rate(std::string_view field) { return {Positive(field) * 1e9}; }
  // Reads a size in units of `unit` bytes.
  Bytes Size(std::string_view field, double unit);

  const absl::Status& status() const { return status_; }

 private:
  double At(std::string_view field) const;
  void Fail(std::string_view field, double found, std::string_view expected);

  std::string file_;
  const google::protobuf::Message* message_;
  FieldLocations places_;
  absl::Status status_;
};

}  // namespace tilewise
