// Structs become arrays in the order of their fields: short, and a field that
// is missing cannot be overlooked. Each struct lists its fields once, for both
// directions. nlohmann::json throws; the exceptions end in the two public
// functions.

#include "lint/program_json.h"

#include <concepts>
#include <tuple>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace tilewise {
namespace {

using nlohmann::json;

constexpr const char* kProgramScheme = "tilewise program 3";

// T is S, const or not.
template <class T, class S>
concept Is = std::same_as<std::remove_const_t<T>, S>;

template <Is<Location> T>
auto Fields(T& v) {
  return std::tie(v.file, v.line, v.column, v.cell, v.item);
}
template <Is<Span> T>
auto Fields(T& v) {
  return std::tie(v.file, v.cell, v.begin, v.end);
}
template <Is<TextEdit> T>
auto Fields(T& v) {
  return std::tie(v.span, v.replacement);
}
template <Is<Fix> T>
auto Fields(T& v) {
  return std::tie(v.applicability, v.text, v.edits, v.changes_numerics);
}
template <Is<Cost> T>
auto Fields(T& v) {
  return std::tie(v.time_per_step, v.share_of_step, v.of_wall_step, v.bytes, v.flops,
                  v.once_per_run, v.unknown);
}
template <Is<Saving> T>
auto Fields(T& v) {
  return std::tie(v.time_per_step, v.share_of_step, v.of_wall_step, v.hbm);
}
template <Is<OpLine> T>
auto Fields(T& v) {
  return std::tie(v.text, v.begin, v.end);
}
template <Is<Diagnostic> T>
auto Fields(T& v) {
  return std::tie(v.rule, v.name, v.severity, v.location, v.message, v.cost, v.fix, v.saving,
                  v.related, v.op_line, v.fingerprint);
}
template <Is<SuppressedFinding> T>
auto Fields(T& v) {
  return std::tie(v.finding, v.reason, v.in_source, v.by);
}
template <Is<Outcome> T>
auto Fields(T& v) {
  return std::tie(v.step, v.wall_step, v.peak, v.mxu_use, v.per_example, v.global_batch);
}
template <Is<Reachable> T>
auto Fields(T& v) {
  return std::tie(v.now, v.safe, v.all, v.safe_fixes, v.all_fixes, v.not_simulated, v.left_out);
}
template <Is<SourceFile> T>
auto Fields(T& v) {
  return std::tie(v.path, v.text, v.cells);
}
template <Is<StepFigures> T>
auto Fields(T& v) {
  return std::tie(v.step, v.mxu_busy, v.vector_busy, v.dma_busy, v.collective, v.useful_flops,
                  v.mxu_use, v.lower_bound, v.hbm_traffic);
}
template <Is<LintedProgram> T>
auto Fields(T& v) {
  return std::tie(v.name, v.target, v.cores, v.batch_per_core, v.global_batch,
                  v.steps_per_execution, v.training, v.batch_assumed, v.layers, v.costed_share,
                  v.figures, v.findings, v.folded, v.reachable, v.suppressed, v.used_entries,
                  v.unmatched_fixed_dims, v.notes, v.files);
}

template <class T>
concept Struct = requires(T& v) {
  Fields(v);
};
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
  if constexpr (Struct<const T>) {
    json array = json::array();
    std::apply([&array](const auto&... field) { (array.push_back(Write(field)), ...); },
               Fields(value));
    return array;
  } else if constexpr (Quantity<T>) {
    return value.value;
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
  if constexpr (Struct<T>) {
    size_t at = 0;
    std::apply([&](auto&... field) { (Read(j.at(at++), field), ...); }, Fields(value));
  } else if constexpr (Quantity<T>) {
    j.get_to(value.value);
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
