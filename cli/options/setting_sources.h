// Gives the options of a command the values that TILEWISE_* variables and the
// configuration have for them, with the checks that flags go through.

#pragma once

#include <string_view>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "lint/config.h"

namespace tilewise {

// Options that have a value already keep it, and what excludes them stays out.
// Each call notes where values come from in `origins`, by flag. Errors: values
// that an option does not take, with the variable or file:line:column.
void NoteFlags(const Arguments& arguments, Origins& origins);
absl::Status ApplyVariables(Arguments& arguments, Origins& origins);
// `settings`: of the configuration and the workload; `command`: its name.
absl::Status ApplySettings(Arguments& arguments, std::string_view command, const Settings& settings,
                           Origins& origins);

}  // namespace tilewise
