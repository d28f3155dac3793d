// The names of optimizers and losses, and the counts of passes between updates.

#include "frontend/program/record_facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tilewise::program {

std::optional<OptimizerKind> OptimizerOf(const std::string& name, double momentum) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::erase(lower, '_');
  if (lower == "sgd" || lower == "momentum") {
    return momentum > 0 ? OptimizerKind::kMomentum : OptimizerKind::kSgd;
  }
  if (lower == "rmsprop") {
    return momentum > 0 ? OptimizerKind::kRmsPropMomentum : OptimizerKind::kRmsProp;
  }
  if (lower.find("adafactor") != std::string::npos) return OptimizerKind::kAdafactor;
  constexpr std::array<std::pair<std::string_view, OptimizerKind>, 13> kNames = {{
      {"adam", OptimizerKind::kAdam},
      {"adamw", OptimizerKind::kAdamW},
      {"adamweightdecay", OptimizerKind::kAdamW},
      {"amsgrad", OptimizerKind::kAdam},
      {"adamax", OptimizerKind::kAdamax},
      {"nadam", OptimizerKind::kAdam},
      {"radam", OptimizerKind::kAdam},
      {"lamb", OptimizerKind::kLamb},
      {"lars", OptimizerKind::kLars},
      {"adagrad", OptimizerKind::kAdagrad},
      {"adadelta", OptimizerKind::kAdadelta},
      {"lion", OptimizerKind::kLion},
      {"yogi", OptimizerKind::kAdam},
  }};
  for (const auto& [known, kind] : kNames) {
    if (lower == known) return kind;
  }
  return std::nullopt;
}

const py::Value* AttributeOf(const py::Instance& instance, std::string_view name) {
  return instance.attributes.Find(py::SymbolOf(name));
}

const Record* LastRecord(const std::vector<Record>& records, std::string_view kind) {
  for (auto at = records.rbegin(); at != records.rend(); ++at) {
    if (at->kind == kind) return &*at;
  }
  return nullptr;
}

namespace {

// Gradients that are added up before an update: what the program says, or the
// backward passes of one line since the update before.
int64_t Accumulated(const std::vector<Record>& records, const Record* backward) {
  if (const Record* accumulation = LastRecord(records, "accumulation")) {
    return std::max<int64_t>(1, static_cast<int64_t>(accumulation->number("steps").value_or(1)));
  }
  if (backward == nullptr) return 1;
  const auto parts = [](const Record& record) {
    return static_cast<int64_t>(record.number("parts").value_or(0));
  };
  const Record* first = backward;
  bool updated = false;
  for (const Record* at = backward; at != records.data(); --at) {
    const Record& before = *(at - 1);
    if (before.kind == "step") break;
    if (before.kind == "backward" && before.location == backward->location) first = &before;
  }
  for (const Record* at = backward; at <= &records.back(); ++at) {
    updated = updated || at->kind == "step";
  }
  return updated ? parts(*backward) - parts(*first) + 1 : 1;
}

}  // namespace

LossKind LossOf(const std::string& name) {
  const auto names = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (names("binary")) return LossKind::kBinaryCrossEntropy;
  if (names("mse") || names("squared") || names("l2")) return LossKind::kMeanSquaredError;
  return TrainingSpec().loss;
}

namespace {

// The optimizer of the step, or of the program.
void ReadOptimizer(const Record* step, const Record* optimizer, TrainingSpec& spec) {
  for (const Record* record : {step, optimizer}) {
    const std::string* name = record == nullptr ? nullptr : record->text("name");
    if (name == nullptr) continue;
    if (spec.optimizer_name.empty()) spec.optimizer_name = *name;
    const double momentum =
        std::max(record->number("momentum").value_or(0),
                 optimizer == nullptr ? 0 : optimizer->number("momentum").value_or(0));
    if (const std::optional<OptimizerKind> kind = OptimizerOf(*name, momentum)) {
      spec.optimizer = *kind;
      spec.optimizer_known = true;
      break;
    }
  }
  for (const Record* record : {step, optimizer}) {
    const double slots = record == nullptr ? 0 : record->number("slots").value_or(0);
    if (spec.optimizer_known || slots <= 0) continue;
    // What it keeps for each weight says what it costs.
    spec.optimizer = slots > 1 ? OptimizerKind::kAdam : OptimizerKind::kMomentum;
    spec.optimizer_known = true;
  }
  if (optimizer == nullptr) return;
  spec.learning_rate = optimizer->number("lr");
  if (const std::string* type = optimizer->text("mu")) spec.momentum_type = ParseDType(*type);
}

}  // namespace

