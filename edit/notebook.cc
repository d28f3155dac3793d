// A cell's source is one string or a list of them. Their literals become
// letters; edits take letters out and put new ones in.

#include "edit/notebook.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "edit/json_text.h"

namespace tilewise {
namespace {

// A letter is one byte of the decoded text. The first byte of a character of
// several bytes has the whole spelling, the others none.
struct Letter {
  char byte = 0;
  std::string spelling;
};

using Letters = std::vector<Letter>;

void AppendUtf8(uint32_t code, std::string& text) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
}

uint32_t HexAt(std::string_view text, size_t at) {
  uint32_t code = 0;
  const std::string_view digits = text.substr(std::min(at, text.size()), 4);
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  return code;
}

// "\u00e9", or both halves of a pair; `at` moves behind it.
std::string DecodeUnicode(std::string_view text, size_t& at) {
  uint32_t code = HexAt(text, at + 2);
  at += 6;
  if (code >= 0xD800 && code < 0xDC00 && text.substr(at, 2) == "\\u") {
    code = 0x10000 + ((code - 0xD800) << 10) + (HexAt(text, at + 2) - 0xDC00);
    at += 6;
  }
  std::string decoded;
  AppendUtf8(code, decoded);
  return decoded;
}

char DecodeEscape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

std::string Escape(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    default:
      return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<int>(c))
                                                  : std::string(1, c);
  }
}

// Takes the escapes out of a literal, which comes with its quotes.
Letters DecodeLiteral(std::string_view literal) {
  Letters letters;
  const std::string_view text = literal.size() < 2 ? "" : literal.substr(1, literal.size() - 2);
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    std::string decoded(1, text[at]);
    if (text[at] != '\\' || at + 1 >= text.size()) {
      ++at;
    } else if (text[at + 1] == 'u') {
      decoded = DecodeUnicode(text, at);
      at = std::min(at, text.size());
    } else {
      decoded[0] = DecodeEscape(text[at + 1]);
      at += 2;
    }
    for (size_t i = 0; i < decoded.size(); ++i) {
      letters.push_back({decoded[i], i == 0 ? std::string(text.substr(begin, at - begin)) : ""});
    }
  }
  return letters;
}

// Makes letters of new text, each escaped as JSON wants it.
Letters LettersOfText(std::string_view text) {
  Letters letters;
  letters.reserve(text.size());
  for (const char c : text) letters.push_back({c, Escape(c)});
  return letters;
}

// The literal of letters [begin, end), with its quotes.
std::string LiteralOf(const Letters& letters, size_t begin, size_t end) {
  std::string text = "\"";
  for (size_t i = begin; i < end; ++i) text += letters[i].spelling;
  return text + "\"";
}

// One literal for each line.
std::vector<std::string> LiteralLines(const Letters& letters) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters[i].byte != '\n' && i + 1 < letters.size()) continue;
    lines.push_back(LiteralOf(letters, begin, i + 1));
    begin = i + 1;
  }
  return lines;
}

// The source of one code cell in the file.
struct CellSource {
  std::vector<JsonPart> literals;  // one, unless it is a list
  std::vector<Letters> letters;
  size_t list_begin = 0, list_end = 0;  // of the list; equal: a string
  size_t size() const {
    size_t total = 0;
    for (const Letters& of_literal : letters) total += of_literal.size();
    return total;
  }
};

CellSource SourceAt(std::string_view bytes, const JsonPart& value) {
  CellSource source;
  if (bytes[value.begin] == '[') {
    source.literals = JsonParts(bytes, value.begin);
    source.list_begin = value.begin;
    source.list_end = value.end;
  } else {
    source.literals = {value};
  }
  for (const JsonPart& part : source.literals) {
    source.letters.push_back(DecodeLiteral(bytes.substr(part.begin, part.end - part.begin)));
  }
  return source;
}

