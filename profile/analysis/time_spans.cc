// Each function is one sweep over its operands.

#include "profile/analysis/time_spans.h"

#include <algorithm>

namespace tilewise {

void Append(Picoseconds begin, Picoseconds end, TimeSpans& set) {
  if (end <= begin) return;
  if (!set.empty() && begin <= set.back().end && begin >= set.back().begin) {
    set.back().end = std::max(set.back().end, end);
    return;
  }
  set.push_back({begin, end});
}

void Normalize(TimeSpans& set) {
  const auto before = [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; };
  if (!std::is_sorted(set.begin(), set.end(), before)) {
    std::sort(set.begin(), set.end(), before);
  }
  TimeSpans joined;
  for (const TimeSpan& one : set) Append(one.begin, one.end, joined);
  set = std::move(joined);
}

TimeSpans Both(const TimeSpans& a, const TimeSpans& b) {
  TimeSpans both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    Append(std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end), both);
    (a[i].end < b[j].end ? i : j) += 1;
  }
  return both;
}

TimeSpans Without(const TimeSpans& a, const TimeSpans& b) {
  TimeSpans rest;
  size_t j = 0;
  for (const TimeSpan& one : a) {
    Picoseconds at = one.begin;
    while (j < b.size() && b[j].end <= at) ++j;
    for (size_t k = j; k < b.size() && b[k].begin < one.end; ++k) {
      Append(at, b[k].begin, rest);
      at = std::max(at, b[k].end);
    }
    Append(at, one.end, rest);
  }
  return rest;
}

Picoseconds LengthOf(const TimeSpans& set) {
  Picoseconds length = 0;
  for (const TimeSpan& one : set) length += one.end - one.begin;
  return length;
}

}  // namespace tilewise
