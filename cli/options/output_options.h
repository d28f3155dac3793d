// These options say where the output goes, in which formats, in colour or not.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/arguments.h"

namespace tilewise {

struct OutputOptions {
  std::string format = "text";
  std::string path;                  // empty: standard output
  std::vector<std::string> reports;  // in addition: "sarif=out.sarif"
  std::string color = "auto";
  bool verbose = false;
  bool plot = false;
};

inline constexpr char kOutputGroup[] = "Output";
inline constexpr char kOutputHelp[] = "write to this file";

// --format, --output, --color. `formats`: what the first accepts; the first of
// them is the default. `help`: of --output.
void Add(Arguments& arguments, const std::vector<std::string>& formats, OutputOptions& options,
         const std::string& help = kOutputHelp);
void AddVerbose(Arguments& arguments, OutputOptions& options);
void AddPlot(Arguments& arguments, OutputOptions& options);
// Further files that the report is written to, each in its own format.
void AddReports(Arguments& arguments, const std::vector<std::string>& formats,
                OutputOptions& options);

// What --format accepts; those that say nothing but findings only with `finds`,
// nothing but the curve of a search only with `searches`.
std::vector<std::string> ReportFormats(bool finds, bool searches = false);

template <class Format>
std::vector<std::string> NamesOf(std::span<const Format> formats) {
  std::vector<std::string> names;
  for (const Format& format : formats) names.emplace_back(format.name);
  return names;
}

// "sarif=out.sarif" -> ("sarif", "out.sarif"); the word is checked.
std::pair<std::string, std::string> ReportTarget(std::string_view word);

}  // namespace tilewise
