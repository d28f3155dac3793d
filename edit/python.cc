// Text edits of the arguments of Python calls, and of the name before them.

#include "edit/python.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/span_text.h"

namespace tilewise {
namespace {

constexpr std::string_view kIndent = "    ";

// `**settings` may hold the argument already; a generator stands alone.
bool TakesNoKeyword(std::string_view text) {
  return HasWord(text, "for") ||
         std::ranges::any_of(SplitArguments(text),
                             [](const auto& argument) { return argument.stars == 2; });
}

const ArgumentText* Find(const std::vector<ArgumentText>& arguments, std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &ArgumentText::keyword);
  return found == arguments.end() ? nullptr : &*found;
}

// Adds the argument below the last one, which a comment or a line break
// follows.
std::vector<TextEdit> AppendLine(const std::string& whole, const Span& arguments, size_t end,
                                 bool comma, std::string_view argument) {
  const std::string_view text =
      std::string_view(whole).substr(Begin(arguments), End(arguments) - Begin(arguments));
  const size_t last = Begin(arguments) + end;
  const size_t line = Begin(arguments) + EndOfLine(text, end);
  std::string indent(Indentation(whole, last - 1));
  // The last argument stands on the line of the call itself.
  if (StartOfLine(whole, last - 1) < Begin(arguments)) indent += kIndent;
  const size_t before_return = line > last && whole[line - 1] == '\r' ? line - 1 : line;
  const std::string inserted = fmt::format("\n{}{}{}", indent, argument, comma ? "," : "");
  std::vector<TextEdit> edits;
  if (comma || before_return == last) {
    edits.push_back(
        Replacing(arguments, before_return, before_return, (comma ? "" : ",") + inserted));
    return edits;
  }
  edits.push_back(Replacing(arguments, last, last, ","));
  edits.push_back(Replacing(arguments, before_return, before_return, inserted));
  return edits;
}

std::vector<TextEdit> ReplaceName(const Workload& workload, const Span& arguments,
                                  std::string_view name, bool dots) {
  const std::string* text = PythonTextWith(workload, arguments);
  if (text == nullptr || arguments.begin == 0) return {};
  size_t end = Begin(arguments) - 1;
  if ((*text)[end] != '(') return {};
  while (end > 0 && IsPythonSpace((*text)[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 &&
         (IsNameCharacter((*text)[begin - 1]) || (dots && (*text)[begin - 1] == '.'))) {
    --begin;
  }
  // A method of something that is not a name keeps what it is called on.
  if (begin == end || (*text)[begin] == '.') return {};
  return {Replacing(arguments, begin, end, name)};
}

}  // namespace

std::string_view TextOf(const Workload& workload, const Span& span) {
  const std::string* text = PythonTextWith(workload, span);
  if (text == nullptr) return {};
  return std::string_view(*text).substr(Begin(span), End(span) - Begin(span));
}

std::vector<TextEdit> AppendArgument(const Workload& workload, const Span& arguments,
                                     std::string_view argument) {
  const std::string* whole = PythonTextWith(workload, arguments);
  if (whole == nullptr) return {};
  const std::string_view text = TextOf(workload, arguments);
  if (TakesNoKeyword(text)) return {};
  const size_t end = EndOfCode(text);
  const bool comma = end > 0 && text[end - 1] == ',';
  if (end > 0 && text.find('\n', end) != std::string_view::npos) {
    return AppendLine(*whole, arguments, end, comma, argument);
  }
  std::string inserted(argument);
  if (comma) inserted = fmt::format(" {},", argument);
  if (end > 0 && !comma) inserted = fmt::format(", {}", argument);
  return {{.span = At(arguments, Begin(arguments) + end), .replacement = inserted}};
}

std::vector<TextEdit> SetArgument(const Workload& workload, const Span& arguments,
                                  std::string_view name, std::string_view value) {
  const std::vector<ArgumentText> found = SplitArguments(TextOf(workload, arguments));
  const ArgumentText* argument = Find(found, name);
  if (argument == nullptr) {
    return AppendArgument(workload, arguments, fmt::format("{}={}", name, value));
  }
  return {Replacing(arguments, Begin(arguments) + argument->value, Begin(arguments) + argument->end,
                    value)};
}

std::vector<TextEdit> SetArgumentAt(const Workload& workload, const Span& arguments,
                                    size_t position, std::string_view name,
                                    std::string_view value) {
  const std::vector<ArgumentText> found = SplitArguments(TextOf(workload, arguments));
  size_t place = 0;
  for (const ArgumentText& argument : found) {
    if (argument.stars == 1 && place <= position) return {};
    if (argument.stars > 0 || !argument.keyword.empty()) continue;
    if (place == position) {
      return {Replacing(arguments, Begin(arguments) + argument.value,
                        Begin(arguments) + argument.end, value)};
    }
    ++place;
  }
  return SetArgument(workload, arguments, name, value);
}

std::vector<TextEdit> RemoveArgument(const Workload& workload, const Span& arguments,
                                     std::string_view name) {
  const std::string_view text = TextOf(workload, arguments);
  const std::vector<ArgumentText> found = SplitArguments(text);
  const ArgumentText* argument = Find(found, name);
  if (argument == nullptr) return {};
  const size_t index = argument - found.data();
  size_t begin = argument->begin;
  size_t end = argument->end;
  if (index + 1 < found.size()) {
    end = found[index + 1].begin;  // its comma, and the space behind it
  } else if (index > 0) {
    begin = found[index - 1].end;  // the comma before it
  } else {
    end = EndOfCode(text);  // a comma that follows the only one
  }
  // Comments between two arguments would go with them.
  const std::string_view gone = text.substr(begin, end - begin);
  if (gone.find('#') != std::string_view::npos) {
    begin = argument->begin;
    end = argument->end;
    const size_t comma = text.find(',', end);
    if (comma != std::string_view::npos && EndOfCode(text.substr(end, comma - end)) == 0) {
      end = comma + 1;
    }
  }
  return {Replacing(arguments, Begin(arguments) + begin, Begin(arguments) + end, "")};
}

std::vector<TextEdit> ReplaceCallName(const Workload& workload, const Span& arguments,
                                      std::string_view name) {
  return ReplaceName(workload, arguments, name, true);
}

std::vector<TextEdit> ReplaceLastName(const Workload& workload, const Span& arguments,
                                      std::string_view name) {
  return ReplaceName(workload, arguments, name, false);
}

namespace {

// Each line that starts at the left margin and imports something.
std::vector<std::string_view> ImportLines(const SourceFile& source) {
  std::vector<std::string_view> lines;
  const auto add = [&](std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      if (line.starts_with("import ") || line.starts_with("from ")) lines.push_back(line);
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
  };
  add(source.text);
  for (const std::string& cell : source.cells) add(cell);
  return lines;
}

bool Mentions(const SourceFile& source, std::string_view part) {
  return source.text.find(part) != std::string::npos ||
         std::ranges::any_of(source.cells, [&](const std::string& cell) {
           return cell.find(part) != std::string::npos;
         });
}

// The name that the file gives to TensorFlow: "tf"; empty: none at its top.
std::string NameOfTensorFlow(const SourceFile& source, bool& first_release) {
  std::string name;
  for (std::string_view line : ImportLines(source)) {
    line = line.substr(0, line.find_first_of("#\r"));
    if (!line.starts_with("import tensorflow")) continue;
    const size_t as = line.find(" as ");
    const std::string_view module = line.substr(7, line.find_first_of(" ,", 7) - 7);
    const bool v1 = module == "tensorflow.compat.v1";
    if (!v1 && module != "tensorflow" && module != "tensorflow.compat.v2") continue;
    if (as == std::string_view::npos && module != "tensorflow") continue;
    if (!name.empty() && v1) continue;
    name = as == std::string_view::npos ? "tensorflow" : std::string(line.substr(as + 4));
    name.erase(name.find_last_not_of(" \t") + 1);
    first_release = v1;
  }
  return name;
}

// What the second release has no more, or has under compat.v1.
bool IsOfFirstRelease(const SourceFile& source) {
  constexpr std::string_view kSigns[] = {".contrib.",
                                         "tf.Session(",
                                         "tf.placeholder(",
                                         "tf.app.",
                                         "tf.logging.",
                                         "tf.gfile.",
                                         "tf.layers.",
                                         "tf.parse_single_example",
                                         "tf.train.Saver",
                                         "tf.flags.",
                                         "tf.get_variable(",
                                         "disable_v2_behavior",
                                         "enable_eager_execution"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return Mentions(source, sign); });
}

}  // namespace

std::string AutotuneIn(const Workload& workload, const std::string& file) {
  for (const SourceFile& source : workload.files) {
    if (source.path != file) continue;
    bool first_release = false;
    const std::string name = NameOfTensorFlow(source, first_release);
    if (name.empty() || name.find_first_of(" ,(") != std::string::npos) return "";
    const bool old = first_release || IsOfFirstRelease(source) ||
                     Mentions(source, name + ".data.experimental.AUTOTUNE");
    if (!old || Mentions(source, name + ".data.AUTOTUNE")) return name + ".data.AUTOTUNE";
    return name + ".data.experimental.AUTOTUNE";
  }
  return "tf.data.AUTOTUNE";
}

}  // namespace tilewise
