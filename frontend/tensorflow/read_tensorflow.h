// Files of TensorFlow -> Workload: GraphDef, MetaGraphDef and SavedModel in
// binary and text form, and graphs of TensorFlow.js. Weights stay in the file.

#pragma once

#include "base/status.h"
#include "frontend/input_file.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

// frozen_graph.pb, graph.pbtxt; a library of functions as well.
bool LooksLikeGraphDef(const InputFile& file);
absl::StatusOr<Workload> ReadGraphDef(const InputFile& file, const LoadOptions& options);

// saved_model.pb, saved_model.pbtxt.
bool LooksLikeSavedModel(const InputFile& file);
absl::StatusOr<Workload> ReadSavedModel(const InputFile& file, const LoadOptions& options);

// model.ckpt.meta, export.meta.
bool LooksLikeMetaGraph(const InputFile& file);
absl::StatusOr<Workload> ReadMetaGraph(const InputFile& file, const LoadOptions& options);

// model.json whose modelTopology has nodes. The layers form is a Keras model.
bool LooksLikeTfjsGraph(const InputFile& file);
absl::StatusOr<Workload> ReadTfjsGraph(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
