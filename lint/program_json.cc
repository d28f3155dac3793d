// nlohmann::json throws; the exceptions end in the two public functions.

#include "lint/program_json.h"

#include <nlohmann/json.hpp>

#include "base/fields_json.h"

namespace tilewise {
namespace {

using nlohmann::json;

// This number is raised when what fields mean changes.
constexpr const char* kProgramScheme = "tilewise program 5";

}  // namespace

std::optional<std::string> WriteProgramJson(const LintedProgram& program) {
  try {
    return json::array({kProgramScheme, FieldsJson(program)}).dump();
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<LintedProgram> ReadProgramJson(std::string_view text) {
  try {
    const json j = json::parse(text);
    if (j.at(0) != kProgramScheme || j.size() != 2) return std::nullopt;
    LintedProgram program;
    ReadFields(j.at(1), program);
    return program;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tilewise
