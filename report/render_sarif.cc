// A SARIF 2.1.0 log of one run: tool, invocation, results. When there are more
// results than code scanning shows, the most severe and most expensive stay and
// a notification says how many do not.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/fingerprint_of.h"
#include "report/renderers.h"
#include "report/rule_doc.h"
#include "report/sarif_sections.h"
#include "rules/note_kinds.h"

namespace tilewise {
namespace {

double SavedSeconds(const Diagnostic& finding) {
  if (finding.saving) return finding.saving->time_per_step.value;
  return 0;
}

// Before those that are silenced; else more severe, then larger saving, then
// in the order of the report.
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
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewise
