// Which configuration counts, and where the value of each option comes from: a
// flag, a TILEWISE_* variable or the configuration.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "lint/config.h"
#include "lint/config_files.h"

namespace tilewise {

// An Origin says where the value of an option comes from: "--chip",
// "TILEWISE_CHIP", ".tilewise.yaml:3:7".
struct Origin {
  std::vector<std::string> words;
  std::string from;
};
// The key is the flag without its hyphens.
using Origins = std::map<std::string, Origin, std::less<>>;

struct ConfigOptions {
  ConfigChoice choice;
  // The arguments of the program and what came of them.
  std::vector<std::string> arguments;
  Origins origins;
  // What the files say for the options; never null after parsing.
  std::shared_ptr<const LintConfig> found;

  // Returns where the value of `flag` was written; the flag itself when
  // nowhere.
  std::string FromOf(std::string_view flag) const;
};

inline constexpr char kConfigGroup[] = "Configuration";

// --config and --no-config, of every command that reads programs.
void Add(Arguments& arguments, ConfigOptions& options);

// Gives options the values that variables and the configuration have for them,
// with the checks that flags go through. Options that have a value already keep
// it, and what excludes them stays out. Each call notes where values come from
// in `origins`, by flag. Errors: values that an option does not take, with the
// variable or file:line:column.
void NoteFlags(const Arguments& arguments, Origins& origins);
absl::Status ApplyVariables(Arguments& arguments, Origins& origins);
// `settings`: of the configuration and the workload; `command`: its name.
absl::Status ApplySettings(Arguments& arguments, std::string_view command, const Settings& settings,
                           Origins& origins);

}  // namespace tilewise
