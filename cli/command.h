// What a command of the program is. Each has a folder, whose source has its
// options, what runs with them and their TW_COMMAND; and a line in
// cli/commands.def.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"

namespace tilewise {

inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitFailure = 2;

// One use of a command: options that parsing fills in, and what runs with them.
struct Invocation {
  // Returns the exit code, or the failure that main turns into a message and
  // exit code 2.
  std::function<absl::StatusOr<int>()> run;
  // Commands that a configuration sets options of have this; null for others.
  ConfigOptions* config = nullptr;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  // Declares the options of one use.
  Invocation (*make)(Arguments& arguments);
};

// Returns the commands in the order of the help.
std::span<const Command> Commands();

// `Add(arguments, options)` declares them, `run` takes them.
template <class Options>
Invocation MakeInvocation(Arguments& arguments, absl::StatusOr<int> (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  Add(arguments, *options);
  Invocation invocation;
  invocation.run = [options, run] { return run(*options); };
  if constexpr (requires { options->model; }) {
    invocation.config = &options->model.config;
  } else if constexpr (requires { options->config; }) {
    invocation.config = &options->config;
  }
  return invocation;
}

// Makes the function Run the command Name of cli/commands.def.
#define TW_RUNS_COMMAND(Name, Run) \
  Invocation Name##Command(Arguments& arguments) { return MakeInvocation(arguments, Run); }

}  // namespace tilewise
