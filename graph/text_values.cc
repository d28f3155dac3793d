// Reads the values of graph text.

#include "graph/text_values.h"

#include <charconv>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "graph/op_traits.h"
#include "graph/text_names.h"

namespace tilewise {
namespace {

absl::StatusOr<double> ParseReal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  return InvalidInput(fmt::format("found \"{}\", expected a number", text));
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// "{1,2}", or "{size=1x2}" for sizes of blocks.
absl::StatusOr<std::vector<int64_t>> ParseIntegers(TokenCursor& cursor) {
  std::vector<int64_t> values;
  TW_RETURN_IF_ERROR(cursor.ExpectSign('{'));
  if (cursor.TakeSign('}')) return values;
  do {
    TW_ASSIGN_OR_RETURN(std::string word, cursor.TakeWord("a number"));
    char separator = ',';
    if (word == "size" && cursor.TakeSign('=')) {
      TW_ASSIGN_OR_RETURN(word, cursor.TakeWord("a number"));
      separator = 'x';
    }
    for (const std::string_view part : Split(word, separator)) {
      TW_ASSIGN_OR_RETURN(const int64_t value, ParseInteger(part));
      values.push_back(value);
    }
  } while (cursor.TakeSign(','));
  TW_RETURN_IF_ERROR(cursor.ExpectSign('}'));
  return values;
}

// One value of a window dim: "3" for most keys, "1_1" for pad.
absl::Status SetWindowValue(std::string_view key, std::string_view text, WindowDim& dim) {
  if (key == "pad") {
    const std::vector<std::string_view> ends = Split(text, '_');
    if (ends.size() != 2) {
      return InvalidInput(fmt::format("found pad \"{}\", expected low_high", text));
    }
    TW_ASSIGN_OR_RETURN(dim.pad_low, ParseInteger(ends[0]));
    TW_ASSIGN_OR_RETURN(dim.pad_high, ParseInteger(ends[1]));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const int64_t value, ParseInteger(text));
  if (key == "size") {
    dim.size = value;
  } else if (key == "stride") {
    dim.stride = value;
  } else if (key == "dilation") {
    dim.dilation = value;
  } else if (key == "base_dilation") {
    dim.base_dilation = value;
  } else {
    return InvalidInput(
        fmt::format("found \"{}\", expected size, stride, pad, "
                    "dilation or base_dilation",
                    key));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<WindowDim>> ParseWindow(TokenCursor& cursor) {
  std::vector<WindowDim> window;
  TW_RETURN_IF_ERROR(cursor.ExpectSign('{'));
  while (!cursor.TakeSign('}')) {
    TW_ASSIGN_OR_RETURN(const std::string key, cursor.TakeWord("a window key"));
    TW_RETURN_IF_ERROR(cursor.ExpectSign('='));
    TW_ASSIGN_OR_RETURN(const std::string text, cursor.TakeWord("a number"));
    const std::vector<std::string_view> parts = Split(text, 'x');
    if (window.empty()) window.resize(parts.size());
    if (parts.size() != window.size()) {
      return InvalidInput(
          fmt::format("found {} window dims in {}, expected {}", parts.size(), key, window.size()));
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      TW_RETURN_IF_ERROR(SetWindowValue(key, parts[i], window[i]));
    }
  }
  return window;
}

template <typename Value, size_t kCount>
absl::Status ParseOneOf(TokenCursor& cursor, const std::array<std::string_view, kCount>& names,
                        Value& value) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("a word"));
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] != word) continue;
    value = static_cast<Value>(i);
    return absl::OkStatus();
  }
  return InvalidInput(
      fmt::format("found \"{}\", expected one of {}", word, fmt::join(names, ", ")));
}

