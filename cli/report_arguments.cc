// --report FORMAT=FILE, as often as wanted: the terminal keeps its text while
// a CI server gets its own format.

#include "cli/report_arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/known_words.h"
#include "report/report.h"

namespace tilewise {
namespace {

std::string CheckReport(const std::string& word) {
  const auto [format, file] = ReportTarget(word);
  const std::string problem = CheckWord(format, ReportFormats(true));
  if (!problem.empty()) return problem;
  if (!file.empty()) return "";
  return fmt::format("found '{}', expected a file after it: {}=FILE", word,
                     format);
}

}  // namespace

std::vector<std::string> ReportFormats(bool finds) {
  std::vector<std::string> names;
  for (const Format& format : Formats()) {
    if (finds || !format.findings_only) names.emplace_back(format.name);
  }
  return names;
}

std::pair<std::string, std::string> ReportTarget(std::string_view word) {
  const size_t equals = std::min(word.find('='), word.size());
  const size_t file = std::min(equals + 1, word.size());
  return {std::string(word.substr(0, equals)), std::string(word.substr(file))};
}

void AddReports(CLI::App& app, Options& options) {
  app.add_option("--report", options.reports,
                 "write the report to this file too, in this format "
                 "(repeatable): sarif=out.sarif")
      ->type_name("FORMAT=FILE")
      ->allow_extra_args(false)
      ->group("Output")
      ->check(CLI::Validator(
          [](std::string& word) { return CheckReport(word); }, "", "report"));
}

}  // namespace tilewise
