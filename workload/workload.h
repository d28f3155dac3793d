// All that was read from the user's files, each item with its place.

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
#include "pipeline/host_loop.h"
#include "pipeline/pipeline.h"
#include "workload/compiler_report.h"

namespace tilewise {

// What the text alone says of an argument.
struct SourceArgument {
  std::string keyword;  // empty: positional
  // An integer literal, or a list or tuple of nothing else; empty: other.
  std::vector<int64_t> integers = {};
  // The first parameter (after self) of the function around the call, or its
  // shape: inputs, tf.shape(inputs), inputs.shape.
  bool of_parameter = false;
};

// A call in a source file, by its full dotted name with import aliases
// resolved ("tensorflow.nn.moments").
struct SourceCall {
  std::string name;
  Location location;
  std::string function;  // the function definition around it, if any
  bool in_dataset_function =
      false;                    // inside a function given to Dataset.map & co.
  std::string class_name = {};  // the class around that function, if any
  std::vector<SourceArgument> arguments = {};  // of a Python call, as written
};

struct SourceFacts {
  std::vector<SourceCall> calls;  // in file order
  // From tf.keras.mixed_precision: "mixed_bfloat16", "float32",
  // "mixed_float16".
  std::optional<std::string> precision_policy;
  Location precision_policy_location;
  bool tpu_strategy = false;
};

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

struct Workload {
  std::string name;            // for people: file names
  std::optional<Graph> graph;  // forward, per-batch dims symbolic
  StepKind step = StepKind::kTraining;
  std::string format;    // "onnx"; as InputFormat::name
  std::string producer;  // "pytorch 2.1.0"; empty: not stated
  // Ops of the file by the names it has for them, with their number.
  std::map<std::string, int64_t> source_ops;
  // Of a module that comes out of a compiler for TPUs.
  std::optional<Compilation> compilation;
  // Of a log: the compiler's reports that memory ran out, in its order.
  std::vector<MemoryReport> memory_reports;
  // Of a folder of dumps.
  std::vector<RecompiledFunction> recompiled;
  // Share of layers (by count) that became costed ops, and the classes that
  // did not, with their number.
  int64_t layers = 0;
  std::map<std::string, int64_t> opaque_layers;
  std::optional<TrainingSpec> training;
  std::vector<Pipeline> pipelines;
  HostLoop host_loop;
  SourceFacts facts;
  // What could not be read or resolved: ids RD001 (unknown layer),
  // RD002 (cannot resolve without running), RD003 (ignored part), RD004 (a
  // shape that the file states is not the one that follows from its operands).
  std::vector<Diagnostic> notes;
  std::vector<SourceFile> files;

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
