// The findings of the rules are the verdict; the tables have the numbers.

#include "cli/profile/log_sections.h"

#include <fmt/format.h>

#include "cli/findings.h"
#include "cli/load.h"
#include "frontend/mapped_file.h"

namespace tilewise {
namespace {

ListingCell Time(Seconds time) {
  if (time <= Seconds{}) return ListingCell::Unknown();
  return {FormatSeconds(time), time.value};
}

ListingCell Size(Bytes bytes) {
  if (bytes.value <= 0) return ListingCell::Unknown();
  return {FormatBytes(bytes), bytes.value};
}

ListingSection StepSection(const RunLog& log) {
  ListingSection section{.title = "steps of the log",
                         .columns = {"writer", "step", "least", "most", "lines", "compilation",
                                     "batch", "TFLOP/s per device", "tokens/s per device"}};
  for (const LoggedSteps& series : log.steps) {
    const auto rate = [](double value, double unit) {
      if (value <= 0) return ListingCell::Unknown();
      return ListingCell(fmt::format("{:.5g}", value / unit), value / unit);
    };
    section.rows.push_back(
        {.cells = {series.writer, Time(series.settled > 0 ? series.steady : Seconds{}),
                   Time(series.least), Time(series.most), ListingCell::Count(series.settled),
                   Time(series.compilation), ListingCell::Count(series.batch),
                   rate(series.flops, 1e12), rate(series.tokens, 1)}});
  }
  return section;
}

ListingSection CompileSection(const RunLog& log) {
  ListingSection section{.title = "compilations of the log",
                         .columns = {"what", "time", "at least", "times", "tracing"}};
  for (const LoggedCompile& compile : log.compiles) {
    section.rows.push_back(
        {.cells = {compile.name.substr(0, 80), Time(compile.time), Time(compile.at_least),
                   ListingCell::Count(compile.times), Time(compile.front)}});
  }
  for (const RepeatedCompile& repeated : log.repeated) {
    const std::string name = repeated.name.empty() ? "all graphs" : repeated.name;
    section.rows.push_back(
        {.cells = {fmt::format("{}: {}", repeated.writer, name), Time(repeated.time),
                   ListingCell::Unknown(), ListingCell::Count(repeated.compiles),
                   ListingCell::Unknown()}});
  }
  return section;
}

ListingSection MemorySection(const Workload& workload) {
  ListingSection section{.title = "memory of the log",
                         .columns = {"what", "size", "of", "missing"}};
  for (const MemoryReport& report : workload.memory_reports) {
    section.rows.push_back({.cells = {fmt::format("out of {}", report.space), Size(report.used),
                                      Size(report.capacity), Size(report.exceeded)}});
  }
  for (const StatedMemory& stated : workload.run_log.memory) {
    section.rows.push_back({.cells = {stated.writer, Size(stated.total), Size(stated.capacity),
                                      ListingCell::Unknown()}});
  }
  return section;
}

// What torch_xla counts and times.
ListingSection MetricSection(const RunLog& log) {
  ListingSection section{.title = "metrics of torch_xla",
                         .columns = {"name", "samples", "total", "median", "longest"}};
  for (const LoggedMetric& metric : log.metrics) {
    ListingCell total = Time(metric.total);
    if (metric.is_size) {
      total = Size({static_cast<int64_t>(metric.sum)});
    } else if (metric.sum > 0) {
      total = ListingCell(fmt::format("{:.6g}", metric.sum), metric.sum);
    }
    section.rows.push_back({.cells = {metric.name, ListingCell::Count(metric.samples), total,
                                      Time(metric.median), Time(metric.longest)}});
  }
  return section;
}

}  // namespace

bool LooksLikeLog(const std::string& path) {
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return false;
  const InputFormat* format = SniffFormat({path, file->bytes()});
  return format != nullptr && format->name == "log";
}

absl::StatusOr<std::vector<ListingSection>> LogSections(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(options));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(*options.config.found, {}, options.inputs.files.front()));
  const Findings found = RunRules(*session, options, rules, nullptr, /*savings=*/false);
  ListingSection verdict{.title = "what the log says", .columns = {"rule", "place", "finding"}};
  for (const Diagnostic& finding : found.left.findings) {
    verdict.rows.push_back(
        {.cells = {finding.rule, FormatLocation(finding.location), finding.message}});
  }
  std::vector<ListingSection> sections;
  for (const ListingSection& section : std::initializer_list<ListingSection>{
           verdict, StepSection(loaded.workload.run_log), CompileSection(loaded.workload.run_log),
           MemorySection(loaded.workload), MetricSection(loaded.workload.run_log)}) {
    if (!section.rows.empty()) sections.push_back(section);
  }
  return sections;
}

}  // namespace tilewise
