// The parser behind parse.h. Methods take the tokens of what they are named
// for; names of values are looked up as they are met.

#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/status.h"
#include "frontend/mlir/lexer.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

class Parser {
 public:
  Parser(std::string_view text, int32_t line, File& file, Section& section)
      : lexer_(text, line), file_(file), section_(section) {}

  absl::Status ParseSection();

 private:
  struct Names {  // of values, as an operation or a header lists them
    std::vector<std::pair<std::string_view, int32_t>> names;  // with a count
    int32_t total = 0;
  };
  struct Binding {
    ValueId first = 0;
    int32_t count = 0;  // 0: the name has no value
  };

  // parse.cc: sections, modules, regions, names of values.
  absl::Status ParseAlias();
  absl::Status ParseModule();
  absl::Status ParseTopOperation();
  absl::Status ParseRegion(Region& region, bool entered);
  absl::Status ParseBlockHeader(Block& block);
  absl::Status ParseArguments(Block& block, std::vector<Attribute>* attributes);
  absl::Status SkipFileMetadata();
  absl::StatusOr<ValueId> Value(bool required, bool& known);
  Binding& BindingOf(std::string_view name);
  void Define(std::string_view name, ValueId first, int32_t count);
  size_t EnterScope() const { return undo_.size(); }
  void LeaveScope(size_t mark);
  ValueId NewValue(TypeId type);
  absl::Status Expect(char c, std::string_view where);

  // parse_operation.cc: the generic form and what all forms share.
  absl::Status ParseOperation(std::vector<Operation>& out);
  absl::Status ParseGeneric(Operation& op);
  absl::Status ParseGenericRegions(Operation& op);
  absl::Status ParseLocation(std::string_view& location);
  absl::Status DefineResults(Operation& op, const Names& names);
  absl::Status ParseResultNames(Names& names);
  absl::Status ParseProperties(Operation& op);

  // parse_pretty.cc: the grammar of pretty forms.
  absl::Status ParsePretty(Operation& op, int32_t results);
  absl::Status ParsePrettyToken(Operation& op, bool known, int& parens);
  absl::Status ParsePrettyWord(Operation& op, bool known);
  absl::Status ParsePrettyBrace(Operation& op, bool known);
  absl::Status ParseNamedValue(Operation& op, std::string_view name);
  absl::Status ParseSuccessor(Operation& op);
  absl::Status ParseTypes(Operation& op, int32_t results);
  bool AtStatement() const;

  // parse_special.cc: operations with a grammar of their own.
  absl::Status ParseFunction(Operation& op);
  absl::Status ParseFunctionTypes(Operation& op);
  absl::Status ParseWhile(Operation& op);
  absl::Status ParseReducer(Operation& op);
  absl::Status ParseManualComputation(Operation& op);
  static void OrderReduceOperands(Operation& op);

  Lexer lexer_;
  File& file_;
  Section& section_;
  // The first has names such as %12 by their number, the second other names.
  std::vector<Binding> numbered_;
  absl::flat_hash_map<std::string_view, Binding> bindings_;
  std::vector<std::pair<std::string_view, Binding>> undo_;
  std::vector<TypeId> result_types_;  // of the operation being read
  int depth_ = 0;
  int64_t operations_ = 0;  // parsed so far
};

}  // namespace tilewise::mlir
