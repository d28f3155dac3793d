// Text edits of Python calls, made from the spans that readers kept. Nothing
// is returned when the text is not there to be edited.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

std::string_view TextOf(const Workload& workload, const Span& span);

// `argument` ("drop_remainder=True") after the last one between the
// parentheses.
std::vector<TextEdit> AppendArgument(const Workload& workload,
                                     const Span& arguments,
                                     std::string_view argument);
// Replaces the value of keyword `name`, or appends it when it is absent.
std::vector<TextEdit> SetArgument(const Workload& workload,
                                  const Span& arguments, std::string_view name,
                                  std::string_view value);
// Moves the chained call `call` to just before or just after `other`.
std::vector<TextEdit> MoveCallBefore(const Workload& workload, const Span& call,
                                     const Span& other);
std::vector<TextEdit> MoveCallAfter(const Workload& workload, const Span& call,
                                    const Span& other);
// Chains `text` (".cache()") to `other`, on a line of its own where `other`
// has one.
std::vector<TextEdit> AppendCall(const Workload& workload, const Span& other,
                                 std::string_view text);

// "tf.data.AUTOTUNE" as this file spells it.
std::string AutotuneIn(const Workload& workload, const std::string& file);

}  // namespace tilewise
