// The options of each command as CLI11 knows them: names, help, ranges.

#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace tilewise {

// The user's program: files, folders, models of the zoo; and their format.
void AddFiles(CLI::App& app, Options& options);
void AddTarget(CLI::App& app, Options& options);
// Tables of measurements instead of programs, and a target that stands in where
// they name none.
void AddTables(CLI::App& app, Options& options);
// Tables of measurements to fit a chip to, and the chip to start from.
void AddMeasurements(CLI::App& app, Options& options);
void AddBatch(CLI::App& app, Options& options);
void AddLoop(CLI::App& app, Options& options);
void AddSearch(CLI::App& app, Options& options);
// Passes that are left out.
void AddPasses(CLI::App& app, Options& options);
// Where the program after every pass goes.
void AddDump(CLI::App& app, Options& options);
void AddTrace(CLI::App& app, Options& options);
// A bare systolic array instead of a chip, and its dataflow.
void AddArray(CLI::App& app, Options& options);
// `fail_on` is the default threshold, "never" included.
void AddRules(CLI::App& app, Options& options, const std::string& fail_on);
// `formats`: what --format accepts; the first is the default.
void AddOutput(CLI::App& app, Options& options,
               const std::vector<std::string>& formats);
void AddVerbose(CLI::App& app, Options& options);

}  // namespace tilewise
