// A parsed file: operations with their regions, by the names and values that
// the text has for them. Views into the text; nothing is checked against what
// an operation should look like yet.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "frontend/mlir/attribute.h"
#include "frontend/mlir/type.h"

namespace tilewise::mlir {

// Index in File::value_types. Values that are defined inside a region have
// larger ones than all that is seen from outside.
using ValueId = int32_t;

struct Region;

struct Successor {
  std::string_view block;
  std::vector<ValueId> operands;
};

struct Operation {
  std::string_view name;  // "stablehlo.add"
  ValueId first_result = 0;
  int32_t results = 0;
  int32_t line = 0;
  std::vector<ValueId> operands;
  // These are the attributes of the dictionary, the properties, and what the
  // pretty form has with a name: dims = [0]. What it has without one gets a
  // name: "symbol" (@main), "ranges" ([0:2]), "angles" (<@mesh>), "value"
  // (dense<0>), "string".
  std::vector<NamedAttribute> attributes;
  std::vector<std::string_view> words;  // GE, SIGNED of the pretty form
  std::vector<Region> regions;
  std::vector<Successor> successors;
  std::string_view result_name;       // "%12" of the first result
  std::string_view location;          // what is in loc(...)
  std::vector<TypeId> operand_types;  // stated, pretty form without '->'

  const Attribute* Find(std::string_view attribute) const;
  // The first of them that is there.
  const Attribute* FindAny(std::initializer_list<std::string_view> names) const;
};

struct Block {
  std::string_view label;
  std::vector<ValueId> arguments;
  std::vector<Operation> operations;
};

struct Region {
  ValueId first_value = 0;  // values below are of outside
  std::vector<Block> blocks;
};

// What stands between two "// -----" lines: one module, or functions.
struct Section {
  std::string_view name;                   // of the module
  std::vector<NamedAttribute> attributes;  // of the module
  std::vector<Operation> operations;       // func.func, sdy.mesh, ...
  // #name = attribute, as text; loc(...) without "loc".
  absl::flat_hash_map<std::string_view, std::string_view> aliases;
};

struct File {
  TypeTable types;
  std::vector<TypeId> value_types;  // by ValueId
  std::vector<Section> sections;

  const hlo::HloShape& shape(ValueId value) const { return types[value_types[value]].shape; }
  const Type& type(ValueId value) const { return types[value_types[value]]; }
};

// Dialect of an operation: "stablehlo" of "stablehlo.add"; func, call and
// return without one are of "func".
std::string_view DialectOf(std::string_view operation);
// Name without its dialect.
std::string_view NameOf(std::string_view operation);

}  // namespace tilewise::mlir
