// Structs become arrays in the order of their fields: short, and a field that
// is missing cannot be overlooked. nlohmann::json throws; the exceptions end in
// the two public functions.

#include "lint/program_json.h"

#include <concepts>
#include <type_traits>

#include <boost/pfr/core.hpp>
#include <nlohmann/json.hpp>

#include "sim/lowering/program.h"

namespace tilewise {
namespace {

using nlohmann::json;

// To be raised when what fields mean changes.
constexpr const char* kProgramScheme = "tilewise program 4";

template <class T>
concept Quantity = std::same_as<T, Seconds> || std::same_as<T, Bytes>;
template <class T>
concept Optional = std::same_as<T, std::optional<typename T::value_type>>;
template <class T>
concept List = std::same_as<T, std::vector<typename T::value_type>>;
template <class T>
concept Map = std::same_as<T, std::map<std::string, typename T::mapped_type>>;

template <class T>
json Write(const T& value) {
  if constexpr (Quantity<T>) {
    return value.value;
  } else if constexpr (std::is_same_v<T, KernelId>) {
    return value.value();
  } else if constexpr (std::is_aggregate_v<T>) {
    json array = json::array();
    boost::pfr::for_each_field(value, [&](const auto& field) { array.push_back(Write(field)); });
    return array;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (Optional<T>) {
    return value ? Write(*value) : json(nullptr);
  } else if constexpr (List<T>) {
    json array = json::array();
    for (const auto& item : value) array.push_back(Write(item));
    return array;
  } else if constexpr (Map<T>) {
    json object = json::object();
    for (const auto& [key, item] : value) object[key] = Write(item);
    return object;
  } else {
    return value;
  }
}

template <class T>
void Read(const json& j, T& value) {
  if constexpr (Quantity<T>) {
    j.get_to(value.value);
  } else if constexpr (std::is_same_v<T, KernelId>) {
    value = KernelId(j.get<int32_t>());
  } else if constexpr (std::is_aggregate_v<T>) {
    size_t at = 0;
    boost::pfr::for_each_field(value, [&](auto& field) { Read(j.at(at++), field); });
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(j.get<int>());
  } else if constexpr (Optional<T>) {
    if (!j.is_null()) Read(j, value.emplace());
  } else if constexpr (List<T>) {
    for (const json& item : j) Read(item, value.emplace_back());
  } else if constexpr (Map<T>) {
    for (const auto& [key, item] : j.items()) Read(item, value[key]);
  } else {
    j.get_to(value);
  }
}

}  // namespace

std::optional<std::string> WriteProgramJson(const LintedProgram& program) {
  try {
    return json::array({kProgramScheme, Write(program)}).dump();
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<LintedProgram> ReadProgramJson(std::string_view text) {
  try {
    const json j = json::parse(text);
    if (j.at(0) != kProgramScheme || j.size() != 2) return std::nullopt;
    LintedProgram program;
    Read(j.at(1), program);
    return program;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tilewise
