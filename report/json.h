// What the JSON formats share. Every number has its unit in its key's name;
// shares and ratios are 0..1.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"

namespace tilewise {

// Keys keep the order in which they were added: the same report, the same
// bytes.
using Json = nlohmann::ordered_json;

Json JsonLocation(const Location& location);
Json JsonDiagnostics(const std::vector<Diagnostic>& diagnostics);

// The first keys of a document. A change that breaks a reader of the old form
// raises `schema`.
Json JsonDocument(int schema, std::string_view version, std::string_view command);

// Names from users' files may hold bytes that are not UTF-8. `indent` -1: in one
// line.
std::string JsonText(const Json& json, int indent = 2);

}  // namespace tilewise
