// See lower.h: functions, the entry among them, its arguments and what the
// module says of itself.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/fit_shards.h"
#include "frontend/mlir/body.h"
#include "frontend/mlir/entry.h"
#include "frontend/mlir/module_lowering.h"
#include "frontend/mlir/sharding.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;

constexpr size_t kMaxCallDepth = 100;
constexpr size_t kMaxNotes = 20;
constexpr int64_t kMaxComputations = 200'000;
// The size that an open dim is taken to have when it is not the batch.
constexpr int64_t kOpenSize = 128;

// What tells one instance of a function from another.
std::string InstanceKey(const Function& function, std::span<const Argument> arguments) {
  std::string key(function.name);
  for (const Argument& argument : arguments) {
    key += ';';
    for (int64_t dim : argument.shape.dims) key += fmt::format("{},", dim);
    if (!argument.sizes) continue;
    key += '=';
    for (const KnownNumber& value : *argument.sizes) {
      key += fmt::format("{}{},", value.value, value.per_batch ? "N" : "");
    }
  }
  return key;
}

const Attribute* ArgumentAttribute(const Operation& op, size_t i, std::string_view name) {
  const Attribute* all = op.Find("arg_attrs");
  if (all == nullptr || i >= all->items.size()) return nullptr;
  return all->items[i].Find(name);
}

}  // namespace

Function AsFunction(const Operation& op) {
  Function function;
  function.op = &op;
  if (const Attribute* name = op.Find("sym_name")) function.name = name->text;
  for (const Region& region : op.regions) {
    const bool empty =
        region.blocks.empty() || (region.blocks.size() == 1 && region.blocks[0].operations.empty());
    if (!empty) function.body = &region;
  }
  return function;
}

ModuleLowering::ModuleLowering(const File& file, const Section& section, std::string path)
    : file_(file),
      section_(section),
      path_(std::move(path)),
      locations_(section.aliases, out_.module.texts) {
  for (const Operation& op : section.operations) {
    if (op.name == "func.func") {
      const Function function = AsFunction(op);
      functions_.try_emplace(function.name, function);
    } else if (const Attribute* symbol = op.FindAny({"symbol", "sym_name"})) {
      globals_.try_emplace(symbol->text, &op);
    }
  }
}

