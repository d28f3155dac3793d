// The table of output formats: one line each.

#include "report/renderers.h"

namespace tilewise {
namespace {

constexpr Format kFormats[] = {
    {"text", "for a terminal: verdict, findings with excerpts, tables", RenderText},
    {"json", "for programs; docs/schema/report.schema.json describes it", RenderJson},
    {"markdown", "for pull requests and issues", RenderMarkdown},
    {"concise", "one line per finding and a summary", RenderConcise, true},
    {"json-lines", "the JSON of one finding per line", RenderJsonLines, true},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", RenderSarif, true},
    {"github", "annotations of GitHub Actions", RenderGithub, true},
    {"gitlab", "code quality report of GitLab", RenderGitlab, true},
    {"junit", "JUnit XML, for CI servers", RenderJunit, true},
    {"checkstyle", "Checkstyle XML, for code review tools", RenderCheckstyle, true},
    {"gcc", "messages like a compiler's, for editors", RenderGcc, true},
};

}  // namespace

std::span<const Format> Formats() { return kFormats; }

const Format* FindFormat(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace tilewise
