// See read_mlir.h: parsing, lowering to a module of XLA, and the graph of that.

#include "frontend/mlir/read_mlir.h"

#include <iterator>
#include <utility>

#include "frontend/hlo/build_graph.h"
#include "frontend/mlir/dialects.h"
#include "frontend/mlir/lower.h"
#include "frontend/mlir/parse.h"

namespace tilewise {
namespace {

std::string Producer(const mlir::Section& section) {
  for (const mlir::NamedAttribute& attribute : section.attributes) {
    if (attribute.first.starts_with("jax.")) return "jax";
    if (attribute.first.starts_with("torch.")) return "pytorch";
    if (attribute.first.starts_with("tf.") || attribute.first.starts_with("tf_saved_model.")) {
      return "tensorflow";
    }
  }
  return section.name.starts_with("jit_") || section.name.starts_with("pmap_") ? "jax" : "";
}

}  // namespace

bool LooksLikeMlirBytecode(const InputFile& file) { return file.bytes.starts_with("ML\xefR"); }

bool LooksLikeMlir(const InputFile& file) { return mlir::LooksLikeMlirText(file.bytes); }

absl::StatusOr<Workload> ReadMlir(const InputFile& file, const LoadOptions& options) {
  (void)options;
  if (LooksLikeMlirBytecode(file)) {
    return mlir::BytecodeError(file.path, file.bytes);
  }
  TW_RETURN_IF_ERROR(mlir::CheckDialects(file.bytes));
  TW_ASSIGN_OR_RETURN(const mlir::File parsed, mlir::ParseFile(file.bytes));
  TW_ASSIGN_OR_RETURN(mlir::Lowered lowered, mlir::Lower(parsed, file.path));
  TW_ASSIGN_OR_RETURN(Workload workload, hlo::BuildWorkload(lowered.module, file.path));
  workload.format = lowered.module.dialect;
  workload.producer = Producer(parsed.sections[0]);
  workload.source_ops = std::move(lowered.operations);
  workload.notes.insert(workload.notes.begin(), std::make_move_iterator(lowered.notes.begin()),
                        std::make_move_iterator(lowered.notes.end()));
  return workload;
}

}  // namespace tilewise
