// Edits of single values at the locations that readers recorded: a parameter of
// a pipeline stage, a setting of a configuration. What is written there decides
// the syntax, so that a rule need not know it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// "steps_per_loop: 1", "run.iterations_per_loop = 100", "batch_size=8".
struct SettingText {
  std::string_view name;  // without quotes
  Span value;             // of a scalar; an empty range: a block or a list
};

// The setting whose name begins at `place`. Nothing where none does, in a cell
// of a notebook, and where a macro stands for the value.
std::optional<SettingText> SettingAt(const Workload& workload, const Location& place);

// The whole number that is written there; nothing for any other text.
std::optional<int64_t> NumberIn(const Workload& workload, const Span& span);

// A flag of a stage, as an argument of its call, which is added when it is
// absent, or in the words of the configuration that has it.
std::vector<TextEdit> SetFlag(const Workload& workload, const Stage& stage,
                              std::string_view parameter, bool value);

// Another number for a parameter of a stage. Nothing where no number is
// written.
std::vector<TextEdit> SetNumber(const Workload& workload, const Stage& stage,
                                std::string_view parameter, int64_t value);

}  // namespace tilewise
