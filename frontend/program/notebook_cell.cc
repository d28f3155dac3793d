// Cells of notebooks: magics and shell commands besides Python.

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "frontend/program/read_program.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

void Blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// Commands that may start a program or move to another folder.
bool Matters(std::string_view command) {
  return Contains(command, "python") || Contains(command, "run") || Contains(command, "launch") ||
         Contains(command, "cd ");
}

// The end of a command that goes on over lines that end with a backslash.
size_t CommandEnd(std::string_view text, size_t begin) {
  size_t end = std::min(text.find('\n', begin), text.size());
  while (end < text.size() && end > begin && text[end - 1] == '\\') {
    end = std::min(text.find('\n', end + 1), text.size());
  }
  return end;
}

// The command at [begin, end) as a call of the same length; a number where it is
// of no interest, so that it may be the body of a block.
void Replace(ProgramText& out, size_t begin, size_t end) {
  const std::string command = out.text.substr(begin, end - begin);
  std::string stand_in = "0";
  if (Matters(command)) {
    stand_in = fmt::format("_r({})", out.commands.size());
    out.commands.push_back(command);
  }
  const size_t first = std::min(out.text.find('\n', begin), end);
  Blank(out.text, begin, end);
  if (first - begin >= stand_in.size()) {
    out.text.replace(begin, stand_in.size(), stand_in);
  }
}

// "%%writefile train.py", "%%file train.py"; empty: it writes none.
std::string FileWritten(std::string_view text) {
  for (const std::string_view magic : {"%%writefile ", "%%file "}) {
    if (!text.starts_with(magic)) continue;
    std::string_view name = text.substr(magic.size(), text.find('\n') - magic.size());
    if (name.starts_with("-a ")) name.remove_prefix(3);
    const size_t begin = name.find_first_not_of(" \t");
    const size_t end = name.find_last_not_of(" \t\r");
    if (begin == std::string_view::npos) return "";
    return std::string(name.substr(begin, end - begin + 1));
  }
  return "";
}

bool IsShellCell(std::string_view text) {
  return text.starts_with("%%bash") || text.starts_with("%%shell") || text.starts_with("%%sh");
}

}  // namespace

ProgramText ReadCell(std::string text, int32_t cell) {
  ProgramText out = {std::move(text), cell};
  const bool magic = out.text.starts_with("%%");
  const bool shell = magic && IsShellCell(out.text);
  size_t begin = 0;
  if (magic) {
    out.writes = FileWritten(out.text);
    const size_t first = std::min(out.text.find('\n'), out.text.size());
    const bool python =
        out.text.starts_with("%%time") || out.text.starts_with("%%capture") || !out.writes.empty();
    Blank(out.text, 0, python || shell ? first : out.text.size());
    if (!out.writes.empty()) return out;
    begin = first + 1;
  }
  while (begin < out.text.size()) {
    size_t end = std::min(out.text.find('\n', begin), out.text.size());
    const size_t first = out.text.find_first_not_of(" \t", begin);
    if (first < end && (shell || out.text[first] == '%' || out.text[first] == '!')) {
      end = CommandEnd(out.text, first);
      Replace(out, first, end);
    }
    begin = end + 1;
  }
  return out;
}

bool StartsProgram(const ProgramText& text) {
  return std::ranges::any_of(text.commands,
                             [](const std::string& command) { return Contains(command, ".py"); });
}

}  // namespace tilewise::program
