// A loader's workers run a function for each example and hand the result to the
// process that trains. The function is what the class of the data or the
// transforms call; what is in libraries alone has no known cost.

#include "frontend/python/loader_pipeline.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "frontend/python/data_chains.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::python {
namespace {

struct LoaderKind {
  std::string_view name;     // of the call ends in it, after a dot
  std::string_view workers;  // keyword
  size_t workers_at = 99;    // its position
  bool works_ahead = false;  // with workers a thread of its own takes what they made
  bool batches = true;
  bool is_chain = false;  // of methods, which say how it is read
  bool threads = false;   // workers are threads, which hand over for nothing and work ahead
};
constexpr LoaderKind kKinds[] = {
    {.name = "torch.utils.data.DataLoader", .workers = "num_workers", .workers_at = 5},
    {.name = "torch.utils.data.dataloader.DataLoader", .workers = "num_workers", .workers_at = 5},
    {.name = "torchdata.stateful_dataloader.StatefulDataLoader",
     .workers = "num_workers",
     .workers_at = 5},
    {.name = "webdataset.WebLoader", .workers = "num_workers", .workers_at = 5},
    {.name = "grain.python.DataLoader", .workers = "worker_count", .works_ahead = true},
    {.name = "grain.DataLoader", .workers = "worker_count", .works_ahead = true},
    {.name = "grain.python.MapDataset.source",
     .workers = "",
     .works_ahead = true,
     .is_chain = true},
    {.name = "grain.MapDataset.source", .workers = "", .works_ahead = true, .is_chain = true},
    {.name = "seqio.get_dataset", .workers = "", .works_ahead = true, .batches = false},
};

bool IsForEvaluation(const SourceCall& call) {
  constexpr std::string_view kWords[] = {"test", "val", "eval", "infer", "predict"};
  const auto speaks = [&](std::string_view text) {
    return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(text, word); });
  };
  const bool by_data = !call.arguments.empty() && speaks(call.arguments.front().text);
  return by_data || speaks(call.function) || std::ranges::any_of(call.results, speaks);
}

bool IsForTraining(const SourceCall& call) {
  const auto named = [](std::string_view text) { return Mentions(text, "train"); };
  const bool by_data = !call.arguments.empty() && named(call.arguments.front().text);
  const SourceArgument* shuffle = ArgumentOf(call.arguments, "shuffle");
  return by_data || std::ranges::any_of(call.results, named) ||
         (shuffle != nullptr && shuffle->text == "True");
}

struct Loader {
  const SourceCall* call = nullptr;
  const LoaderKind* kind = nullptr;
};

std::optional<Loader> FindLoader(const SourceFacts& facts, const Loaders& loaders) {
  std::vector<Loader> all, training;
  const bool known = std::ranges::any_of(loaders, &program::LoaderArguments::trains);
  for (const SourceCall& call : facts.calls) {
    const auto* kind = std::ranges::find(kKinds, call.name, &LoaderKind::name);
    if (kind == std::end(kKinds)) continue;
    const program::LoaderArguments* made = LoaderAt(loaders, call.location);
    if (made != nullptr && made->trains) return Loader{&call, kind};
    if (IsForEvaluation(call)) continue;
    all.push_back({&call, kind});
    if (IsForTraining(call)) training.push_back({&call, kind});
  }
  if (known) return std::nullopt;  // it is made elsewhere
  if (all.size() == 1) return all.front();
  if (training.size() == 1) return training.front();
  return std::nullopt;
}

