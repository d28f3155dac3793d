// Range checks of the numbers in machine files.

#include "hardware/number_reader.h"

#include <cmath>

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include "base/check.h"

namespace tilewise {
namespace {

// Counts and tile sides above it would overflow products of sizes.
constexpr int64_t kMostWhole = 1 << 16;

}  // namespace

double NumberReader::At(std::string_view field) const {
  const google::protobuf::FieldDescriptor* found =
      message_->GetDescriptor()->FindFieldByName(std::string(field));
  TW_CHECK(found != nullptr);
  const google::protobuf::Message& number = message_->GetReflection()->GetMessage(*message_, found);
  return static_cast<const proto::Number&>(number).value();
}

double NumberReader::Positive(std::string_view field) {
  const double value = At(field);
  // Times are quotients of these: smaller ones would make them infinite.
  if (value >= 1e-9 && value <= 1e18) return value;
  Fail(field, value, value > 0 ? "a number from 1e-9 to 1e18" : "a number above 0");
  return 1;
}

double NumberReader::NotNegative(std::string_view field) {
  const double value = At(field);
  if (value >= 0 && value <= 1e18) return value;
  Fail(field, value, "a number of at least 0");
  return 0;
}

double NumberReader::Share(std::string_view field) {
  const double value = At(field);
  if (value > 0 && value <= 1) return value;
  Fail(field, value, "a share above 0 and at most 1");
  return 1;
}

double NumberReader::ShareOrNone(std::string_view field) {
  const double value = At(field);
  if (value >= 0 && value <= 1) return value;
  Fail(field, value, "a share from 0 to 1");
  return 1;
}

int64_t NumberReader::Whole(std::string_view field) {
  const double value = At(field);
  if (value >= 1 && value <= static_cast<double>(kMostWhole) && value == std::floor(value)) {
    return static_cast<int64_t>(value);
  }
  Fail(field, value, fmt::format("a whole number from 1 to {}", kMostWhole));
  return 1;
}

Bytes NumberReader::Size(std::string_view field, double unit) {
  const double bytes = At(field) * unit;
  if (bytes >= 0 && bytes <= 1e15) return {std::llround(bytes)};
  Fail(field, At(field), "a size from 0 to 1e15 bytes");
  return {1};
}

void NumberReader::Fail(std::string_view field, double found, std::string_view expected) {
  if (!status_.ok()) return;
  const auto place = places_.find(field);
  status_ = InvalidInput(fmt::format("{}: found {} {}, expected {}",
                                     place == places_.end() ? file_ : place->second, field, found,
                                     expected));
}

}  // namespace tilewise
