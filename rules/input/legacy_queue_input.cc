// Flags input that reaches the step outside tf.data: queues, feed_dict, Keras'
// Python generators.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/input/feed.h"
#include "workload/blocks.h"

namespace tilewise::IP021 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP021",
    .name = "legacy-queue-input",
    .summary = "training input comes from queues, feed_dict or a generator",
    .doc = R"(
What: a training program whose input comes from TF 1 queues (tf.train.batch,
QueueDequeueMany), feed_dict, ImageDataGenerator or keras.utils.Sequence, from a
generator of the program that reads its items one after the other (cv2.imread,
PIL.Image.open), or from arrays of which a loop gives fit() a chunk at a time.
Why: none of them works ahead of the TPU on all cores of the host: queues need
threads that Python starts, feed_dict copies every batch through Python,
generators run one at a time under Python's lock.
In a timeline a long QueueDequeueMany is not slow itself: it is the time that
the step waits because the queue is empty. Look at what fills it: too few
threads, heavy preprocessing, slow storage.
Remedy: tf.data: map with num_parallel_calls, batch, prefetch.
Ignore: scripts that only run a model; the rule needs a sign of training. A loop
that gives fit() the same arrays each time makes no chunks.
Sources: Cloud TPU guide, Timeline notes of TensorFlow users, xprof.)",
};

struct Api {
  std::string_view name;  // after the package
  std::string_view what;  // for the message
};
constexpr Api kApis[] = {
    {"train.batch", "tf.train.batch fills a queue from Python threads"},
    {"train.maybe_batch", "tf.train.maybe_batch fills a queue from threads"},
    {"train.batch_join", "tf.train.batch_join fills a queue from threads"},
    {"train.shuffle_batch", "tf.train.shuffle_batch fills a queue from threads"},
    {"train.shuffle_batch_join", "tf.train.shuffle_batch_join fills a queue from threads"},
    {"keras.preprocessing.image.ImageDataGenerator",
     "ImageDataGenerator prepares images in Python"},
};

constexpr std::string_view kTensorFlow = "tensorflow.";

const Api* FindApi(std::string_view name) {
  if (!name.starts_with(kTensorFlow)) return nullptr;
  name.remove_prefix(kTensorFlow.size());
  for (const Api& api : kApis) {
    if (api.name == name) return &api;
  }
  return nullptr;
}

// fit(), an optimizer that minimises, gradients that are applied.
bool Trains(const Facts& facts) {
  if (facts.workload.host_loop.fit.known()) return true;
  return std::ranges::any_of(facts.workload.facts.calls, [](const SourceCall& call) {
    return call.name.ends_with(".minimize") || call.name.ends_with(".apply_gradients") ||
           call.name.ends_with(".fit_generator") || call.name.ends_with(".train_on_batch") ||
           call.name.ends_with("create_train_op");
  });
}

void Report(const Location& location, const std::string& what, Sink& sink) {
  Finding& found = sink.Report(location, "{}, expected a tf.data pipeline", what);
  found.cost.unknown = "what the same work takes in tf.data is not simulated";
  found.fix.text = "feed the step from tf.data: read and map in parallel, batch, prefetch";
}

// A step that is given its batch by hand, in a loop.
bool FeedsInLoop(const Facts& facts, const SourceCall& call) {
  const bool run = call.name == "run" || call.name.ends_with(".run");
  const bool feeds = std::ranges::any_of(
      call.arguments, [](const SourceArgument& a) { return a.keyword == "feed_dict"; });
  return run && feeds && LoopAround(facts.workload.facts, call.context) >= 0;
}

// fit() or train_on_batch() on a chunk of arrays, in a loop that makes the chunks.
bool FitsChunks(const Facts& facts, const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if ((name != "fit" && name != "train_on_batch") || call.arguments.size() < 2) return false;
  // Models of scikit-learn are fitted by the CPU.
  const SourceFacts& imports = facts.workload.facts;
  if (Imports(imports, "sklearn") && !Imports(imports, "tensorflow") && !Imports(imports, "keras"))
    return false;
  const int32_t loop = LoopAround(facts.workload.facts, call.context);
  if (loop < 0) return false;
  // Several epochs over the same arrays are the training of one model of many.
  const SourceArgument* const epochs = ArgumentOf(call.arguments, "epochs");
  if (epochs != nullptr && epochs->text != "1") return false;
  // Data and labels by themselves are arrays; a data set has both.
  const SourceArgument& labels = call.arguments[1];
  if (!labels.keyword.empty() && labels.keyword != "y") return false;
  // The whole of the data, for each of several models or epochs, is no chunk.
  const SourceFacts& source = facts.workload.facts;
  const std::vector<std::string>& targets = source.contexts[static_cast<size_t>(loop)].targets;
  return std::ranges::any_of(call.arguments[0].names, [&](const std::string& data) {
    if (IsOneOf(data, targets)) return true;
    return std::ranges::any_of(source.assignments, [&](const SourceAssignment& made) {
      return IsInside(source, made.context, loop) && IsOneOf(data, made.targets);
    });
  });
}

