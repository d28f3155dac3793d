// Which data sets are pipelines of their own, and what they are for.

#include "frontend/program/pipelines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "frontend/program/data_roles.h"
#include "frontend/program/pipeline_hosts.h"
#include "frontend/program/pipeline_options.h"
#include "frontend/program/record_facts.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

// These bound a program, and the stages of all its pipelines: rules compare each with the program's
// text, and pipelines that branch off a long one have its stages each.
constexpr size_t kMostPipelines = 256;
constexpr size_t kMostStages = 20'000;
constexpr size_t kLongStatement = 200;  // says more than what the data set is for

// A data set of the program.
struct Chain {
  const py::Instance* made = nullptr;  // null: arrays that fit() was given
  Chain* from = nullptr;
  bool reported = true;   // false inside functions of data sets
  int continued = 0;      // data sets made from this one
  bool taken = false;     // elements were
  bool shown = false;     // they were, to be printed or drawn
  bool uncalled = false;  // made in a function that the program does not call
  PipelineRole role = PipelineRole::kUnknown;
  std::string name;
  std::vector<StageFacts> own;
  TakenBy taken_by;
  int fits = 0;                          // calls that train on it
  std::optional<int64_t> batches_taken;  // by the last of them
  const Record* arrays = nullptr;
};

const StageFacts* LastOf(const Chain& chain) {
  return chain.own.empty() ? nullptr : &chain.own.back();
}

// Whether an element is one text or several: no step takes it as it is.
bool GivesSingleTexts(const Chain& chain) {
  const StageFacts* last = LastOf(chain);
  const py::Value* element = last == nullptr ? nullptr : FactOf(*last, "leaves");
  const auto leaves = element == nullptr ? std::nullopt : LeavesOf(*element);
  return leaves.has_value() && !leaves->empty() &&
         std::ranges::all_of(*leaves, [](const PlacedLeaf& placed) {
           return placed.leaf.dtype == "string" && placed.batch == 0;
         });
}

// The chains of a program while its records are gone through in order.
class Chains {
 public:
  Chains(const Trace& trace, SourceTexts& texts) : trace_(trace), texts_(texts) {
    for (const Record& record : trace.records) {
      if (record.kind == "backward") last_step_ = &record;
    }
    for (const Record& record : trace.records) {
      if (record.kind == "uncalled") {
        uncalled_ = true;
      } else if (record.kind == "chain") {
        Add(record);
      } else if (record.kind == "use") {
        Use(record);
      } else if (record.kind == "step" || record.kind == "backward") {
        if (taken_ != nullptr && taken_->role == PipelineRole::kUnknown) {
          taken_->role = PipelineRole::kTraining;
        }
      } else if (record.kind == "fitting") {
        taken_ = nullptr;  // fit() takes elements by itself
        Fit(record);
      } else if (record.kind == "arrays") {
        AddArrays(record);
      } else if (record.kind == "input") {
        input_ = &record;
        first_of_input_ = chains_.size();
      } else if (record.kind == "input_end") {
        EndInput();
      }
    }
  }
  std::vector<const Chain*> Ends() {
    std::set<const Chain*> looks;
    for (auto it = chains_.rbegin(); it != chains_.rend(); ++it) {
      Chain& chain = **it;
      if (chain.continued > 0 || !IsLook(chain)) continue;
      --chain.from->continued;
      if (!trace_.chain_names.contains(chain.from->made)) chain.from->taken = true;
      chain.from->shown = chain.from->shown || chain.shown;
      looks.insert(&chain);
    }
    // What only gives some elements is a look when another pipeline is trained on.
    const bool trains = Train();
    std::vector<const Chain*> ends;
    for (const auto& chain : chains_) {
      const bool end = chain->continued == 0 || chain->role == PipelineRole::kTraining;
      if (trains && chain->taken && chain->role == PipelineRole::kUnknown) continue;
      if (chain->reported && end && !looks.contains(chain.get())) ends.push_back(chain.get());
    }
    return ends;
  }
  // What the fit() takes that the report is about: the last one that was followed to a step. Null:
  // nothing says so.
  const Chain* feeds() const { return feeds_; }
  // Whether the program trains on one of them.
  bool Train() const {
    return std::ranges::any_of(chains_, [](const auto& chain) {
      return chain->role == PipelineRole::kTraining && chain->reported;
    });
  }

