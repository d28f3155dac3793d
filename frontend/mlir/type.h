// Types as MLIR writes them, each distinct text once: tensors and scalars
// become HLO shapes (a scalar is a tensor of rank 0), the others keep their
// text.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/lexer.h"

namespace tilewise::mlir {

using TypeId = int32_t;
inline constexpr TypeId kNoType = -1;

// This stands for '?' in HloShape::dims of the types of a file and while they
// are refined. A dim of k times the batch is -k.
inline constexpr int64_t kUnknownDim = INT64_MIN;

struct Type {
  enum class Kind : uint8_t {
    kTensor,  // also scalars
    kTuple,
    kToken,
    kFunction,
    kOther,  // memref, !enzyme.Cache, none: no value of a graph
  };
  Kind kind = Kind::kOther;
  hlo::HloShape shape;          // but for kFunction and kOther
  std::vector<TypeId> inputs;   // kFunction
  std::vector<TypeId> results;  // kFunction
  std::string_view text;
};

class TypeTable {
 public:
  // Takes a type: tensor<...>, f32, tuple<...>, !dialect.name<...>, (..) -> ..
  absl::StatusOr<TypeId> Parse(Lexer& lexer);
  // The results of a function type: one type, or a list in parentheses.
  absl::StatusOr<std::vector<TypeId>> ParseResults(Lexer& lexer);
  // A type by the whole of its text.
  absl::StatusOr<TypeId> FromText(std::string_view text, int32_t line);
  // `!name = type`, at the top of a file.
  void DefineAlias(std::string_view name, TypeId type) { aliases_[name] = type; }

  const Type& operator[](TypeId id) const { return types_[id]; }

 private:
  absl::StatusOr<TypeId> FromBody(std::string_view name, std::string_view body,
                                  std::string_view text, int32_t line);
  absl::Status ReadTensor(std::string_view body, int32_t line, Type& type);
  absl::Status ReadTuple(std::string_view body, int32_t line, Type& type);
  absl::Status ReadElement(std::string_view text, int32_t line, hlo::HloShape& shape);
  absl::StatusOr<TypeId> ParseFunction(Lexer& lexer);
  TypeId Add(Type type);

  std::vector<Type> types_;
  absl::flat_hash_map<std::string_view, TypeId> by_text_;
  absl::flat_hash_map<std::string_view, TypeId> aliases_;
  int depth_ = 0;
};

}  // namespace tilewise::mlir
