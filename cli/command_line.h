// argv -> a command and its options. CLI11 and its exceptions stay behind this
// header.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/options.h"
#include "lint/config.h"

namespace tilewise {

// What one command does with the options; returns the exit code.
using CommandFunction = absl::StatusOr<int> (*)(const Options& options);

struct Command {
  std::string_view name;
  std::string_view summary;
  CommandFunction run;
};
std::span<const Command> Commands();

struct CommandLine {
  const Command* command = nullptr;  // null: only `text` is to be printed
  Options options;
  std::string text;  // of --help or --version
};

// With what variables and the configuration of the first file say. Errors say
// what was found and expected, in one line.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv);

// The options of the same arguments (argv) with another configuration, and
// what it says of a workload (null: none).
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     std::shared_ptr<const LintConfig> config,
                                     const DeclaredWorkload* workload);

// What each command accepts, for completions: names of commands, and their long
// options with help texts.
struct CommandFlag {
  std::string name;  // "--chip"
  std::string help;
  bool takes_value = false;
};
std::vector<CommandFlag> FlagsOf(const Command& command);

}  // namespace tilewise
