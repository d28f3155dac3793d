// Text form of a protobuf whose schema is not at hand: fields by their names.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewise {

struct TextFields {
  struct Field {
    std::string name;
    std::string value;                // of a scalar, without quotes
    std::vector<TextFields> message;  // one, of a message
  };
  std::vector<Field> fields;

  // These return the last field of that name; empty or 0: none.
  std::string Text(std::string_view name) const;
  int64_t Whole(std::string_view name) const;
  // The messages of that name.
  std::vector<const TextFields*> All(std::string_view name) const;
};

// `complete`: the text ended where a message may end.
TextFields ParseTextFields(std::string_view text, bool& complete);

}  // namespace tilewise
