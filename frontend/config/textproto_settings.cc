// A parser of protobuf's text form that needs no schema: it keeps what is
// written, and where. Open messages are on a stack of its own.

#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "frontend/config/setting.h"

namespace tilewise {
namespace {

class TextprotoParser {
 public:
  TextprotoParser(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  absl::StatusOr<Setting> Run() {
    open_.emplace_back();
    for (SkipBlank(); at_ < text_.size(); SkipBlank()) {
      TW_RETURN_IF_ERROR(Next());
    }
    if (open_.size() > 1) return Error("found the end", "'}'");
    return std::move(open_.front());
  }

 private:
  absl::Status Error(const std::string& found, std::string_view expected) const {
    return InvalidInput(fmt::format("{}:{}: {}, expected {}", path_, line_, found, expected));
  }

  void SkipBlank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '\n') {
        ++line_;
        line_begin_ = ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == ';' || c == ',') {
        ++at_;
      } else {
        break;
      }
    }
  }

  static bool InWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
           c == '+' || c == '/';
  }

  // A field, or the end of the message that is open.
  absl::Status Next() {
    if (text_[at_] == '}' || text_[at_] == '>') return Close();
    Setting field;
    field.location = {
        .file = path_, .line = line_, .column = static_cast<int32_t>(at_ - line_begin_) + 1};
    TW_RETURN_IF_ERROR(TakeKey(field));
    SkipBlank();
    const bool colon = at_ < text_.size() && text_[at_] == ':';
    if (colon) {
      ++at_;
      SkipBlank();
    }
    if (at_ >= text_.size()) return Error("found the end", "a value");
    const char c = text_[at_];
    if (c == '{' || c == '<') return Open(std::move(field));
    if (!colon) return Error(fmt::format("found '{}'", c), "':' or '{'");
    if (c == '[') return TakeList(std::move(field));
    TW_RETURN_IF_ERROR(TakeScalar(field));
    return Add(std::move(field));
  }

  // A name, or an extension's in brackets.
  absl::Status TakeKey(Setting& field) {
    const size_t begin = at_;
    if (text_[at_] == '[') {
      while (at_ < text_.size() && text_[at_] != ']' && text_[at_] != '\n') {
        ++at_;
      }
      if (at_ < text_.size()) ++at_;
    } else {
      while (at_ < text_.size() && InWord(text_[at_])) ++at_;
    }
    if (at_ == begin) {
      return Error(fmt::format("found '{}'", text_[at_]), "a field's name");
    }
    field.key = std::string(text_.substr(begin, at_ - begin));
    return absl::OkStatus();
  }

  absl::Status TakeScalar(Setting& field) {
    const size_t begin = at_;
    field.is_scalar = true;
    if (text_[at_] == '"' || text_[at_] == '\'') {
      size_t end = at_;
      // Adjacent strings are one.
      while (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
        TW_RETURN_IF_ERROR(TakeString(field.value));
        end = at_;
        SkipBlank();
      }
      field.value_span = SpanOf(begin, end);
      return absl::OkStatus();
    }
    while (at_ < text_.size() && InWord(text_[at_])) ++at_;
    if (at_ == begin) {
      return Error(fmt::format("found '{}'", text_[at_]), "a value");
    }
    field.value = std::string(text_.substr(begin, at_ - begin));
    field.value_span = SpanOf(begin, at_);
    return absl::OkStatus();
  }

  absl::Status TakeString(std::string& value) {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_++];
    }
    if (at_ >= text_.size() || text_[at_] != quote) {
      return Error("found a line's end in a string", fmt::format("{}", quote));
    }
    ++at_;
    return absl::OkStatus();
  }

  // Takes each element of a list of scalars. Lists of messages are read as
  // messages one after the other.
  absl::Status TakeList(Setting field) {
    ++at_;
    for (SkipBlank(); at_ < text_.size() && text_[at_] != ']'; SkipBlank()) {
      if (text_[at_] == '{' || text_[at_] == '<') {
        return Error("found a list of messages", "a list of scalars");
      }
      Setting element;
      element.location = field.location;
      TW_RETURN_IF_ERROR(TakeScalar(element));
      TW_RETURN_IF_ERROR(Count());
      field.children.push_back(std::move(element));
    }
    if (at_ >= text_.size()) return Error("found the end", "']'");
    ++at_;
    return Add(std::move(field));
  }

  absl::Status Count() {
    if (++count_ <= kMostSettings) return absl::OkStatus();
    return Error(fmt::format("found more than {} settings", kMostSettings), "a configuration");
  }

  absl::Status Add(Setting field) {
    TW_RETURN_IF_ERROR(Count());
    open_.back().children.push_back(std::move(field));
    return absl::OkStatus();
  }

  absl::Status Open(Setting field) {
    ++at_;
    if (open_.size() > static_cast<size_t>(kDeepestSetting)) {
      return Error("found messages deeper than 200", "a configuration");
    }
    TW_RETURN_IF_ERROR(Count());
    open_.push_back(std::move(field));
    return absl::OkStatus();
  }

  absl::Status Close() {
    if (open_.size() == 1) {
      return Error(fmt::format("found '{}'", text_[at_]), "a field's name");
    }
    ++at_;
    Setting closed = std::move(open_.back());
    open_.pop_back();
    open_.back().children.push_back(std::move(closed));
    return absl::OkStatus();
  }

  Span SpanOf(size_t begin, size_t end) const {
    return {.file = path_, .begin = static_cast<int64_t>(begin), .end = static_cast<int64_t>(end)};
  }

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  int32_t line_ = 1;
  size_t count_ = 0;
  std::vector<Setting> open_;
};

}  // namespace

absl::StatusOr<Setting> ParseTextprotoSettings(const InputFile& file) {
  TW_ASSIGN_OR_RETURN(const std::string text, ConfigurationText(file));
  return TextprotoParser(text, file.path).Run();
}

}  // namespace tilewise
