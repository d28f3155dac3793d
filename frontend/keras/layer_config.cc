// Typed access to JSON values that may hold anything.

#include "frontend/keras/layer_config.h"

#include <cmath>

#include <fmt/format.h>

namespace tilewise {

using nlohmann::json;

std::string DescribeJson(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
    case json::value_t::number_float:
      return value.dump();
    case json::value_t::string:
      return "a string";
    case json::value_t::array:
      return fmt::format("a list of {}", value.size());
    default:
      return "an object";
  }
}

std::optional<int64_t> AsInteger(const json& value) {
  constexpr double kLimit = 2147483648.0;
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  if (!(std::abs(number) < kLimit) || number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(number);
}

const json* MemberOf(const json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(std::string(key));
  return found == value.end() || found->is_null() ? nullptr : &*found;
}

void LayerConfig::Misfit(std::string_view key, const json* found, std::string_view expected) const {
  builder_.Fail(fmt::format("{} is {}, expected {}", key,
                            found == nullptr ? "missing" : DescribeJson(*found), expected));
}

int64_t LayerConfig::Positive(std::string_view key, std::optional<int64_t> fallback) const {
  const json* value = Find(key);
  if (value == nullptr && fallback) return *fallback;
  const auto number = value ? AsInteger(*value) : std::nullopt;
  if (number && *number >= 1) return *number;
  Misfit(key, value, "a positive integer below 2^31");
  return 1;
}

int64_t LayerConfig::Integer(std::string_view key, int64_t fallback) const {
  const json* value = Find(key);
  if (value == nullptr) return fallback;
  if (const auto number = AsInteger(*value)) return *number;
  Misfit(key, value, "an integer");
  return fallback;
}

double LayerConfig::Number(std::string_view key, double fallback) const {
  const json* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->is_number()) return value->get<double>();
  Misfit(key, value, "a number");
  return fallback;
}

bool LayerConfig::Flag(std::string_view key, bool fallback) const {
  const json* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number_integer()) return *value != 0;
  Misfit(key, value, "true or false");
  return fallback;
}

std::string LayerConfig::Text(std::string_view key, std::string_view fallback) const {
  const json* value = Find(key);
  if (value == nullptr) return std::string(fallback);
  if (value->is_string()) return value->get<std::string>();
  Misfit(key, value, "a string");
  return std::string(fallback);
}

std::vector<int64_t> LayerConfig::PerDim(std::string_view key, int64_t count,
                                         std::optional<int64_t> fallback) const {
  const size_t n = count;
  const json* value = Find(key);
  if (value == nullptr && fallback) return std::vector(n, *fallback);
  if (value == nullptr || !value->is_array()) {
    return std::vector(n, Positive(key));
  }
  std::vector<int64_t> result = Integers(key);
  if (result.size() == 1) result.resize(n, result[0]);
  bool fits = result.size() == n;
  for (const int64_t v : result) fits = fits && v >= 1;
  if (fits) return result;
  Misfit(key, value, fmt::format("{} positive integers", count));
  return std::vector<int64_t>(n, 1);
}

std::vector<int64_t> LayerConfig::Integers(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return {};
  const json list = value->is_array() ? *value : json::array({*value});
  std::vector<int64_t> result;
  for (const json& item : list) {
    const auto number = AsInteger(item);
    if (!number) {
      Misfit(key, &item, "integers");
      return {};
    }
    result.push_back(*number);
  }
  return result;
}

bool LayerConfig::ChannelsFirst() const {
  const std::string format = Text("data_format", "channels_last");
  if (format == "channels_first") return true;
  if (format != "channels_last" && format != "default") {
    builder_.Fail(fmt::format("data_format is \"{}\", expected channels_first or channels_last",
                              format.substr(0, 40)));
  }
  return false;
}

}  // namespace tilewise
