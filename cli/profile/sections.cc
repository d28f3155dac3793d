// Sections of the listing that `profile` prints; those without rows are left
// out.

#include "cli/profile/sections.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr size_t kFewRows = 12;
constexpr size_t kLongestName = 60;

// Names of kernels fill whole screens.
std::string Short(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  return name.substr(0, kLongestName - 2) + "..";
}

ListingCell RateCell(double rate, std::string_view unit) {
  if (rate <= 0) return ListingCell::Unknown();
  return {fmt::format("{}{}", FormatShortCount(rate), unit), rate};
}

ListingCell OptionalShare(const std::optional<double>& share) {
  return share ? ListingCell::Share(*share) : ListingCell::Unknown();
}

ListingSection VerdictSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "verdict", .columns = {"verdict", "sentence"}};
  const ProfileVerdict& verdict = analysis.verdict;
  ListingRow row{.cells = {VerdictName(verdict.kind), verdict.sentence}};
  row.heading = verdict.sentence.empty() ? "The profile does not say what bounds the step."
                                         : verdict.sentence;
  for (const std::string& evidence : verdict.evidence) {
    const size_t colon = evidence.find(": ");
    const bool titled = colon != std::string::npos;
    row.paragraphs.push_back({titled ? evidence.substr(0, colon) : "also",
                              titled ? evidence.substr(colon + 2) : evidence});
  }
  if (row.paragraphs.empty()) row.paragraphs.push_back({"evidence", "none"});
  section.rows.push_back(std::move(row));
  return section;
}

ListingSection OverviewSection(const Profile& profile, const ProfileAnalysis& analysis) {
  ListingSection section{.title = "profile", .columns = {"what", "value"}};
  const auto add = [&](const char* what, ListingCell cell) {
    section.rows.push_back({.cells = {what, std::move(cell)}});
  };
  add("format", profile.format);
  if (!profile.hosts.empty()) add("hosts", fmt::format("{}", fmt::join(profile.hosts, ", ")));
  if (!analysis.device_type.empty()) add("device", analysis.device_type);
  if (analysis.devices > 0) add("devices", ListingCell::Count(analysis.devices));
  if (profile.event_count() > 0) add("events", ListingCell::Count(profile.event_count()));
  const ProfileSteps& steps = analysis.steps;
  if (!steps.source.empty()) {
    add("steps from", steps.source);
    if (steps.device.count > 0) add("steps", ListingCell::Count(steps.device.count));
    add("step", TimeCell(steps.device.mean));
    if (steps.device.count > 1) {
      add("shortest step", TimeCell(steps.device.least));
      add("longest step", TimeCell(steps.device.most));
      add("standard deviation", TimeCell(steps.device.deviation));
    }
    if (steps.wall.count > 0 && steps.wall.mean != steps.device.mean) {
      add("step by the wall clock", TimeCell(steps.wall.mean));
    }
  }
  if (analysis.device_busy) add("device busy", ListingCell::Share(*analysis.device_busy));
  if (analysis.mxu_use) add("MXU use", ListingCell::Share(*analysis.mxu_use));
  if (analysis.hbm_use) add("HBM bandwidth used", ListingCell::Share(*analysis.hbm_use));
  if (profile.stated.roofline_share) {
    add("FLOP rate of roofline", ListingCell::Share(*profile.stated.roofline_share));
  }
  if (profile.stated.host_idle) add("host idle", ListingCell::Share(*profile.stated.host_idle));
  return section;
}

ListingSection PartsSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "parts of the step", .columns = {"part", "time", "share"}};
  for (const StepPartTime& part : analysis.parts) {
    section.rows.push_back(
        {.cells = {StepPartName(part.kind), TimeCell(part.time), ListingCell::Share(part.share)}});
  }
  return section;
}

ListingSection EachStepSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "steps", .columns = {"step", "time"}};
  const std::vector<Seconds>& each = analysis.steps.device.each;
  if (each.size() < 2) return section;
  for (size_t i = 0; i < each.size(); ++i) {
    section.rows.push_back(
        {.cells = {ListingCell::Count(static_cast<int64_t>(i) + 1), TimeCell(each[i])}});
  }
  return section;
}

ListingSection CategorySection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "categories of ops",
                         .columns = {"category", "count", "time", "share"}};
  for (const CategoryRow& row : analysis.categories) {
    section.rows.push_back({.cells = {Short(row.name), ListingCell::Count(row.count),
                                      TimeCell(row.self), ListingCell::Share(row.share)}});
  }
  return section;
}

