// The file is JSON that a person can review: what each entry is about stands
// next to its fingerprint, without the figures that change from run to run.

#include "lint/baseline.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/read_file.h"
#include "lint/fingerprint.h"
#include "lint/write_file.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised whenever findings get other fingerprints: then all entries would be
// stale and all findings new. 2: findings of summaries have entries of their
// own.
constexpr int kVersion = 2;
constexpr size_t kLargestBaseline = size_t{64} << 20;
// Stale entries that a message names.
constexpr size_t kNamed = 5;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "12.3 us of 4,096" -> "# us of #".
std::string WithoutFigures(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsDigit(text[i])) {
      plain += text[i];
      continue;
    }
    plain += '#';
    const auto goes_on = [&](size_t k) {
      return IsDigit(text[k]) ||
             ((text[k] == '.' || text[k] == ',') && k + 1 < text.size() && IsDigit(text[k + 1]));
    };
    while (i + 1 < text.size() && goes_on(i + 1)) ++i;
  }
  return plain;
}

std::string QuotedJson(std::string_view text) {
  return PrintableJson(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

auto Order(const BaselineEntry& entry) {
  return std::tie(entry.path, entry.rule, entry.subject, entry.fingerprint);
}

absl::StatusOr<std::string> Text(const Json& entry, const char* name, size_t number,
                                 const std::string& path) {
  const auto member = entry.find(name);
  if (member != entry.end() && member->is_string()) {
    return member->get<std::string>();
  }
  return InvalidInput(
      fmt::format("{}: found entry {} without the text '{}', "
                  "expected one that --write-baseline wrote",
                  path, number, name));
}

absl::StatusOr<BaselineEntry> ReadEntry(const Json& json, size_t number, const std::string& path) {
  BaselineEntry entry;
  if (!json.is_object()) {
    return InvalidInput(
        fmt::format("{}: found entry {} that is no object, expected one", path, number));
  }
  TW_ASSIGN_OR_RETURN(entry.fingerprint, Text(json, "fingerprint", number, path));
  TW_ASSIGN_OR_RETURN(entry.rule, Text(json, "rule", number, path));
  TW_ASSIGN_OR_RETURN(entry.path, Text(json, "path", number, path));
  TW_ASSIGN_OR_RETURN(entry.subject, Text(json, "subject", number, path));
  TW_ASSIGN_OR_RETURN(entry.message, Text(json, "message", number, path));
  return entry;
}

// The list of findings. Errors: another kind of file, another version.
absl::StatusOr<const Json*> FindingsOf(const Json& json, const std::string& path) {
  const Json* findings = nullptr;
  if (json.is_object() && json.contains("findings") && json.contains("version")) {
    findings = &json["findings"];
  }
  if (findings == nullptr || !findings->is_array()) {
    return InvalidInput(
        fmt::format("{}: found no baseline, expected a file that --write-baseline wrote", path));
  }
  if (json["version"] != kVersion) {
    return InvalidInput(
        fmt::format("{}: found a baseline of version {}, whose fingerprints are others, expected "
                    "version {}; write it anew with --write-baseline {}",
                    path, json["version"].dump(), kVersion, path));
  }
  return findings;
}

}  // namespace

BaselineEntry BaselineEntryOf(const Diagnostic& finding, std::span<const SourceFile> files,
                              const std::string& root) {
  return {.fingerprint = finding.fingerprint,
          .rule = finding.rule,
          .path = RelativePath(finding.location.file, root),
          .subject = SubjectOf(finding, files),
          .message = WithoutFigures(finding.message)};
}

Baseline::Baseline(std::vector<BaselineEntry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_, {}, Order);
  const auto same = [](const BaselineEntry& a, const BaselineEntry& b) {
    return Order(a) == Order(b);
  };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  for (const BaselineEntry& entry : entries_) {
    fingerprints_.insert(entry.fingerprint);
  }
}

