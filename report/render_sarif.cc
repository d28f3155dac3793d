// A SARIF 2.1.0 log of one run: tool, invocation, results. When there are more
// results than code scanning shows, the most severe and most expensive stay and
// a notification says how many do not.
// Sections of the standard (OASIS, SARIF 2.1.0) are named where the code follows
// one: results are 3.27, locations 3.28, fixes 3.55.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/json.h"
#include "report/renderers.h"
#include "report/rule_doc.h"
#include "report/text.h"
#include "rules/note_kinds.h"

namespace tilewise {
namespace {

// The id that relative paths are based on.
constexpr std::string_view kSourceRoot = "SRCROOT";

// What locations are made from.
struct SarifSources {
  const FileLines& lines;
  std::string root;  // RenderOptions::root
};

int64_t ColumnOf(const SarifSources& sources, const Location& location) {
  const auto line = sources.lines.Line(location);
  return line ? Utf16Column(*line, location.column) : location.column;
}

Json RegionOf(const Location& location, const SarifSources& sources) {
  const int64_t line = sources.lines.LineInFile(location);
  Json region = {{"startLine", std::max<int64_t>(line, 1)}};
  if (line > 0 && location.column > 0 && location.cell == 0) {
    region["startColumn"] = ColumnOf(sources, location);
  }
  return region;
}

// "encoder/layer_0/dense": the name is what stands after the last slash.
Json LogicalLocation(const std::string& path) {
  const size_t slash = path.rfind('/');
  const bool whole = slash == std::string::npos || slash + 1 == path.size();
  return {{"name", whole ? path : path.substr(slash + 1)}, {"fullyQualifiedName", path}};
}

std::string CellPath(const Location& location) {
  if (location.line <= 0) return fmt::format("cell {}", location.cell);
  return fmt::format("cell {}, line {}", location.cell, location.line);
}

// Start or end of a replaced range, in UTF-16 code units.
std::optional<Json> Region(const Span& span, const SarifSources& sources) {
  const auto begin = sources.lines.PositionOf(span.file, span.cell, span.begin);
  const auto end = sources.lines.PositionOf(span.file, span.cell, span.end);
  if (!begin || !end) return std::nullopt;
  const auto column = [&](const FileLines::Position& position) {
    return ColumnOf(sources, {.file = span.file,
                              .line = static_cast<int32_t>(position.line),
                              .column = static_cast<int32_t>(position.column)});
  };
  return Json{{"startLine", begin->line},
              {"startColumn", column(*begin)},
              {"endLine", end->line},
              {"endColumn", column(*end)}};
}

Json Properties(const Diagnostic& finding) {
  Json properties = Json::object();
  const std::string cost = CostInWords(finding.cost);
  if (!cost.empty()) properties["cost"] = cost;
  if (finding.saving) {
    properties["savedSecondsPerStep"] = finding.saving->time_per_step.value;
    properties["savedShareOfStep"] = finding.saving->share_of_step;
    properties["savedHbmBytes"] = finding.saving->hbm.value;
  }
  properties["fixApplicability"] = ApplicabilityName(finding.fix.applicability);
  properties["fixChangesNumerics"] = finding.fix.changes_numerics;
  if (!finding.related.empty()) properties["speaksAlsoFor"] = finding.related;
  return properties;
}

// Code scanning shows the text of the message alone, so it says where in the
// file the finding is when its region cannot.
std::string MessageText(const Diagnostic& finding) {
  const Location& location = finding.location;
  std::string place;
  if (location.cell > 0) {
    place = CellPath(location) + ": ";
  } else if (location.line <= 0 && !location.item.empty()) {
    place = location.item + ": ";
  }
  return place + FindingInLines(finding);
}

std::string_view SarifLevel(Severity severity) {
  return severity == Severity::kInfo ? "note" : SeverityName(severity);
}

Json SarifArtifact(std::string_view file, const SarifSources& sources) {
  const std::string uri = ArtifactUri(file, sources.root);
  Json json = {{"uri", uri}};
  if (!uri.starts_with("file://")) json["uriBaseId"] = kSourceRoot;
  return json;
}

// A location in a file, in UTF-16 code units where the file was read as text. An
// op of a file without lines is a logical location at line 1, as GitHub wants
// one; a location in a notebook is its cell as a logical location, at the line of
// the JSON.
Json SarifLocation(const Location& location, const SarifSources& sources) {
  Json json = {{"physicalLocation",
                {{"artifactLocation", SarifArtifact(location.file, sources)},
                 {"region", RegionOf(location, sources)}}}};
  if (!location.item.empty()) {
    json["logicalLocations"].push_back(LogicalLocation(location.item));
  }
  if (location.cell > 0) {
    json["logicalLocations"].push_back(LogicalLocation(CellPath(location)));
  }
  return json;
}

// The fix as replacements; nothing when it is no text, is in a notebook, whose
// cells are no text of the file, or its file was not read as text.
std::optional<Json> SarifFix(const Fix& fix, const SarifSources& sources) {
  if (fix.edits.empty()) return std::nullopt;
  std::map<std::string, Json> by_file;
  for (const TextEdit& edit : fix.edits) {
    if (edit.span.cell > 0) return std::nullopt;
    std::optional<Json> region = Region(edit.span, sources);
    if (!region) return std::nullopt;
    Json replacement = {{"deletedRegion", *std::move(region)}};
    if (!edit.replacement.empty()) {
      replacement["insertedContent"] = {{"text", edit.replacement}};
    }
    by_file[edit.span.file].push_back(std::move(replacement));
  }
  Json changes = Json::array();
  for (auto& [file, replacements] : by_file) {
    changes.push_back({{"artifactLocation", SarifArtifact(file, sources)},
                       {"replacements", std::move(replacements)}});
  }
  const std::string text = fmt::format("{}: {}", FixLabel(fix), fix.text);
  return Json{{"description", {{"text", text}}}, {"artifactChanges", std::move(changes)}};
}

// `rule_index`: in the list of SarifRules.
Json SarifResult(const Diagnostic& finding, const std::string& fingerprint, size_t rule_index,
                 const SarifSources& sources) {
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rule_index},
                 {"level", SarifLevel(finding.severity)},
                 {"message", {{"text", MessageText(finding)}}}};
  if (finding.location.known()) {
    result["locations"] = Json::array({SarifLocation(finding.location, sources)});
  }
  result["partialFingerprints"] = {{"tilewise/v1", fingerprint}};
  if (std::optional<Json> fix = SarifFix(finding.fix, sources)) {
    result["fixes"] = Json::array({*std::move(fix)});
  }
  result["properties"] = Properties(finding);
  return result;
}