std::vector<CellSource> CodeCells(std::string_view bytes) {
  std::vector<CellSource> sources;
  const std::vector<JsonPart> top = JsonParts(bytes, SkipJsonSpace(bytes, 0));
  const JsonPart* cells = FindJsonMember(top, "cells");
  if (cells == nullptr) return sources;
  for (const JsonPart& cell : JsonParts(bytes, cells->begin)) {
    const std::vector<JsonPart> members = JsonParts(bytes, cell.begin);
    const JsonPart* type = FindJsonMember(members, "cell_type");
    const JsonPart* value = FindJsonMember(members, "source");
    if (type == nullptr || value == nullptr ||
        bytes.substr(type->begin, type->end - type->begin) != "\"code\"") {
      continue;
    }
    sources.push_back(SourceAt(bytes, *value));
  }
  return sources;
}

// What the file has between two literals of a list.
std::string Separator(std::string_view bytes, const CellSource& source) {
  if (source.literals.size() > 1) {
    const size_t end = source.literals[0].end;
    return std::string(bytes.substr(end, source.literals[1].begin - end));
  }
  const size_t begin = source.list_begin + 1;
  const size_t first = source.literals.empty() ? begin : source.literals[0].begin;
  const std::string_view space = bytes.substr(begin, first - begin);
  return fmt::format(",{}", space.empty() ? " " : space);
}

// Replaces [begin, end) of the file.
struct Patch {
  size_t begin = 0, end = 0;
  std::string text;
};

// `letters` of some literals, which begin at `start` of the cell, edited.
Letters Edited(const Letters& letters, size_t start, const std::vector<TextEdit>& edits) {
  Letters result;
  size_t done = 0;
  for (const TextEdit& edit : edits) {
    const size_t begin = static_cast<size_t>(edit.span.begin) - start;
    const size_t end = static_cast<size_t>(edit.span.end) - start;
    result.insert(result.end(), letters.begin() + static_cast<int64_t>(done),
                  letters.begin() + static_cast<int64_t>(begin));
    Letters added = LettersOfText(edit.replacement);
    result.insert(result.end(), added.begin(), added.end());
    done = end;
  }
  result.insert(result.end(), letters.begin() + static_cast<int64_t>(done), letters.end());
  return result;
}

// Literals [first, last] and the edits in them.
struct Group {
  size_t first = 0, last = 0;
  size_t start = 0;  // where the first one begins in the cell
  std::vector<TextEdit> edits;
};

// The literal that an edit at `position` of the cell belongs to: the one that
// begins there rather than the one that ends, but for the end of the cell.
size_t LiteralAt(const CellSource& source, size_t position, size_t& start) {
  size_t at = 0;
  for (size_t i = 0; i < source.letters.size(); ++i) {
    const size_t size = source.letters[i].size();
    if (position < at + size || i + 1 == source.letters.size()) {
      start = at;
      return i;
    }
    at += size;
  }
  start = 0;
  return 0;
}