std::optional<int64_t> NumberOf(const SourceArgument* argument) {
  if (argument == nullptr) return std::nullopt;
  if (argument->sizes.size() == 1) return argument->sizes.front();
  if (argument->integers.size() == 1) return argument->integers.front();
  int64_t value = 0;
  const char* end = argument->text.data() + argument->text.size();
  const auto read = std::from_chars(argument->text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

// Returns the number of processes or threads: absent for none, not resolved where it is computed.
Count WorkersOf(const SourceArgument* argument) {
  if (argument == nullptr) return {};
  const std::optional<int64_t> number = NumberOf(argument);
  if (!number) return {Count::Kind::kAutotune, 0};
  if (*number <= 0) return {};
  return {Count::Kind::kValue, *number};
}

// The class that a name was made of: "ds = Images(...)".
std::string ClassOf(const SourceFacts& facts, const SourceArgument& data) {
  if (data.call >= 0) return facts.calls[static_cast<size_t>(data.call)].name;
  for (auto made = facts.assignments.rbegin(); made != facts.assignments.rend(); ++made) {
    if (made->call < 0 || std::ranges::find(made->targets, data.text) == made->targets.end()) {
      continue;
    }
    return facts.calls[static_cast<size_t>(made->call)].name;
  }
  return "";
}

bool IsClassHere(const SourceFacts& facts, std::string_view name) {
  return std::ranges::any_of(facts.contexts, [&](const SourceContext& context) {
    return context.kind == ContextKind::kClass && context.name == name;
  });
}

// A data set of LibTorch that C++ makes: one of its own, or a class of this file.
std::string LibTorchData(const SourceFacts& facts) {
  constexpr std::string_view kData = "torch.data.datasets.";
  for (const SourceCall& call : facts.calls) {
    if (call.name.starts_with(kData)) return call.name;
  }
  for (const SourceContext& context : facts.contexts) {
    const bool is_data = context.kind == ContextKind::kClass &&
                         std::ranges::any_of(context.bases, [&](const std::string& base) {
                           return base.starts_with(kData);
                         });
    if (is_data) return context.name;
  }
  return "";
}

// Python's own functions that only count or pair, and so cost no more than any line.
bool IsBookkeeping(std::string_view name) {
  return IsOneOfWords(name,
                      "len|range|enumerate|zip|int|float|str|bool|list|tuple|dict|set|min|max|"
                      "isinstance|super|print|slice|reversed|next|iter|abs|round");
}

constexpr int kMostNested = 4;  // methods that call each other

// What `method` of a class of this file calls, with what its own methods and the functions of
// the file call in their turn.
std::vector<std::string> CallsOf(const SourceFacts& facts, std::string_view class_name,
                                 std::string_view method, int nested = 0) {
  const auto is_own = [&](std::string_view owner, std::string_view function) {
    return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
      return call.class_name == owner && call.function == function;
    });
  };
  std::vector<std::string> calls;
  for (const SourceCall& call : facts.calls) {
    if (call.class_name != class_name || call.function != method) continue;
    if (IsBookkeeping(call.name)) continue;
    constexpr std::string_view kSelf = "self.";
    const bool of_self = call.name.starts_with(kSelf);
    const std::string_view owner = of_self ? class_name : std::string_view();
    const std::string_view name = std::string_view(call.name).substr(of_self ? kSelf.size() : 0);
    if (nested >= kMostNested || name == method || !is_own(owner, name)) {
      calls.push_back(call.name);
      continue;
    }
    for (std::string& inner : CallsOf(facts, owner, name, nested + 1)) {
      calls.push_back(std::move(inner));
    }
  }
  return calls;
}

// The transforms of torchvision, albumentations or LibTorch that the file makes.
std::vector<std::string> Transforms(const SourceFacts& facts) {
  std::vector<std::string> calls;
  for (const SourceCall& call : facts.calls) {
    const bool vision = call.name.starts_with("torchvision.transforms.") ||
                        call.name.starts_with("torch.data.transforms.");
    if (!vision && !call.name.starts_with("albumentations.")) continue;
    const std::string_view name = LastName(call.name);
    const bool is_class = !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
    // Stack puts the examples of a batch together.
    if (is_class && name != "Compose" && name != "Stack") calls.push_back(call.name);
  }
  return calls;
}