const Function* ModuleLowering::FindFunction(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

const Operation* ModuleLowering::FindGlobal(std::string_view name) const {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : found->second;
}

int32_t ModuleLowering::AddComputation(hlo::Computation computation) {
  out_.module.computations.push_back(std::move(computation));
  return static_cast<int32_t>(out_.module.computations.size() - 1);
}

std::optional<int32_t> ModuleLowering::FindShared(const std::string& key) const {
  const auto found = shared_.find(key);
  if (found == shared_.end()) return std::nullopt;
  return found->second;
}

std::string_view ModuleLowering::Keep(std::string text) {
  out_.module.texts.push_back(std::move(text));
  return out_.module.texts.back();
}

void ModuleLowering::Locate(const Operation& op, hlo::Instruction& instruction) {
  instruction.line = op.line;
  if (op.location.empty()) return;
  const SourceName& place = locations_.Find(op.location);
  instruction.metadata.op_name = place.name;
  instruction.metadata.source_file = place.file;
  instruction.metadata.source_line = place.line;
  instruction.metadata.source_column = place.column;
}

absl::Status ModuleLowering::Enter(const Block& block) {
  constexpr int kMostBlocks = 300;
  constexpr int64_t kMostCopies = 8;
  constexpr int64_t kSmall = 1'000'000;
  ++depth_;
  lowered_ += static_cast<int64_t>(block.operations.size());
  if (block.operations.empty()) return absl::OkStatus();
  if (depth_ > kMostBlocks) {
    return Error(block.operations[0],
                 fmt::format("regions and calls are more than {} deep", kMostBlocks));
  }
  const int64_t values = static_cast<int64_t>(file_.value_types.size());
  if (lowered_ > kSmall + kMostCopies * values) {
    return Error(block.operations[0], "functions and loops are written out too often");
  }
  return absl::OkStatus();
}

void ModuleLowering::Count(const Operation& op) { ++counts_[op.name]; }

void ModuleLowering::Note(std::string_view rule, const Operation* op, std::string message) {
  if (out_.notes.size() >= kMaxNotes) {
    ++notes_left_out_;
    return;
  }
  Diagnostic note;
  note.rule = rule;
  note.name = rule == "RD003" ? "ignored-part" : "unresolved-value";
  note.location.file = path_;
  if (op != nullptr) {
    note.location.line = op->line;
    note.location.item = op->name;
  }
  note.message = std::move(message);
  out_.notes.push_back(std::move(note));
}

absl::Status ModuleLowering::Error(const Operation& op, std::string_view message) const {
  return InvalidInput(fmt::format("line {}: {}: {}", op.line, op.name.substr(0, 80), message));
}

std::vector<std::pair<std::string_view, int64_t>> ModuleLowering::MeshAxes(
    std::string_view mesh) const {
  const Operation* op = FindGlobal(mesh);
  if (op == nullptr || op->name != "sdy.mesh") return {};
  const Attribute* value = op->FindAny({"mesh", "value"});
  return value == nullptr ? std::vector<std::pair<std::string_view, int64_t>>()
                          : ReadMeshAxes(value->text);
}

absl::StatusOr<LoweredFunction> ModuleLowering::Call(const Function& function,
                                                     std::span<const Argument> arguments) {
  std::string key = has_open_sizes_ ? InstanceKey(function, arguments) : std::string(function.name);
  const auto known = instances_.find(key);
  if (known != instances_.end()) return known->second;
  TW_ASSIGN_OR_RETURN(LoweredFunction lowered, Instantiate(function, arguments));
  instances_.emplace(std::move(key), lowered);
  return lowered;
}

absl::StatusOr<LoweredFunction> ModuleLowering::Instantiate(const Function& function,
                                                            std::span<const Argument> arguments) {
  if (std::find(active_.begin(), active_.end(), function.op) != active_.end()) {
    return Error(*function.op, fmt::format("@{} calls itself", function.name));
  }
  if (active_.size() >= kMaxCallDepth) {
    return Error(*function.op, fmt::format("calls are more than {} deep", kMaxCallDepth));
  }
  if (static_cast<int64_t>(out_.module.computations.size()) >= kMaxComputations) {
    return Error(*function.op, "functions are written out too often");
  }
  const Block& block = function.body->blocks[0];
  if (block.arguments.size() != arguments.size()) {
    return Error(*function.op,
                 fmt::format("@{} is called with {} arguments, expected {}", function.name,
                             arguments.size(), block.arguments.size()));
  }
  active_.push_back(function.op);
  Body body(*this, function.body->first_value);
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view name;
    if (const Attribute* place = ArgumentAttribute(*function.op, i, "loc")) {
      name = locations_.Find(place->text).name;
    }
    if (const Attribute* info = ArgumentAttribute(*function.op, i, "jax.arg_info");
        info != nullptr && name.empty()) {
      name = info->text;
    }
    if (name.empty()) name = Keep(fmt::format("arg{}", i));
    const Index index = body.Parameter(arguments[i].shape, name);
    if (arguments[i].sizes) body.SetSizes(index, *arguments[i].sizes);
    body.SetLine(index, function.op->line);
    body.SetSharding(index, ReadSharding(*this, *function.op, i));
    body.Bind(block.arguments[i], index);
  }
  TW_RETURN_IF_ERROR(body.LowerRegion(*function.body));
  if (active_.size() == 1) body.TakeLeftovers();
  active_.pop_back();
  LoweredFunction lowered;
  for (Index result : body.results()) {
    lowered.results.push_back(body.shape(result));
    const SizeValues* sizes = body.sizes(result);
    lowered.sizes.push_back(sizes == nullptr ? std::nullopt : std::optional<SizeValues>(*sizes));
  }
  lowered.computation = AddComputation(body.Build(function.name, false));
  return lowered;
}

// Leading open dims are the batch, others have a size of ours; integers next to
// them are what the sizes are computed of.
void ModuleLowering::OpenSizes(const Function& entry, std::vector<Argument>& arguments) {
  bool batch = false;
  bool other = false;
  for (Argument& argument : arguments) {
    for (size_t i = 0; i < argument.shape.dims.size(); ++i) {
      int64_t& dim = argument.shape.dims[i];
      if (dim != kUnknownDim) continue;
      dim = i == 0 ? -1 : kOpenSize;
      (i == 0 ? batch : other) = true;
    }
  }
  has_open_sizes_ = batch || other;
  if (other) {
    Note("RD002", entry.op,
         fmt::format("inputs of @{} have dims of open size behind the first; "
                     "{} is taken",
                     entry.name, kOpenSize));
  }
  if (!has_open_sizes_) return;
  const KnownNumber size = batch ? KnownNumber{1, true} : KnownNumber{kOpenSize, false};
  for (Argument& argument : arguments) {
    const HloShape& shape = argument.shape;
    const bool integer = shape.dtype == DType::kS32 || shape.dtype == DType::kS64;
    if (shape.kind == HloShape::Kind::kArray && shape.dims.empty() && integer) {
      argument.sizes = SizeValues{size};
    }
  }
}

