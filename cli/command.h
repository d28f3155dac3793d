// What a command of the program is. Each has a folder with its own options, and
// a line in the table of cli/commands.cc.

#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"

namespace tilewise {

// One use of a command: options that parsing fills in, and what runs with them.
struct Invocation {
  // Returns the exit code, or the failure that main turns into a message and
  // exit code 2.
  std::function<absl::StatusOr<int>()> run;
  // Of commands that a configuration sets options of; null: of others.
  ConfigOptions* config = nullptr;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  // Declares the options of one use.
  Invocation (*make)(Arguments& arguments);
};

// In the order of the help.
std::span<const Command> Commands();

}  // namespace tilewise
