// Formats of reports as arguments.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace tilewise {

// What --format accepts; those that say nothing but findings only with `finds`.
std::vector<std::string> ReportFormats(bool finds);

// Further files that the report is written to, each in its own format.
void AddReports(CLI::App& app, Options& options);

// "sarif=out.sarif" -> ("sarif", "out.sarif"); the word is checked.
std::pair<std::string, std::string> ReportTarget(std::string_view word);

}  // namespace tilewise
