// Flags images that cross to the device as float32 although they were uint8.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "rules/input/feed.h"
#include "rules/rule.h"
#include "session/session.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::IP016 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP016",
    .name = "wide-transfer",
    .fix = Applicability::kUnsafe,
    .summary = "uint8 images are sent to the device as float32",
    .no_saving = "what an item of the pipeline holds is not known",
    .doc = R"(
What: batches of float32 images reach the device, and the images were uint8
where they were decoded or loaded; those that the workers of a DataLoader hand
over count as well.
Why: four times the bytes go through batch, prefetch buffers and the link to the
device. The cast and the scaling are a few vector operations there, fused into
the first convolution.
Remedy: keep uint8 in the pipeline, and cast and scale in the model (a Rescaling
layer). Shrink images on the host before they are sent; a resize that makes them
smaller does not belong behind the link.
Numbers: bytes of a batch, and the rate that the simulated step needs, next to
what the host's link carries. The time is that of the link alone; the saving
counts the host's work, of a resize too, and the cast and the scaling of uint8 on
the device.
Ignore: augmentation that needs float32 on the host.
Sources: Timeline notes of TensorFlow users, pytorch/xla issues on large images,
scaling book.)",
    .thresholds = {{"min-mib", 1, "MiB of images a batch from which it is said"},
                   {"min-link-ms", 2, "ms of the link from which it is said without a step"}},
};

constexpr std::string_view kSentAtOnce = "the link sends it at once";
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

// Makes it part of what the fix of `found` does that `image`, a float32 leaf
// behind `batch_dims` dims of batches, stays uint8 in stage `widens` of the
// pipeline and behind it: the model casts and scales its input. Nothing where
// another pipeline feeds the model.
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

// The same of images that the model's layer at `layer` makes smaller: a map of
// the pipeline, before batch, leaves `kept` of them, and an item has `less`
// bytes less.
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

bool IsImage(const Leaf& leaf, size_t batch_dims) {
  return leaf.known_rank && leaf.dims.size() == batch_dims + 3;
}

size_t BatchDims(const Pipeline& pipeline) {
  size_t dims = 0;
  for (const Stage& stage : pipeline.stages) {
    if (IsOneOf(stage.kind, {StageKind::kBatch, StageKind::kPaddedBatch})) {
      ++dims;
    }
    if (stage.kind == StageKind::kUnbatch && dims > 0) --dims;
  }
  return dims;
}

// Returns the bytes per item, when all of it is known.
std::optional<int64_t> ItemBytes(const Leaf& leaf, size_t batch_dims) {
  Leaf item = leaf;
  item.dims.erase(item.dims.begin(), item.dims.begin() + static_cast<std::ptrdiff_t>(batch_dims));
  return item.bytes();
}

// The stage behind which images are no longer uint8.
std::optional<size_t> WidensAt(const Pipeline& pipeline) {
  std::optional<size_t> narrow;
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    const bool bytes = stage.element && std::ranges::any_of(*stage.element, [](const Leaf& leaf) {
                         return leaf.dtype == "uint8" && leaf.known_rank && leaf.dims.size() >= 3;
                       });
    if (bytes) narrow = i + 1;
    if (!bytes && std::ranges::any_of(stage.function.calls, DecodesImage)) narrow = i;
  }
  if (!narrow || *narrow >= pipeline.stages.size()) return std::nullopt;
  return narrow;
}

double HostsOf(const Facts& facts) { return static_cast<double>(FeedingHosts(facts)); }

// What the link takes less, of the step as it is.
void AddTransferCost(const Facts& facts, const Pipeline& pipeline, double less, Finding& found) {
  found.cost.unknown = WhyNoLoop(facts, pipeline);
  if (!found.cost.unknown.empty()) return;
  const LoopTimeline& loop = *facts.loop;
  const Seconds link{less * static_cast<double>(facts.global_batch) / HostsOf(facts) /
                     facts.target.host.feed_bandwidth.value};
  const Seconds narrow = std::max(Seconds{}, loop.transfer - link);
  const Seconds saved =
      std::max(loop.device_step, loop.transfer) - std::max(loop.device_step, narrow);
  found.cost = WallCost(saved, loop.step);
}