// "prefetch-not-last" -> "PrefetchNotLast": identifiers are in Pascal case.
std::string PascalCase(std::string_view name) {
  std::string text;
  bool start = true;
  for (const char c : name) {
    if (c == '-') {
      start = true;
      continue;
    }
    const bool raise = start && c >= 'a' && c <= 'z';
    text += raise ? static_cast<char>(c - 'a' + 'A') : c;
    start = false;
  }
  return text;
}

// How often the rule is right, in the words of code scanning.
std::string_view Precision(RuleSet set) {
  switch (set) {
    case RuleSet::kDefault:
      return "high";
    case RuleSet::kOptional:
      return "medium";
    case RuleSet::kPreview:
      return "low";
  }
  return "low";
}

std::string HelpText(const RuleInfo& info) {
  std::string text;
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n\n", paragraph.title, paragraph.text);
  }
  return text;
}

std::string HelpMarkdown(const RuleInfo& info) {
  std::string text = fmt::format("# {} {}\n", info.id, info.name);
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    text += fmt::format("\n**{}:** {}\n", EscapeMarkdown(paragraph.title),
                        EscapeMarkdown(paragraph.text));
  }
  return text + fmt::format("\n`tilewise explain {}`\n", info.id);
}

Json KnownRule(const RuleInfo& info) {
  const Severity severity = info.severity;
  return {{"id", info.id},
          {"name", PascalCase(info.name)},
          {"shortDescription", {{"text", info.summary}}},
          {"fullDescription", {{"text", RuleParagraph(info, "What")}}},
          {"help", {{"text", HelpText(info)}, {"markdown", HelpMarkdown(info)}}},
          {"defaultConfiguration",
           {{"level", SarifLevel(severity)}, {"enabled", info.set == RuleSet::kDefault}}},
          {"properties",
           {{"tags", {"performance", "tpu", FamilyTitle(info.id)}},
            {"precision", Precision(info.set)},
            {"problem.severity",
             severity == Severity::kInfo ? "recommendation" : SeverityName(severity)}}}};
}

// What no rule of the catalogue found: an unused suppression.
Json OtherRule(const Diagnostic& finding) {
  Json rule = {{"id", finding.rule}};
  if (!finding.name.empty()) {
    rule["name"] = PascalCase(finding.name);
    rule["shortDescription"] = {{"text", finding.name}};
  }
  rule["defaultConfiguration"] = {{"level", SarifLevel(finding.severity)}};
  return rule;
}

// Descriptors of the rules of `results`, by id.
Json SarifRules(const std::vector<const Diagnostic*>& results) {
  std::map<std::string, const Diagnostic*> by_id;
  for (const Diagnostic* result : results) by_id.emplace(result->rule, result);
  Json rules = Json::array();
  for (const auto& [id, result] : by_id) {
    const Rule* rule = FindRule(id);
    rules.push_back(rule == nullptr ? OtherRule(*result) : KnownRule(rule->info));
  }
  return rules;
}

double SavedSeconds(const Diagnostic& finding) {
  if (finding.saving) return finding.saving->time_per_step.value;
  return 0;
}

// Orders the results before those that are silenced: more severe first, then larger saving, then in
// the order of the report.
std::vector<const Diagnostic*> Ordered(std::vector<const Diagnostic*> results) {
  std::ranges::stable_sort(results, [](const auto* a, const auto* b) {
    if (a->severity != b->severity) return a->severity > b->severity;
    return SavedSeconds(*a) > SavedSeconds(*b);
  });
  return results;
}

