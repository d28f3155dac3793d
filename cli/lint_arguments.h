// The options that make `lint` a linter: configuration, baseline, files, fixes.

#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace tilewise {

// --config and --no-config, of every command that reads programs.
void AddConfig(CLI::App& app, Options& options);
// More about which rules run, of `lint` and `advise`.
void AddRuleSettings(CLI::App& app, Options& options);
void AddLint(CLI::App& app, Options& options);

}  // namespace tilewise
