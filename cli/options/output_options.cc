// --report FORMAT=FILE may be given as often as wanted: the terminal keeps its
// text while a CI server gets its own format.

#include "cli/options/output_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/report.h"

namespace tilewise {
namespace {

std::string CheckReport(const std::string& word, const std::vector<std::string>& formats) {
  const auto [format, file] = ReportTarget(word);
  std::string problem = CheckWord(format, formats);
  if (!problem.empty()) return problem;
  if (!file.empty()) return "";
  return fmt::format("found '{}', expected a file after it: {}=FILE", word, format);
}

}  // namespace

void Add(Arguments& arguments, const std::vector<std::string>& formats, OutputOptions& options,
         const std::string& help) {
  Arguments group = arguments.InGroup(kOutputGroup);
  options.format = formats.front();
  group.Text({.name = "--format",
              .help = fmt::format("{} (default {})", Alternatives(formats), formats.front()),
              .type = "FORMAT",
              .check = OneOf(formats)},
             options.format);
  group.Text({.name = "--output", .help = help, .type = "FILE"}, options.path);
  group.Text({.name = "--color",
              .help = "auto, always or never (default auto: on a terminal, unless NO_COLOR is set)",
              .type = "WHEN",
              .check = OneOf({"auto", "always", "never"})},
             options.color);
}

void AddVerbose(Arguments& arguments, OutputOptions& options) {
  Arguments group = arguments.InGroup(kOutputGroup);
  group.Flag({.name = "--verbose", .help = "all rows of all tables, numbers with their sources"},
             options.verbose);
}

void AddPlot(Arguments& arguments, OutputOptions& options) {
  Arguments group = arguments.InGroup(kOutputGroup);
  group.Flag({.name = "--plot", .help = "the curve of examples per second by batch as bars, too"},
             options.plot);
}

void AddReports(Arguments& arguments, const std::vector<std::string>& formats,
                OutputOptions& options) {
  Arguments group = arguments.InGroup(kOutputGroup);
  group.Repeated(
      {.name = "--report",
       .help = "write the report to this file too, in this "
               "format (repeatable): sarif=out.sarif",
       .type = "FORMAT=FILE",
       .check = [formats](const std::string& word) { return CheckReport(word, formats); }},
      options.reports);
}

std::vector<std::string> ReportFormats(bool finds, bool searches) {
  std::vector<std::string> names;
  for (const FormatOf<Report>& format : FormatsOf<Report>()) {
    if ((finds || !format.findings_only) && (searches || !format.search_only))
      names.emplace_back(format.name);
  }
  return names;
}

std::pair<std::string, std::string> ReportTarget(std::string_view word) {
  const size_t equals = std::min(word.find('='), word.size());
  const size_t file = std::min(equals + 1, word.size());
  return {std::string(word.substr(0, equals)), std::string(word.substr(file))};
}

}  // namespace tilewise
