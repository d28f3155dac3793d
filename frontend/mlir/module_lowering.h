// What lowering knows of the whole module: its functions by name, and the
// computations that were made of them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "frontend/mlir/lower.h"
#include "frontend/mlir/size_value.h"
#include "frontend/mlir/source_location.h"

namespace tilewise::mlir {

struct Function {
  const Operation* op = nullptr;
  std::string_view name;
  const Region* body = nullptr;  // null: declared only
};

// A function on arguments of given shapes.
struct LoweredFunction {
  int32_t computation = 0;
  std::vector<hlo::HloShape> results;
  std::vector<std::optional<SizeValues>> sizes;  // of the results
};

struct Argument {
  hlo::HloShape shape;
  std::optional<SizeValues> sizes;
};

class ModuleLowering {
 public:
  ModuleLowering(const File& file, const Section& section, std::string path);

  absl::Status Run(const Function& entry);
  Lowered Take() { return std::move(out_); }

  const File& file() const { return file_; }
  hlo::Module& module() { return out_.module; }
  const Function* FindFunction(std::string_view name) const;
  // A global of another dialect (util.global), by its symbol.
  const Operation* FindGlobal(std::string_view name) const;
  absl::StatusOr<LoweredFunction> Call(const Function& function,
                                       std::span<const Argument> arguments);
  int32_t AddComputation(hlo::Computation computation);
  // A computation that was made for an equal `key` before.
  std::optional<int32_t> FindShared(const std::string& key) const;
  void Share(const std::string& key, int32_t computation) { shared_[key] = computation; }

  // Keeps the text as long as the module.
  std::string_view Keep(std::string text);
  // Locations of an operation for the graph.
  void Locate(const Operation& op, hlo::Instruction& instruction);
  const SourceName& Place(std::string_view location) { return locations_.Find(location); }
  void Count(const Operation& op);
  void Note(std::string_view rule, const Operation* op, std::string message);
  // Sizes of the axes of a mesh: sdy.mesh @mesh = <["x"=2, "y"=4]>.
  std::vector<std::pair<std::string_view, int64_t>> MeshAxes(std::string_view mesh) const;
  // "line 12: stablehlo.add: message".
  absl::Status Error(const Operation& op, std::string_view message) const;

  // Blocks inside each other while they are lowered, calls included: an error
  // when they are too many, or when all in all too much is written out.
  absl::Status Enter(const Block& block);
  void Leave() { --depth_; }

  bool has_open_sizes() const { return has_open_sizes_; }

 private:
  absl::StatusOr<LoweredFunction> Instantiate(const Function& function,
                                              std::span<const Argument> arguments);
  void OpenSizes(const Function& entry, std::vector<Argument>& arguments);
  void ReadAliases(const Function& entry, const LoweredFunction& lowered);
  void ReadModuleAttributes();

  const File& file_;
  const Section& section_;
  std::string path_;
  Lowered out_;
  SourceLocations locations_;
  absl::flat_hash_map<std::string_view, Function> functions_;
  absl::flat_hash_map<std::string_view, const Operation*> globals_;
  std::map<std::string, LoweredFunction> instances_;
  std::vector<const Operation*> active_;
  absl::flat_hash_map<std::string, int32_t> shared_;
  absl::flat_hash_map<std::string_view, int64_t> counts_;
  bool has_open_sizes_ = false;
  int depth_ = 0;
  int64_t lowered_ = 0;  // operations, each time that they are
  int64_t notes_left_out_ = 0;
};

// The name of a function, and its body.
Function AsFunction(const Operation& op);

}  // namespace tilewise::mlir