// Takes ":12" off the end of `text`.
std::optional<int32_t> TakeNumber(std::string& text, std::string_view prefix) {
  const size_t at = text.rfind(':');
  if (at == std::string::npos) return std::nullopt;
  std::string_view digits = std::string_view(text).substr(at + 1);
  if (digits.substr(0, prefix.size()) != prefix) return std::nullopt;
  digits.remove_prefix(prefix.size());
  int32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || stop != end) {
    return std::nullopt;
  }
  text.resize(at);
  return value;
}

// "file", "file:line", "file:line:column", each with ":cell 3" after the file.
void SetLocation(std::string text, Location& location) {
  const std::optional<int32_t> last = TakeNumber(text, "");
  const std::optional<int32_t> before = TakeNumber(text, "");
  location.cell = TakeNumber(text, "cell ").value_or(0);
  location.line = before.value_or(last.value_or(0));
  location.column = before ? last.value_or(0) : 0;
  location.file = std::move(text);
}

absl::Status ParseLoop(TokenCursor& cursor, const std::string& key, EnclosingLoop& loop) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("a number"));
  TW_ASSIGN_OR_RETURN(const int64_t number, ParseInteger(word));
  if (key == "trip_count") {
    if (number < 1) {
      return InvalidInput(fmt::format("found trip_count={}, expected 1 or more", number));
    }
    loop.trip_count = number;
    return absl::OkStatus();
  }
  if (number < -INT32_MAX || number > INT32_MAX) {
    return InvalidInput(
        fmt::format("found loop {}, expected {} to {}", number, -INT32_MAX, INT32_MAX));
  }
  int32_t& field = key == "first_trip" ? loop.first : key == "loop_layer" ? loop.layer : loop.id;
  field = static_cast<int32_t>(number);
  return absl::OkStatus();
}

absl::Status ParseContext(TokenCursor& cursor, const std::string& key, Op& op) {
  if (key == "loop" || key == "trip_count" || key == "first_trip" || key == "loop_layer")
    return ParseLoop(cursor, key, op.loop);
  if (key == "phase") return ParseOneOf(cursor, kPhaseNames, op.phase);
  if (key == "origin") {
    TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("an op id"));
    op.origin = kNoOp;
    if (word == "none") return absl::OkStatus();
    TW_ASSIGN_OR_RETURN(const int64_t id, ParseInteger(word));
    if (id < 0 || id > INT32_MAX) {
      return InvalidInput(fmt::format("found origin {}, expected an op id", id));
    }
    op.origin = static_cast<OpId>(id);
    return absl::OkStatus();
  }
  if (key == "at") {
    TW_ASSIGN_OR_RETURN(std::string place, cursor.TakeName("a place"));
    SetLocation(std::move(place), op.location);
    return absl::OkStatus();
  }
  if (key == "item") {
    TW_ASSIGN_OR_RETURN(op.location.item, cursor.TakeName("an item"));
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found \"{}\", expected the name of an attribute", key));
}

absl::Status ParseValue(TokenCursor& cursor, std::vector<int64_t>& value) {
  TW_ASSIGN_OR_RETURN(value, ParseIntegers(cursor));
  return absl::OkStatus();
}
absl::Status ParseValue(TokenCursor& cursor, std::vector<WindowDim>& value) {
  TW_ASSIGN_OR_RETURN(value, ParseWindow(cursor));
  return absl::OkStatus();
}
absl::Status ParseValue(TokenCursor& cursor, std::string& value) {
  TW_ASSIGN_OR_RETURN(value, cursor.TakeName("a name"));
  return absl::OkStatus();
}
absl::Status ParseValue(TokenCursor& cursor, bool& value) {
  constexpr std::array<std::string_view, 2> kFlags = {"false", "true"};
  return ParseOneOf(cursor, kFlags, value);
}
absl::Status ParseValue(TokenCursor& cursor, int64_t& value) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("a number"));
  TW_ASSIGN_OR_RETURN(value, ParseInteger(word));
  return absl::OkStatus();
}
absl::Status ParseValue(TokenCursor& cursor, double& value) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("a number"));
  TW_ASSIGN_OR_RETURN(value, ParseReal(word));
  return absl::OkStatus();
}
absl::Status ParseValue(TokenCursor& cursor, DType& value) {
  TW_ASSIGN_OR_RETURN(const std::string word, cursor.TakeWord("an element type"));
  const std::optional<DType> known = ParseDType(word);
  if (!known) {
    return InvalidInput(fmt::format("found \"{}\", expected an element type", word));
  }
  value = *known;
  return absl::OkStatus();
}
template <typename Word>
absl::Status ParseValue(TokenCursor& cursor, Word& value) {
  return ParseOneOf(cursor, NamesOf(value), value);
}

