// YAML edits. Block maps and lists are followed by their indentation; flow maps
// ({a: 1}) are found inside of one line. Anchors, tags, aliases and values over
// several lines are left alone.

#include <algorithm>

#include <fmt/format.h>

#include "edit/data.h"
#include "edit/span_text.h"
#include "edit/value_path.h"

namespace tilewise {
namespace {

// One line that has something on it. "- key: value" has two entries: the dash
// at its column and the key behind it.
struct Entry {
  size_t indent = 0;     // columns before it
  std::string_view key;  // empty: a dash, or a value alone
  bool dash = false;
  size_t begin = 0;  // of the key or dash
  size_t value = 0;  // where the value begins on the line; equal to end: none
  size_t end = 0;
  size_t line_end = 0;
};

// Returns where the value that begins at `at` ends, which is before a comment.
size_t EndOfScalar(std::string_view text, size_t at, size_t line_end) {
  if (at < line_end && (text[at] == '"' || text[at] == '\'')) {
    return std::min(EndOfString(text, at), line_end);
  }
  size_t end = at;
  for (size_t i = at; i < line_end; ++i) {
    if (text[i] == '#' && (i == at || IsPythonSpace(text[i - 1]))) break;
    if (!IsPythonSpace(text[i])) end = i + 1;
  }
  return end;
}

// Returns where the colon stands that ends a key at `at`; npos: no key.
size_t ColonAfterKey(std::string_view text, size_t at, size_t line_end) {
  if (text[at] == '"' || text[at] == '\'') {
    at = std::min(EndOfString(text, at), line_end);
  }
  for (size_t i = at; i < line_end; ++i) {
    if (text[i] == '#' || text[i] == '{' || text[i] == '[') break;
    const bool space = i + 1 == line_end || IsPythonSpace(text[i + 1]);
    if (text[i] == ':' && space) return i;
  }
  return std::string_view::npos;
}

std::string_view Unquoted(std::string_view key) {
  if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
    return key.substr(1, key.size() - 2);
  }
  return key;
}

void AddEntries(std::string_view text, size_t line, size_t line_end, std::vector<Entry>& entries) {
  size_t at = line;
  while (true) {
    at = std::min(text.find_first_not_of(" \t\r", at), line_end);
    if (at >= line_end || text[at] == '#') return;
    Entry entry = {.indent = at - line, .begin = at, .line_end = line_end};
    entry.dash = text[at] == '-' && (at + 1 == line_end || IsPythonSpace(text[at + 1]));
    if (entry.dash) {
      entry.value = entry.end = at + 1;
      const size_t next = text.find_first_not_of(" \t\r", at + 1);
      if (next < line_end && text[next] != '#') {
        entry.value = next;
        entry.end = EndOfScalar(text, next, line_end);
      }
      entries.push_back(entry);
      ++at;
      continue;
    }
    const size_t colon = ColonAfterKey(text, at, line_end);
    if (colon == std::string_view::npos || colon == at) return;
    const size_t key_end = at + EndOfCode(text.substr(at, colon - at));
    entry.key = Unquoted(text.substr(at, key_end - at));
    const size_t value = text.find_first_not_of(" \t\r", colon + 1);
    entry.value = entry.end = colon + 1;
    if (value < line_end && text[value] != '#') {
      entry.value = value;
      entry.end = EndOfScalar(text, value, line_end);
    }
    entries.push_back(entry);
    return;
  }
}

std::vector<Entry> EntriesOf(std::string_view text) {
  std::vector<Entry> entries;
  for (size_t line = 0; line < text.size();) {
    const size_t line_end = EndOfLine(text, line);
    if (!text.substr(line).starts_with("---")) {
      AddEntries(text, line, line_end, entries);
    }
    line = line_end + 1;
  }
  return entries;
}

// Entries [begin, end) that are inside of another one, or all.
struct Block {
  size_t begin = 0;
  size_t end = 0;
};

// What is below `at`: entries that are indented deeper. The dashes of a list
// may stand right below its key.
Block Below(const std::vector<Entry>& entries, size_t at, size_t limit) {
  const Entry& head = entries[at];
  size_t end = at + 1;
  while (end < limit) {
    const Entry& entry = entries[end];
    const bool list = entry.dash && !head.dash && entry.indent == head.indent;
    if (entry.indent <= head.indent && !list) break;
    ++end;
  }
  return {at + 1, end};
}

// The entry of a block that a step names; `end` of the block: none.
size_t FindEntry(const std::vector<Entry>& entries, const Block& block, const PathStep& step) {
  if (block.begin == block.end) return block.end;
  const size_t indent = entries[block.begin].indent;
  size_t index = step.index;
  for (size_t i = block.begin; i < block.end; ++i) {
    const Entry& entry = entries[i];
    if (entry.indent != indent) continue;
    if (step.key.empty() ? entry.dash && index-- == 0 : !entry.dash && entry.key == step.key) {
      return i;
    }
  }
  return block.end;
}

// Values of which more stands on other lines, or that are no plain values.
bool IsPlain(std::string_view text, const Entry& entry) {
  if (entry.value == entry.end) return false;
  const char c = text[entry.value];
  const bool open =
      (c == '{' || c == '[') && text[entry.end - 1] != '}' && text[entry.end - 1] != ']';
  return c != '&' && c != '*' && c != '!' && c != '|' && c != '>' && !open;
}

// The value of `key` in "{a: 1, key: 2}" at [begin, end).
std::optional<Block> InFlowMap(std::string_view text, size_t begin, size_t end,
                               std::string_view key) {
  if (end < begin + 2 || text[begin] != '{') return std::nullopt;
  const std::string_view inside = text.substr(begin + 1, end - begin - 2);
  for (const ArgumentText& part : SplitArguments(inside)) {
    const size_t colon = ColonAfterKey(inside, part.begin, part.end);
    if (colon == std::string_view::npos) continue;
    std::string_view name = inside.substr(part.begin, colon - part.begin);
    name = Unquoted(name.substr(0, EndOfCode(name)));
    if (name != key) continue;
    const size_t value = std::min(inside.find_first_not_of(" \t", colon + 1), part.end);
    return Block{begin + 1 + value, begin + 1 + part.end};
  }
  return std::nullopt;
}

// A key after the last one of its block.
std::vector<TextEdit> AddKey(std::string_view text, const Span& start,
                             const std::vector<Entry>& entries, const Block& block,
                             std::string_view key, std::string_view value) {
  if (block.begin == block.end) return {};
  const Entry& first = entries[block.begin];
  if (first.dash) return {};
  const Entry& last = entries[block.end - 1];
  if (last.value < last.end && !IsPlain(text, last)) return {};
  size_t place = last.line_end;
  if (place > last.end && text[place - 1] == '\r') --place;
  return {Replacing(start, place, place,
                    fmt::format("\n{}{}: {}", std::string(first.indent, ' '), key, value))};
}

}  // namespace

std::vector<TextEdit> SetYaml(const Workload& workload, const std::string& file,
                              std::string_view path, std::string_view value) {
  const auto place = FindInData(workload, file, path);
  if (!place) return {};
  const auto& [start, text, steps] = *place;
  const std::vector<Entry> entries = EntriesOf(text);
  Block block = {0, entries.size()};
  for (size_t i = 0; i < steps.size(); ++i) {
    const PathStep& step = steps[i];
    const bool last = i + 1 == steps.size();
    const size_t at = FindEntry(entries, block, step);
    if (at == block.end) {
      if (!last || step.key.empty()) return {};
      return AddKey(text, start, entries, block, step.key, value);
    }
    const Entry& entry = entries[at];
    if (last) {
      if (!IsPlain(text, entry)) return {};
      return {Replacing(start, entry.value, entry.end, value)};
    }
    const bool next_is_last = i + 2 == steps.size();
    const auto flow = InFlowMap(text, entry.value, entry.end, steps[i + 1].key);
    if (flow && next_is_last) {
      return {Replacing(start, flow->begin, flow->end, value)};
    }
    block = Below(entries, at, block.end);
  }
  return {};
}

}  // namespace tilewise
