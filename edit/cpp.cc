// Edits are made in whole lines, so that a formatter has nothing to repair.

#include "edit/cpp.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "edit/span_text.h"
#include "workload/cpp_path.h"

namespace tilewise {

namespace {

// Where the line of the arguments begins; nothing: a statement that began before goes on there.
// Comments and labels before the line would hide what it is.
std::optional<size_t> StartOfStatement(const std::string& text, const Span& arguments) {
  const size_t line = StartOfLine(text, static_cast<size_t>(arguments.begin));
  const size_t before = text.find_last_not_of(" \t\r\n", line == 0 ? 0 : line - 1);
  const bool starts_here = line == 0 || before == std::string::npos ||
                           std::string_view(";{}").find(text[before]) != std::string_view::npos;
  // Nor is the list of what a constructor makes a place for statements.
  std::string words = text.substr(line, static_cast<size_t>(arguments.begin) - line);
  for (size_t at = words.find("::"); at != std::string::npos; at = words.find("::")) {
    words.erase(at, 2);
  }
  if (!starts_here || words.find(':') != std::string::npos) return std::nullopt;
  return line;
}

}  // namespace

std::vector<TextEdit> AddCppLine(const Workload& workload, const Span& arguments,
                                 std::string_view added) {
  const std::string* text = TextWith(workload, arguments);
  if (text == nullptr || arguments.begin == arguments.end) return {};
  const std::optional<size_t> line = StartOfStatement(*text, arguments);
  if (!line) return {};
  const std::string_view indent = Indentation(*text, static_cast<size_t>(arguments.begin));
  return {Replacing(arguments, *line, *line, fmt::format("{}{}\n", indent, added))};
}

std::vector<TextEdit> AddCppOptions(const Workload& workload, const Span& arguments,
                                    std::string_view type, std::string_view name,
                                    std::string_view assignment) {
  const std::string* text = TextWith(workload, arguments);
  if (text == nullptr || arguments.begin == arguments.end || HasWord(*text, name)) return {};
  const std::optional<size_t> line = StartOfStatement(*text, arguments);
  if (!line) return {};
  const auto end = static_cast<size_t>(arguments.end);
  const std::string_view indent = Indentation(*text, static_cast<size_t>(arguments.begin));
  return {Replacing(arguments, *line, *line,
                    fmt::format("{0}{1} {2};\n{0}{2}.{3};\n", indent, type, name, assignment)),
          Replacing(arguments, end, end, fmt::format(", {}", name))};
}

std::string_view CppTextOf(const Workload& workload, const Span& span) {
  if (!IsCppPath(span.file) || span.begin >= span.end) return {};
  const std::string* text = TextWith(workload, span);
  if (text == nullptr) return {};
  return std::string_view(*text).substr(Begin(span), End(span) - Begin(span));
}

std::vector<TextEdit> ReplaceCpp(const Workload& workload, const Span& span,
                                 std::string_view text) {
  if (CppTextOf(workload, span).empty()) return {};
  return {Replacing(span, Begin(span), End(span), text)};
}

std::vector<TextEdit> AppendCpp(const Workload& workload, const Span& span, std::string_view text) {
  if (CppTextOf(workload, span).empty()) return {};
  return {Replacing(span, End(span), End(span), text)};
}

}  // namespace tilewise
