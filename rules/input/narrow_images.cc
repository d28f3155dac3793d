// What is sent less is taken from the bytes of an item.

#include "rules/input/narrow_images.h"

#include <algorithm>
#include <utility>

#include "rules/input/chain.h"
#include "session/session.h"

namespace tilewise {
namespace {

constexpr double kNarrow = 0.25;  // bytes of uint8 over those of float32

bool HasSizes(const Shape& shape, std::span<const int64_t> item) {
  const std::vector<int64_t> sizes = shape.sizes();
  return shape.dtype == DType::kF32 && sizes.size() == item.size() + 1 &&
         std::equal(sizes.begin() + 1, sizes.end(), item.begin());
}

// The only input of the model that is fed such items; kNoOp: none, or several.
OpId InputOf(const Graph& graph, std::span<const int64_t> item) {
  OpId input = kNoOp;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter || !HasSizes(op.shape, item)) continue;
    if (input != kNoOp) return kNoOp;
    input = op.id;
  }
  return input;
}

OpId CastOnDevice(GraphBuilder& builder, const Op& input, std::span<const OpId> /*operands*/) {
  const OpId bytes = builder.Parameter(input.shape.WithType(DType::kU8), "bytes");
  return builder.BinaryScalar(OpKind::kMultiply, builder.Convert(bytes, input.shape.dtype),
                              1.0 / 255);
}

// The stage leaves its items as narrow as they come, and so they are sent.
PipelineChange KeepNarrow(const Pipeline& pipeline, size_t stage, Bytes item) {
  PipelineChange narrow = EditingStage(pipeline, stage, [](Stage& map) {
    if (map.function.growth) *map.function.growth *= kNarrow;
  });
  return [narrow = std::move(narrow), item](Pipeline& edited) {
    narrow(edited);
    edited.item_bytes = item;
  };
}

// Bytes of an item of the pipeline without `less` of them; none when it has not
// as many.
std::optional<Bytes> ItemWithout(const Facts& facts, const Pipeline& pipeline, Bytes less) {
  const Bytes now = pipeline.item_bytes.value_or(facts.session.ExampleBytes());
  if (now <= less) return std::nullopt;
  return now - less;
}

PipelineChange ShrinkBeforeBatch(const Pipeline& pipeline, double kept, Bytes item) {
  Stage shrink;
  shrink.kind = StageKind::kMap;
  shrink.parallel_calls.kind = Count::Kind::kAutotune;
  shrink.function = {.name = "resize",
                     .resolved = true,
                     .calls = {"tensorflow.image.resize"},
                     .nodes = 1,
                     .growth = kept};
  const auto batch = FirstOf(pipeline, {StageKind::kBatch, StageKind::kPaddedBatch});
  return
      [insert = InsertingStage(pipeline, batch.value_or(pipeline.stages.size()), std::move(shrink)),
       item](Pipeline& edited) {
        insert(edited);
        edited.item_bytes = item;
      };
}

OpId ResizedInput(GraphBuilder& builder, const Op& resized, std::span<const OpId> /*operands*/) {
  return builder.Parameter(resized.shape, "resized");
}

}  // namespace

void SendBytes(const Facts& facts, const Pipeline& pipeline, size_t widens, const Leaf& image,
               size_t batch_dims, Finding& found) {
  if (facts.source == nullptr) return;
  const std::span<const int64_t> item = std::span(image.dims).subspan(batch_dims);
  int64_t bytes = static_cast<int64_t>(sizeof(float));
  for (const int64_t size : item) bytes *= size;
  const auto then = ItemWithout(facts, pipeline, Bytes{bytes} - Bytes{bytes / 4});
  if (!then) return;
  ChangePipeline(facts, pipeline, KeepNarrow(pipeline, widens, *then), found);
  if (!found.change.pipeline) return;
  const OpId input = InputOf(*facts.source, item);
  if (input != kNoOp) found.change.replace[input] = CastOnDevice;
}

void SendSmall(const Facts& facts, const Pipeline& pipeline, const Location& layer, double kept,
               Bytes less, Finding& found) {
  if (facts.source == nullptr) return;
  const auto then = ItemWithout(facts, pipeline, less);
  if (!then) return;
  for (const Op& op : facts.source->ops()) {
    const bool resizes = op.kind == OpKind::kOpaque && op.location.file == layer.file &&
                         op.location.line == layer.line;
    if (!resizes) continue;
    ChangePipeline(facts, pipeline, ShrinkBeforeBatch(pipeline, kept, *then), found);
    if (found.change.pipeline) found.change.replace[op.id] = ResizedInput;
    return;
  }
}

}  // namespace tilewise