std::string RateText(const Facts& facts, double batch_bytes) {
  if (facts.loop == nullptr || facts.loop->step <= Seconds{}) return "";
  const LoopTimeline& loop = *facts.loop;
  if (loop.input > loop.transfer && loop.input >= loop.device_step) {
    return fmt::format(
        "; the input takes {} a batch with what it copies, the device {} (simulated on {}, {} "
        "host)",
        FormatSeconds(loop.input), FormatSeconds(loop.device_step), facts.target.chip.name,
        facts.target.host.name);
  }
  const double rate = batch_bytes / HostsOf(facts) / loop.step.value / 1e9;
  return fmt::format(
      "; {:.2g} GB/s at the simulated step on {}, of {:.2g} GB/s that the {} host's link carries",
      rate, facts.target.chip.name, facts.target.host.feed_bandwidth.value / 1e9,
      facts.target.host.name);
}

// Height and width that a layer of the model resizes to, as its call has them.
std::optional<std::pair<int64_t, int64_t>> TargetOf(const SourceCall& call) {
  std::vector<int64_t> sizes;
  for (const SourceArgument& argument : call.arguments) {
    const bool size =
        argument.keyword.empty() || argument.keyword == "height" || argument.keyword == "width";
    if (size && argument.integers.size() == 1) {
      sizes.push_back(argument.integers[0]);
    }
  }
  if (sizes.size() < 2) return std::nullopt;
  return std::pair(sizes[0], sizes[1]);
}

bool ResizesItself(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.stages, [](const Stage& stage) {
    return std::ranges::any_of(stage.function.calls, [](const std::string& call) {
      return call.find("esiz") != std::string::npos;
    });
  });
}

// Images that the model makes smaller as its first act: sent for nothing.
void CheckShrinking(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  const auto& element = pipeline.stages.back().element;
  const size_t dims = BatchDims(pipeline);
  if (!element || element->empty() || ResizesItself(pipeline)) return;
  const Leaf& leaf = element->front();
  if (!IsImage(leaf, dims) || !ItemBytes(leaf, dims)) return;
  const int64_t height = leaf.dims[dims];
  const int64_t width = leaf.dims[dims + 1];
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (call.name != "tensorflow.keras.layers.Resizing") continue;
    const auto target = TargetOf(call);
    if (call.in_dataset_function || !target) continue;
    if (target->first < 1 || target->second < 1 || target->first > height ||
        target->second > width || (target->first == height && target->second == width)) {
      continue;
    }
    const double kept = static_cast<double>(target->first) / static_cast<double>(height) *
                        static_cast<double>(target->second) / static_cast<double>(width);
    Finding& found =
        sink.Report(call.location,
                    "images of {}x{} cross to the device and are made {}x{} there, expected that "
                    "on the host: {} of the bytes are sent for nothing",
                    height, width, target->first, target->second, FormatPercent(1 - kept));
    const double less = (1 - kept) * static_cast<double>(*ItemBytes(leaf, dims));
    AddTransferCost(facts, pipeline, less, found);
    found.fix.text = "resize in a map of the pipeline, before batch";
    SendSmall(facts, pipeline, call.location, kept, Bytes{static_cast<int64_t>(less)}, found);
  }
}

// The float32 images that a model takes, as a leaf of the pipeline's end; none where it takes none
// or several.
std::optional<Leaf> ImagesOfModel(const Graph& graph) {
  std::optional<Leaf> images;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter || op.shape.dtype != DType::kF32 || op.shape.rank() != 4) {
      continue;
    }
    const std::vector<int64_t> sizes = op.shape.sizes();
    const bool colours = sizes[1] == 3 || sizes[3] == 3 || sizes[1] == 1 || sizes[3] == 1;
    if (!colours || images) return std::nullopt;
    images = Leaf{.dtype = "float32", .dims = sizes};
  }
  return images;
}

// The stage in which the workers of a loader make numbers of pictures, which are bytes before; none
// where that is not known.
std::optional<size_t> MakesFloatsAt(const Pipeline& pipeline) {
  constexpr std::string_view kPictures =
      "ImageFolder|ImageNet|CIFAR10|CIFAR100|MNIST|FashionMNIST|KMNIST|EMNIST|SVHN|STL10|CelebA|"
      "Flowers102|Food101|OxfordIIITPet|Places365";
  const auto is_of_pictures = [](const std::string& call) {
    return DecodesImage(call) || call.starts_with("torchvision.transforms.") ||
           call.starts_with("albumentations.");
  };
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    if (stage.kind == StageKind::kBatch) return std::nullopt;
    if (stage.kind != StageKind::kMap) continue;
    if (IsOneOfWords(stage.function.name, kPictures) ||
        std::ranges::any_of(stage.function.calls, is_of_pictures)) {
      return i;
    }
  }
  return std::nullopt;
}