std::optional<TrainingSpec> TrainingOf(const std::vector<Record>& records) {
  const Record* backward = LastRecord(records, "backward");
  const Record* step = LastRecord(records, "step");
  if (backward == nullptr && step == nullptr) return std::nullopt;
  TrainingSpec spec;
  spec.location = step != nullptr ? step->location : backward->location;
  ReadOptimizer(step, LastRecord(records, "optimizer"), spec);
  const Record* loss = LastRecord(records, "loss");
  const std::string* name = loss == nullptr ? nullptr : loss->text("name");
  spec.loss_known = name != nullptr;
  if (name != nullptr) {
    spec.loss = LossOf(*name);
    spec.loss_name = *name;
  }
  const auto holds = [loss](std::string_view field) {
    const py::Value* value = loss == nullptr ? nullptr : loss->Find(field);
    return value != nullptr && value->tag == py::Value::Tag::kBool && value->truth;
  };
  spec.from_logits = holds("from_logits");
  spec.sparse_labels = holds("sparse");
  spec.accumulation_steps = Accumulated(records, backward);
  return spec;
}

std::optional<TrainingSpec> OptimizerMade(const std::vector<Record>& records) {
  const Record* step = LastRecord(records, "step");
  const Record* made = LastRecord(records, "optimizer");
  if (step == nullptr && made == nullptr) return std::nullopt;
  TrainingSpec spec;
  spec.location = made != nullptr ? made->location : step->location;
  ReadOptimizer(step, made, spec);
  return spec;
}

void NoteOtherOptimizer(const std::vector<Record>& records, const TrainingSpec& spec,
                        const std::function<void(const Location&, std::string)>& note) {
  if (!spec.optimizer_known) return;
  for (const Record& record : records) {
    if (record.kind != "optimizer") continue;
    TrainingSpec other;
    ReadOptimizer(nullptr, &record, other);
    if (!other.optimizer_known || other.optimizer == spec.optimizer) continue;
    return note(record.location,
                fmt::format("the program has optimizers of several kinds; a model that stands in "
                            "for its own has {} for all weights and not {}; give --optimizer",
                            spec.optimizer_name, other.optimizer_name));
  }
}

namespace {

bool IsPerCore(const Record& record) {
  const py::Value* per_core = record.Find("per_core");
  return per_core != nullptr && per_core->tag == py::Value::Tag::kBool && per_core->truth;
}

}  // namespace

bool RunsPerCore(const std::vector<Record>& records, const Workload& workload) {
  const Record* backward = LastRecord(records, "backward");
  return backward != nullptr && IsPerCore(*backward) &&
         workload.declared_global_batch().has_value();
}

namespace {

// Whether the program says how several devices share its work.
bool SharesItsWork(const Trace& trace) {
  const Record* batch = LastRecord(trace.records, "batch");
  if (trace.asks_devices || (batch != nullptr && IsPerCore(*batch))) return true;
  constexpr std::array<std::string_view, 4> kKinds = {"processes", "spmd", "mesh", "pmap"};
  return std::ranges::any_of(
      kKinds, [&](std::string_view kind) { return LastRecord(trace.records, kind) != nullptr; });
}

}  // namespace

const Record* OneDeviceOf(const Trace& trace, Framework framework) {
  if (SharesItsWork(trace)) return nullptr;
  const std::vector<Record>& records = trace.records;
  const Record* backward = LastRecord(records, "backward");
  if (backward == nullptr) return nullptr;
  if (framework == Framework::kJax) return backward;
  return framework == Framework::kTorchXla ? LastRecord(records, "xla_device") : nullptr;
}

int64_t PartsPerCore(const Trace& trace, const Workload& workload, int64_t cores) {
  const int64_t parts = workload.training->accumulation_steps;
  const Record* batch = LastRecord(trace.records, "batch");
  const int64_t size = workload.host_loop.fit_batch_size.value;
  const std::optional<Mesh>& mesh = workload.mesh;
  const int64_t shards = mesh ? cores / (mesh->tensor * mesh->context) : cores;
  if (parts <= 1 || shards <= 1 || batch == nullptr || IsPerCore(*batch) || size % shards != 0) {
    return parts;
  }
  const int64_t per_core = size / shards;
  const int64_t wanted = SharesItsWork(trace) ? parts : (parts + shards - 1) / shards;
  int64_t fewer = std::min(wanted, per_core);
  while (fewer < per_core && per_core % fewer != 0) ++fewer;
  return std::max<int64_t>(1, fewer);
}

