// Reads "name=value,..." against the parameters that a model declares.

#include "zoo/spec.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/nearest_name.h"

namespace tilewise {
namespace {

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool Contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Long input is cut, so that a message stays one line.
std::string_view Shown(std::string_view text) { return text.substr(0, 64); }

absl::Status CheckWord(const ZooParameter& parameter, std::string_view value) {
  const std::vector<std::string> words = Split(parameter.words, '|');
  if (Contains(words, value)) return absl::OkStatus();
  return InvalidInput(fmt::format("parameter '{}': found '{}', expected {}{}", parameter.name,
                                  Shown(value), fmt::join(words, ", "), DidYouMean(value, words)));
}

absl::Status CheckInteger(const ZooParameter& parameter, std::string_view value) {
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, number);
  const bool read = error == std::errc() && last == end;
  if (read && number >= parameter.smallest && number <= parameter.largest) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("parameter '{}': found '{}', expected an integer from {} to {}",
                                  parameter.name, Shown(value), parameter.smallest,
                                  parameter.largest));
}

absl::Status CheckValue(const ZooParameter& parameter, std::string_view value) {
  return parameter.words.empty() ? CheckInteger(parameter, value) : CheckWord(parameter, value);
}

absl::Status UnknownParameter(const ZooModel& model, std::string_view name) {
  std::vector<std::string> known;
  for (const ZooParameter& parameter : model.parameters) {
    known.emplace_back(parameter.name);
  }
  return InvalidInput(fmt::format("found parameter '{}', expected {}{}", Shown(name),
                                  fmt::join(known, ", "), DidYouMean(name, known)));
}

const ZooParameter* FindParameter(const ZooModel& model, std::string_view name) {
  const auto found =
      std::find_if(model.parameters.begin(), model.parameters.end(),
                   [&](const ZooParameter& parameter) { return parameter.name == name; });
  return found == model.parameters.end() ? nullptr : &*found;
}

}  // namespace

absl::StatusOr<ZooSpec> ZooSpec::Parse(const ZooModel& model,
                                       std::optional<std::string_view> arguments, bool training) {
  ZooSpec spec;
  spec.model_ = model.name;
  spec.training_ = training;
  spec.text_ = fmt::format("zoo:{}", model.name);
  if (arguments) spec.text_ += fmt::format(",{}", *arguments);
  std::vector<std::string> items;
  if (arguments) items = Split(*arguments, ',');
  for (const std::string& item : items) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos) {
      return InvalidInput(fmt::format("found '{}', expected parameter=value", Shown(item)));
    }
    const std::string name = item.substr(0, equals);
    const std::string value = item.substr(equals + 1);
    const ZooParameter* parameter = FindParameter(model, name);
    if (parameter == nullptr) return UnknownParameter(model, name);
    TW_RETURN_IF_ERROR(CheckValue(*parameter, value));
    if (!spec.values_.emplace(name, value).second) {
      return InvalidInput(fmt::format("found parameter '{}' twice, expected it once", name));
    }
  }
  for (const ZooParameter& parameter : model.parameters) {
    spec.values_.emplace(parameter.name, parameter.default_value);
  }
  return spec;
}

absl::Status CheckDivides(std::string_view parameter, int64_t part, int64_t whole) {
  if (whole % part == 0) return absl::OkStatus();
  return InvalidInput(
      fmt::format("parameter '{}': found {}, expected a divisor of {}", parameter, part, whole));
}

bool ZooSpec::Has(std::string_view name) const { return values_.find(name) != values_.end(); }

std::string_view ZooSpec::Word(std::string_view name) const {
  const auto found = values_.find(name);
  TW_CHECK(found != values_.end());
  return found->second;
}

int64_t ZooSpec::Integer(std::string_view name) const {
  const std::string_view value = Word(name);
  int64_t number = 0;
  const auto [last, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  TW_CHECK(error == std::errc() && last == value.data() + value.size());
  return number;
}

int64_t ZooSpec::IntegerOr(std::string_view name, int64_t fallback) const {
  const int64_t value = Integer(name);
  return value > 0 ? value : fallback;
}

bool ZooSpec::Flag(std::string_view name) const { return Word(name) == "1"; }

DType ZooSpec::Type(std::string_view name) const {
  const std::optional<DType> type = ParseDType(Word(name));
  TW_CHECK(type.has_value());
  return *type;
}

}  // namespace tilewise
