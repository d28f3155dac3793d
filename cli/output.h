// Writes what commands found to a file or standard output, in colour or not.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/options/output_options.h"
#include "report/accuracy_report.h"
#include "report/inspection.h"
#include "report/listing.h"
#include "report/report.h"

namespace tilewise {

// Writes all of `text` to `path`, or to standard output when it is empty.
// Errors: what cannot be opened or written, a full disk included. A pipe that
// its reader has closed (| head) ends the process by its signal, without a
// word, as it does other programs.
absl::Status WriteOutput(const std::string& text, const std::string& path);

// Renders in the format, colour and width that the options and the terminal
// call for, and writes; before that the further reports that were asked for.
absl::Status WriteReport(const Report& report, const OutputOptions& options);

// The same for what `list` and `explain` found.
absl::Status WriteListing(std::string_view command, std::vector<ListingSection> sections,
                          const OutputOptions& options);

// The same for what `validate` found.
absl::Status WriteAccuracy(const AccuracyReport& report, const OutputOptions& options);

// The same for what `inspect` found.
absl::Status WriteInspection(const Inspection& inspection, const OutputOptions& options);

// Without control characters, and not longer than a person reads.
std::string OneLine(const std::string& message);

}  // namespace tilewise