namespace {

bool IsLoop(const Record& record) {
  return record.kind == "epoch_loop" || record.kind == "trained_loop";
}

bool IsWithin(const Record& inner, const Record& outer) {
  const Span &a = inner.statement, &b = outer.statement;
  if (const std::optional<double> last = outer.number("last_line")) {
    const int32_t line = inner.location.line;
    return a.file == b.file && line >= outer.number("first_line") && line <= last;
  }
  return a.begin < a.end && a.file == b.file && a.cell == b.cell && a.begin >= b.begin &&
         a.end <= b.end;
}

// The weights that a pass at `at` trains: those it names, else those of the update that follows.
std::vector<Value> TrainedBy(const std::vector<Record>& records, size_t at) {
  std::vector<Value> own = ValuesOf(records[at].tensors("parameters"));
  if (!own.empty()) return own;
  for (size_t i = at + 1; i < records.size(); ++i) {
    if (records[i].kind == "step") return ValuesOf(records[i].tensors("parameters"));
  }
  return {};
}

// The last backward pass, and the innermost loop around it.
struct LastPass {
  size_t at = 0;
  const Record* loop = nullptr;
};
std::optional<LastPass> FindLastPass(const std::vector<Record>& records) {
  std::optional<LastPass> last;
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].kind == "backward") last = {i, nullptr};
    if (last && last->loop == nullptr && IsLoop(records[i])) last->loop = &records[i];
  }
  return last;
}

bool AreWeights(const std::vector<Value>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), Tracer::IsWeight);
}

bool Share(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Value& one) {
    return std::any_of(b.begin(), b.end(),
                       [&](const Value& other) { return other.variable == one.variable; });
  });
}

bool Contains(const std::vector<const Record*>& loops, const Record* loop) {
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

// Loops and branches that hold some of the passes from `first` to the last one: these run more or
// less often than once in a round.
void AddRareParts(const std::vector<Record>& records, size_t first, const LastPass& last,
                  std::vector<const Record*>& parts) {
  for (const Record& part : records) {
    const bool loop = &part == last.loop && part.number("count").value_or(2) > 1;
    if (!loop && part.kind != "some_rounds") continue;
    bool some = false, all = true;
    for (size_t i = first; i <= last.at; ++i) {
      if (records[i].kind != "backward") continue;
      (IsWithin(records[i], part) ? some : all) = IsWithin(records[i], part);
    }
    if (some && !all && !Contains(parts, &part)) parts.push_back(&part);
  }
}

}  // namespace

EarlierPasses PassesBefore(const std::vector<Record>& records) {
  EarlierPasses found;
  const std::optional<LastPass> last = FindLastPass(records);
  if (!last) return found;
  const std::vector<Value> trained = TrainedBy(records, last->at);
  if (!AreWeights(trained)) return found;
  found.trained_by_last = trained;
  bool networks = false;  // that the last pass does not train
  std::vector<const Record*> inner;
  size_t first = last->at;
  for (size_t i = last->at; i-- > 0;) {
    const Record& record = records[i];
    // What another loop trained is no part of this one's rounds; a single round is no loop.
    if (IsLoop(record) && record.number("count").value_or(2) <= 1) continue;
    if (IsLoop(record) && (last->loop == nullptr || !IsWithin(record, *last->loop))) break;
    if (IsLoop(record)) inner.push_back(&record);
    if (record.kind == "fitting") break;  // each fit() is a run of its own
    if (record.kind != "backward" || record.tensor("value") == nullptr) continue;
    const std::vector<Value> own = TrainedBy(records, i);
    const bool named =
        record.Find("parameters") != nullptr && !record.tensors("parameters").empty();
    if (!AreWeights(own) || (named ? Share(own, trained) : last->loop == nullptr)) continue;
    // The rounds of an inner loop train the same; a helper trains others at its one line.
    const bool again = std::ranges::any_of(found.losses, [&](const OtherLoss& loss) {
      return loss.at == record.location && Share(own, loss.trained);
    });
    if (again || (record.location == records[last->at].location && Share(own, trained))) continue;
    networks = networks || !Share(own, trained);
    for (const Record* loop : inner) {
      const bool repeats = loop->number("count").value_or(2) > 1 && IsWithin(record, *loop);
      if (repeats && !Contains(found.repeats, loop)) found.repeats.push_back(loop);
    }
    found.losses.insert(found.losses.begin(),
                        {record.tensor("value")->value, own, record.location});
    first = i;
  }
  if (!networks) return {.trained_by_last = trained};
  AddRareParts(records, first, *last, found.repeats);
  for (size_t i = first; i < last->at; ++i) {
    const std::vector<Value> weights = ValuesOf(records[i].tensors("parameters"));
    if (records[i].kind != "step" || weights.empty()) continue;
    const double made = records[i].number("made").value_or(0);
    found.updates.push_back({static_cast<int32_t>(made), weights});
  }
  return found;
}

