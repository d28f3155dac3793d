// The edits of fixes in the form in which Clang's tools hand them to each other.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/paths.h"
#include "cli/lint/run.h"
#include "cli/output.h"
#include "lint/apply_fixes.h"

namespace tilewise {
namespace {

// Writes text between double quotes, as YAML has it.
std::string YamlText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string_view LevelOf(Severity severity) {
  return severity == Severity::kError  ? "Error"
         : severity == Severity::kInfo ? "Remark"
                                       : "Warning";
}

std::string RuleName(const Diagnostic& finding) {
  std::string name = "tilewise-";
  for (const char c : finding.rule) name += static_cast<char>(std::tolower(c));
  return name;
}

class Exporter {
 public:
  Exporter(const ProgramRun& run, const LintPlan& plan) : run_(run), before_(TextsOf(run, plan)) {}

  // Returns where the text that edits count in begins in the bytes of the file; nothing where the
  // bytes hold it in another form.
  std::optional<int64_t> StartOf(const std::string& path) const {
    const auto file = std::ranges::find(run_.linted->files, path, &SourceFile::path);
    const auto bytes = before_.find(path);
    if (file == run_.linted->files.end() || bytes == before_.end()) return std::nullopt;
    std::string_view rest = bytes->second;
    int64_t start = 0;
    if (rest.starts_with(kByteOrderMark)) {
      start = static_cast<int64_t>(kByteOrderMark.size());
      rest.remove_prefix(kByteOrderMark.size());
    }
    return rest == file->text ? std::optional<int64_t>(start) : std::nullopt;
  }

  // "" where an edit is of no plain text, or meets one that `made` has.
  std::string Entry(const Diagnostic& finding, std::vector<TextEdit>& made) const {
    const std::string& path = finding.fix.edits.front().span.file;
    const std::optional<int64_t> start = StartOf(path);
    const std::string file = AbsolutePath(path).string();
    if (!start) return "";
    std::string edits;
    for (TextEdit edit : finding.fix.edits) {
      if (edit.span.file != path || edit.span.cell != 0) return "";
      edit.span.file = file;
      const auto meets = [&](const TextEdit& other) { return Collide(edit, other); };
      if (std::ranges::any_of(made, meets)) return "";
      edits += fmt::format(
          "        - FilePath:        {}\n          Offset:          {}\n"
          "          Length:          {}\n          ReplacementText: {}\n",
          YamlText(file), *start + edit.span.begin, edit.span.end - edit.span.begin,
          YamlText(edit.replacement));
    }
    for (TextEdit edit : finding.fix.edits) {
      edit.span.file = file;
      made.push_back(std::move(edit));
    }
    return fmt::format(
        "  - DiagnosticName:  {}\n    DiagnosticMessage:\n      Message:         {}\n"
        "      FilePath:        {}\n      FileOffset:      {}\n      Replacements:\n{}"
        "    Level:           {}\n",
        RuleName(finding), YamlText(finding.message), YamlText(file),
        *start + finding.fix.edits.front().span.begin, edits, LevelOf(finding.severity));
  }

 private:
  const ProgramRun& run_;
  FileTexts before_;
};

}  // namespace

absl::Status ExportFixes(const LintOptions& options, LintRun& run) {
  std::string entries;
  std::string main;
  std::vector<TextEdit> made;  // of files that several programs share, too
  for (ProgramRun& program : run.programs) {
    if (!program.linted || !PrepareFixes(run, program)) continue;
    const Exporter exporter(program, run.plan);
    const std::vector<Diagnostic>& findings = program.linted->findings;
    for (const size_t i : ChooseFixes(findings, options.fixes.unsafe, {})) {
      const std::string entry = exporter.Entry(findings[i], made);
      if (!entry.empty() && main.empty()) main = made.back().span.file;
      entries += entry;
    }
  }
  return WriteOutput(fmt::format("---\nMainSourceFile:  {}\nDiagnostics:{}{}...\n", YamlText(main),
                                 entries.empty() ? " []\n" : "\n", entries),
                     options.fixes.export_file);
}

}  // namespace tilewise
