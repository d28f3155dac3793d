// Lines of logs: what loggers put before the text, and sizes as XLA prints
// them.

#pragma once

#include <string>
#include <string_view>

#include "base/units.h"

namespace tilewise {

// Without the time, thread and source line that a logger puts first
// ("2020-05-04 09:05:40.719332: E 1578 xla_util.cc:76] "), and without blanks
// at both ends.
std::string_view LogText(std::string_view line);

// What stands after the first `key` in `line`; empty when it is not there.
std::string_view After(std::string_view line, std::string_view key);

// The size that `text` starts with, after blanks: "21.95G", "4.0K", "0B",
// "7.48GiB". Zero when there is none.
Bytes ParseLogSize(std::string_view text);

// What stands between the quotes after `key` ("op_name="), which no quote
// escaped by a backslash ends.
std::string QuotedAfter(std::string_view line, std::string_view key);

}  // namespace tilewise