 private:
  Chain* Find(const py::Value* value) {
    if (value == nullptr || !value->is_object()) return nullptr;
    const auto found = by_object_.find(value->object);
    return found == by_object_.end() ? nullptr : found->second;
  }

  void Add(const Record& record) {
    const py::Value* made = record.Find("made");
    const py::Instance* instance = made == nullptr ? nullptr : made->as<py::Instance>();
    if (instance == nullptr) return;
    auto chain = std::make_unique<Chain>();
    chain->made = instance;
    chain->reported = record.number("inner").value_or(0) == 0;
    chain->uncalled = uncalled_;
    const py::Value* of = record.Find("of");
    const py::Sequence* parents = of == nullptr ? nullptr : of->as<py::Sequence>();
    const py::Value* before = AttributeOf(*instance, "_before");
    const py::Value* own = AttributeOf(*instance, "_own");
    const py::Sequence* stages = own == nullptr ? nullptr : own->as<py::Sequence>();
    if (stages != nullptr) {
      for (const py::Value& stage : stages->items) chain->own.push_back(StageFactsOf(stage));
    }
    if (parents != nullptr) {
      for (const py::Value& parent : parents->items) {
        Chain* other = Find(&parent);
        if (other == nullptr) continue;
        ++other->continued;
        if (before != nullptr && before->Is(parent)) chain->from = other;
      }
    }
    const std::string* function = record.text("function");
    if (chain->from != nullptr) {
      chain->name = chain->from->name;
      // What derives from an evaluation split stays one; training is decided anew.
      if (chain->from->role == PipelineRole::kEvaluation) chain->role = chain->from->role;
      chain->taken_by = chain->from->taken_by;
    } else {
      if (function != nullptr) chain->name = *function;
      if (IsMadeForEvaluation(record.statement)) chain->role = PipelineRole::kEvaluation;
      ReadSplit(*chain);
    }
    const auto named = trace_.chain_names.find(instance);
    if (named != trace_.chain_names.end()) chain->name = named->second;
    by_object_[instance] = chain.get();
    chains_.push_back(std::move(chain));
  }

  // Whether one of the functions around it, in which its own is nested, is named for evaluation.
  bool IsMadeForEvaluation(const Span& statement) {
    const std::vector<std::string_view> names = texts_.FunctionsAround(statement);
    if (names.empty()) return false;
    return std::any_of(names.begin(), std::prev(names.end()), [](std::string_view name) {
      return IsNamedForEvaluation(name) && !Contains(name, "train");
    });
  }

  // "train[:80%]" of a public data set.
  static void ReadSplit(Chain& chain) {
    const StageFacts* source = chain.own.empty() ? nullptr : &chain.own.front();
    const py::Value* split = source == nullptr ? nullptr : FactOf(*source, "split");
    const std::string* text = split == nullptr ? nullptr : py::TextOf(*split);
    if (text == nullptr) return;
    chain.name = *text;
    if (!text->starts_with("train")) chain.role = PipelineRole::kEvaluation;
  }

  void AddArrays(const Record& record) {
    auto chain = std::make_unique<Chain>();
    chain->arrays = &record;
    chain->name = "arrays given to fit()";
    chain->role = PipelineRole::kTraining;
    chain->taken_by.strategy = true;
    Feed(*chain, record);
    chains_.push_back(std::move(chain));
  }

  void Feed(const Chain& chain, const Record& record) {
    if (uncalled_ && feeds_ != nullptr) return;
    if (last_step_ == nullptr || &record < last_step_) feeds_ = &chain;
  }

  // How many batches fit() takes of what it was just given.
  void Fit(const Record& record) {
    Chain* const chain = std::exchange(given_, nullptr);
    if (chain == nullptr) return;
    const py::Value* steps = record.Find("steps_per_epoch");
    const py::Value* epochs = record.Find("epochs");
    const auto each = steps == nullptr ? std::nullopt : py::AsInt(*steps);
    const auto times = epochs == nullptr ? std::optional<int64_t>(1) : py::AsInt(*epochs);
    ++chain->fits;
    chain->batches_taken.reset();
    constexpr int64_t kMost = int64_t{1} << 31;
    if (chain->fits > 1 || !each || !times || *each < 1 || *times < 1) return;
    if (*each < kMost && *times < kMost) chain->batches_taken = *each * *times;
  }