ListingSection OpsSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "ops",
                         .columns = {"op", "kind", "count", "time", "each", "share", "FLOP/s",
                                     "of peak", "bytes/s", "bound by", "source"}};
  for (const ProfileOpRow& row : analysis.ops) {
    section.rows.push_back(
        {.cells = {Short(row.name), Short(row.kind),
                   row.count > 0 ? ListingCell::Count(row.count) : ListingCell::Unknown(),
                   TimeCell(row.self), TimeCell(row.average), ListingCell::Share(row.share),
                   RateCell(row.flop_rate, ""),
                   row.peak_share > 0 ? ListingCell::Share(row.peak_share) : ListingCell::Unknown(),
                   RateCell(row.byte_rate, ""), row.bound, row.source}});
  }
  return section;
}

ListingSection HostSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "host", .columns = {"function", "for", "count", "time"}};
  for (const HostRow& row : analysis.host) {
    section.rows.push_back({.cells = {Short(row.name), HostClassName(row.kind),
                                      ListingCell::Count(row.count), TimeCell(row.self)}});
  }
  return section;
}

ListingSection WaitSection(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "who waits for whom",
                         .columns = {"waits", "for", "time per step", "share"}};
  for (const ProfileWait& wait : analysis.waits) {
    section.rows.push_back({.cells = {Short(wait.waits), wait.for_what, TimeCell(wait.time),
                                      ListingCell::Share(wait.share)}});
  }
  return section;
}

ListingSection MemorySection(const Profile& profile) {
  ListingSection section{.title = "memory",
                         .columns = {"allocator", "samples", "first", "peak", "at", "last"}};
  for (const ProfileMemory& memory : profile.memory) {
    const auto cell = [](Bytes bytes) { return ListingCell(FormatBytes(bytes), bytes.value); };
    Seconds at;
    for (const MemorySample& sample : memory.samples) {
      if (sample.in_use == memory.peak) {
        at = SecondsOf(sample.at);
        break;
      }
    }
    const bool sampled = !memory.samples.empty();
    section.rows.push_back(
        {.cells = {memory.allocator,
                   ListingCell::Count(static_cast<int64_t>(memory.samples.size())),
                   sampled ? cell(memory.samples.front().in_use) : ListingCell::Unknown(),
                   cell(memory.peak), TimeCell(at),
                   sampled ? cell(memory.samples.back().in_use) : ListingCell::Unknown()}});
  }
  return section;
}

ListingSection InputSection(const Profile& profile) {
  ListingSection section{.title = "input on the host", .columns = {"part", "time"}};
  for (const auto& [name, time] : profile.stated.input_parts) {
    if (time > Seconds{}) section.rows.push_back({.cells = {name, TimeCell(time)}});
  }
  return section;
}

ListingSection CounterSection(const Profile& profile) {
  ListingSection section{.title = "counters", .columns = {"name", "value"}};
  for (const auto& [name, value] : profile.stated.counters) {
    section.rows.push_back({.cells = {name, ListingCell(fmt::format("{:.6g}", value), value)}});
  }
  return section;
}

ListingSection FindingSection(const ProfileAnalysis& analysis) {
  ListingSection section{
      .title = "findings",
      .columns = {"rule", "name", "severity", "location", "message", "fix", "share of step"}};
  for (const Diagnostic& finding : analysis.advice) {
    const std::string place = finding.location.known() ? FormatLocation(finding.location) : "";
    ListingRow row{.cells = {finding.rule, finding.name, SeverityName(finding.severity), place,
                             finding.message, finding.fix.text,
                             OptionalShare(finding.cost.share_of_step)}};
    row.heading = fmt::format("{}{}{} {}: {}", place, place.empty() ? "" : ": ", finding.rule,
                              finding.name, finding.message);
    row.paragraphs.push_back({"fix", finding.fix.text});
    section.rows.push_back(std::move(row));
  }
  return section;
}

ListingSection NoteSectionOf(const ProfileAnalysis& analysis) {
  ListingSection section{.title = "notes", .columns = {"note"}};
  for (const std::string& note : analysis.notes) section.rows.push_back({.cells = {note}});
  return section;
}

}  // namespace

ListingCell TimeCell(Seconds time) {
  if (time == Seconds{}) return {"", 0.0};
  return {FormatSeconds(time), time.value};
}

std::vector<ListingSection> ProfileSections(const Profile& profile, const ProfileAnalysis& analysis,
                                            bool verbose) {
  std::vector<ListingSection> sections = {
      VerdictSection(analysis),  OverviewSection(profile, analysis),
      PartsSection(analysis),    WaitSection(analysis),
      FindingSection(analysis),  NoteSectionOf(analysis),
      CategorySection(analysis), OpsSection(analysis),
      HostSection(analysis),     InputSection(profile),
      MemorySection(profile),    CounterSection(profile),
      EachStepSection(analysis)};
  std::erase_if(sections, [](const ListingSection& section) { return section.rows.empty(); });
  if (verbose) return sections;
  for (ListingSection& section : sections) {
    if (section.title == "findings" || section.title == "notes") continue;
    if (section.title == "counters" || section.title == "profile") continue;
    if (section.rows.size() > kFewRows) section.rows.resize(kFewRows);
  }
  return sections;
}

}  // namespace tilewise
