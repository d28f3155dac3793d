// Questions about a pipeline: the order of its stages, and the last batch of an
// epoch, when it is smaller than the others.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// JPEG photographs: about one byte for eight of decoded pixels.
inline constexpr double kPhotoCompression = 8;

using StageKinds = std::initializer_list<StageKind>;
bool IsOneOf(StageKind kind, StageKinds kinds);
// Index of the first / last stage of one of these kinds, from `from` on.
std::optional<size_t> FirstOf(const Pipeline& pipeline, StageKinds kinds, size_t from = 0);
std::optional<size_t> LastOf(const Pipeline& pipeline, StageKinds kinds);

// Whether the elements that reach stage `at` are batches.
bool TakesBatches(const Pipeline& pipeline, size_t at);
// Whether the call that makes the source also makes stage `at`, so that nothing
// can be moved past it: image_dataset_from_directory() shuffles and prefetches.
bool IsOfSource(const Pipeline& pipeline, size_t at);
// Whether the reader of the files makes the batches itself, so that nothing can
// be put before them: image_dataset_from_directory(batch_size=...).
bool IsPreBatched(const Pipeline& pipeline);
// Whether the elements that reach stage `at` are names of files: what an
// interleave or flat_map behind it opens.
bool TakesFileNames(const Pipeline& pipeline, size_t at);
// Whether a call decodes an image, in TensorFlow, OpenCV, torchvision or Pillow.
bool DecodesImage(std::string_view call);
// Whether a call leaves TensorFlow for Python: tf.py_function and the like.
bool IsPythonCall(std::string_view call);
// The name of the first such call of a function; empty: there is none.
std::string PythonCall(const MapFunction& function);
// "map(parse)", "batch", as a message names the stage.
std::string NameOfStage(const Stage& stage);

// Whether a rewrite that TensorFlow makes by default, "map_parallelization" or "inject_prefetch",
// acts on the pipeline: nothing where that depends on a release that the files do not name.
std::optional<bool> ActsByDefault(const Pipeline& pipeline, std::string_view rewrite);
// What these certainly do: a map of a plain function runs in parallel, a pipeline whose last
// stage makes elements when they are asked for gets a prefetch.
bool IsMadeParallel(const Pipeline& pipeline, const Stage& stage);
bool IsGivenPrefetch(const Pipeline& pipeline);

// Index of the batch stage that keeps a partial last batch; none when each
// batch is full, or epochs run into each other before it.
std::optional<size_t> PartialBatchStage(const Pipeline& pipeline);

// Items of an epoch that reach stage `end`; none when unknown.
std::optional<int64_t> ItemsAt(const Pipeline& pipeline, size_t end);

// What the step of a rest of `rest` examples takes above its share of a full
// one of `batch`, spread over the steps of an epoch of `items`.
Seconds WasteOfPartialStep(Seconds partial, Seconds full, int64_t items, int64_t batch);

}  // namespace tilewise
