// Gives the options of a command the values that TILEWISE_* variables and the
// configuration have for them. CLI11's own checks look at each.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/status.h"
#include "cli/options.h"
#include "lint/config.h"

namespace tilewise {

// Options that have a value already keep it, and what excludes them stays out.
// Each call notes where values come from in `origins`, by flag. Errors: values
// that an option does not take, with the variable or file:line:column.
void NoteFlags(const CLI::App& app, Origins& origins);
absl::Status ApplyVariables(CLI::App& app, Origins& origins);
// `settings`: of the configuration and the workload; `command`: its name.
absl::Status ApplySettings(CLI::App& app, std::string_view command,
                           const Settings& settings, Origins& origins);

// Whether the command takes settings from a configuration.
bool ReadsConfig(std::string_view command);

}  // namespace tilewise