  void Use(const Record& record) {
    Chain* chain = Find(record.Find("dataset"));
    const std::string* how = record.text("how");
    if (chain == nullptr || how == nullptr) return;
    if (*how == "train") {
      chain->role = PipelineRole::kTraining;
      chain->taken_by.strategy = true;
      given_ = chain;
      Feed(*chain, record);
    } else if (*how == "evaluate" && chain->role != PipelineRole::kTraining) {
      chain->role = PipelineRole::kEvaluation;
    } else if (*how == "per_replica") {
      chain->taken_by.batches_per_step =
          static_cast<int64_t>(record.number("replicas").value_or(1));
      chain->taken_by.share = HostShare::kAll;
    } else if (*how == "distribute") {
      chain->taken_by.strategy = true;
      if (chain->role != PipelineRole::kUnknown) return;
      // It is for evaluation by its name, or by the name of what it is made from there.
      const std::string_view text = texts_.Text(record.statement);
      const bool test =
          IsForEvaluation(chain->name) || (text.size() < kLongStatement && IsForEvaluation(text));
      chain->role = test ? PipelineRole::kEvaluation : PipelineRole::kTraining;
    } else if (*how == "looked") {
      chain->taken = true;  // a layer takes what it learns of the data before it trains
    } else if (*how == "taken") {
      if (!GivesSingleTexts(*chain)) taken_ = chain;
      chain->taken = true;
      chain->shown = chain->shown || ShowsBy(record.statement);
      if (chain->role == PipelineRole::kUnknown && TrainsBy(record.statement)) {
        chain->role = PipelineRole::kTraining;
      }
    }
  }

  // Whether the body of the loop that takes elements says that it trains.
  bool TrainsBy(const Span& statement) {
    const python::Node loop = texts_.Find(statement, "for_statement");
    if (!loop || TakesOne(loop.field("body"))) return false;
    const std::string_view body = loop.field("body").text();
    return CallsToTrain(body) || Contains(body, "strategy.run") || Contains(body, "GradientTape");
  }

  bool ShowsBy(const Span& statement) {
    const python::Node loop = texts_.Find(statement, "for_statement");
    return loop && OnlyShows(loop.field("body"));
  }

  // What an input function of an estimator leaves is what the call is for.
  void EndInput() {
    if (input_ == nullptr) return;
    const std::string* mode = input_->text("mode");
    for (size_t i = first_of_input_; i < chains_.size(); ++i) {
      Chain& chain = *chains_[i];
      if (chain.continued > 0 || !chain.reported) continue;
      const bool trains = mode != nullptr && *mode == "train";
      chain.role = trains ? PipelineRole::kTraining : PipelineRole::kEvaluation;
      chain.taken_by.batches_per_step =
          static_cast<int64_t>(input_->number("replicas").value_or(1));
      const bool one_host = input_->number("one_host").value_or(0) != 0;
      chain.taken_by.share = one_host ? HostShare::kOneHost : HostShare::kAll;
      if (!trains) continue;
      chain.taken_by.step_batch = static_cast<int64_t>(input_->number("batch").value_or(0));
      Feed(chain, *input_);
    }
    input_ = nullptr;
  }

  // ds.take(1) without a name of its own: a look at the data, not a pipeline.
  static bool IsLook(const Chain& chain) {
    constexpr int64_t kMost = 32;
    const StageFacts* last = LastOf(chain);
    if (last == nullptr || last->kind != "take" || chain.from == nullptr) return false;
    const Count amount = ToCount(FactOf(*last, "amount"));
    return amount.value <= kMost && chain.role == PipelineRole::kUnknown &&
           chain.from->name == chain.name;
  }

  const Trace& trace_;
  SourceTexts& texts_;
  std::vector<std::unique_ptr<Chain>> chains_;
  std::map<const py::Object*, Chain*> by_object_;
  Chain* taken_ = nullptr;  // what gave an element last
  Chain* given_ = nullptr;  // what the next fit() trains on
  const Record* input_ = nullptr;
  size_t first_of_input_ = 0;
  bool uncalled_ = false;
  const Record* last_step_ = nullptr;
  const Chain* feeds_ = nullptr;
};

// ---- pipelines

std::optional<Bytes> BytesOf(const py::Value* element, int64_t batch = 0) {
  const auto leaves = element == nullptr ? std::nullopt : LeavesOf(*element);
  return leaves.has_value() ? ElementBytes(*leaves, batch) : std::nullopt;
}

