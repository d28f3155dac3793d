// JUnit's XML, which every CI server shows: a suite per file, a failed test per
// finding. An info is a test that passes with its text as output, and a file
// without findings one that passes.

#include <algorithm>

#include <fmt/format.h>

#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/renderers.h"
#include "report/xml.h"

namespace tilewise {
namespace {

// "IP002 prefetch-not-last at 12:5", unique in its file for most findings.
std::string TestName(const Diagnostic& finding) {
  const Location& location = finding.location;
  std::string name = RuleInWords(finding);
  if (location.line > 0) {
    name += " at ";
    if (location.cell > 0) name += fmt::format("cell {}:", location.cell);
    name += fmt::format("{}:{}", location.line, location.column);
  }
  if (!location.item.empty()) name += " at " + location.item;
  return name;
}

std::string TestCase(const Diagnostic& finding, const std::string& file, const FileLines& files) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", EscapeXml(file),
                                 EscapeXml(TestName(finding)));
  const int64_t line = files.LineInFile(finding.location);
  if (line > 0) text += fmt::format(" line=\"{}\"", line);
  const std::string body = EscapeXml(FindingInLines(finding));
  if (finding.severity == Severity::kInfo) {
    return text + fmt::format(
                      ">\n      <system-out>{}</system-out>\n"
                      "    </testcase>\n",
                      body);
  }
  return text +
         fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                     SeverityName(finding.severity), EscapeXml(finding.message), body);
}

std::string Clean(const std::string& file) {
  return fmt::format("    <testcase classname=\"{}\" name=\"no findings\"/>\n", EscapeXml(file));
}

int64_t FailureCount(const FileFindings& group) {
  int64_t count = 0;
  for (const Diagnostic* finding : group.findings) {
    count += finding->severity != Severity::kInfo;
  }
  return count;
}

std::string Suite(const FileFindings& group, const FileLines& files) {
  std::string tests;
  for (const Diagnostic* finding : group.findings) {
    tests += TestCase(*finding, group.file, files);
  }
  if (tests.empty()) tests = Clean(group.file);
  const size_t count = std::max<size_t>(group.findings.size(), 1);
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n"
      "{}  </testsuite>\n",
      EscapeXml(group.file), count, FailureCount(group), tests);
}

// Files that could not be linted.
std::string Errors(const std::vector<std::string>& failures) {
  if (failures.empty()) return "";
  std::string tests;
  for (const std::string& failure : failures) {
    tests += fmt::format(
        "    <testcase classname=\"tilewise\" name=\"{0}\">\n"
        "      <error type=\"failure\" message=\"{0}\"/>\n    </testcase>\n",
        EscapeXml(failure));
  }
  return fmt::format(
      "  <testsuite name=\"not linted\" tests=\"{0}\" failures=\"0\" "
      "errors=\"{0}\">\n{1}  </testsuite>\n",
      failures.size(), tests);
}

}  // namespace

std::string RenderJunit(const Report& report, const RenderOptions& options) {
  const FileLines files(report.files);
  std::string suites;
  size_t tests = report.failures.size();
  int64_t failures = 0;
  for (const FileFindings& group : GroupByFile(report, options)) {
    suites += Suite(group, files);
    tests += std::max<size_t>(group.findings.size(), 1);
    failures += FailureCount(group);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"tilewise {}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\">\n{}{}</testsuites>\n",
      EscapeXml(report.command), tests, failures, report.failures.size(), suites,
      Errors(report.failures));
}

}  // namespace tilewise
