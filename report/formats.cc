// The table of output formats: one line each.

#include "report/renderers.h"

namespace tilewise {
namespace {

constexpr Format kFormats[] = {
    {"text", "for a terminal: verdict, findings with excerpts, tables",
     RenderText},
    {"json", "for programs; docs/schema/report.schema.json describes it",
     RenderJson},
    {"markdown", "for pull requests and issues", RenderMarkdown},
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
