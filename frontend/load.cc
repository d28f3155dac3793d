// From a path to the reader that takes it: mapping, sniffing, and the merge of
// what several files say.

#include "frontend/load.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "frontend/mapped_file.h"
#include "frontend/refused_format.h"
#include "frontend/text_file.h"
#include "graph/graph_builder.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// Batch norms that do not say it have Keras's default.
constexpr double kMovingMomentum = 0.99;

// What holds the model in a folder that a framework writes as a whole.
constexpr std::array<std::string_view, 4> kModelMembers = {"saved_model.pb", "saved_model.pbtxt",
                                                           "model.json", "config.json"};

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const InputFormat& format : InputFormats()) {
    names.emplace_back(format.name);
  }
  return names;
}

absl::StatusOr<const InputFormat*> FormatNamed(std::string_view name) {
  for (const InputFormat& format : InputFormats()) {
    if (format.name == name) return &format;
  }
  const std::vector<std::string> names = FormatNames();
  return InvalidInput(fmt::format("input format: found '{}', expected one of {}{}",
                                  name.substr(0, 64), fmt::join(names, ", "),
                                  DidYouMean(name, names)));
}

absl::StatusOr<const InputFormat*> FormatOf(const InputFile& file, const LoadOptions& options) {
  if (!options.input_format.empty()) return FormatNamed(options.input_format);
  TW_RETURN_IF_ERROR(CheckNotRefused(file));
  const InputFormat* format = SniffFormat(file);
  if (format != nullptr) return format;
  return NotAModel(file, "an unknown format");
}

// A variable that batches move and gradients do not.
bool Freeze(Op& op) {
  if (op.kind != OpKind::kVariable) return false;
  op.edit<VariableAttrs>().trainable = false;
  return true;
}

// Batch norms of a forward pass that was exported to be run, and is trained:
// they take the moments of the batch, not those that they keep.
absl::Status TrainBatchNorms(Graph& graph) {
  const auto is_norm = [](const Op& op) { return op.kind == OpKind::kBatchNormInference; };
  if (std::ranges::none_of(graph.ops(), is_norm)) return absl::OkStatus();
  std::string name = graph.name();
  std::vector<Output> outputs = graph.outputs();
  OpList ops = std::move(graph).TakeOps();
  for (Op& op : ops) {
    if (!is_norm(op)) continue;
    op.kind = OpKind::kBatchNormTraining;
    op.edit<BatchNormAttrs>().momentum = kMovingMomentum;
    const bool moves = Freeze(ops[op.operands[3]]) && Freeze(ops[op.operands[4]]);
    if (!moves) op.operands.resize(3);
  }
  TW_ASSIGN_OR_RETURN(graph,
                      GraphBuilder::Assemble(std::move(name), std::move(ops), std::move(outputs)));
  return absl::OkStatus();
}

absl::StatusOr<Workload> Read(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const InputFormat* format, FormatOf(file, options));
  absl::StatusOr<Workload> workload = format->read(file, options);
  if (!workload.ok()) {
    const bool named = Message(workload.status()).find(file.path) != std::string::npos;
    return named ? workload.status() : Annotate(workload.status(), file.path);
  }
  const bool exported = workload->step == StepKind::kInference;
  if (exported && options.training.value_or(false) && workload->graph) {
    TW_RETURN_IF_ERROR(TrainBatchNorms(*workload->graph));
  }
  if (workload->format.empty()) workload->format = format->name;
  if (workload->name.empty()) workload->name = file.path;
  return workload;
}

// FileBeside, when it can be read.
std::optional<MappedFile> OpenBeside(const std::string& path) {
  const std::optional<std::string> beside = FileBeside(path);
  if (!beside) return {};
  absl::StatusOr<MappedFile> mapped = MappedFile::Open(*beside);
  if (!mapped.ok()) return {};
  return std::move(*mapped);
}

absl::StatusOr<Workload> ReadOneFile(const std::string& path, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::Open(path));
  InputFile file{path, mapped.bytes()};
  const std::optional<MappedFile> beside = OpenBeside(path);
  if (beside) file.beside = beside->bytes();
  return LoadBytes(file, options);
}

// A folder has no bytes; its format is told by the names in it.
absl::StatusOr<Workload> ReadFolder(const std::string& path, const LoadOptions& options) {
  std::error_code error;
  for (const std::string_view member : kModelMembers) {
    const fs::path inside = fs::path(path) / member;
    if (fs::is_regular_file(inside, error)) {
      return ReadOneFile(inside.string(), options);
    }
  }
  const InputFile folder = {path, {}};
  if (options.input_format.empty() && SniffFormat(folder) == nullptr) {
    return InvalidInput(
        fmt::format("{}: found a directory, expected a file, a SavedModel directory "
                    "(saved_model.pb) or a folder of compiler dumps (module_*.txt)",
                    path));
  }
  return Read(folder, options);
}

absl::StatusOr<Workload> ReadPath(const std::string& path, const LoadOptions& options) {
  std::error_code error;
  return fs::is_directory(path, error) ? ReadFolder(path, options) : ReadOneFile(path, options);
}

}  // namespace

std::optional<std::string> FileBeside(const std::string& path) {
  const fs::path file(path);
  if (!file.filename().string().starts_with("saved_model.pb")) return {};
  const fs::path beside = file.parent_path() / "debug" / "saved_model_debug_info.pb";
  std::error_code error;
  if (!fs::is_regular_file(beside, error)) return {};
  return beside.string();
}

absl::StatusOr<Workload> LoadBytes(const InputFile& file, const LoadOptions& options) {
  if (FirstCharacter(file) == '\0' && LooksLikeText(file)) {
    return NotAModel(file, "an empty file");
  }
  return Read({file.path, WithoutMark(file.bytes), file.beside}, options);
}

absl::StatusOr<Workload> LoadFiles(const std::vector<std::string>& paths,
                                   const LoadOptions& options) {
  if (paths.empty()) {
    return InvalidInput("found no input files, expected at least one");
  }
  std::vector<Workload> parts;
  for (const std::string& path : paths) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadPath(path, options));
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

}  // namespace tilewise
