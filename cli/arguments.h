// The options of each command as CLI11 knows them: names, help, ranges.

#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace tilewise {

void AddFiles(CLI::App& app, Options& options);
void AddTarget(CLI::App& app, Options& options);
void AddBatch(CLI::App& app, Options& options);
void AddLoop(CLI::App& app, Options& options);
void AddSearch(CLI::App& app, Options& options);
// `fail_on` is the default threshold, "never" included.
void AddRules(CLI::App& app, Options& options, const std::string& fail_on);
void AddOutput(CLI::App& app, Options& options);
void AddVerbose(CLI::App& app, Options& options);

}  // namespace tilewise
