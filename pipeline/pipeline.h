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
  kQueue,          // an input queue of TF 1: tf.train.batch
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
  std::string name;                // "augment"; empty for a lambda
  bool resolved = false;           // its body was found and read
  std::vector<std::string> calls;  // full dotted names, in order, aliases resolved
  // Numbers that each call leaves of an element, besides `calls`; 0: not known; kAside: it works on
  // a few numbers beside the element, as sizes, offsets and labels are.
  std::vector<double> elements_after;
  static constexpr double kAside = -1;
  int64_t nodes = 0;      // these calls, and operators on more than a few numbers
  bool random = false;    // calls a random op
  bool stateful = false;  // py_function, global state, printing
  bool decodes = false;   // image/audio decoding, parsing of records
  bool indexes = false;   // takes parts of tensors by index: x[0], x[1:]
  // Bytes out over bytes in for one element, when dtype casts and resizes make
  // it knowable.
  std::optional<double> growth;
};

// One tensor of an element.
struct Leaf {
  std::string dtype;          // "uint8"; empty: not known
  std::vector<int64_t> dims;  // -1: not known
  bool known_rank = true;     // else `dims` says nothing
  // Returns nothing where the type or a dim is not known.
  std::optional<int64_t> bytes() const;
};

// An argument as the call has it, by the name of its parameter.
struct WrittenArgument {
  std::string parameter;  // "num_parallel_calls", also when given by position
  Span value;
};

// What the user measured of a stage: it counts more than what the code tells.
struct MeasuredStage {
  std::optional<Seconds> per_example;      // on one core of the host
  std::optional<Bytes> bytes_per_example;  // that leave it
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
  bool seeded = false;  // shuffle(seed=...): one order is wanted
  MapFunction function;
  MeasuredStage measured;

  // A call in a script has these; those given by * and ** are left out.
  std::vector<WrittenArgument> written;
  // The API of earlier versions that the stage was asked for with:
  // "tf.data.experimental.map_and_batch". Its parts are stages of their own,
  // all with this name and one location; `written` of the first has the arguments
  // of the transformation, and as "apply" the whole `.apply(...)`.
  std::string legacy;
  // Paths or patterns of the files that a source reads, as far as they are
  // constant; where they start with what is constant, only that.
  std::vector<std::string> paths;
  std::optional<int64_t> files;  // how many a source reads
  // For flat_map and interleave, these are what the function's dataset begins with, and how many
  // files that reads at once.
  std::optional<StageKind> inner_source;
  Count inner_parallel_reads;
  // The tensors of an element after the stage, batch dims included; nothing
  // where the structure is not known.
  std::optional<std::vector<Leaf>> element;

  const WrittenArgument* Written(std::string_view parameter) const;
};

// One setting of tf.data.Options, in the order in which they were made.
struct PipelineOption {
  std::string name;   // "experimental_optimization.map_parallelization"
  std::string value;  // "False", "1"; as Python writes it
  Location location;
  Span target;  // of the assignment; empty where there is none
};

// The release of TensorFlow that runs the pipeline, as far as the files tell.
struct RuntimeVersion {
  int major = 2;
  int minor = -1;  // -1: not known
  // Returns false also where that cannot be told.
  bool AtLeast(int other_major, int other_minor) const;
};

enum class PipelineRole : uint8_t {
  kTraining,
  kEvaluation,
  kLook,     // the program trains on none of it: looked at, written, exported
  kUnknown,  // may train
};

// What each host of a slice takes of a pipeline that all of them run.
enum class HostShare : uint8_t {
  kUnknown,   // the files do not tell
  kPart,      // a part of the items: shard() by host, files that a strategy shares out
  kAll,       // all items, in an order of its own
  kDropping,  // a part of the batches, after it has made all of them
  kOneHost,   // one makes all batches, and sends each of the others its part
};

struct Pipeline {
  std::string name;  // the variable it ends in: "train_ds"
  // "DataLoader": made by another loader than tf.data, whose settings it has not.
  std::string loader;
  PipelineRole role = PipelineRole::kUnknown;
  HostShare host_share = HostShare::kUnknown;
  // The last batch stage makes rows of batches, each for a step of one execution.
  bool rows_are_steps = false;
  bool for_callers = false;  // made in a function that the program itself does not call
  Location location;
  std::vector<Stage> stages;  // source first
  // Items in the source (examples), when known: array lengths, known public
  // datasets, take(n). Those of all hosts, where each reads a part.
  std::optional<int64_t> source_items;
  // Bytes and 4-byte elements of one item (features and labels) at the source
  // and where it reaches the device.
  std::optional<Bytes> source_item_bytes;
  std::optional<Bytes> item_bytes;
  bool rewrites_disabled = false;       // options turned default rewrites off
  std::vector<PipelineOption> options;  // of with_options(), in order
  // Nothing: a release of the last years.
  std::optional<RuntimeVersion> runtime;
  // A seed for the whole program or an option asks for the same run each time.
  bool reproducible = false;
  // Batches that one step takes: more than one where each replica takes its
  // own (strategy.distribute_datasets_from_function).
  int64_t batches_per_step = 1;
  // Processes of a host that have such a loader each, with workers of its own, and share the batch.
  int64_t processes = 1;
  // Batches that the call takes which trains on it: its steps in all epochs. Nothing: it does not
  // say.
  std::optional<int64_t> batches_taken;

  // The stage that makes the batches of a step: the last that batches; or null.
  const Stage* batch() const;
  std::optional<int64_t> batch_size() const;  // global batch, when resolved
  // Examples that one of so many hosts makes for a step of a global batch.
  int64_t made_by_host(int64_t global_batch, int64_t hosts) const;
  // Items that one of so many hosts reads; where the files do not tell, all.
  std::optional<int64_t> items_of_host(int64_t hosts) const;
  // Whether an option lets parallel stages hand out elements in any order.
  bool order_is_off() const;
  // The last value given to an option, or null.
  const PipelineOption* option(std::string_view key) const;
};

// Whether a path names storage that is read over the network: "gs://...".
bool IsRemotePath(std::string_view path);

}  // namespace tilewise
