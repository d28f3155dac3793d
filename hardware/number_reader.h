// Takes numbers out of a machine file into a struct, checking their range. The
// first bad one makes the status; later reads give harmless values.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "base/units.h"
#include "hardware/number.pb.h"
#include "hardware/text_file.h"

namespace tilewise {

inline constexpr double kMiB = 1024.0 * 1024.0;
inline constexpr double kGiB = 1024.0 * kMiB;

class NumberReader {
 public:
  // Messages name the place of the field where `places` has it, else the file.
  explicit NumberReader(std::string_view file, FieldPlaces places = {})
      : file_(file), places_(std::move(places)) {}

  // Finite and above zero, at most 1e18.
  double Positive(const proto::Number& number, std::string_view field);
  // As Positive, or zero.
  double NotNegative(const proto::Number& number, std::string_view field);
  // Above zero, at most one.
  double Share(const proto::Number& number, std::string_view field);
  // A whole number from 1 to 65,536.
  int64_t Whole(const proto::Number& number, std::string_view field);
  // In units of `unit` bytes.
  Bytes Size(const proto::Number& number, std::string_view field, double unit);

  const absl::Status& status() const { return status_; }

 private:
  void Fail(std::string_view field, double found, std::string_view expected);

  std::string file_;
  FieldPlaces places_;
  absl::Status status_;
};

}  // namespace tilewise
