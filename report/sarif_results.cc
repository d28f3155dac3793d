// Results of a SARIF log (3.27), with places (3.28) and fixes (3.55).

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/artifact_path.h"
#include "report/finding_lines.h"
#include "report/sarif_sections.h"

namespace tilewise {
namespace {

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

}  // namespace

std::string_view SarifLevel(Severity severity) {
  return severity == Severity::kInfo ? "note" : SeverityName(severity);
}

Json SarifArtifact(std::string_view file, const SarifSources& sources) {
  const std::string uri = ArtifactUri(file, sources.root);
  Json json = {{"uri", uri}};
  if (!uri.starts_with("file://")) json["uriBaseId"] = kSourceRoot;
  return json;
}

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

}  // namespace tilewise