// Calls that read and decode one item, wherever it lies.
constexpr std::string_view kItemReaders =
    "cv2.imread|PIL.Image.open|imageio.imread|imageio.v2.imread|skimage.io.imread|"
    "matplotlib.pyplot.imread|matplotlib.image.imread|scipy.misc.imread|numpy.load|librosa.load|"
    "tensorflow.keras.preprocessing.image.load_img|tensorflow.keras.utils.load_img";

// The call by which a function of the program reads items, itself or in what it calls; null: none.
const SourceCall* ReadIn(const SourceFacts& source, int32_t function, int nesting = 0) {
  constexpr int kDeepest = 3;
  for (const SourceCall& call : source.calls) {
    if (!IsInside(source, call.context, function)) continue;
    if (IsOneOfWords(call.name, kItemReaders)) return &call;
    const int32_t called = DefinitionOf(source, call.name, call.context);
    if (called < 0 || called == function || nesting == kDeepest) continue;
    if (const SourceCall* read = ReadIn(source, called, nesting + 1)) return read;
  }
  return nullptr;
}

// The function whose generator the argument is: make() itself, or a name that is bound to it once.
int32_t GeneratorOf(const SourceFacts& source, const SourceArgument& argument) {
  int32_t made = argument.call;
  for (const SourceAssignment& assignment : source.assignments) {
    if (made >= 0 || argument.name.empty()) break;
    if (IsOneOf(argument.name, assignment.targets)) made = assignment.call;
  }
  if (made < 0) return -1;
  const SourceCall& call = source.calls[made];
  return DefinitionOf(source, call.name, call.context);
}

// A step that takes its batch from a generator of the program, which reads item by item: next(g)
// in the loop that applies the gradients, fit_generator(g).
void CheckGenerators(const SourceFacts& source, Sink& sink) {
  for (const SourceCall& call : source.calls) {
    const bool fits = LastName(call.name) == "fit_generator";
    if ((call.name != "next" && !fits) || call.arguments.empty()) continue;
    const int32_t loop = LoopAround(source, call.context);
    const bool steps = std::ranges::any_of(source.calls, [&](const SourceCall& step) {
      return loop >= 0 && LastName(step.name) == "apply_gradients" &&
             LoopAround(source, step.context) == loop;
    });
    if (!steps && !fits) continue;
    const int32_t maker = GeneratorOf(source, call.arguments.front());
    const SourceCall* const read = maker < 0 ? nullptr : ReadIn(source, maker);
    if (read == nullptr) continue;
    Report(call.location,
           fmt::format("{}() reads one item after the other by {}() at {}, in Python{}",
                       source.contexts[maker].name, read->name,
                       LineText(read->location, call.location),
                       fits ? "" : ", in the thread that starts the steps"),
           sink);
    return;
  }
}

void CheckCalls(const Facts& facts, Sink& sink) {
  std::set<std::string_view> seen;
  for (const SourceCall& call : facts.workload.facts.calls) {
    const Api* api = FindApi(call.name);
    if (api != nullptr && seen.insert(api->name).second) {
      Report(call.location, std::string(api->what), sink);
    }
    if (FitsChunks(facts, call) && seen.insert("fit").second) {
      Report(call.location,
             fmt::format(
                 "{}() is called for each chunk of arrays that the loop makes: Python prepares "
                 "a chunk while the TPU waits, and the whole of it is sent before its steps "
                 "begin",
                 LastName(call.name)),
             sink);
    }
    // A fetch of the update that is fed: the first such loop stands for all.
    const bool updates = std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
      return argument.text.find("train") != std::string::npos ||
             argument.text.find("optim") != std::string::npos;
    });
    if (updates && FeedsInLoop(facts, call) && seen.insert("feed_dict").second) {
      Report(call.location, "feed_dict copies every batch through Python while the device waits",
             sink);
    }
  }
  for (const SourceContext& context : facts.workload.facts.contexts) {
    const bool sequence =
        context.kind == ContextKind::kClass &&
        std::ranges::any_of(context.bases, [](const std::string& base) {
          return base.ends_with("keras.utils.Sequence") || base.ends_with("keras.utils.PyDataset");
        });
    if (!sequence) continue;
    Report(context.location,
           fmt::format("{} makes batches in Python, as a Sequence of Keras", context.name), sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const Stage& source = pipeline->stages.front();
    if (source.kind != StageKind::kQueue || !facts.training) continue;
    if (facts.workload.step == StepKind::kInference) continue;
    Report(source.location,
           fmt::format("{} takes batches from a queue of TF 1; the time shown for it is waiting "
                       "for whoever fills the queue",
                       source.text),
           sink);
  }
  if (!Trains(facts)) return;
  CheckCalls(facts, sink);
  CheckGenerators(facts.workload.facts, sink);
}

}  // namespace

TW_RULE(IP021)

}  // namespace tilewise::IP021