// The bytes of one example, of batches of such sizes in each other, the innermost first.
std::optional<Bytes> BytesOf(const py::Value* element, std::span<const int64_t> batches) {
  if (batches.empty()) return BytesOf(element);
  std::optional<Bytes> bytes = BytesOf(element, batches.back());
  for (const int64_t size : batches.first(batches.size() - 1)) {
    if (bytes && size > 1) bytes->value /= size;
  }
  return bytes;
}

// The batch that a stage makes, as the first dim of what it gives; 0: not known.
int64_t BatchOf(const py::Value* element) {
  const auto leaves = element == nullptr ? std::nullopt : LeavesOf(*element);
  if (!leaves.has_value() || leaves->empty() || leaves->front().leaf.dims.empty()) return 0;
  return std::max<int64_t>(0, leaves->front().leaf.dims.front());
}

Pipeline OfArrays(const Record& record, SourceTexts& texts) {
  Pipeline pipeline;
  Stage stage;
  stage.kind = StageKind::kFromTensorSlices;
  stage.location = record.location;
  if (const python::Node call = texts.Find(record.call, "call")) {
    stage.location = NamePlace(call);
    stage.text = std::string(call.field("function").text());
    stage.arguments = ArgumentsOf(call);
    stage.written = WrittenArguments(call, {});
  }
  pipeline.location = stage.location;
  pipeline.source_item_bytes = BytesOf(record.Find("leaves"));
  pipeline.item_bytes = pipeline.source_item_bytes;
  if (const std::optional<double> items = record.number("items")) {
    pipeline.source_items = static_cast<int64_t>(*items);
  }
  pipeline.stages.push_back(std::move(stage));
  return pipeline;
}

Pipeline OfChain(const Chain& chain, SourceTexts& texts, StageReader& reader) {
  Pipeline pipeline;
  std::vector<const Chain*> way;
  for (const Chain* at = &chain; at != nullptr; at = at->from) way.push_back(at);
  std::vector<const StageFacts*> facts;
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    for (const StageFacts& stage : (*it)->own) facts.push_back(&stage);
  }
  const auto items_of = [](const Chain& at) -> std::optional<int64_t> {
    const py::Value* items = AttributeOf(*at.made, "items");
    return items == nullptr ? std::nullopt : py::AsInt(*items);
  };
  std::optional<Bytes> before;
  std::vector<int64_t> batch;  // in each other
  for (size_t i = 0; i < facts.size(); ++i) {
    Stage stage = reader.Read(*facts[i], i + 1 < facts.size() ? facts[i + 1] : nullptr);
    const py::Value* element = FactOf(*facts[i], "leaves");
    const bool batches = stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
    if (batches) batch.push_back(BatchOf(element));
    if (stage.kind == StageKind::kUnbatch && !batch.empty()) batch.pop_back();
    const std::optional<Bytes> after = BytesOf(element, batch);
    if (stage.kind == StageKind::kMap && before.has_value() && after.has_value() &&
        before->value > 0) {
      stage.function.growth =
          static_cast<double>(after->value) / static_cast<double>(before->value);
    }
    if (stage.kind == StageKind::kWithOptions) {
      ApplyOptions(FactOf(*facts[i], "options"), texts, pipeline);
    }
    if (i == 0) {
      const py::Value* loader = FactOf(*facts[i], "loader");
      if (loader != nullptr && py::TextOf(*loader) != nullptr)
        pipeline.loader = *py::TextOf(*loader);
      pipeline.location = stage.location;
      pipeline.source_item_bytes = after;
      // Pictures of a known data set are encoded in its files.
      const py::Value* pixels = FactOf(*facts[i], "pixels");
      const std::optional<int64_t> known = pixels == nullptr ? std::nullopt : py::AsInt(*pixels);
      if (!after && known) {
        pipeline.source_item_bytes =
            Bytes{std::llround(static_cast<double>(*known) / kPhotoCompression)};
      }
    }
    pipeline.item_bytes = after;
    before = after;
    // The items of a list of names that an interleave opens are files.
    if (stage.inner_source == StageKind::kRecordFiles && i > 0) {
      Stage& source = pipeline.stages.front();
      const bool names = source.kind == StageKind::kFromTensorSlices && !source.files;
      if (names) source.files = items_of(*way.back());
    }
    pipeline.stages.push_back(std::move(stage));
  }
  // What trains takes whole elements as batches where nothing batches them after unbatch().
  const bool whole = std::ranges::any_of(
      pipeline.stages, [](const Stage& stage) { return stage.kind == StageKind::kUnbatch; });
  const bool unknown = batch.empty() || batch.back() == 0;
  if (whole && unknown && chain.role == PipelineRole::kTraining) {
    const py::Value* element = FactOf(*facts.back(), "leaves");
    if (const int64_t rows = BatchOf(element); rows > 1) {
      pipeline.item_bytes = BytesOf(element, rows);
    }
  }
  pipeline.source_items = items_of(chain);
  pipeline.batches_taken = chain.batches_taken;
  return pipeline;
}

