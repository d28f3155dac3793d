// A Workload is all that was read from the user's files, each item with its location.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "graph/compilation.h"
#include "graph/graph.h"
#include "graph/training.h"
#include "hardware/mesh.h"
#include "pipeline/host_loop.h"
#include "pipeline/pipeline.h"
#include "workload/compiler_report.h"
#include "workload/module_facts.h"
#include "workload/run_log.h"
#include "workload/source_facts.h"

namespace tilewise {

// One file's text as it was read, for excerpts and edits.
struct SourceFile {
  std::string path;
  std::string text;  // for notebooks: cell texts are in `cells`
  std::vector<std::string> cells;
};

// What a step of the model is, unless the user asks otherwise.
enum class StepKind : uint8_t {
  kTraining,      // the graph is the forward pass; gradients are to be added
  kInference,     // the graph is run as it is
  kTrainingStep,  // the graph has its gradients and updates already
};

// Elements of a model's weights, used or not, and the matmuls of one example,
// where its source says.
struct ModelSize {
  int64_t trainable = 0;
  int64_t other = 0;  // frozen weights, statistics, buffers
  std::optional<int64_t> multiply_adds;
};

struct Workload {
  std::string name;            // for people: file names
  std::optional<Graph> graph;  // forward, per-batch dims symbolic
  StepKind step = StepKind::kTraining;
  std::string format;    // "onnx"; as InputFormat::name
  std::string producer;  // "pytorch 2.1.0"; empty: not stated
  // Ops of the file by the names it has for them, with their number.
  std::map<std::string, int64_t> source_ops;
  // A module that comes out of a compiler for TPUs has this.
  std::optional<Compilation> compilation;
  // A log has the compiler's reports that memory ran out, in its order.
  std::vector<MemoryReport> memory_reports;
  // A log has the partitioner's warnings.
  std::vector<WholeReshard> whole_reshards;
  // A folder of dumps has these.
  std::vector<RecompiledFunction> recompiled;
  // A log has Keras' warnings that a hook on batches is slow.
  std::vector<SlowBatchHook> slow_batch_hooks;
  // Sizes of the graph stand in for ones that the program does not tell, so that its times are not
  // those of the program.
  bool sizes_assumed = false;
  // Why the graph has less than the program, with the place; empty: nothing says that it has.
  std::string lower_bound;
  RunLog run_log;
  // The graph is what one core runs on its part of the batch, as pmap traces it.
  bool per_core = false;
  // Share of layers (by count) that became costed ops, and the classes that
  // did not, with their number.
  int64_t layers = 0;
  std::map<std::string, int64_t> opaque_layers;
  std::optional<ModelSize> model_size;
  std::optional<TrainingSpec> training;
  std::vector<Pipeline> pipelines;
  HostLoop host_loop;
  // How the program lays its devices out; nothing: it does not say.
  std::optional<Mesh> mesh;
  // Flags that the program gives XLA, as it sets LIBTPU_INIT_ARGS, and where it does.
  std::string xla_flags;
  Location xla_flags_location;
  // Where the program is seen to train on one device, whatever the machine has.
  std::optional<Location> one_device;
  SourceFacts facts;
  // What could not be read or resolved: ids RD001 (unknown layer),
  // RD002 (cannot resolve without running), RD003 (ignored part), RD004 (a
  // shape that the file states is not the one that follows from its operands),
  // RD005 (a program's model was not read); what rules add is RD006 (too small).
  std::vector<Diagnostic> notes;
  std::vector<SourceFile> files;
  // Paths besides those files that the reading depends on: modules, configurations,
  // and what was looked for in vain.
  std::vector<std::string> consulted;
  // These are facts of the model's file, apart from its graph; op ids are those of `graph`.
  ModuleFacts module;

  // The pipeline that feeds training: the one with that role, else the only
  // one that is not evaluation; null when there is none.
  const Pipeline* training_pipeline() const;
  // Global batch that the files ask for: pipeline, fit(batch_size=).
  std::optional<int64_t> declared_global_batch() const;
};

// Puts together what several files say. A model from a model file wins over
// one found in a script; two models, or two compile() calls with different
// settings, are an error that names both places.
absl::StatusOr<Workload> MergeWorkloads(std::vector<Workload> parts);

}  // namespace tilewise
