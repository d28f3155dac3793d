// Images that stay uint8 until they are on the device.

#include "rules/input/narrow_images.h"

#include <algorithm>
#include <utility>

#include "workload/example_size.h"

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

OpId CastOnDevice(GraphBuilder& builder, const Op& input,
                  std::span<const OpId> /*operands*/) {
  const OpId bytes =
      builder.Parameter(input.shape.WithType(DType::kU8), "bytes");
  return builder.BinaryScalar(
      OpKind::kMultiply, builder.Convert(bytes, input.shape.dtype), 1.0 / 255);
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

}  // namespace

void SendBytes(const Facts& facts, const Pipeline& pipeline, size_t widens,
               const Leaf& image, size_t batch_dims, Finding& found) {
  if (facts.source == nullptr) return;
  const std::span<const int64_t> item =
      std::span(image.dims).subspan(batch_dims);
  int64_t bytes = static_cast<int64_t>(sizeof(float));
  for (const int64_t size : item) bytes *= size;
  const Bytes now =
      pipeline.item_bytes.value_or(BytesPerExample(facts.workload));
  const Bytes less = Bytes{bytes} - Bytes{bytes / 4};
  if (now <= less) return;
  ChangePipeline(facts, pipeline, KeepNarrow(pipeline, widens, now - less),
                 found);
  if (!found.change.pipeline) return;
  const OpId input = InputOf(*facts.source, item);
  if (input != kNoOp) found.change.replace[input] = CastOnDevice;
}

}  // namespace tilewise
