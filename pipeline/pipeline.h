// What the host feeds: a chain of dataset stages as the user wrote them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/units.h"

namespace tilewise {

enum class StageKind : uint8_t {
  // Sources.
  kFromTensorSlices,  // arrays in host memory
  kFromGenerator,     // Python, one item at a time
  kRange,
  kListFiles,
  kRecordFiles,    // TFRecord, text lines, fixed records
  kNamedDataset,   // tfds.load and the like
  kZip,            // of several chains; `inputs` of the pipeline
  kUnknownSource,  // could not be resolved: `text` says what stands there
  // Transformations.
  kMap,
  kFilter,
  kFlatMap,
  kInterleave,
  kBatch,
  kUnbatch,
  kPaddedBatch,
  kShuffle,
  kRepeat,
  kCache,
  kPrefetch,
  kTake,
  kSkip,
  kShard,
  kEnumerate,
  kWithOptions,
  kOther,
};
std::string_view StageName(StageKind kind);  // "map", "batch"
bool IsSource(StageKind kind);

// A count that a call names: absent, a number, AUTOTUNE, or there but not
// resolvable without running the program.
struct Count {
  enum class Kind : uint8_t { kAbsent, kValue, kAutotune, kUnresolved };
  Kind kind = Kind::kAbsent;
  int64_t value = 0;
  bool present() const { return kind != Kind::kAbsent; }
  bool is(int64_t v) const { return kind == Kind::kValue && value == v; }
};

// What is known of the function given to map/filter/interleave.
struct MapFunction {
  std::string name;       // "augment"; empty for a lambda
  bool resolved = false;  // its body was found and read
  std::vector<std::string>
      calls;              // full dotted names, in order, aliases resolved
  int64_t nodes = 0;      // calls and operators in the body
  bool random = false;    // calls a random op
  bool stateful = false;  // py_function, global state, printing
  bool decodes = false;   // image/audio decoding, parsing of records
  // Bytes out over bytes in for one element, when dtype casts and resizes make
  // it knowable.
  std::optional<double> growth;
};

struct Stage {
  StageKind kind = StageKind::kOther;
  std::string text;   // the method or function as written:
                      // "tf.data.Dataset.from_tensor_slices"
  Location location;  // of the call's name
  // The ".map(...)" part including the leading dot, for edits; empty range for
  // sources and for calls that are not part of a method chain.
  Span call;
  // The argument list between its parentheses.
  Span arguments;

  Count amount;  // batch, buffer, count of repeat/take/skip, cycle_length
  Count parallel_calls;
  std::optional<bool> drop_remainder;
  std::optional<bool> deterministic;
  bool reshuffles = true;  // shuffle(reshuffle_each_iteration)
  bool cache_to_file = false;
  MapFunction function;
};

enum class PipelineRole : uint8_t { kTraining, kEvaluation, kUnknown };

struct Pipeline {
  std::string name;  // the variable it ends in: "train_ds"
  PipelineRole role = PipelineRole::kUnknown;
  Location location;
  std::vector<Stage> stages;  // source first
  // Items in the source (examples), when known: array lengths, known public
  // datasets, take(n).
  std::optional<int64_t> source_items;
  // Bytes and 4-byte elements of one item (features and labels) at the source
  // and where it reaches the device.
  std::optional<Bytes> source_item_bytes;
  std::optional<Bytes> item_bytes;
  bool rewrites_disabled = false;  // options turned default rewrites off
  // Batches that one step takes: more than one where each replica takes its
  // own (strategy.distribute_datasets_from_function).
  int64_t batches_per_step = 1;

  // The last batch stage, or null.
  const Stage* batch() const;
  std::optional<int64_t> batch_size() const;  // global batch, when resolved
};

}  // namespace tilewise
