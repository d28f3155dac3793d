// Spans are checked against the text here, so that no edit can reach beyond it.

#include "edit/span_text.h"

namespace tilewise {

const std::string* TextWith(const Workload& workload, const Span& span) {
  for (const SourceFile& file : workload.files) {
    if (file.path != span.file) continue;
    const std::string* text = &file.text;
    if (span.cell > 0) {
      const size_t index = span.cell - 1;
      if (index >= file.cells.size()) return nullptr;
      text = &file.cells[index];
    }
    const auto size = static_cast<int64_t>(text->size());
    const bool inside = span.begin >= 0 && span.begin <= span.end && span.end <= size;
    return inside ? text : nullptr;
  }
  return nullptr;
}

Span At(const Span& span, size_t position) { return RangeOf(span, position, position); }

Span RangeOf(const Span& span, size_t begin, size_t end) {
  return {span.file, span.cell, static_cast<int64_t>(begin), static_cast<int64_t>(end)};
}

}  // namespace tilewise
