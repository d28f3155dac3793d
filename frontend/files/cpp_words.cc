// Exceptions of Python that the reader knows by their form.

#include "frontend/files/cpp_words.h"

#include <regex>
#include <utility>
#include <vector>

namespace tilewise {
namespace {

using Form = std::pair<std::regex, const char*>;

// The special forms come before the one that takes the exception's name away.
const std::vector<Form>& Forms() {
  static const std::vector<Form> forms = {
      {std::regex(R"( \(in <[^>]*>:\d+:\d+\))"), ""},
      {std::regex(R"(AttributeError: '([^']*)' object has no attribute '([^']*)')"),
       "'$1' has no member '$2'"},
      {std::regex(R"(NameError: name '([^']*)' is not defined)"), "'$1' is not declared"},
      {std::regex(R"(ImportError: (cannot import name ')_of_(\w*__)?)"), "ImportError: $1"},
      {std::regex(R"(ImportError: cannot import name '([^']*)' from '[^']*'( \([^)]*\))?)"),
       "'$1' is not defined in the source that was read for it"},
      {std::regex(R"(IndexError: \w+ index out of range)"), "an index is out of range"},
      {std::regex(R"(KeyError: )"), "there is no entry "},
      {std::regex(R"(which ends with [A-Z]\w*(Error|Exception): )"), "which fails: "},
      {std::regex(R"(\b[A-Z]\w*(Error|Exception): )"), ""},
      {std::regex(R"(\b_made_\d+\(\))"), "a constructor"},
      {std::regex(R"(\b__init__\(\))"), "the constructor"},
  };
  return forms;
}

}  // namespace

std::string InWordsOfCpp(const std::string& message) {
  std::string words = message;
  for (const auto& [form, plain] : Forms()) words = std::regex_replace(words, form, plain);
  return words;
}

}  // namespace tilewise
