// The subject leaves out what unrelated edits change: line numbers, blanks,
// comments, names of operands, numbers that a compiler gives to its ops.

#include "lint/fingerprint.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "lint/source_lines.h"

namespace tilewise {
namespace {

// Part of every hash: a change of what is hashed changes the name.
constexpr std::string_view kScheme = "tilewise/v1";

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string WithoutBlanks(std::string_view text) {
  std::string squeezed;
  for (const char c : text) {
    if (!IsBlank(c)) squeezed += c;
  }
  return squeezed;
}

// "fusion.12" and "%fusion.12" -> "fusion".
std::string WithoutNumber(std::string name) {
  if (name.starts_with('%')) name.erase(0, 1);
  size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) {
    --end;
  }
  if (end < name.size() && end > 1 && name[end - 1] == '.') {
    name.resize(end - 1);
  }
  return name;
}

// Lines of texts that were asked for, each scanned once.
class Lines {
 public:
  explicit Lines(std::span<const SourceFile> files) : files_(files) {}

  // Nothing but blanks is left out and no comment is in it; nullopt when the
  // text of the location is not known.
  std::optional<std::string> At(const Location& place) {
    const std::string_view text = TextOf(place);
    const std::optional<CommentStyle> style = CommentStyleOf(place.file);
    if (text.empty() || place.line <= 0 || !style) return std::nullopt;
    const auto key = std::pair(place.file, place.cell);
    const auto [entry, added] = scanned_.try_emplace(key);
    if (added) entry->second = ScanSource(text, *style);
    const SourceLines& scanned = entry->second;
    const auto index = static_cast<size_t>(place.line) - 1;
    if (index >= scanned.lines.size()) return std::nullopt;
    const SourceLine& line = scanned.lines[index];
    int64_t end = line.end;
    const auto comment =
        std::ranges::lower_bound(scanned.comments, place.line, {}, &SourceComment::line);
    if (comment != scanned.comments.end() && comment->line == place.line) {
      end = comment->begin;
    }
    return WithoutBlanks(text.substr(line.begin, end - line.begin));
  }

 private:
  std::string_view TextOf(const Location& place) const {
    const auto file = std::ranges::find(files_, place.file, &SourceFile::path);
    if (file == files_.end()) return "";
    if (place.cell <= 0) return file->text;
    const auto cell = static_cast<size_t>(place.cell) - 1;
    return cell < file->cells.size() ? file->cells[cell] : std::string_view();
  }

  std::span<const SourceFile> files_;
  std::map<std::pair<std::string, int32_t>, SourceLines> scanned_;
};

// Whether a line of this file says what it is about: in texts that a compiler
// or framework wrote, it names the neighbours too.
bool IsWrittenByPeople(const Location& place) {
  const std::optional<CommentStyle> style = CommentStyleOf(place.file);
  if (!style || place.line <= 0) return false;
  return *style != CommentStyle::kSlash || place.file.ends_with(".cc") ||
         place.file.ends_with(".cpp") || place.file.ends_with(".cxx") ||
         place.file.ends_with(".h") || place.file.ends_with(".hpp");
}

// "conv1: f32[8,7] convolution(x, y)" -> "f32[8,7] convolution".
std::string ShapeAndKind(const OpLine& op) {
  const size_t colon = op.text.find(": ");
  const size_t begin = colon == std::string::npos ? 0 : colon + 2;
  const size_t end = std::min(op.text.find('(', begin), op.text.size());
  return op.text.substr(begin, end - begin);
}

std::string NodeOf(const Diagnostic& finding) {
  std::string node = finding.location.item;
  if (node.empty() && finding.op_line) {
    node = finding.op_line->text.substr(0, finding.op_line->text.find(": "));
  }
  node = WithoutNumber(std::move(node));
  if (!finding.op_line) return node;
  return fmt::format("{} {}", node, ShapeAndKind(*finding.op_line));
}

std::string Subject(const Diagnostic& finding, Lines& lines) {
  if (IsWrittenByPeople(finding.location)) {
    std::optional<std::string> line = lines.At(finding.location);
    if (line && !line->empty()) return *line;
  }
  std::string node = NodeOf(finding);
  if (!node.empty()) return node;
  return lines.At(finding.location).value_or("");
}

std::string Hash(std::string_view rule, std::string_view path, std::string_view subject,
                 int index) {
  const char separator = '\0';
  std::string bytes(kScheme);
  for (const std::string_view part : {rule, path, subject}) {
    bytes += separator;
    bytes += part;
  }
  bytes += separator;
  bytes += fmt::format("{}", index);
  return fmt::format("{:016x}", Fnv1a(bytes));
}

}  // namespace

uint64_t Fnv1a(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::string RelativePath(std::string_view file, const std::string& root) {
  namespace fs = std::filesystem;
  if (file.starts_with("zoo:")) return std::string(file);
  std::error_code error;
  const fs::path absolute = fs::absolute(fs::path(file), error).lexically_normal();
  const fs::path relative = absolute.lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") {
    return fs::path(file).lexically_normal().generic_string();
  }
  return relative.generic_string();
}

std::string SubjectOf(const Diagnostic& finding, std::span<const SourceFile> files) {
  Lines lines(files);
  return Subject(finding, lines);
}

void AddFingerprints(std::vector<Diagnostic>& findings, std::span<const SourceFile> files,
                     const std::string& root) {
  std::vector<Diagnostic*> all;
  all.reserve(findings.size());
  for (Diagnostic& finding : findings) all.push_back(&finding);
  AddFingerprints(all, files, root);
}

std::string SummaryFingerprint(std::string_view rule, std::span<const Diagnostic> places,
                               const std::string& root) {
  std::string first;
  for (const Diagnostic& place : places) {
    const std::string path = RelativePath(place.location.file, root);
    if (first.empty() || path < first) first = path;
  }
  return Hash(rule, first, "more places", 0);
}

void AddFingerprints(std::span<Diagnostic* const> findings, std::span<const SourceFile> files,
                     const std::string& root) {
  // Equals are counted in the order of their locations, not in the order of the
  // report, which figures change.
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return ReportsBefore(*findings[a], *findings[b]); });
  Lines lines(files);
  std::map<std::string, std::string> paths;
  std::map<std::string, int> seen;
  for (const size_t i : order) {
    Diagnostic& finding = *findings[i];
    const auto [path, added] = paths.try_emplace(finding.location.file);
    if (added) path->second = RelativePath(finding.location.file, root);
    const std::string subject = Subject(finding, lines);
    const int index = seen[Hash(finding.rule, path->second, subject, -1)]++;
    finding.fingerprint = Hash(finding.rule, path->second, subject, index);
  }
}

}  // namespace tilewise
