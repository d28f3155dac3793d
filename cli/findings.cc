// Findings are accepted one by one, before any is folded with others. Files are
// searched for the one word that all comments for tilewise have before any text
// is copied.

#include "cli/findings.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "frontend/load.h"
#include "frontend/mapped_file.h"
#include "lint/fixed_dims.h"
#include "lint/source_lines.h"
#include "report/too_small_text.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr std::string_view kMark = "tilewise:";
// Larger texts are not searched for comments.
constexpr size_t kLargestText = size_t{64} << 20;

struct StyleOfFormat {
  std::string_view format;
  CommentStyle style;
};
constexpr std::array kStyles = {
    StyleOfFormat{"python", CommentStyle::kPython},
    StyleOfFormat{"notebook", CommentStyle::kPython},
    StyleOfFormat{"training-yaml", CommentStyle::kHash},
    StyleOfFormat{"training-gin", CommentStyle::kHash},
    StyleOfFormat{"pipeline-config", CommentStyle::kHash},
    StyleOfFormat{"hlo-textproto", CommentStyle::kHash},
    StyleOfFormat{"graphdef", CommentStyle::kHash},
    StyleOfFormat{"metagraph", CommentStyle::kHash},
    StyleOfFormat{"hlo-text", CommentStyle::kSlash},
    StyleOfFormat{"mlir", CommentStyle::kSlash},
    StyleOfFormat{"cpp", CommentStyle::kSlash},
};

bool IsCommentedText(std::string_view bytes) {
  return bytes.size() <= kLargestText && bytes.find('\0') == std::string_view::npos &&
         bytes.find(kMark) != std::string_view::npos;
}

void AddText(const std::string& path, std::string_view bytes, std::vector<SourceFile>& files) {
  if (!IsCommentedText(bytes)) return;
  const auto known = std::ranges::find(files, path, &SourceFile::path);
  if (known != files.end()) {
    known->text = std::string(bytes);
  } else {
    files.push_back({path, std::string(bytes), {}});
  }
}

bool HasText(const std::vector<SourceFile>& files, const std::string& path) {
  return std::ranges::any_of(files, [&](const SourceFile& file) {
    return file.path == path && !(file.text.empty() && file.cells.empty());
  });
}

// Those of `paths` that have comments for tilewise get their texts in `files`.
void AddCommentedTexts(const std::vector<std::string>& paths, const FileTexts* texts,
                       std::vector<SourceFile>& files) {
  for (const std::string& path : paths) {
    if (HasText(files, path)) continue;
    if (texts != nullptr && texts->contains(path)) {
      AddText(path, texts->at(path), files);
      continue;
    }
    if (!CommentStyleOf(path)) continue;
    const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
    if (file.ok()) AddText(path, file->bytes(), files);
  }
}

// How comments are written in files whose names do not tell (standard input),
// by the format of their content.
std::map<std::string, CommentStyle> CommentStylesOf(const std::vector<SourceFile>& files) {
  std::map<std::string, CommentStyle> styles;
  for (const SourceFile& file : files) {
    if (file.text.empty() || CommentStyleOf(file.path)) continue;
    const InputFormat* format = SniffFormat({file.path, file.text});
    if (format == nullptr) continue;
    const auto* const style = std::ranges::find(kStyles, format->name, &StyleOfFormat::format);
    if (style != kStyles.end()) styles[file.path] = style->style;
  }
  return styles;
}

}  // namespace

Findings RunRules(const Session& session, const ModelOptions& model, const RuleConfig& rules,
                  const FileTexts* texts, bool savings) {
  Findings findings;
  findings.files = session.workload().files;
  AddCommentedTexts(model.inputs.files, texts, findings.files);
  Suppressor suppressor(findings.files, *model.config.found, rules,
                        CommentStylesOf(findings.files));
  RuleRun run = RunRules(
      session.facts(), rules.selection,
      {.settings = rules.settings, .savings = savings, .accepted = [&](const Diagnostic& finding) {
         return suppressor.Accepts(finding);
       }});
  findings.reachable = std::move(run.reachable);
  findings.too_small = std::move(run.too_small);
  findings.left = suppressor.Finish(std::move(run), session.Step() != nullptr);
  return findings;
}

std::optional<Diagnostic> NoteOnTooSmall(const std::vector<TooSmall>& too_small,
                                         const std::string& file) {
  if (too_small.empty()) return std::nullopt;
  Diagnostic note;
  note.rule = "RD006";
  note.name = "too-small";
  note.severity = Severity::kInfo;
  note.location.file = file;
  note.message = fmt::format("seen, and not worth a change here: {}",
                             fmt::join(TooSmallInWords(too_small, file), "; "));
  return note;
}

// Dims are looked for in the graph as it was read and as it was lowered.
std::map<std::string, std::string> UnmatchedDims(const std::vector<std::string>& fixed_dims,
                                                 const Session& session) {
  std::vector<const Graph*> graphs;
  if (session.facts().source != nullptr) graphs.push_back(session.facts().source);
  if (session.Step() != nullptr) graphs.push_back(&session.Step()->program.graph);
  if (graphs.empty()) return {};
  return UnmatchedFixedDims(fixed_dims, graphs);
}

std::string UnmatchedDimInWords(const std::string& from, const std::string& word,
                                const std::string& hint) {
  return fmt::format(
      "{}: found '{}' in fixed-dims, which is no dim of the models that were "
      "read, expected a size (30522), an op or layer (embedding, head/*), or "
      "one with the number of a dim (dense/kernel:1){}{}",
      from, word, hint.empty() ? "" : "; ", hint);
}

}  // namespace tilewise