// What the transforms of Grain that are classes of this file call, and what WebDataset
// decodes.
std::vector<std::string> OwnTransforms(const SourceFacts& facts) {
  std::vector<std::string> calls;
  for (const SourceContext& context : facts.contexts) {
    const bool maps = context.kind == ContextKind::kClass &&
                      std::ranges::any_of(context.bases, [](const std::string& base) {
                        return base.ends_with("MapTransform") || base.ends_with("transforms.Map");
                      });
    if (!maps) continue;
    for (const char* method : {"map", "random_map"}) {
      for (std::string& call : CallsOf(facts, context.name, method)) {
        calls.push_back(std::move(call));
      }
    }
  }
  for (const SourceCall& call : facts.calls) {
    const bool decodes = LastName(call.name) == "decode" && !call.arguments.empty() &&
                         Mentions(call.receiver, "webdataset(");
    const bool pixels = decodes && call.arguments.front().string &&
                        IsOneOfWords(*call.arguments.front().string, "pil|rgb|rgb8|torchrgb|torch");
    if (pixels) calls.emplace_back("PIL.decode_jpeg");
    if (call.name != "webdataset.WebDataset" || IsForEvaluation(call)) continue;
    for (std::string& mapped : MappedCalls(facts, StepsFrom(facts, call))) {
      calls.push_back(std::move(mapped));
    }
  }
  return calls;
}

bool IsImageFolder(std::string_view name) {
  return name.ends_with(".ImageFolder") || name.ends_with(".ImageNet") ||
         name.ends_with(".DatasetFolder");
}

// What follows from its calls.
void Describe(MapFunction& function) {
  function.nodes = static_cast<int64_t>(function.calls.size());
  function.decodes = std::ranges::any_of(function.calls, [](const std::string& call) {
    return call.ends_with("decode_jpeg") || call.ends_with("imread") ||
           call.ends_with("imdecode") || call.ends_with("read_image") || call == "PIL.Image.open";
  });
}

MapFunction FunctionOf(const SourceFacts& facts, const std::string& data_class,
                       bool is_cpp = false) {
  MapFunction function;
  const std::string_view last = LastName(data_class);
  if (IsClassHere(facts, last)) {
    const char* const method = is_cpp ? "get" : "__getitem__";
    function.name = fmt::format("{}.{}", last, method);
    function.calls = CallsOf(facts, last, method);
    function.resolved = !function.calls.empty();
  } else {
    const bool is_class = !last.empty() && last[0] >= 'A' && last[0] <= 'Z';
    function.name = is_class ? std::string(last) : "the data set";
    if (IsImageFolder(data_class)) function.calls.emplace_back("PIL.decode_jpeg");
  }
  for (const auto& calls : {OwnTransforms(facts), Transforms(facts)}) {
    function.calls.insert(function.calls.end(), calls.begin(), calls.end());
  }
  function.resolved = function.resolved || IsImageFolder(data_class);
  Describe(function);
  return function;
}

Stage StageOf(StageKind kind, const SourceCall& call) {
  Stage stage;
  stage.kind = kind;
  stage.text = call.name;
  stage.location = call.location;
  return stage;
}

// MpDeviceLoader and the like take batches in a thread of their own.
bool IsTakenAhead(const SourceFacts& facts) {
  return std::ranges::any_of(facts.calls, [](const SourceCall& call) {
    const std::string_view name = LastName(call.name);
    return name == "MpDeviceLoader" || name == "ParallelLoader" || name == "prefetch_to_device";
  });
}

Pipeline Chain(const SourceFacts& facts, const SourceCall& call, MapFunction function,
               const Count& workers, bool processes, bool ahead) {
  Pipeline pipeline;
  pipeline.loader = LastName(call.name);
  pipeline.name = call.results.empty() ? pipeline.loader : call.results.front();
  pipeline.role = PipelineRole::kTraining;
  pipeline.location = call.location;
  pipeline.stages.push_back(StageOf(StageKind::kListFiles, call));
  Stage map = StageOf(StageKind::kMap, call);
  map.function = std::move(function);
  map.parallel_calls = workers;
  processes = processes && workers.present();
  if (processes) map.function.calls.emplace_back("tensorflow.ipc_send");
  map.function.nodes += processes ? 1 : 0;
  pipeline.stages.push_back(std::move(map));
  Stage batch = StageOf(StageKind::kBatch, call);
  batch.amount.kind = Count::Kind::kUnresolved;  // the program's own batch counts
  pipeline.stages.push_back(std::move(batch));
  if (processes) {
    Stage take = StageOf(StageKind::kMap, call);
    take.function.name = "taking from workers";
    take.function.resolved = true;
    take.function.calls = {"tensorflow.ipc_receive"};
    take.function.nodes = 1;
    take.function.growth = 1;
    pipeline.stages.push_back(std::move(take));
  }
  if (ahead || IsTakenAhead(facts)) pipeline.stages.push_back(StageOf(StageKind::kPrefetch, call));
  return pipeline;
}

