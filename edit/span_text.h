// What all makers of edits share: the text that a span counts in.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// Of the span's file or cell; null when the span is not inside of it.
const std::string* TextWith(const Workload& workload, const Span& span);

// The empty range at `position` of the text in which `span` counts.
Span At(const Span& span, size_t position);
// The range [begin, end) of that text.
Span RangeOf(const Span& span, size_t begin, size_t end);

inline size_t Begin(const Span& span) { return static_cast<size_t>(span.begin); }
inline size_t End(const Span& span) { return static_cast<size_t>(span.end); }

}  // namespace tilewise
