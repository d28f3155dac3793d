// compile() and fit(), estimators, strategies, steps of a loop of the user's own.

#include "frontend/program/host_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/program/record_facts.h"

namespace tilewise::program {
namespace {

Count CountOf(const Record* record, std::string_view field) {
  const py::Value* value = record == nullptr ? nullptr : record->Find(field);
  return value == nullptr ? Count() : ToCount(value);
}

// Whether each host has a DataLoader of its own: a step of JAX is mapped over the devices of all
// hosts, or its arrays are joined from what each has.
bool LoadsPerHost(const std::vector<Record>& records, const Record& batch) {
  const std::string* what = batch.text("what");
  return what != nullptr && *what == "DataLoader" &&
         (LastRecord(records, "pmap") != nullptr || LastRecord(records, "host_batches") != nullptr);
}

// The batch of one update on all cores; 0: not known. `feeders` is how many take such a batch each.
// What a graph is fed is all of it, however many towers of the graph share it.
int64_t GlobalBatch(const Record& batch, const std::optional<TrainingSpec>& training,
                    int64_t feeders) {
  const auto size = static_cast<int64_t>(batch.number("size").value_or(0));
  const std::string* what = batch.text("what");
  const bool whole = !training.has_value() || (what != nullptr && *what == "feed");
  return size * feeders * (whole ? 1 : training->accumulation_steps);
}

bool IsTrue(const py::Value* value) {
  return value != nullptr && value->tag == py::Value::Tag::kBool && value->truth;
}

const py::Value* Member(const py::Value& value, std::string_view name) {
  const py::Instance* instance = value.as<py::Instance>();
  if (instance == nullptr) return nullptr;
  const py::Symbol symbol = py::SymbolOf(name);
  const py::Value* held = instance->attributes.Find(symbol);
  return held != nullptr ? held : instance->type->Find(symbol);
}

const py::Value* Given(const py::Value& value, std::string_view name) {
  const py::Value* given = Member(value, "_given");
  const py::Dict* dict = given == nullptr ? nullptr : given->as<py::Dict>();
  if (dict == nullptr) return nullptr;
  for (const py::Dict::Entry& entry : dict->entries) {
    const std::string* key = entry.live ? py::TextOf(entry.key) : nullptr;
    if (key != nullptr && *key == name) return &entry.value;
  }
  return nullptr;
}

// Whether the class of a callback is the user's and does something per batch.
bool OverridesBatchHook(const py::Instance& instance) {
  for (const char* hook :
       {"on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end"}) {
    const py::Value* member = instance.type->Find(py::SymbolOf(hook));
    const py::Function* function = member == nullptr ? nullptr : member->as<py::Function>();
    if (function != nullptr && function->module->origin != py::Module::Origin::kOwn) return true;
  }
  return false;
}

bool WorksPerBatch(const py::Value& value, const py::Instance& instance) {
  if (OverridesBatchHook(instance)) return true;
  for (const char* name : {"save_freq", "update_freq"}) {
    const py::Value* frequency = Given(value, name);
    if (frequency == nullptr) continue;
    const std::string* text = py::TextOf(*frequency);
    if (text != nullptr ? *text == "batch" : py::AsInt(*frequency).has_value()) return true;
  }
  const bool lambda = *instance.type->name == "LambdaCallback";
  return lambda &&
         (Given(value, "on_batch_end") != nullptr || Given(value, "on_batch_begin") != nullptr ||
          Given(value, "on_train_batch_end") != nullptr);
}

}  // namespace

HostFacts::HostFacts(const std::vector<Record>& records, SourceTexts& texts,
                     StageReader::NoteFunction note)
    : records_(records), texts_(texts), note_(std::move(note)) {
  const Record* backward = LastRecord(records, "backward");
  for (const Record& record : records) {
    if (record.kind == "fitting" && (fit_ == nullptr || backward == nullptr)) fit_ = &record;
    // The last one that was followed to a step.
    if (record.kind == "fitting" && backward != nullptr && &record < backward) fit_ = &record;
  }
  if (fit_ != nullptr) compile_ = CompileBefore(*fit_);
  for (const Record& record : records) {
    const bool compiles = record.kind == "compile" && record.Find("model") != nullptr;
    if (compiles && (compile_ == nullptr || fit_ == nullptr)) compile_ = &record;
  }
}

// The last compile() of the model before it was fitted; null: there is none.
const Record* HostFacts::CompileBefore(const Record& fit) const {
  const Record* found = nullptr;
  const py::Value* model = fit.Find("model");
  for (const Record& record : records_) {
    const py::Value* other = record.kind == "compile" ? record.Find("model") : nullptr;
    if (&record < &fit && other != nullptr && model != nullptr && other->Is(*model)) {
      found = &record;
    }
  }
  return found;
}

void HostFacts::NoteOtherFits() const {
  const py::Value* model = fit_->Find("model");
  for (const Record& record : records_) {
    if (record.kind != "fitting" || &record == fit_ || record.location == fit_->location) continue;
    const py::Value* other = record.Find("model");
    if (model == nullptr || other == nullptr || other->none()) continue;
    const int32_t line = fit_->location.line;
    if (!other->Is(*model)) {
      note_(PlaceOf(record), fmt::format("another model is trained here; this report is about the "
                                         "one trained at line {}",
                                         line));
    } else if (CompileBefore(record) != compile_) {
      note_(PlaceOf(record),
            fmt::format("the model is compiled anew and trained again here; this report is about "
                        "fit() at line {}",
                        line));
    }
  }
}

Location HostFacts::PlaceOf(const Record& record) const {
  const python::Node call = texts_.Find(record.call, "call");
  return call ? NamePlace(call) : record.location;
}

Count HostFacts::ArgumentOf(const py::Value* value, python::Node call, size_t position,
                            std::string_view name, std::string_view consequence) const {
  Count count = value == nullptr ? Count() : ToCount(value);
  if (count.kind == Count::Kind::kAutotune) count = {Count::Kind::kValue, -1};
  const python::Node written = call ? ArgumentNode(call, position, name) : python::Node();
  if (count.kind == Count::Kind::kUnresolved) {
    const py::Unknown* unknown = value->as<py::Unknown>();
    const std::string reason = unknown == nullptr ? "found no number"
                                                  : fmt::format("{}, line {}", unknown->reason(),
                                                                unknown->location().line);
    note_(written ? written.location() : fit_->location,
          fmt::format("cannot resolve {} of fit() ({}); {}", name, reason, consequence));
  }
  return count;
}

std::vector<Callback> HostFacts::Callbacks(const py::Value* value) const {
  std::vector<Callback> result;
  if (value == nullptr || value->none()) return result;
  std::vector<py::Value> items = {*value};
  if (const py::Sequence* list = value->as<py::Sequence>()) items = list->items;
  for (const py::Value& item : items) {
    const py::Instance* instance = item.as<py::Instance>();
    if (instance == nullptr) {
      const py::Unknown* unknown = item.as<py::Unknown>();
      if (unknown == nullptr) continue;
      note_(PlaceOf(*fit_), fmt::format("cannot resolve a callback of fit() ({}, line {}); whether "
                                        "it works per batch is not checked",
                                        unknown->reason(), unknown->location().line));
      continue;
    }
    Callback callback;
    callback.name = *instance->type->name;
    callback.location = fit_->location;
    const py::Value* at = Member(item, "_place");
    const auto* place =
        at != nullptr && at->is_object() ? dynamic_cast<const Place*>(at->object) : nullptr;
    if (place != nullptr) {
      callback.location = place->location;
      if (const python::Node call = texts_.Find(place->call, "call")) {
        callback.location = NamePlace(call);
      }
    }
    callback.per_batch = WorksPerBatch(item, *instance);
    result.push_back(std::move(callback));
  }
  return result;
}

void HostFacts::ReadFit(HostLoop& loop) const {
  const python::Node call = texts_.Find(fit_->call, "call");
  loop.fit = PlaceOf(*fit_);
  if (!call || ArgumentNode(call, 3, "epochs") || ArgumentNode(call, 99, "nb_epoch")) {
    loop.epochs = ArgumentOf(fit_->Find("epochs"), call, 3, "epochs", "one epoch is shown");
  } else {
    loop.epochs = {};
  }
  loop.steps_per_epoch = ArgumentOf(fit_->Find("steps_per_epoch"), call, 11, "steps_per_epoch",
                                    "give --steps-per-epoch");
  const Count batch = ArgumentOf(fit_->Find("batch_size"), call, 2, "batch_size",
                                 "give the batch size with --batch");
  if (batch.present()) loop.fit_batch_size = batch;
  loop.callbacks = Callbacks(fit_->Find("callbacks"));
  const bool arrays = std::ranges::any_of(records_, [&](const Record& record) {
    return record.kind == "arrays" && record.call == fit_->call;
  });
  if (arrays && !batch.present()) {
    note_(loop.fit, "fit() on arrays without batch_size: Keras takes 32, over all cores together");
  }
  const py::Value* x = fit_->Find("x");
  if (const py::Unknown* unknown = x == nullptr ? nullptr : x->as<py::Unknown>()) {
    const python::Node written = call ? ArgumentNode(call, 0, "x") : python::Node();
    note_(written ? written.location() : loop.fit,
          fmt::format("cannot resolve what fit() trains on ({}, line {}); the input side is not "
                      "checked",
                      unknown->reason(), unknown->location().line));
  }
}

void HostFacts::ReadCompile(HostLoop& loop) const {
  const python::Node call = texts_.Find(compile_->call, "call");
  loop.compile = PlaceOf(*compile_);
  if (call) loop.compile_arguments = ArgumentsOf(call);
  const py::Value* steps = compile_->Find("steps_per_execution");
  loop.steps_per_execution = steps == nullptr ? Count() : ToCount(steps);
  const std::string* text = steps == nullptr ? nullptr : py::TextOf(*steps);
  if (text != nullptr && *text == "auto") loop.steps_per_execution = {Count::Kind::kAutotune, -1};
  loop.run_eagerly = IsTrue(compile_->Find("run_eagerly"));
  if (!loop.steps_per_execution.present()) return;
  python::Node written;
  for (const char* name : {"steps_per_execution", "experimental_steps_per_execution"}) {
    if (call && !written) written = ArgumentNode(call, 99, name);
  }
  loop.steps_per_execution_location = written ? written.location() : loop.compile;
  const py::Unknown* unknown = steps->as<py::Unknown>();
  if (loop.steps_per_execution.kind == Count::Kind::kUnresolved && unknown != nullptr) {
    note_(loop.steps_per_execution_location,
          fmt::format("cannot resolve steps_per_execution ({}, line {}); 1 is assumed",
                      unknown->reason(), unknown->location().line));
  }
}

void HostFacts::ReadEstimator(HostLoop& loop) const {
  const Record* estimator = LastRecord(records_, "estimator");
  if (estimator == nullptr) return;
  loop.framework = Framework::kTpuEstimator;
  loop.fit = PlaceOf(*estimator);
  const Count batch = CountOf(estimator, "batch_size");
  // One that is made to export a model has the batch of serving.
  const bool trains = std::ranges::any_of(records_, [](const Record& record) {
    const std::string* mode = record.kind == "input" ? record.text("mode") : nullptr;
    return mode != nullptr && *mode == "train";
  });
  if (batch.present() && (trains || !ExportsOnly())) loop.fit_batch_size = batch;
}

void HostFacts::ReadIterations(HostLoop& loop) const {
  const Record* iterations = LastRecord(records_, "iterations");
  if (iterations == nullptr) return;
  const bool estimator = loop.framework == Framework::kTpuEstimator;
  const python::Node call = texts_.Find(iterations->call, "call");
  if (estimator && call && !ArgumentNode(call, 0, "iterations_per_loop")) return;
  loop.steps_per_execution = CountOf(iterations, "count");
  loop.steps_per_execution_location = PlaceOf(*iterations);
}

// One call of a tf.function is one execution, whatever loops in it.
void HostFacts::ReadStepsOfFunction(const Record* backward, HostLoop& loop) const {
  if (backward == nullptr || loop.framework != Framework::kCustomLoop) return;
  const Record* call = nullptr;  // the outermost one that trains
  for (const Record* at = backward; at != records_.data() + records_.size(); ++at) {
    if (at->kind == "executed") call = at;
  }
  double steps = 1;
  const Record* outermost = nullptr;
  for (const Record* around : LoopsAround(*backward)) {
    if (call == nullptr || around > call) break;
    outermost = around;
    const std::optional<double> count = around->number("count");
    if (!count) {
      note_(PlaceOf(*around),
            "cannot tell how many steps this loop of a tf.function takes in one execution; 1 is "
            "assumed, give --steps-per-execution");
      return;
    }
    steps *= *count;
  }
  constexpr double kMost = 1e9;
  if (outermost == nullptr || steps < 1 || steps > kMost) return;
  loop.steps_per_execution = {Count::Kind::kValue, static_cast<int64_t>(steps)};
  loop.steps_per_execution_location = PlaceOf(*outermost);
}

bool HostFacts::ExportsOnly() const {
  return std::ranges::any_of(records_,
                             [](const Record& record) { return record.kind == "exported"; });
}

bool HostFacts::UsesTpu() const {
  return std::ranges::any_of(records_, [](const Record& record) {
    const std::string* name = record.kind == "strategy" ? record.text("name") : nullptr;
    const bool tpu = name != nullptr && (name->find("TPU") != std::string::npos);
    return tpu || record.kind == "estimator" || record.kind == "tpu_model";
  });
}

// The framework is told by what computes the gradients or, in a program that hides them, by the
// update.
Framework HostFacts::FrameworkOfLoop() const {
  const Record* step = LastRecord(records_, "backward");
  if (step == nullptr) step = LastRecord(records_, "step");
  const std::string* by = step == nullptr ? nullptr : step->text("by");
  if (by != nullptr && *by == "jax") return Framework::kJax;
  if (by != nullptr && *by == "torch") return Framework::kTorchXla;
  return Framework::kCustomLoop;
}

// Loops are told from the innermost on, after the step in them; those of an earlier step have made
// less progress.
std::vector<const Record*> HostFacts::LoopsAround(const Record& step) const {
  std::vector<const Record*> loops;
  for (const Record* at = &step; at != records_.data() + records_.size(); ++at) {
    if (at->kind != "epoch_loop" && at->kind != "trained_loop") continue;
    if (!loops.empty() && loops.back()->number("progress") != at->number("progress")) loops.clear();
    loops.push_back(at);
  }
  return loops;
}

std::optional<double> HostFacts::RoundsAround(const Record& step) const {
  double rounds = 1;
  for (const Record* loop : LoopsAround(step)) {
    const std::optional<double> count = loop->number("count");
    if (!count) return std::nullopt;
    rounds *= *count;
  }
  return rounds;
}

bool HostFacts::GoesOverDataOnce(const Record& step) const {
  const std::vector<const Record*> loops = LoopsAround(step);
  return loops.size() == 1 && IsTrue(loops.front()->Find("over_data"));
}

std::optional<int64_t> HostFacts::StepsOfRun(const Record* backward, bool length_assumed) const {
  const Record* const fit = LastRecord(records_, "fit");
  const Record* const step = fit == nullptr ? backward : fit;
  if (step == nullptr) return std::nullopt;
  std::optional<double> steps = RoundsAround(*step);
  // An estimator is told its steps, in all calls together; a step outside of loops is no run.
  if (fit != nullptr) {
    steps = steps == 1 && !length_assumed ? fit->number("steps") : std::nullopt;
  } else if (steps == 1) {
    return std::nullopt;
  }
  // A scan in what is called takes several of them.
  const Record* scan = LastRecord(records_, "iterations");
  if (steps && fit == nullptr && scan != nullptr && scan->text("by") != nullptr) {
    *steps *= scan->number("count").value_or(1);
  }
  constexpr double kMost = 1e15;
  if (!steps || *steps < 1 || *steps > kMost) return std::nullopt;
  return static_cast<int64_t>(*steps);
}

HostLoop HostFacts::Loop(const std::optional<TrainingSpec>& training, int64_t cores,
                         int64_t hosts) const {
  HostLoop loop;
  if (const Record* batch = LastRecord(records_, "batch")) {
    const bool per_core = IsTrue(batch->Find("per_core"));
    const int64_t feeders = per_core ? cores : LoadsPerHost(records_, *batch) ? hosts : 1;
    const int64_t size = GlobalBatch(*batch, training, feeders);
    loop.process_per_core = per_core;
    if (size > 0) loop.fit_batch_size = {Count::Kind::kValue, size};
  }
  loop.epochs = CountOf(LastRecord(records_, "epochs"), "count");
  // Loops around the step are told after it.
  const Record* around = LastRecord(records_, "epoch_loop");
  const Record* backward = LastRecord(records_, "backward");
  if (!loop.epochs.present() && around != nullptr && backward < around) {
    loop.epochs = CountOf(around, "count");
  }
  loop.one_pass = backward != nullptr && GoesOverDataOnce(*backward);
  loop.uses_tpu_strategy = UsesTpu();
  loop.length_assumed = LastRecord(records_, "assumed_files") != nullptr;
  if (const Record* resolver = LastRecord(records_, "resolver")) {
    const std::string* name = resolver->text("tpu");
    if (name != nullptr && !name->empty()) loop.remote_tpu = *name != "local";
  }
  const Record* run = LastRecord(records_, "run");
  if (training.has_value() || run != nullptr) {
    loop.framework = FrameworkOfLoop();
    loop.fit = training.has_value() ? training->location : PlaceOf(*run);
  }
  const Record* fit = LastRecord(records_, "fit");
  if (fit != nullptr && training.has_value()) {
    const std::string* by = fit->text("by");
    if (by != nullptr && *by == "estimator") loop.framework = Framework::kTpuEstimator;
    loop.fit = fit->location;
    loop.steps_per_epoch = CountOf(fit, "steps_per_epoch");
    loop.steps_per_execution = CountOf(fit, "steps_per_execution");
  }
  if (fit_ != nullptr || compile_ != nullptr) {
    if (fit_ != nullptr || loop.framework == Framework::kUnknown) {
      loop.framework = Framework::kKeras;
    }
    if (fit_ != nullptr) ReadFit(loop);
    if (fit_ != nullptr) NoteOtherFits();
    if (compile_ != nullptr) ReadCompile(loop);
  }
  if (const Record* model = LastRecord(records_, "tpu_model")) {
    loop.framework = Framework::kKerasTf1;
    if (fit_ == nullptr) loop.fit = PlaceOf(*model);
  }
  ReadStepsOfFunction(backward, loop);
  ReadEstimator(loop);
  ReadIterations(loop);
  if (fit_ == nullptr) loop.run_steps = StepsOfRun(backward, loop.length_assumed);
  return loop;
}

std::optional<TrainingSpec> HostFacts::CompiledTraining() const {
  if (compile_ == nullptr) return std::nullopt;
  TrainingSpec spec;
  spec.location = PlaceOf(*compile_);
  if (const py::Value* optimizer = compile_->Find("optimizer")) {
    const py::Value* kind = Member(*optimizer, "_kind");
    const std::string* name = py::TextOf(kind == nullptr ? *optimizer : *kind);
    const py::Value* momentum = Member(*optimizer, "momentum");
    const double heavy = momentum == nullptr ? 0 : py::AsNumber(*momentum).value_or(0);
    if (const auto known = name == nullptr ? std::nullopt : OptimizerOf(*name, heavy)) {
      spec.optimizer = *known;
      spec.optimizer_known = true;
      spec.optimizer_name = *name;
    }
    const py::Value* rate = Member(*optimizer, "_learning_rate");
    if (rate != nullptr) spec.learning_rate = py::AsNumber(*rate);
  }
  const py::Value* loss = compile_->Find("loss");
  if (loss == nullptr || loss->none()) return spec;
  std::string name;
  if (const std::string* text = py::TextOf(*loss)) name = *text;
  if (const py::Instance* instance = loss->as<py::Instance>()) {
    name = *instance->type->name;
    const py::Value* logits = Member(*loss, "from_logits");
    spec.from_logits = IsTrue(logits);
  }
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  spec.loss_known = !plain.empty();
  spec.loss_name = name;
  spec.loss = LossOf(plain);
  spec.sparse_labels = plain.find("sparse") != std::string::npos;
  return spec;
}

void HostFacts::NoteFlags() const {
  constexpr int kMaxShown = 6;
  std::string shown;
  int flags = 0;
  const Record* first = nullptr;
  for (const Record& record : records_) {
    const std::string* name = record.kind == "flag" ? record.text("name") : nullptr;
    const py::Value* value = name == nullptr ? nullptr : record.Find("value");
    if (value == nullptr || value->none()) continue;
    if (first == nullptr) first = &record;
    if (++flags > kMaxShown) continue;
    const bool truth = value->tag == py::Value::Tag::kBool;
    shown += fmt::format("{}{}={}", flags == 1 ? "" : ", ", *name,
                         truth ? (value->truth ? "True" : "False")
                               : fmt::format("{}", py::AsNumber(*value).value_or(0)));
  }
  if (first == nullptr) return;
  if (flags > kMaxShown) shown += ", ...";
  note_(first->location, fmt::format("command-line options are taken at their defaults ({}); "
                                     "change them there if the run gives others",
                                     shown));
}

bool HostFacts::NamesBatch() const {
  const py::Value* size = fit_ == nullptr ? nullptr : fit_->Find("batch_size");
  return (size != nullptr && !size->none()) || LastRecord(records_, "estimator") != nullptr;
}

void HostFacts::Fill(SourceFacts& facts) const {
  facts.tpu_strategy = UsesTpu();
  if (const Record* precision = LastRecord(records_, "precision")) {
    if (const std::string* policy = precision->text("policy")) {
      facts.precision_policy = *policy;
      facts.precision_policy_location = PlaceOf(*precision);
    }
  }
}

}  // namespace tilewise::program
