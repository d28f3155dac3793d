// Arguments of a call as the text has them.

#pragma once

#include <string_view>
#include <vector>

#include "frontend/program/source_names.h"
#include "frontend/python/source_values.h"

namespace tilewise::python {

// What the text says of the arguments in `list`; `parameter` is the first
// parameter of the function around the call, or empty. SourceArgument::call is
// left open. `open` becomes whether there are *args or **kwargs.
std::vector<SourceArgument> ReadArguments(Node list, std::string_view parameter,
                                          const Aliases& aliases, const Constants& constants,
                                          bool& open);

// What is between the parentheses of `list`.
Span InsideOf(Node list);

// The value of a string literal without prefixes, escapes and interpolation.
std::optional<std::string> PlainString(Node node);

}  // namespace tilewise::python