// The results of a run: pointers into the report, with what was cut.
struct Results {
  std::vector<const Diagnostic*> shown;          // silenced ones last
  size_t reported = 0;                           // of `shown` that are not silenced
  size_t left_out = 0;                           // reported ones that are not shown
  std::vector<const SilencedFinding*> silenced;  // one per silenced result
};

Results ResultsOf(const Report& report) {
  std::vector<const Diagnostic*> reported;
  reported.reserve(report.findings.size());
  for (const Diagnostic& finding : report.findings) {
    reported.push_back(&finding);
  }
  Results results;
  results.shown = Ordered(std::move(reported));
  if (results.shown.size() > kSarifResults) {
    results.left_out = results.shown.size() - kSarifResults;
    results.shown.resize(kSarifResults);
  }
  results.reported = results.shown.size();
  for (const SilencedFinding& entry : report.silenced) {
    if (results.shown.size() == kSarifResults) break;
    results.shown.push_back(&entry.finding);
    results.silenced.push_back(&entry);
  }
  return results;
}

Json Suppression(const SilencedFinding& entry) {
  Json json = {{"kind", entry.in_source ? "inSource" : "external"}, {"status", "accepted"}};
  if (!entry.reason.empty()) json["justification"] = entry.reason;
  return json;
}

Json ResultsJson(const Results& results, const SarifSources& sources) {
  std::map<std::string_view, size_t> rules;  // by id, as SarifRules has them
  std::vector<Diagnostic> shown;
  shown.reserve(results.shown.size());
  for (const Diagnostic* result : results.shown) {
    rules.emplace(result->rule, 0);
    shown.push_back(*result);
  }
  size_t index = 0;
  for (auto& [id, place] : rules) place = index++;
  const std::vector<std::string> fingerprints = DistinctFingerprints(shown);
  Json json = Json::array();
  for (size_t i = 0; i < results.shown.size(); ++i) {
    const Diagnostic& finding = *results.shown[i];
    Json result = SarifResult(finding, fingerprints[i], rules.find(finding.rule)->second, sources);
    if (i >= results.reported) {
      result["suppressions"] = Json::array({Suppression(*results.silenced[i - results.reported])});
    }
    json.push_back(std::move(result));
  }
  return json;
}

Json Notification(std::string_view level, const std::string& text) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

// What was not read, not linted and not shown.
Json Notifications(const Report& report, const Results& results, const SarifSources& sources) {
  Json json = Json::array();
  for (const std::string& failure : report.failures) {
    json.push_back(Notification("error", failure));
  }
  if (results.left_out > 0) {
    json.push_back(
        Notification("warning", fmt::format("{} findings of the least severity and saving "
                                            "are left out: a run has at most {} results",
                                            results.left_out, kSarifResults)));
  }
  for (const Diagnostic& note : report.notes) {
    Json notification = Notification("note", note.message);
    notification["descriptor"] = {{"id", note.rule}};
    if (note.location.known()) {
      notification["locations"] = Json::array({SarifLocation(note.location, sources)});
    }
    json.push_back(std::move(notification));
  }
  return json;
}

Json NoteDescriptor(const std::string& id) {
  Json json = {{"id", id}};
  const RuleInfo* kind = FindNoteKind(id);
  if (kind == nullptr) return json;
  json["shortDescription"] = {{"text", kind->summary}};
  json["fullDescription"] = {{"text", RuleParagraph(*kind, "What")}};
  json["help"] = {{"text", RuleParagraph(*kind, "Remedy")}};
  return json;
}

// The ids that notifications name need descriptors of their own.
Json NotificationRules(const std::vector<Diagnostic>& notes) {
  std::map<std::string, const Diagnostic*> by_id;
  for (const Diagnostic& note : notes) by_id.emplace(note.rule, &note);
  Json json = Json::array();
  for (const auto& [id, note] : by_id) json.push_back(NoteDescriptor(id));
  return json;
}

Json Tool(const Report& report, const Results& results) {
  Json driver = {{"name", "tilewise"},
                 {"rules", SarifRules(results.shown)},
                 {"notifications", NotificationRules(report.notes)}};
  if (!report.version.empty()) driver["semanticVersion"] = report.version;
  return {{"driver", std::move(driver)}};
}

Json Invocation(const Report& report, const Results& results, const SarifSources& sources) {
  Json json = {{"executionSuccessful", report.failures.empty()},
               {"toolExecutionNotifications", Notifications(report, results, sources)}};
  if (report.exit_code) json["exitCode"] = *report.exit_code;
  return json;
}

}  // namespace

std::string RenderSarif(const Report& report, const RenderOptions& options) {
  const FileLines lines(report.files);
  const SarifSources sources = {.lines = lines, .root = options.root};
  const Results results = ResultsOf(report);
  Json run = {{"tool", Tool(report, results)},
              {"invocations", Json::array({Invocation(report, results, sources)})},
              {"originalUriBaseIds",
               {{kSourceRoot, {{"description", {{"text", "the folder that tilewise ran in"}}}}}}},
              {"columnKind", "utf16CodeUnits"},
              {"results", ResultsJson(results, sources)}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}};
  return JsonText(log);
}

}  // namespace tilewise
