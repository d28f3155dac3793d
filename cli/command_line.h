// argv -> a command that is ready to run. CLI11's exceptions stay behind this
// header.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "lint/config.h"

namespace tilewise {

struct CommandLine {
  std::function<absl::StatusOr<int>()> run;  // null: only `text` is printed
  std::string text;                          // of --help or --version
};

// With what variables and the configuration of the first file say. Errors say
// what was found and expected, in one line.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv);

// Parses the same arguments (argv) once more, for the options that `make`
// declares, with another configuration and what it says of a workload (null:
// none).
absl::Status ParseAgain(const std::vector<std::string>& arguments,
                        const std::function<Invocation(Arguments&)>& make,
                        std::shared_ptr<const LintConfig> config, const DeclaredWorkload* workload);

// What a command accepts, for completions.
std::vector<CommandFlag> FlagsOf(const Command& command);

}  // namespace tilewise
