// Edits of protobufs in text form: fields are "name: value", "name { ... }",
// "name: < ... >", with comments from # to the end of the line.

#include <fmt/format.h>

#include "edit/data.h"
#include "edit/span_text.h"
#include "edit/value_path.h"

namespace tilewise {
namespace {

// One field of a message.
struct Field {
  std::string_view name;
  size_t begin = 0;  // of the name
  size_t value = 0;  // of the value or the opening brace
  size_t end = 0;    // one past the value or the closing brace
  bool message = false;
};

size_t SkipSpace(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (text[at] == '#') {
      at = EndOfLine(text, at);
    } else if (IsPythonSpace(text[at]) || text[at] == ',' || text[at] == ';') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

bool OpensGroup(char c) { return c == '{' || c == '<' || c == '['; }
bool ClosesGroup(char c) { return c == '}' || c == '>' || c == ']'; }

// One past the bracket that closes the one at `at`.
size_t EndOfGroup(std::string_view text, size_t at) {
  int64_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '#') {
      at = EndOfLine(text, at);
      continue;
    }
    if (c == '"' || c == '\'') {
      at = EndOfString(text, at);
      continue;
    }
    ++at;
    if (OpensGroup(c)) ++depth;
    if (ClosesGroup(c) && --depth == 0) return at;
  }
  return text.size();
}

size_t EndOfScalar(std::string_view text, size_t at) {
  if (text[at] == '"' || text[at] == '\'') {
    size_t end = at;
    // Strings side by side are one.
    while (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
      end = EndOfString(text, at);
      at = SkipSpace(text, end);
    }
    return end;
  }
  while (at < text.size() && !IsPythonSpace(text[at]) && text[at] != ',' && text[at] != ';' &&
         text[at] != '#' && !ClosesGroup(text[at])) {
    ++at;
  }
  return at;
}

// The fields from `at` to the end of their message.
std::vector<Field> FieldsFrom(std::string_view text, size_t at) {
  std::vector<Field> fields;
  while ((at = SkipSpace(text, at)) < text.size() && !ClosesGroup(text[at])) {
    Field field;
    field.begin = at;
    if (text[at] == '[') at = EndOfGroup(text, at);  // of an extension
    while (at < text.size() && IsNameCharacter(text[at])) ++at;
    if (at == field.begin) break;
    field.name = text.substr(field.begin, at - field.begin);
    at = SkipSpace(text, at);
    if (at < text.size() && text[at] == ':') at = SkipSpace(text, at + 1);
    if (at >= text.size()) break;
    field.value = at;
    field.message = text[at] == '{' || text[at] == '<';
    field.end = OpensGroup(text[at]) ? EndOfGroup(text, at) : EndOfScalar(text, at);
    if (field.end == field.value) break;
    at = field.end;
    fields.push_back(field);
  }
  return fields;
}

// The field of that name and number; null when there is none.
const Field* Find(const std::vector<Field>& fields, std::string_view name, size_t index) {
  for (const Field& field : fields) {
    if (field.name != name) continue;
    if (index == 0) return &field;
    --index;
  }
  return nullptr;
}

// A field after the others of its message, indented as they are.
TextEdit AddField(std::string_view text, const Span& start, const std::vector<Field>& fields,
                  size_t message, std::string_view name, std::string_view value) {
  const std::string field = fmt::format("{}: {}", name, value);
  if (fields.empty()) {
    return Replacing(start, message, message, message == 0 ? field + "\n" : " " + field);
  }
  const Field& last = fields.back();
  const bool own_line = text.find_first_not_of(" \t", StartOfLine(text, last.begin)) == last.begin;
  if (!own_line) {
    return Replacing(start, last.end, last.end, " " + field);
  }
  const size_t line = EndOfLine(text, last.end);
  const bool shared = EndOfCode(text.substr(last.end, line - last.end)) > 0;
  const size_t place =
      shared ? last.end : (line > last.end && text[line - 1] == '\r' ? line - 1 : line);
  return Replacing(start, place, place,
                   fmt::format("\n{}{}", Indentation(text, last.begin), field));
}

}  // namespace

std::vector<TextEdit> SetTextproto(const Workload& workload, const std::string& file,
                                   std::string_view path, std::string_view value) {
  const auto place = FindInData(workload, file, path);
  if (!place) return {};
  const auto& [start, text, steps] = *place;
  size_t message = 0;  // where its fields begin
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].key.empty()) return {};
    const std::string_view name = steps[i].key;
    const bool numbered = i + 1 < steps.size() && steps[i + 1].key.empty();
    const size_t index = numbered ? steps[i + 1].index : 0;
    if (numbered) ++i;
    const std::vector<Field> fields = FieldsFrom(text, message);
    const Field* field = Find(fields, name, index);
    const bool last = i + 1 == steps.size();
    if (field == nullptr) {
      if (!last || index > 0) return {};
      return {AddField(text, start, fields, message, name, value)};
    }
    if (last) {
      return {Replacing(start, field->value, field->end, value)};
    }
    if (!field->message) return {};
    message = field->value + 1;
  }
  return {};
}

}  // namespace tilewise
