// argv -> a command that runs with what flags, variables and the configuration
// of the first file say. CLI11 stays behind this header.

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

// The program without its process: arguments in, exit code out.
int Run(int argc, const char* const* argv);

// Parses the same arguments (argv) once more, for the options that `make`
// declares, with another configuration and what it says of a workload (null:
// none).
absl::Status ParseAgain(const std::vector<std::string>& arguments,
                        const std::function<Invocation(Arguments&)>& make,
                        std::shared_ptr<const LintConfig> config, const DeclaredWorkload* workload);

// The words of an option that holds options: '--chip v4 --xla-flags "--a --b"'.
std::vector<std::string> OptionWords(const std::string& text);

// What a command accepts, for completions.
std::vector<CommandFlag> FlagsOf(const Command& command);

}  // namespace tilewise