absl::StatusOr<Baseline> Baseline::Parse(std::string_view text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    TW_ASSIGN_OR_RETURN(const Json* findings, FindingsOf(json, path));
    std::vector<BaselineEntry> entries;
    entries.reserve(findings->size());
    for (const Json& entry : *findings) {
      TW_ASSIGN_OR_RETURN(BaselineEntry read, ReadEntry(entry, entries.size() + 1, path));
      entries.push_back(std::move(read));
    }
    return Baseline(std::move(entries));
  } catch (const Json::exception& error) {
    return InvalidInput(
        fmt::format("{}: found no JSON, expected a baseline: {}", path, error.what()));
  }
}

absl::StatusOr<Baseline> Baseline::Load(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadRegularFile(path, kLargestBaseline);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(fmt::format(
        "{}: found no file, expected a baseline; --write-baseline {} makes one", path, path));
  }
  if (!text.ok()) return text.status();
  return Parse(*text, path);
}

std::string Baseline::Render(std::string_view version) const {
  std::string text = fmt::format("{{\n  \"version\": {},\n  \"tilewise\": {},\n  \"findings\": [",
                                 kVersion, QuotedJson(version));
  const char* separator = "\n";
  for (const BaselineEntry& entry : entries_) {
    text += fmt::format(
        "{}    {{\"rule\": {}, \"path\": {}, \"subject\": {}, \"message\": {}, "
        "\"fingerprint\": {}}}",
        separator, QuotedJson(entry.rule), QuotedJson(entry.path), QuotedJson(entry.subject),
        QuotedJson(entry.message), QuotedJson(entry.fingerprint));
    separator = ",\n";
  }
  return text + (entries_.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

absl::Status Baseline::Write(const std::string& path, std::string_view version) const {
  return WriteFileAtomically(path, Render(version));
}

std::vector<Diagnostic> Baseline::Filter(std::vector<Diagnostic> findings,
                                         std::set<std::string>& used) const {
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const bool known = fingerprints_.contains(finding.fingerprint);
    if (known) used.insert(finding.fingerprint);
    return known;
  });
  return findings;
}

std::vector<BaselineEntry> Baseline::Stale(const std::set<std::string>& used,
                                           std::span<const std::string> linted,
                                           const std::function<bool(std::string_view rule)>& ran,
                                           const std::string& root) const {
  std::set<std::string> paths;
  for (const std::string& file : linted) {
    paths.insert(RelativePath(file, root));
  }
  std::vector<BaselineEntry> stale;
  for (const BaselineEntry& entry : entries_) {
    if (used.contains(entry.fingerprint) || !ran(entry.rule)) continue;
    std::error_code error;
    const bool gone = !entry.path.starts_with("zoo:") &&
                      !fs::exists(fs::path(root) / entry.path, error) && !error;
    if (gone || paths.contains(entry.path)) stale.push_back(entry);
  }
  return stale;
}

Baseline Baseline::Without(std::span<const BaselineEntry> stale) const {
  std::vector<BaselineEntry> kept;
  for (const BaselineEntry& entry : entries_) {
    if (std::ranges::find(stale, entry) == stale.end()) kept.push_back(entry);
  }
  return Baseline(std::move(kept));
}

absl::Status StaleError(const std::string& path, std::span<const BaselineEntry> stale) {
  std::string names;
  for (const BaselineEntry& entry : stale.first(std::min(kNamed, stale.size()))) {
    names += fmt::format("{}{} {}", names.empty() ? "" : "; ", entry.rule, entry.path);
    if (!entry.subject.empty()) {
      names += fmt::format(" '{}'", entry.subject.substr(0, 60));
    }
  }
  if (stale.size() > kNamed) {
    names += fmt::format("; and {} more", stale.size() - kNamed);
  }
  return absl::FailedPreconditionError(
      fmt::format("{}: found {} {} that no finding has any more ({}), expected none; "
                  "--prune-baseline removes {}, --pass-on-stale passes over {}",
                  path, stale.size(), stale.size() == 1 ? "entry" : "entries", names,
                  stale.size() == 1 ? "it" : "them", stale.size() == 1 ? "it" : "them"));
}

}  // namespace tilewise
