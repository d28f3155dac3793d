// Text edits of chained calls, moved and added, and of whole statements. A call
// that has a line of its own takes it along, with its backslash or the comment
// behind it.

#include <algorithm>

#include <fmt/format.h>

#include "edit/python.h"
#include "edit/span_text.h"

namespace tilewise {
namespace {

// Returns the end of a comment that is all that follows on the line of `at`;
// `at` itself when something else follows, or nothing.
size_t EndOfComment(std::string_view text, size_t at) {
  const size_t comment = text.find_first_not_of(" \t", at);
  if (comment == std::string_view::npos || text[comment] != '#') return at;
  size_t end = EndOfLine(text, comment);
  if (end > comment && end < text.size() && text[end - 1] == '\r') --end;
  return end;
}

// Whether nothing but a comment stands between `at` and the end of its line.
bool EndsLine(std::string_view text, size_t at) {
  const size_t next = text.find_first_not_of(" \t\r", EndOfComment(text, at));
  return next == std::string_view::npos || text[next] == '\n';
}

// The call with the line break (and its backslash) that comes before it.
Span WithLineBreak(std::string_view text, Span call) {
  size_t begin = Begin(call);
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) {
    --begin;
  }
  if (begin == 0 || text[begin - 1] != '\n') return call;
  --begin;
  if (begin > 0 && text[begin - 1] == '\r') --begin;
  if (begin > 0 && text[begin - 1] == '\\') {
    --begin;
    while (begin > 0 && text[begin - 1] == ' ') --begin;
  }
  call.begin = static_cast<int64_t>(begin);
  return call;
}

// The same with the comment behind it, when it has its line for itself.
Span WholeLine(std::string_view text, const Span& call) {
  Span whole = WithLineBreak(text, call);
  if (whole.begin < call.begin && EndsLine(text, End(call))) {
    whole.end = static_cast<int64_t>(EndOfComment(text, End(call)));
  }
  return whole;
}

bool SameText(const Span& a, const Span& b) {
  return a.file == b.file && a.cell == b.cell && a.begin < a.end && b.begin < b.end;
}

std::string TextIn(const std::string& text, const Span& span) {
  return text.substr(Begin(span), End(span) - Begin(span));
}

// The line of `ds = ds`, should that be what stays of it without `call`; an
// empty range otherwise, or where its block would be left without a statement.
Span EmptyAssignment(std::string_view text, const Span& call) {
  const size_t begin = StartOfLine(text, Begin(call));
  const size_t end = EndOfLine(text, End(call));
  std::string rest(text.substr(begin, Begin(call) - begin));
  rest += text.substr(End(call), end - End(call));
  std::erase_if(rest, IsPythonSpace);
  const size_t equals = rest.find('=');
  const bool same = equals != std::string::npos && equals > 0 &&
                    rest.substr(0, equals) == rest.substr(equals + 1);
  if (!same || begin == 0 || end == text.size()) return {};
  const size_t above = text.find_last_not_of(" \t\r\n", begin - 1);
  if (above == std::string_view::npos || text[above] == ':') return {};
  return RangeOf(call, begin, end + 1);
}

std::vector<TextEdit> MoveCall(const Workload& workload, const Span& call, const Span& other,
                               bool after) {
  const std::string* text = PythonTextWith(workload, call);
  if (text == nullptr || !SameText(call, other) || PythonTextWith(workload, other) == nullptr) {
    return {};
  }
  Span whole = WholeLine(*text, call);
  const Span target = WithLineBreak(*text, other);
  size_t place = after ? End(target) : Begin(target);
  const bool own_line = whole.begin < call.begin;
  const bool at_line_end = !after || EndsLine(*text, End(other));
  const bool commented = whole.end > call.end;
  // A comment in the middle of a line would swallow the rest of it.
  if (commented && (!at_line_end || target.begin == other.begin)) {
    whole.end = call.end;
  }
  if (after && own_line && at_line_end) place = EndOfComment(*text, End(other));
  std::string moved = TextIn(*text, whole);
  // The call gets a line of its own when the other one has one, out of the
  // comments.
  if (!own_line && target.begin < other.begin) {
    moved.insert(0, text->substr(Begin(target), Begin(other) - Begin(target)));
  }
  Span gone = whole;
  const Span statement = EmptyAssignment(*text, call);
  if (statement.begin < statement.end && !own_line &&
      (place < Begin(statement) || place >= End(statement))) {
    gone = statement;
  }
  if (place > Begin(gone) && place < End(gone)) return {};
  return {{.span = gone, .replacement = ""}, Replacing(call, place, place, moved)};
}

// Whether a statement of the same block stands right above or below.
bool HasNeighbour(std::string_view text, size_t begin, size_t end) {
  const std::string_view indent = Indentation(text, begin);
  if (indent.empty()) return true;
  const size_t above =
      begin == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", begin - 1);
  const bool opens = above != std::string_view::npos && text[above] == ':';
  if (!opens) return true;
  const size_t below = text.find_first_not_of(" \t\r\n", end);
  return below != std::string_view::npos && Indentation(text, below) == indent;
}

}  // namespace

std::vector<TextEdit> MoveCallBefore(const Workload& workload, const Span& call,
                                     const Span& other) {
  return MoveCall(workload, call, other, false);
}

std::vector<TextEdit> MoveCallAfter(const Workload& workload, const Span& call, const Span& other) {
  return MoveCall(workload, call, other, true);
}

std::vector<TextEdit> AppendCall(const Workload& workload, const Span& other,
                                 std::string_view text) {
  const std::string* whole = PythonTextWith(workload, other);
  if (whole == nullptr || other.begin == other.end) return {};
  const Span lead = WithLineBreak(*whole, other);
  std::string inserted = whole->substr(Begin(lead), Begin(other) - Begin(lead));
  const bool own_line = !inserted.empty() && EndsLine(*whole, End(other));
  inserted += text;
  const size_t place = own_line ? EndOfComment(*whole, End(other)) : End(other);
  return {Replacing(other, place, place, inserted)};
}

std::vector<TextEdit> PrependCall(const Workload& workload, const Span& other,
                                  std::string_view text) {
  const std::string* whole = PythonTextWith(workload, other);
  if (whole == nullptr || other.begin == other.end) return {};
  const size_t lead = Begin(WithLineBreak(*whole, other));
  const std::string inserted = whole->substr(lead, Begin(other) - lead) + std::string(text);
  return {Replacing(other, lead, lead, inserted)};
}

std::vector<TextEdit> RemoveStatement(const Workload& workload, const Span& statement) {
  const std::string* text = PythonTextWith(workload, statement);
  if (text == nullptr || statement.begin == statement.end) return {};
  const size_t begin = StartOfLine(*text, Begin(statement));
  const size_t last = EndOfLine(*text, End(statement) - 1);
  const size_t end = std::min(last + 1, text->size());
  const std::string_view before = std::string_view(*text).substr(begin, Begin(statement) - begin);
  const std::string_view after =
      std::string_view(*text).substr(End(statement), last - End(statement));
  // Other statements share the line.
  if (EndOfCode(before) > 0 || EndOfCode(after) > 0) return {};
  if (HasNeighbour(*text, Begin(statement), end)) {
    return {Replacing(statement, begin, end, "")};
  }
  return {{.span = statement, .replacement = "pass"}};
}

}  // namespace tilewise