std::vector<Group> GroupsOf(const CellSource& source, const std::vector<TextEdit>& edits) {
  std::vector<Group> groups;
  for (const TextEdit& edit : edits) {
    Group group;
    size_t unused = 0;
    const size_t begin = edit.span.begin;
    const size_t end = edit.span.end;
    group.first = LiteralAt(source, begin, group.start);
    group.last = std::max(group.first, LiteralAt(source, end > begin ? end - 1 : end, unused));
    group.edits = {edit};
    if (!groups.empty() && group.first <= groups.back().last + 1) {
      groups.back().last = std::max(groups.back().last, group.last);
      groups.back().edits.push_back(edit);
    } else {
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

Letters LettersOf(const CellSource& source, const Group& group) {
  Letters letters;
  for (size_t i = group.first; i <= group.last; ++i) {
    letters.insert(letters.end(), source.letters[i].begin(), source.letters[i].end());
  }
  return letters;
}

// A line that lost its end goes on in the next literal, up to one that is
// edited too.
void Extend(const CellSource& source, size_t limit, Group& group, Letters& letters) {
  while (!letters.empty() && letters.back().byte != '\n' && group.last + 1 < limit) {
    ++group.last;
    const Letters& next = source.letters[group.last];
    letters.insert(letters.end(), next.begin(), next.end());
  }
}

// The literals of a group become `lines`; none of them takes a comma along.
Patch PatchOf(const CellSource& source, const Group& group, const std::vector<std::string>& lines,
              const std::string& separator) {
  Patch patch = {.begin = source.literals[group.first].begin,
                 .end = source.literals[group.last].end,
                 .text = fmt::format("{}", fmt::join(lines, separator))};
  if (!lines.empty()) return patch;
  if (group.last + 1 < source.literals.size()) {
    patch.end = source.literals[group.last + 1].begin;
  } else if (group.first > 0) {
    patch.begin = source.literals[group.first - 1].end;
  }
  return patch;
}

void AddPatches(std::string_view bytes, const CellSource& source,
                const std::vector<TextEdit>& edits, std::vector<Patch>& patches) {
  if (source.literals.empty()) {
    std::string text;
    for (const TextEdit& edit : edits) text += edit.replacement;
    patches.push_back({source.list_begin, source.list_end,
                       fmt::format("[{}]", fmt::join(LiteralLines(LettersOfText(text)), ", "))});
    return;
  }
  const bool list = source.list_begin < source.list_end;
  const std::string separator = list ? Separator(bytes, source) : "";
  std::vector<Group> groups = GroupsOf(source, edits);
  for (size_t i = 0; i < groups.size(); ++i) {
    Group& group = groups[i];
    Letters letters = Edited(LettersOf(source, group), group.start, group.edits);
    if (!list) {
      patches.push_back({source.literals[0].begin, source.literals[0].end,
                         LiteralOf(letters, 0, letters.size())});
      continue;
    }
    Extend(source, i + 1 < groups.size() ? groups[i + 1].first : source.letters.size(), group,
           letters);
    patches.push_back(PatchOf(source, group, LiteralLines(letters), separator));
  }
}

absl::Status CheckEdit(const std::vector<CellSource>& cells, const TextEdit& edit) {
  const Span& span = edit.span;
  const auto count = static_cast<int32_t>(cells.size());
  if (span.cell < 1 || span.cell > count) {
    return InvalidInput(
        fmt::format("found an edit of cell {}, expected 1 to {}", span.cell, count));
  }
  const auto size = static_cast<int64_t>(cells[span.cell - 1].size());
  if (span.begin < 0 || span.begin > span.end || span.end > size) {
    return InvalidInput(
        fmt::format("found an edit of bytes {} to {} of cell {}, expected at most {}", span.begin,
                    span.end, span.cell, size));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> EditNotebook(std::string_view bytes, std::vector<TextEdit> edits) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const size_t mark = bytes.starts_with(kMark) ? kMark.size() : 0;
  const std::string_view json = bytes.substr(mark);
  const std::vector<CellSource> cells = CodeCells(json);
  std::ranges::stable_sort(edits, {}, &TextEdit::span);
  std::map<int32_t, std::vector<TextEdit>> by_cell;
  for (TextEdit& edit : edits) {
    TW_RETURN_IF_ERROR(CheckEdit(cells, edit));
    by_cell[edit.span.cell].push_back(std::move(edit));
  }
  std::vector<Patch> patches;
  for (const auto& [cell, of_cell] : by_cell) {
    AddPatches(json, cells[cell - 1], of_cell, patches);
  }
  std::ranges::sort(patches, {}, &Patch::begin);
  std::string result(bytes.substr(0, mark));
  size_t done = 0;
  for (const Patch& patch : patches) {
    if (patch.begin < done) {
      return absl::InternalError("found edits of a notebook that overlap");
    }
    result += json.substr(done, patch.begin - done);
    result += patch.text;
    done = patch.end;
  }
  result += json.substr(done);
  return result;
}

}  // namespace tilewise
