// Structs as JSON: arrays in the order of their fields, short, and a field that
// is missing cannot be overlooked. nlohmann::json throws where what is read is
// of another form.

#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/pfr/core.hpp>
#include <nlohmann/json.hpp>

#include "base/id.h"
#include "base/units.h"

namespace tilewise {
namespace fields_json {

template <class T>
concept Quantity = std::same_as<T, Seconds> || std::same_as<T, Bytes>;
template <class T>
concept Optional = std::same_as<T, std::optional<typename T::value_type>>;
template <class T>
concept List = std::same_as<T, std::vector<typename T::value_type>>;
template <class T>
concept Map = std::same_as<T, std::map<std::string, typename T::mapped_type>>;
template <class T>
inline constexpr bool kIsId = false;
template <class Tag>
inline constexpr bool kIsId<Id<Tag>> = true;

}  // namespace fields_json

template <class T>
nlohmann::json FieldsJson(const T& value) {
  using nlohmann::json;
  if constexpr (fields_json::Quantity<T>) {
    return FieldsJson(value.value);
  } else if constexpr (fields_json::kIsId<T>) {
    return value.value();
  } else if constexpr (std::is_aggregate_v<T>) {
    json array = json::array();
    boost::pfr::for_each_field(value,
                               [&](const auto& field) { array.push_back(FieldsJson(field)); });
    return array;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (fields_json::Optional<T>) {
    return value ? FieldsJson(*value) : json(nullptr);
  } else if constexpr (fields_json::List<T>) {
    json array = json::array();
    for (const auto& item : value) array.push_back(FieldsJson(item));
    return array;
  } else if constexpr (fields_json::Map<T>) {
    json object = json::object();
    for (const auto& [key, item] : value) object[key] = FieldsJson(item);
    return object;
  } else if constexpr (std::same_as<T, double>) {
    // JSON has no word for these. Other numbers print so that they read back as
    // they are, to the last bit.
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  } else {
    return value;
  }
}

template <class T>
void ReadFields(const nlohmann::json& j, T& value) {
  using nlohmann::json;
  if constexpr (fields_json::Quantity<T>) {
    ReadFields(j, value.value);
  } else if constexpr (fields_json::kIsId<T>) {
    value = T(j.get<int32_t>());
  } else if constexpr (std::is_aggregate_v<T>) {
    size_t at = 0;
    boost::pfr::for_each_field(value, [&](auto& field) { ReadFields(j.at(at++), field); });
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(j.get<int>());
  } else if constexpr (fields_json::Optional<T>) {
    if (!j.is_null()) ReadFields(j, value.emplace());
  } else if constexpr (fields_json::List<T>) {
    for (const json& item : j) ReadFields(item, value.emplace_back());
  } else if constexpr (fields_json::Map<T>) {
    for (const auto& [key, item] : j.items()) ReadFields(item, value[key]);
  } else if constexpr (std::same_as<T, double>) {
    using Limits = std::numeric_limits<double>;
    if (!j.is_string()) {
      j.get_to(value);
    } else if (j == "nan") {
      value = Limits::quiet_NaN();
    } else {
      value = j == "inf" ? Limits::infinity() : -Limits::infinity();
    }
  } else {
    j.get_to(value);
  }
}

}  // namespace tilewise
