// Reads the "key=value" fields of one line of a program's text.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Ops by name; never iterated.
using OpNames = std::unordered_map<std::string, OpId>;

// The words of one line: "kernel fusion.1, kind=matrix, ops={d,r}".
struct FieldLine {
  std::string head;                   // "kernel"
  std::vector<std::string> subjects;  // {"fusion.1"}; at most one
  std::map<std::string, std::vector<std::string>> fields;
};
absl::StatusOr<FieldLine> ReadFieldLine(std::string_view line);

// Takes the fields of a line that the visitors of text_fields.h name. The first
// error is kept; Finish also rejects fields that nothing took.
class FieldReader {
 public:
  FieldReader(FieldLine line, const OpNames& names) : line_(std::move(line)), names_(names) {}

  template <class Object, class Type>
  void Plain(std::string_view key, Object& object, Type Object::*field) {
    if (const std::string* word = TakeOne(key)) {
      Keep(key, Set(*word, object.*field));
    }
  }
  template <class Object, class AnId>
  void Number(std::string_view key, Object& object, AnId Object::*field) {
    if (const std::string* word = TakeOne(key)) {
      Keep(key, SetId(*word, -1, object.*field));
    }
  }
  template <class Object>
  void Sizes(std::string_view key, Object& object, std::vector<int64_t> Object::*field) {
    for (const std::string& word : Take(key)) {
      Keep(key, Set(word, (object.*field).emplace_back()));
    }
  }
  template <class Object, class Type, class Name>
  void Word(std::string_view key, Object& object, Type Object::*field, Name name, int count) {
    const std::string* word = TakeOne(key);
    if (word == nullptr) return;
    for (int i = 0; i < count; ++i) {
      if (name(static_cast<Type>(i)) != *word) continue;
      object.*field = static_cast<Type>(i);
      return;
    }
    Keep(key, NotOneOf(*word));
  }
  template <class Object>
  void Op(std::string_view key, Object& object, OpId Object::*field) {
    if (const std::string* word = TakeOne(key)) {
      Keep(key, SetOp(*word, object.*field));
    }
  }
  template <class Object>
  void Ops(std::string_view key, Object& object, std::vector<OpId> Object::*field) {
    for (const std::string& word : Take(key)) {
      Keep(key, SetOp(word, (object.*field).emplace_back()));
    }
  }
  template <class Object>
  void Traffic(std::string_view key, Object& object, std::vector<InputTraffic> Object::*field) {
    const std::vector<std::string> words = Take(key);
    if (words.size() % 2 != 0) Keep(key, OddCount(words.size()));
    for (size_t i = 0; i + 1 < words.size(); i += 2) {
      InputTraffic& traffic = (object.*field).emplace_back();
      Keep(key, Set(words[i], traffic.times));
      Keep(key, Set(words[i + 1], traffic.first_window));
    }
  }

  absl::Status Finish() const;

 private:
  std::vector<std::string> Take(std::string_view key);
  const std::string* TakeOne(std::string_view key);
  void Keep(std::string_view key, const absl::Status& status);

  static absl::Status Set(const std::string& word, int64_t& value);
  static absl::Status Set(const std::string& word, int& value);
  static absl::Status Set(const std::string& word, double& value);
  static absl::Status Set(const std::string& word, Bytes& value);
  static absl::Status Set(const std::string& word, bool& value);
  static absl::Status Set(const std::string& word, std::string& value);
  template <class AnId>
  static absl::Status SetId(const std::string& word, int32_t least, AnId& value) {
    int32_t number = 0;
    const absl::Status status = SetNumber(word, least, number);
    value = AnId(number);
    return status;
  }
  static absl::Status SetNumber(const std::string& word, int32_t least, int32_t& value);
  absl::Status SetOp(const std::string& word, OpId& value) const;
  static absl::Status NotOneOf(const std::string& word);
  static absl::Status OddCount(size_t count);

  FieldLine line_;
  const OpNames& names_;
  std::string taken_;  // the word that TakeOne gave last
  absl::Status status_;
};

}  // namespace tilewise