void ModuleLowering::ReadModuleAttributes() {
  hlo::Module& module = out_.module;
  module.name = section_.name;
  for (const NamedAttribute& attribute : section_.attributes) {
    if (attribute.first == "mhlo.num_partitions") {
      module.num_partitions = std::max<int64_t>(1, attribute.second.integer);
    } else if (attribute.first == "mhlo.num_replicas") {
      module.replica_count = std::max<int64_t>(1, attribute.second.integer);
    }
  }
}

// tf.aliasing_output = k, or jax.buffer_donor: the first output of its shape.
void ModuleLowering::ReadAliases(const Function& entry, const LoweredFunction& lowered) {
  const Block& block = entry.body->blocks[0];
  const size_t outputs = lowered.results.size();
  std::vector<bool> taken(outputs, false);
  const auto add = [&](size_t parameter, size_t output) {
    taken[output] = true;
    hlo::Alias alias;
    alias.parameter = static_cast<int64_t>(parameter);
    if (outputs > 1) alias.output = {static_cast<int64_t>(output)};
    out_.module.aliases.push_back(std::move(alias));
  };
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    const Attribute* stated = ArgumentAttribute(*entry.op, i, "tf.aliasing_output");
    if (stated == nullptr || stated->integer < 0) continue;
    const size_t output = stated->integer;
    if (output < outputs && !taken[output]) add(i, output);
  }
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    const Attribute* donor = ArgumentAttribute(*entry.op, i, "jax.buffer_donor");
    if (donor == nullptr || donor->integer == 0) continue;
    const HloShape& shape = file_.shape(block.arguments[i]);
    for (size_t output = 0; output < outputs; ++output) {
      if (!taken[output] && lowered.results[output] == shape) {
        add(i, output);
        break;
      }
    }
  }
}

absl::Status ModuleLowering::Run(const Function& entry) {
  ReadModuleAttributes();
  std::vector<Argument> arguments;
  for (ValueId value : entry.body->blocks[0].arguments) {
    const Type& type = file_.type(value);
    if (type.kind == Type::Kind::kOther) {
      return Error(*entry.op, fmt::format("@{} takes a value of type '{}', expected "
                                          "tensors",
                                          entry.name, type.text.substr(0, 60)));
    }
    arguments.push_back({type.shape, std::nullopt});
  }
  OpenSizes(entry, arguments);
  TW_ASSIGN_OR_RETURN(const LoweredFunction lowered, Call(entry, arguments));
  out_.module.entry = lowered.computation;
  if (out_.module.name.empty()) out_.module.name = entry.name;
  ReadAliases(entry, lowered);
  if (const int64_t inside = hlo::FitShards(out_.module); inside > 0) {
    Note("RD003", entry.op,
         fmt::format("between programs of one device there is code for all "
                     "({} times from one to the other); its sizes are those "
                     "of all devices",
                     inside));
  }
  int64_t mhlo = 0;
  int64_t stablehlo = 0;
  for (const auto& [name, count] : counts_) {
    out_.operations[std::string(name)] = count;
    if (name.starts_with("mhlo.")) mhlo += count;
    if (name.starts_with("stablehlo.")) stablehlo += count;
  }
  out_.module.dialect = mhlo > stablehlo ? "mhlo" : "stablehlo";
  if (notes_left_out_ > 0) {
    Diagnostic note = out_.notes.back();
    note.location.line = 0;
    note.location.item.clear();
    note.message = fmt::format("{} more notes of this kind", notes_left_out_);
    out_.notes.push_back(std::move(note));
  }
  return absl::OkStatus();
}

absl::StatusOr<Lowered> Lower(const File& file, const std::string& path) {
  TW_ASSIGN_OR_RETURN(const Entry entry, ChooseEntry(file));
  ModuleLowering lowering(file, *entry.section, path);
  if (entry.left_out > 0) {
    lowering.Note("RD003", entry.function.op,
                  fmt::format("@{} is read; {} more functions that nothing "
                              "calls are not",
                              entry.function.name, entry.left_out));
  }
  TW_RETURN_IF_ERROR(lowering.Run(entry.function));
  return lowering.Take();
}

}  // namespace tilewise::mlir