// Returns the other key of sizes of blocks, and of a gather that permutes.
std::string_view OtherName(std::string_view key) {
  if (key == "window") return "blocks";
  return key == "assign" ? "permutes" : "";
}

absl::StatusOr<Dim> ParseDim(std::string_view text) {
  const bool per_batch = !text.empty() && text.back() == 'N';
  if (per_batch) text.remove_suffix(1);
  if (per_batch && text.empty()) return BatchDim();
  TW_ASSIGN_OR_RETURN(const int64_t factor, ParseInteger(text));
  return Dim{factor, per_batch};
}

}  // namespace

std::string TokenCursor::Found() const {
  return done() ? "the end of the line" : fmt::format("\"{}\"", tokens_[at_].text);
}

bool TokenCursor::NextIsSign(char sign) const {
  return !done() && tokens_[at_].kind == TextToken::Kind::kSign && tokens_[at_].text[0] == sign;
}

bool TokenCursor::TakeSign(char sign) {
  if (!NextIsSign(sign)) return false;
  ++at_;
  return true;
}

absl::Status TokenCursor::ExpectSign(char sign) {
  if (TakeSign(sign)) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected {}", Found(), sign));
}

absl::StatusOr<std::string> TokenCursor::TakeWord(std::string_view what) {
  if (!done() && tokens_[at_].kind == TextToken::Kind::kWord) {
    return tokens_[at_++].text;
  }
  return InvalidInput(fmt::format("found {}, expected {}", Found(), what));
}

absl::StatusOr<std::string> TokenCursor::TakeName(std::string_view what) {
  if (!done() && tokens_[at_].kind == TextToken::Kind::kQuoted) {
    return tokens_[at_++].text;
  }
  return TakeWord(what);
}

absl::StatusOr<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  return InvalidInput(fmt::format("found \"{}\", expected an integer", text));
}

absl::StatusOr<Shape> ParseShape(TokenCursor& cursor) {
  TW_ASSIGN_OR_RETURN(const std::string type, cursor.TakeWord("a shape"));
  const std::optional<DType> dtype = ParseDType(type);
  if (!dtype) {
    return InvalidInput(fmt::format("found \"{}\", expected an element type", type));
  }
  Shape shape(*dtype, {});
  TW_RETURN_IF_ERROR(cursor.ExpectSign('['));
  if (cursor.TakeSign(']')) return shape;
  do {
    TW_ASSIGN_OR_RETURN(const std::string size, cursor.TakeWord("a size"));
    TW_ASSIGN_OR_RETURN(const Dim dim, ParseDim(size));
    shape.dims.push_back(dim);
  } while (cursor.TakeSign(','));
  TW_RETURN_IF_ERROR(cursor.ExpectSign(']'));
  return shape;
}

absl::Status ParseAttribute(TokenCursor& cursor, Op& op) {
  TW_ASSIGN_OR_RETURN(const std::string key, cursor.TakeWord("an attribute"));
  TW_RETURN_IF_ERROR(cursor.ExpectSign('='));
  for (const AttributeField& field : TraitsOf(op.kind).attributes.fields) {
    if (field.name != key && field.name != OtherName(key)) continue;
    return std::visit([&](auto* value) { return ParseValue(cursor, *value); },
                      field.edit(op.attrs));
  }
  return ParseContext(cursor, key, op);
}

}  // namespace tilewise
