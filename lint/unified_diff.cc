// TextLines that both texts begin and end with are set aside; between them the
// shortest script is found with Myers' greedy algorithm ("An O(ND) difference
// algorithm and its variations", 1986). Beyond a number of changes everything
// between counts as replaced.

#include "lint/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/printable.h"

namespace tilewise {
namespace {

constexpr int64_t kContext = 3;
constexpr int64_t kMostChanges = 1000;

using TextLines = std::vector<std::string_view>;

// The lines have their line feeds.
TextLines SplitLines(std::string_view text) {
  TextLines lines;
  while (!text.empty()) {
    const size_t feed = text.find('\n');
    const size_t size = feed == std::string_view::npos ? text.size() : feed + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

enum class Mark : char { kKept = ' ', kGone = '-', kNew = '+' };

struct Line {
  Mark mark = Mark::kKept;
  std::string_view text;
};

int64_t Size(const TextLines& lines) { return static_cast<int64_t>(lines.size()); }

// The furthest line of `a` on each diagonal, before each number of changes.
std::vector<std::vector<int64_t>> Trace(const TextLines& a, const TextLines& b) {
  const int64_t most = std::min(Size(a) + Size(b), kMostChanges);
  std::vector<std::vector<int64_t>> trace;
  std::vector<int64_t> far(2 * most + 3, 0);
  const auto at = [&](int64_t k) -> int64_t& { return far[k + most + 1]; };
  for (int64_t changes = 0; changes <= most; ++changes) {
    trace.push_back(far);
    for (int64_t k = -changes; k <= changes; k += 2) {
      const bool down = k == -changes || (k != changes && at(k - 1) < at(k + 1));
      int64_t x = down ? at(k + 1) : at(k - 1) + 1;
      while (x < Size(a) && x - k < Size(b) && a[x] == b[x - k]) {
        ++x;
      }
      at(k) = x;
      if (x >= Size(a) && x - k >= Size(b)) return trace;
    }
  }
  return {};
}

// What happens to each line, walked back from the end of the trace.
std::vector<Line> Script(const TextLines& a, const TextLines& b) {
  std::vector<Line> script;
  const std::vector<std::vector<int64_t>> trace = Trace(a, b);
  if (trace.empty()) {
    for (const std::string_view line : a) script.push_back({Mark::kGone, line});
    for (const std::string_view line : b) script.push_back({Mark::kNew, line});
    return script;
  }
  const int64_t most = std::min(Size(a) + Size(b), kMostChanges);
  int64_t x = Size(a), y = Size(b);
  for (int64_t changes = static_cast<int64_t>(trace.size()) - 1; changes >= 0; --changes) {
    const auto far = [&](int64_t k) { return trace[changes][k + most + 1]; };
    const int64_t k = x - y;
    const bool down = k == -changes || (k != changes && far(k - 1) < far(k + 1));
    const int64_t before_x = changes == 0 ? 0 : far(down ? k + 1 : k - 1);
    const int64_t before_y = changes == 0 ? 0 : before_x - (down ? k + 1 : k - 1);
    while (x > before_x && y > before_y) {
      --x, --y;
      script.push_back({Mark::kKept, a[x]});
    }
    if (changes == 0) break;
    if (down) {
      script.push_back({Mark::kNew, b[--y]});
    } else {
      script.push_back({Mark::kGone, a[--x]});
    }
  }
  std::ranges::reverse(script);
  return script;
}

std::vector<Line> DiffLines(const TextLines& a, const TextLines& b) {
  size_t head = 0, tail = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
  while (tail + head < std::min(a.size(), b.size()) &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  const auto middle = [&](const TextLines& lines) {
    return TextLines(lines.begin() + static_cast<int64_t>(head),
                     lines.end() - static_cast<int64_t>(tail));
  };
  std::vector<Line> script;
  script.reserve(std::max(a.size(), b.size()));
  for (size_t i = 0; i < head; ++i) script.push_back({Mark::kKept, a[i]});
  for (const Line& line : Script(middle(a), middle(b))) script.push_back(line);
  for (size_t i = a.size() - tail; i < a.size(); ++i) {
    script.push_back({Mark::kKept, a[i]});
  }
  return script;
}

std::string HunkRange(int64_t begin, int64_t count) {
  if (count == 1) return fmt::format("{}", begin + 1);
  return fmt::format("{},{}", count == 0 ? begin : begin + 1, count);
}

// TextLines [begin, end) of the script; `a` and `b`: the lines before them.
std::string Hunk(const std::vector<Line>& script, size_t begin, size_t end, int64_t a, int64_t b) {
  int64_t gone = 0, added = 0;
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    const Line& line = script[i];
    if (line.mark != Mark::kNew) ++gone;
    if (line.mark != Mark::kGone) ++added;
    text += static_cast<char>(line.mark);
    text += line.text;
    if (!line.text.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }
  return fmt::format("@@ -{} +{} @@\n{}", HunkRange(a, gone), HunkRange(b, added), text);
}

}  // namespace

std::string UnifiedDiff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Line> script = DiffLines(SplitLines(before), SplitLines(after));
  const bool absolute = path.starts_with('/');
  std::string text = fmt::format("--- {0}{1}\n+++ {2}{1}\n", absolute ? "" : "a/", Printable(path),
                                 absolute ? "" : "b/");
  const auto size = static_cast<int64_t>(script.size());
  int64_t a = 0, b = 0, last = -1;  // `last`: the last change of the hunk
  int64_t begin = 0, a_begin = 0, b_begin = 0;
  for (int64_t i = 0; i <= size; ++i) {
    const bool change = i < size && script[i].mark != Mark::kKept;
    if (last >= 0 && (i == size || (change && i - last > 2 * kContext))) {
      text += Hunk(script, static_cast<size_t>(begin),
                   static_cast<size_t>(std::min(last + 1 + kContext, size)), a_begin, b_begin);
      last = -1;
    }
    if (i == size) break;
    if (change && last < 0) {
      // Only kept lines lie between, so both sides go back alike.
      const int64_t back = std::min(kContext, std::min(a, i));
      begin = i - back;
      a_begin = a - back;
      b_begin = b - back;
    }
    if (change) last = i;
    const Mark mark = script[i].mark;
    if (mark != Mark::kNew) ++a;
    if (mark != Mark::kGone) ++b;
  }
  return text;
}

}  // namespace tilewise