// Bytes leave the workers, who work as long as now: what decoding takes does not change.
PipelineChange HandOverBytes(const Facts& facts, const Pipeline& pipeline, size_t maker,
                             Bytes item) {
  const auto batch = static_cast<double>(facts.global_batch) / HostsOf(facts);
  const Seconds now = facts.loop->stages[maker].per_batch / batch;
  PipelineChange as_long =
      EditingStage(pipeline, maker, [now](Stage& map) { map.measured.per_example = now; });
  return [as_long = std::move(as_long), item](Pipeline& edited) {
    as_long(edited);
    edited.item_bytes = item;
  };
}

// Pictures that the workers of a DataLoader hand over as float32. LibTorch's data sets hold floats.
void CheckLoader(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  if (facts.source == nullptr || pipeline.loader.empty()) return;
  if (IsCppPath(pipeline.location.file)) return;
  if (!WhyNoLoop(facts, pipeline).empty()) return;
  const std::optional<size_t> maker = MakesFloatsAt(pipeline);
  const std::optional<Leaf> images = ImagesOfModel(*facts.source);
  if (!maker || !images || *maker >= facts.loop->stages.size()) return;
  const std::optional<int64_t> bytes = ItemBytes(*images, 1);
  if (!bytes) return;
  const double all = static_cast<double>(*bytes) * static_cast<double>(facts.global_batch);
  if (all > 9e18) return;
  Finding& found =
      sink.Report(pipeline.stages[*maker].location,
                  "{} hands over float32 images, expected uint8: {} a batch instead of {}{}",
                  pipeline.loader, FormatBytes(Bytes{static_cast<int64_t>(all)}),
                  FormatBytes(Bytes{static_cast<int64_t>(all / 4)}), RateText(facts, all));
  AddTransferCost(facts, pipeline, 0.75 * static_cast<double>(*bytes), found);
  if (all < sink.threshold("min-mib") * (1 << 20)) found.too_small = kSentAtOnce;
  found.fix.text =
      "hand over bytes (PILToTensor in the place of ToTensor and Normalize), and cast and scale "
      "them on the device";
  const auto then = ItemWithout(facts, pipeline, Bytes{*bytes / 4 * 3});
  if (!then) return;
  ChangePipeline(facts, pipeline, HandOverBytes(facts, pipeline, *maker, *then), found);
  const OpId input = InputOf(*facts.source, std::span(images->dims).subspan(1));
  if (found.change.pipeline && input != kNoOp) found.change.replace[input] = CastOnDevice;
}

void Check(const Facts& facts, Sink& sink) {
  if (const Pipeline* const feeds = facts.workload.training_pipeline()) {
    CheckLoader(facts, *feeds, sink);
  }
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto& element = pipeline->stages.back().element;
    const auto widens = WidensAt(*pipeline);
    const size_t dims = BatchDims(*pipeline);
    CheckShrinking(facts, *pipeline, sink);
    if (!element || !widens || dims == 0) continue;
    for (const Leaf& leaf : *element) {
      if (leaf.dtype != "float32" || !IsImage(leaf, dims)) continue;
      const auto bytes = ItemBytes(leaf, dims);
      const auto batch = static_cast<double>(pipeline->batch_size().value_or(facts.global_batch));
      if (!bytes) continue;
      const double all = static_cast<double>(*bytes) * batch;
      if (all > 9e18) continue;
      const Seconds link{0.75 * all / HostsOf(facts) / facts.target.host.feed_bandwidth.value};
      const bool is_small = all < sink.threshold("min-mib") * (1 << 20) ||
                            (!WhyNoLoop(facts, *pipeline).empty() &&
                             link.value * 1e3 < sink.threshold("min-link-ms"));
      const Stage& stage = pipeline->stages[*widens];
      Finding& found =
          sink.Report(stage.location,
                      "images become float32 in {} and cross to the device so, expected uint8: {} "
                      "a batch instead of {}{}",
                      NameOfStage(stage), FormatBytes(Bytes{static_cast<int64_t>(all)}),
                      FormatBytes(Bytes{static_cast<int64_t>(all / 4)}), RateText(facts, all));
      AddTransferCost(facts, *pipeline, 0.75 * static_cast<double>(*bytes), found);
      if (is_small) found.too_small = kSentAtOnce;
      found.fix.text =
          "keep the images uint8 in the pipeline, and cast and scale them in the model, on the "
          "device";
      SendBytes(facts, *pipeline, *widens, leaf, dims, found);
      break;
    }
  }
}

}  // namespace

TW_RULE(IP016)

}  // namespace tilewise::IP016