std::string RepeatsText(const Record& loop) {
  if (const std::string* rounds = loop.text("rounds")) {
    return fmt::format("what is trained here runs in one of {} rounds, and is counted in each step",
                       *rounds);
  }
  const std::optional<double> count = loop.number("count");
  return fmt::format("this loop runs {} in each step; its passes are counted once",
                     count ? fmt::format("{:.0f} times", *count) : "more than once");
}

const Record* PassLeftOut(const std::vector<Record>& records, const EarlierPasses& earlier) {
  if (earlier.trained_by_last.empty()) return nullptr;
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].kind != "backward") continue;
    const std::vector<Value> own = TrainedBy(records, i);
    const bool counted =
        std::any_of(earlier.losses.begin(), earlier.losses.end(),
                    [&](const OtherLoss& loss) { return Share(own, loss.trained); });
    if (AreWeights(own) && !counted && !Share(own, earlier.trained_by_last)) return &records[i];
  }
  return nullptr;
}

std::vector<Value> WithTrained(std::vector<Value> weights, const StepRequest& request) {
  if (request.others.empty()) return weights;
  for (const OtherLoss& each : request.others) {
    weights.insert(weights.end(), each.trained.begin(), each.trained.end());
  }
  weights.insert(weights.end(), request.trained->begin(), request.trained->end());
  return weights;
}

std::vector<Value> ValuesOf(const std::vector<const Tensor*>& tensors) {
  std::vector<Value> values;
  values.reserve(tensors.size());
  for (const Tensor* tensor : tensors) values.push_back(tensor->value);
  return values;
}

void FindUnknownDims(const std::vector<Record>& records, Workload& out) {
  std::set<std::pair<OpId, int64_t>> found;
  for (const Record& record : records) {
    const Tensor* input = record.kind == "open_size" ? record.tensor("value") : nullptr;
    if (input == nullptr) continue;
    const auto dim = static_cast<int64_t>(record.number("dim").value_or(0));
    const auto size = static_cast<int64_t>(record.number("size").value_or(0));
    for (OpId id = 0; id < out.graph->size(); ++id) {
      if (out.graph->op(id).kind != OpKind::kParameter) continue;
      const Shape& shape = out.graph->op(id).shape;
      const bool same = shape.rank() == input->shape.rank() && dim < shape.rank() &&
                        shape.dims[static_cast<size_t>(dim)].factor == size;
      if (!same || !found.emplace(id, dim).second) continue;
      out.module.unknown_dims.push_back({id, dim, size, false});
      break;
    }
  }
  // The size of an image decides nearly all of a step.
  for (const auto& [id, dim] : found) {
    if (found.contains({id, dim + 1}) && out.graph->op(id).shape.rank() > 3) {
      out.sizes_assumed = true;
    }
  }
}

void ReadXlaFlags(const std::vector<Record>& records, Workload& out) {
  const Record* set = LastRecord(records, "xla_flags");
  if (set == nullptr) return;
  out.xla_flags_location = set->location;
  if (const std::string* text = set->text("value")) {
    out.xla_flags = *text;
    return;
  }
  Diagnostic& note = out.notes.emplace_back();
  note.rule = "RD002";
  note.severity = Severity::kInfo;
  note.location = set->location;
  note.message =
      "the program's LIBTPU_INIT_ARGS are not known: the figures are those of XLA's defaults; "
      "give --xla-flags";
}

ModelSize SizeOf(const Tracer& tracer, const std::vector<Value>& weights) {
  ModelSize size;
  std::set<int32_t> counted;
  for (const Value& weight : weights) {
    if (!Tracer::IsWeight(weight) || !counted.insert(weight.variable).second) continue;
    const int64_t elements = tracer.ShapeOf(weight)->elements();
    (tracer.IsTrainable(weight) ? size.trainable : size.other) += elements;
  }
  return size;
}

}  // namespace tilewise::program
