// Text edits of Python calls, made from the spans that readers kept. Nothing
// is returned when the text is not there to be edited, or when an edit could
// change what other code means.

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
// parentheses. Nothing where the last ones are `**settings` or a lone
// generator.
std::vector<TextEdit> AppendArgument(const Workload& workload, const Span& arguments,
                                     std::string_view argument);
// Replaces the value of keyword `name`, or appends it when it is absent.
std::vector<TextEdit> SetArgument(const Workload& workload, const Span& arguments,
                                  std::string_view name, std::string_view value);
// The same for a parameter that may also be given by its position: the 0-based
// `position` among those without keyword. Nothing when `*values` may fill it.
std::vector<TextEdit> SetArgumentAt(const Workload& workload, const Span& arguments,
                                    size_t position, std::string_view name, std::string_view value);
// Takes keyword `name` out, with its comma. Nothing when it is absent.
std::vector<TextEdit> RemoveArgument(const Workload& workload, const Span& arguments,
                                     std::string_view name);
// Moves the chained call `call` to just before or just after `other`, with the
// comment that stands behind it.
std::vector<TextEdit> MoveCallBefore(const Workload& workload, const Span& call, const Span& other);
std::vector<TextEdit> MoveCallAfter(const Workload& workload, const Span& call, const Span& other);
// Chains `text` (".cache()") to `other`, on a line of its own where `other`
// has one.
std::vector<TextEdit> AppendCall(const Workload& workload, const Span& other,
                                 std::string_view text);
// The same in front of `other`.
std::vector<TextEdit> PrependCall(const Workload& workload, const Span& other,
                                  std::string_view text);
// "tf.keras.layers.MaxPool2D" before the parenthesis that `arguments` follow
// becomes `name`.
std::vector<TextEdit> ReplaceCallName(const Workload& workload, const Span& arguments,
                                      std::string_view name);
// The same for the last part of the name alone: "MaxPool2D".
std::vector<TextEdit> ReplaceLastName(const Workload& workload, const Span& arguments,
                                      std::string_view name);
// Takes out the whole lines on which a statement stands; a `pass` stays where
// its block would be empty.
std::vector<TextEdit> RemoveStatement(const Workload& workload, const Span& statement);
// "tf.data.AUTOTUNE" as this file spells it and its release has it; empty where the file does not
// import TensorFlow at its top.
std::string AutotuneIn(const Workload& workload, const std::string& file);

}  // namespace tilewise
