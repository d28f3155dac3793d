// Text edits of C++ sources.

#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// Makes a variable `name` of `type` on a line before the statement with the call, sets
// `assignment` ("size = 4") in it, and passes it as the call's last argument. `arguments` are the
// bytes of those that are there. Nothing where the name is taken, or where the statement does not
// begin on the line of the arguments.
std::vector<TextEdit> AddCppOptions(const Workload& workload, const Span& arguments,
                                    std::string_view type, std::string_view name,
                                    std::string_view assignment);

// `added` on a line before the statement that begins on the line of the arguments; nothing as
// above.
std::vector<TextEdit> AddCppLine(const Workload& workload, const Span& arguments,
                                 std::string_view added);

// `text` in the place of what the span has. Nothing where the span is empty, or of no C++.
std::vector<TextEdit> ReplaceCpp(const Workload& workload, const Span& span, std::string_view text);

// `text` behind what the span has; nothing as above.
std::vector<TextEdit> AppendCpp(const Workload& workload, const Span& span, std::string_view text);

// What the span has; empty as above.
std::string_view CppTextOf(const Workload& workload, const Span& span);

}  // namespace tilewise