// `Images(...)` of a class here that Keras calls for batches.
std::optional<Pipeline> KerasSequence(const SourceFacts& facts) {
  for (const SourceContext& context : facts.contexts) {
    const bool sequence =
        context.kind == ContextKind::kClass &&
        std::ranges::any_of(context.bases, [](const std::string& base) {
          return base.ends_with("utils.Sequence") || base.ends_with("utils.PyDataset");
        });
    if (!sequence) continue;
    const SourceCall* made = nullptr;
    for (const SourceCall& call : facts.calls) {
      if (LastName(call.name) == context.name && !IsForEvaluation(call)) made = &call;
    }
    if (made == nullptr) continue;
    Count workers;
    bool processes = false;  // else threads, which hand over for nothing
    for (const SourceCall& call : facts.calls) {
      const bool says = LastName(call.name) == "fit" || LastName(call.name) == "fit_generator" ||
                        (call.class_name == context.name && call.function == "__init__") ||
                        &call == made;
      const SourceArgument* argument = says ? ArgumentOf(call.arguments, "workers") : nullptr;
      if (argument != nullptr) workers = WorkersOf(argument);
      argument = says ? ArgumentOf(call.arguments, "use_multiprocessing") : nullptr;
      if (argument != nullptr) processes = argument->text == "True";
    }
    // A thread of Keras keeps a queue of batches.
    return Chain(facts, *made, FunctionOf(facts, context.name), workers, processes, true);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pipeline> LoaderPipeline(const SourceFacts& facts, const Loaders& loaders) {
  if (!IsWritten(facts)) return std::nullopt;
  const std::optional<Loader> loader = FindLoader(facts, loaders);
  if (!loader) return KerasSequence(facts);
  const SourceCall& call = *loader->call;
  const SourceArgument* workers = ArgumentOf(call, loader->kind->workers_at, loader->kind->workers);
  const SourceArgument* data = ArgumentOf(call, 0, "dataset");
  if (data == nullptr) data = ArgumentOf(call.arguments, "data_source");
  // Workers of LibTorch are threads, which hand over for nothing and work ahead.
  const bool threads = IsCppPath(call.location.file);
  const program::LoaderArguments* made = LoaderAt(loaders, call.location);
  const bool ran = made != nullptr && made->items.has_value();
  MapFunction function = ran ? *made->items
                         : threads
                             ? FunctionOf(facts, LibTorchData(facts), true)
                             : FunctionOf(facts, data == nullptr ? "" : ClassOf(facts, *data));
  if (loader->kind->is_chain) {
    const std::vector<const SourceCall*> steps = StepsFrom(facts, call);
    if (!ran) {
      for (std::string& mapped : MappedCalls(facts, steps)) {
        function.calls.push_back(std::move(mapped));
      }
      Describe(function);
    }
    const GrainWorkers readers = WorkersOfGrain(facts, steps);
    Pipeline pipeline = Chain(facts, call, std::move(function), readers.count, readers.processes,
                              loader->kind->works_ahead);
    pipeline.loader = "MapDataset";
    return pipeline;
  }
  if (loader->kind->batches) {
    const Count count = WorkersOf(workers);
    Pipeline pipeline = Chain(facts, call, std::move(function), count, !threads,
                              loader->kind->works_ahead || (threads && count.present()));
    if (threads) pipeline.loader = "make_data_loader";
    return pipeline;
  }
  function.name = "preprocessors of the task";
  return Chain(facts, call, std::move(function), {Count::Kind::kAutotune, 0}, false, true);
}

std::optional<Pipeline> TrainingLoaderPipeline(const Loaders& loaders) {
  const auto made = std::ranges::find_if(loaders, &program::LoaderArguments::trains);
  if (made == loaders.end() || !made->items || made->name.empty()) return std::nullopt;
  SourceCall call;
  call.name = made->name;
  call.location = made->location;
  Count workers;
  if (made->workers && *made->workers > 0) workers = {Count::Kind::kValue, *made->workers};
  return Chain({}, call, *made->items, workers, true, made->works_ahead);
}

}  // namespace tilewise::python
