// Attributes of MLIR operations. Numbers, strings, lists and dictionaries are
// read; what belongs to a dialect (#stablehlo.dot<...>) and the elements of
// dense constants stay text, read when they are asked for.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "frontend/mlir/lexer.h"
#include "frontend/mlir/type.h"

namespace tilewise::mlir {

struct NamedAttribute;

struct Attribute {
  enum class Kind : uint8_t {
    kUnit,
    kInteger,  // also true and false
    kFloat,
    kString,  // text has no quotes; escapes are as written
    kSymbol,  // text without @ and quotes
    kArray,   // items; also array<i64: ...>
    kDictionary,
    kDense,  // text: what is in dense<...>; type: of the elements
    kText,   // #dialect.name<...>, #alias, a word, a type: as written
  };
  Kind kind = Kind::kUnit;
  std::string_view text;
  int64_t integer = 0;
  double number = 0;  // of kInteger too
  TypeId type = kNoType;
  std::vector<Attribute> items;
  std::vector<NamedAttribute> fields;

  const Attribute* Find(std::string_view name) const;  // of a dictionary
};

struct NamedAttribute {
  NamedAttribute(std::string_view name, Attribute value) : first(name), second(std::move(value)) {}
  std::string_view first;  // its name
  Attribute second;
};

class AttributeParser {
 public:
  // `untyped`: a type behind ':' belongs to what is around the attribute.
  AttributeParser(Lexer& lexer, TypeTable& types, bool untyped = false)
      : lexer_(lexer), types_(types), untyped_(untyped) {}

  absl::StatusOr<Attribute> Parse();
  // { name = value, name, "name" = value }: added to `out`.
  absl::Status ParseDictionary(std::vector<NamedAttribute>& out);

 private:
  absl::StatusOr<Attribute> ParseNumber();
  absl::StatusOr<Attribute> ParseArray();
  absl::StatusOr<Attribute> ParseWord();
  absl::StatusOr<Attribute> ParseDense();
  absl::StatusOr<Attribute> ParseIntegers();
  absl::Status ParseTypeBehind(Attribute& attribute);

  Lexer& lexer_;
  TypeTable& types_;
  bool untyped_;
  int depth_ = 0;
};

// Integers of an attribute in any form that has been used for them: [1, 2],
// array<i64: 1, 2>, dense<[1, 2]> : tensor<2xi64>, dense<1> : tensor<2xi64>,
// and 1. Nothing when it is none of them.
std::optional<std::vector<int64_t>> Integers(const Attribute& attribute, const TypeTable& types);
// The integers behind `name =` in the text of a dialect's attribute: [0, 1], or
// one of its own. Empty when it is not there.
std::vector<int64_t> FieldIntegers(std::string_view text, std::string_view name);
// The word behind `name =`; empty when it is not there.
std::string_view FieldWord(std::string_view text, std::string_view name);
// The last word in "#stablehlo<comparison_direction LT>", "LT" or
// "#stablehlo.rng_distribution<UNIFORM>".
std::string_view LastWord(std::string_view text);
// Returns the text with \22 and
//  replaced by what they stand for.
std::string Unescape(std::string_view text);
// Returns the text without quotes, if it has them.
std::string_view Unquote(std::string_view text);

}  // namespace tilewise::mlir
