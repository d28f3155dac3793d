// argv -> a command and its options. CLI11 and its exceptions stay behind this
// header.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/options.h"

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

// Errors say what was found and expected, in one line.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv);

}  // namespace tilewise
