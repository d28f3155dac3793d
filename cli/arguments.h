// The options of each command as CLI11 knows them: names, help, ranges.

#pragma once

#include <string>
#include <vector>

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
// `formats`: what --format accepts; the first is the default.
void AddOutput(CLI::App& app, Options& options,
               const std::vector<std::string>& formats);
void AddVerbose(CLI::App& app, Options& options);

}  // namespace tilewise
