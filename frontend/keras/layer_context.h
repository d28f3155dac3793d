// What the function of a layer class sees while it adds one call's operations.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/keras/keras_model.h"
#include "frontend/keras/layer_config.h"
#include "graph/graph_builder.h"

namespace tilewise {

// What the calls of one layer share.
struct LayerState {
  std::map<std::string, OpId> variables;
  bool noted = false;  // its opaque note has been given
};

struct LayerContext {
  const KerasLayer& layer;
  const KerasCall& call;
  LayerConfig config;
  GraphBuilder& builder;
  std::vector<OpId> inputs;  // at least one
  bool training = false;
  DType compute_type = DType::kF32;
  DType variable_type = DType::kF32;
  LayerState& state;
  std::string variable_prefix;     // "forward_" inside Bidirectional
  KerasGraph& record;              // receives notes and opaque counts
  std::vector<OpId> more_outputs;  // after the first one
  // Shapes that the file states for this call's results, by number; may be
  // null.
  const std::map<int32_t, nlohmann::json>* stated = nullptr;
  // Calls layer.nested; empty when there is none.
  std::function<std::vector<OpId>(std::vector<OpId>)> nested;

  OpId input() const { return inputs[0]; }
  // A copy, for adding operations moves the builder's own. Eight unit dims once
  // the builder has failed, so that layer code need not check each operation.
  Shape shape(OpId id) const { return builder.shape(id); }
  int64_t rank(OpId id) const { return builder.shape(id).rank(); }
  // Fails unless there are `count` inputs / the rank is as said.
  bool ExpectInputs(size_t count);
  bool ExpectRank(OpId x, int64_t rank);
  // -1 -> last dim; fails when out of range, and then returns 0.
  int64_t NormalizeAxis(int64_t axis, int64_t rank);

  // The layer's weight of that name, made on the first call; in the compute
  // type.
  OpId Variable(std::string_view name, const std::vector<int64_t>& sizes, bool trainable = true);
  // The same in its own type.
  OpId RawVariable(std::string_view name, const std::vector<int64_t>& sizes, bool trainable = true);
  // x + bias along `dim`.
  OpId AddBias(OpId x, OpId bias, int64_t dim);
  // The same with the weight of that name, where the layer has biases.
  OpId AddOwnBias(OpId x, std::string_view name, int64_t dim);
  // config["activation"] applied to x.
  OpId Activate(OpId x);

  // A result whose cost is not known; counted and noted once per layer. It has
  // the dims that the file states, else those of `shape`. `why` completes
  // "layer class X ...".
  OpId Opaque(Shape shape, std::string_view why);
  // The dims stated for result `i`, an open first one being the batch.
  std::optional<std::vector<Dim>> StatedDims(int32_t i) const;
  void Note(std::string_view rule, std::string_view name, const std::string& message);
};

// The spatial rank in a class name: 2 for "Conv2DTranspose".
int64_t SpatialRank(std::string_view class_name);

using LayerFunction = OpId (*)(LayerContext&);

struct LayerEntry {
  std::string_view class_names;  // "Conv1D|Conv2D"
  LayerFunction build;
  bool keeps_type = false;  // inputs are not converted to the compute type
};

// Returns null for an unknown class.
const LayerEntry* FindLayer(std::string_view class_name);

// Sets the types that the layer's own dtype policy asks for; without one they
// stay as they are.
void ApplyDTypePolicy(LayerContext& context);

// Calls `layer` inside the context of the layer that wraps it.
OpId CallInner(const KerasLayer& layer, std::vector<OpId> inputs, std::string_view prefix,
               LayerContext& outer);

// Converts the inputs as the layer's dtype policy says, and adds the call.
// Unknown classes become opaque results of their first input's shape.
OpId BuildLayer(LayerContext& context);

bool IsActivation(std::string_view name);
// Applies a named activation, or an opaque stand-in with a note.
OpId ApplyActivation(LayerContext& context, std::string_view name, OpId x);

// What stands in the graph for a layer that cannot be built, so that one layer
// does not make a model unreadable.
// Opaque results, with a note that has the cause. Their shapes are those that
// the file states, else those that layers of this class give. Fails when
// neither says: cause, and what to do.
std::vector<OpId> StandInResults(LayerContext& ctx, const std::string& cause);

}  // namespace tilewise
