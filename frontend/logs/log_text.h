// What all readers of logs need of a line: its words without what the logger
// puts first, numbers, sizes and durations in the forms that programs print.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace tilewise {

// A line without its prefixes, and what these say.
struct PeeledLine {
  std::string_view text;  // without blanks at both ends
  std::string_view host;  // "worker-0", "rank3", "(EngineCore pid=1)"; empty: not said
};

// Takes off times, severities, threads, source lines ("xla_util.cc:76]"), the
// names of loggers and of hosts, in any order.
PeeledLine Peel(std::string_view line);
inline std::string_view LogText(std::string_view line) { return Peel(line).text; }

// Seconds of the day that the line's prefix names; none where it has no time.
std::optional<double> ClockOf(std::string_view line);
// Returns the time from one clock to a later one, over midnight.
Seconds Between(double from, double to);

// Returns the line without the escape sequences of terminals.
std::string WithoutColours(std::string_view line);

// What stands after the first `key` in `line`; empty when it is not there.
std::string_view After(std::string_view line, std::string_view key);
std::string_view Before(std::string_view line, std::string_view key);
std::string_view Trimmed(std::string_view text);
inline bool Has(std::string_view line, std::string_view key) {
  return line.find(key) != std::string_view::npos;
}

// The number that `text` starts with, after blanks and a sign of equality or a
// colon: "=12", ": 12.5". None when there is none.
std::optional<double> NumberAtStart(std::string_view text);
// The number that ends `text`: "in 5" of "steps in 5".
std::optional<double> NumberEnding(std::string_view text);
// The number after `key`.
std::optional<double> NumberAfter(std::string_view line, std::string_view key);

// The size that `text` starts with, after blanks: "21.95G", "4.0K", "0B",
// "7.48GiB", "3.47E", "2.648 GiB". Zero when there is none.
Bytes ParseLogSize(std::string_view text);

// "19.27s", "2m12.85s", "350ms", "53us", "1h2m3s", "1:02:03", "0:41".
std::optional<Seconds> ParseDuration(std::string_view text);
// What torch_xla prints, where a part is one too large when the next one is at
// least half of it: "054ms856.143us" is 53.856 ms.
std::optional<Seconds> ParseTorchDuration(std::string_view text);

// What stands between the quotes after `key` ("op_name="), which no quote
// escaped by a backslash ends.
std::string QuotedAfter(std::string_view line, std::string_view key);

// "file.py" and 13 of source_file="file.py" source_line=13.
struct QuotedSource {
  std::string file;
  int32_t line = 0;
};
QuotedSource SourceIn(std::string_view text);

}  // namespace tilewise