// Whether what it gives are batches: a function that undoes them prepares single items for others.
bool GivesBatches(const Pipeline& pipeline) {
  int depth = 0;
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch) ++depth;
    if (stage.kind == StageKind::kUnbatch && depth > 0) --depth;
  }
  return depth > 0;
}

// This is the role of a pipeline that reaches neither fit() nor a loop or an estimator. It may feed
// training where the program trains on nothing else and takes no elements of it. In a function that
// others call, it may where it is made for training: batched, and shuffled, repeated or made ahead.
PipelineRole RoleOf(const Chain& chain, const Pipeline& pipeline, bool others_train,
                    bool evaluates) {
  if (evaluates && !chain.uncalled) return PipelineRole::kEvaluation;
  if (chain.role != PipelineRole::kUnknown) return chain.role;
  const PipelineRole named = RoleByName(chain.name);
  if (named == PipelineRole::kEvaluation) return named;
  if (chain.uncalled && Contains(FileAndFolder(pipeline.location.file), "eval")) {
    return PipelineRole::kEvaluation;
  }
  if (others_train) return PipelineRole::kLook;
  const bool many = std::ranges::any_of(pipeline.stages, [](const Stage& stage) {
    const bool again = stage.kind == StageKind::kRepeat && !stage.amount.is(1);
    return again || stage.kind == StageKind::kShuffle || stage.kind == StageKind::kPrefetch;
  });
  const bool made_for_it = many && GivesBatches(pipeline);
  if (named == PipelineRole::kTraining && made_for_it && !chain.shown) return named;
  // Single items that nothing shuffles or batches are mostly written.
  const bool fed = many || pipeline.batch() != nullptr || named == PipelineRole::kTraining;
  const bool may = chain.uncalled ? made_for_it : !chain.taken && fed;
  return may ? named : PipelineRole::kLook;
}

}  // namespace

std::vector<Pipeline> PipelinesOf(const Trace& trace, SourceTexts& texts, MapFunctions& functions,
                                  const StageReader::NoteFunction& note) {
  Chains chains(trace, texts);
  StageReader reader(texts, functions, note);
  std::vector<Pipeline> result;
  std::set<std::pair<PipelineRole, std::vector<Location>>> seen;
  const bool others_train = chains.Train();
  const bool evaluates = IsNamedForEvaluation(functions.program()) &&
                         LastRecord(trace.records, "backward") == nullptr &&
                         LastRecord(trace.records, "fitting") == nullptr &&
                         LastRecord(trace.records, "fit") == nullptr;
  const std::vector<const Chain*> ends = chains.Ends();
  size_t stages = 0;
  for (const Chain* chain : ends) {
    if (result.size() >= kMostPipelines || stages > kMostStages) {
      note({}, fmt::format("the program has more input pipelines than are looked at: {} of {}",
                           result.size(), ends.size()));
      break;
    }
    if (chain->arrays == nullptr && chain->own.empty()) continue;
    Pipeline pipeline =
        chain->arrays != nullptr ? OfArrays(*chain->arrays, texts) : OfChain(*chain, texts, reader);
    if (pipeline.stages.empty()) continue;
    pipeline.name = chain->name;
    pipeline.for_callers = chain->uncalled;
    pipeline.role = RoleOf(*chain, pipeline, others_train, evaluates);
    ReadHosts(trace, chain->taken_by, pipeline);
    std::vector<Location> places;
    for (const Stage& stage : pipeline.stages) places.push_back(stage.location);
    if (!seen.emplace(pipeline.role, places).second) continue;
    stages += pipeline.stages.size();
    // The one that feeds the simulated step is the first.
    const bool first = chain == chains.feeds();
    result.insert(first ? result.begin() : result.end(), std::move(pipeline));
  }
  return result;
}

}  // namespace tilewise::program
