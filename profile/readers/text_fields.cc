// name: value, name { .. } and name: { .. }; comments from # to the end of the line.

#include "profile/readers/text_fields.h"

#include <cctype>
#include <charconv>

namespace tilewise {
namespace {

constexpr int kDeepestText = 50;

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  // False: the text is cut or damaged.
  bool ReadFields(TextFields& fields, int depth) {
    while (true) {
      SkipBlanks();
      if (at_ == text_.size()) return depth == 0;
      if (text_[at_] == '}') {
        if (depth > 0) ++at_;
        return depth > 0;
      }
      TextFields::Field field;
      field.name = Word();
      if (field.name.empty()) return false;
      SkipBlanks();
      const bool colon = Take(':');
      SkipBlanks();
      bool whole = true;
      if (Take('{')) {
        field.message.emplace_back();
        whole = depth < kDeepestText && ReadFields(field.message.back(), depth + 1);
      } else if (!colon || !ReadValue(field.value)) {
        return false;
      }
      fields.fields.push_back(std::move(field));
      if (!whole) return false;
    }
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == ';') {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string Word() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
            std::string_view("_.+-").find(text_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool ReadValue(std::string& value) {
    if (at_ == text_.size()) return false;
    const char quote = text_[at_];
    if (quote != '"' && quote != '\'') {
      value = Word();
      return !value.empty();
    }
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return true;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string TextFields::Text(std::string_view name) const {
  std::string found;
  for (const Field& field : fields) {
    if (field.name == name) found = field.value;
  }
  return found;
}

int64_t TextFields::Whole(std::string_view name) const {
  const std::string text = Text(name);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<const TextFields*> TextFields::All(std::string_view name) const {
  std::vector<const TextFields*> found;
  for (const Field& field : fields) {
    if (field.name == name && !field.message.empty()) found.push_back(&field.message.front());
  }
  return found;
}

TextFields ParseTextFields(std::string_view text, bool& complete) {
  TextFields root;
  complete = TextParser(text).ReadFields(root, 0);
  return root;
}

}  // namespace tilewise
