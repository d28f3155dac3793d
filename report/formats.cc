// The table of output formats: one line each.

#include "report/renderers.h"

namespace tilewise {

template <>
std::span<const FormatOf<Report>> FormatsOf<Report>() {
  static constexpr FormatOf<Report> kFormats[] = {
      {"text", RenderText, "for a terminal: verdict, findings with excerpts, tables"},
      {"json", RenderJson, "for programs; docs/schema/report.schema.json describes it"},
      {"markdown", RenderMarkdown, "for pull requests and issues"},
      {"concise", RenderConcise, "one line per finding and a summary", true},
      {"json-lines", RenderJsonLines, "the JSON of one finding per line", true},
      {"sarif", RenderSarif, "SARIF 2.1.0, for code scanning and editors", true},
      {"github", RenderGithub, "annotations of GitHub Actions", true},
      {"gitlab", RenderGitlab, "code quality report of GitLab", true},
      {"junit", RenderJunit, "JUnit XML, for CI servers", true},
      {"checkstyle", RenderCheckstyle, "Checkstyle XML, for code review tools", true},
      {"gcc", RenderGcc, "messages like a compiler's, for editors", true},
      {"svg", RenderSvg, "the curve of a search, drawn", false, true},
  };
  return kFormats;
}

}  // namespace tilewise
