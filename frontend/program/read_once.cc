// Runs a program on symbols and makes a workload of what it recorded.

#include "frontend/program/read_once.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "frontend/program/assumptions.h"
#include "frontend/program/host_facts.h"
#include "frontend/program/imports.h"
#include "frontend/program/layout.h"
#include "frontend/program/packages.h"
#include "frontend/program/pipelines.h"
#include "frontend/program/record_facts.h"
#include "frontend/program/search.h"
#include "frontend/program/trace.h"
#include "frontend/program/uncalled.h"
#include "frontend/program/unread.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;

class ProgramReader {
 public:
  ProgramReader(const std::string& path, const ProgramOptions& options)
      : options_(options),
        path_(path),
        package_(FindPackage(path)),
        trace_(path.substr(path.rfind('/') + 1)),
        host_(MakeSearch(), trace_),
        in_(host_, options.limits) {
    trace_.replicas = options.cores;
    trace_.hosts = options.hosts;
    trace_.shape = options.shape;
    trace_.assumes_sizes = options.assumes_sizes;
    trace_.fed = options.fed;
    TakeLine();
    for (const auto& [name, file, text, lines] : options_.modules) {
      host_.AddModule(name, {.file = file, .text = text, .lines = lines});
    }
    in_.passes_checks = options_.model.empty();
    in_.goes_on = options.goes_on;
    in_.argv = {path};
    in_.argv.insert(in_.argv.end(), options.arguments.begin(), options.arguments.end());
  }

  absl::StatusOr<ReadResult> Read(const std::vector<ProgramText>& texts) {
    if (!options_.packages_first) OpenPackages(in_, package_);
    py::Module* main = ImportedMain();
    const bool imported = main != nullptr;
    if (!imported) {
      main = in_.NewModule(ModuleName(), py::Module::Origin::kUser);
      main->file = path_;
      main->package = package_.dotted;
      main->names.Set(in_.Name("__file__"), in_.Text(path_));
      if (fs::path(path_).stem() == "__init__") {
        const std::string folder = fs::path(path_).parent_path().string();
        main->path = {folder};
        main->names.Set(in_.Name("__path__"), in_.List({in_.Text(folder)}));
      }
    }
    std::vector<std::shared_ptr<const py::Code>> codes;
    for (const ProgramText& text : texts) {
      if (!text.writes.empty()) continue;
      TW_ASSIGN_OR_RETURN(std::shared_ptr<const py::Code> code,
                          py::ParseCode(path_, text.text, text.cell, text.lines));
      for (const Location& error : code->errors) {
        in_.Note("RD003", error, "syntax error; the statement here is read as far as possible",
                 Severity::kWarning);
      }
      if (!text.lines.files.empty()) main->made_of = text.lines.files;
      if (text.lines.empty()) host_.texts().Keep(path_, text.cell, text.text);
      codes.push_back(std::move(code));
    }
    in_.Guard([&] { Prepare(*main, texts); });
    // A cell that fails leaves the others to run.
    bool stopped = false;
    if (imported) codes.clear();
    // The main() of a C++ program has run: what it does not call has no part in it.
    const bool whole = options_.format == "cpp" && options_.trains;
    for (const std::shared_ptr<const py::Code>& code : codes) {
      stopped =
          !in_.Guard([&] { in_.RunProgram(*main, *code, model_line_, Watched()); }) && in_.spent();
    }
    if (!options_.model.empty()) {
      in_.Guard([&] { TraceModel(*main); });
    } else if (!stopped && !whole && in_.parts() + in_.progress() == 0) {
      called_ = true;
      in_.Guard([&] { CallUncalled(*main, texts); });
    }
    if (options_.model.empty()) {
      RunUncalledFunctions(in_, host_, path_);
      TraceBuilt();
    }
    return Finish();
  }

 private:
  SearchOptions MakeSearch() const {
    SearchOptions search;
    search.program = path_;
    search.user_folders = options_.python_path;
    search.strict_names = !options_.model.empty();
    if (!package_.dotted.empty()) search.user_folders.push_back(package_.root);
    search.libraries = LibraryFolders(path_);
    return search;
  }
  // "model@66": the name as the module has it after line 66.
  void TakeLine() {
    const size_t at = options_.model.rfind('@');
    if (at == std::string::npos) return;
    const std::string line = options_.model.substr(at + 1);
    const bool digits = !line.empty() && line.size() < 8 &&
                        line.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return;
    model_line_ = std::stoi(line);
    options_.model.resize(at);
  }
  // What the user says of names, and what commands of a notebook start.
  void Prepare(py::Module& main, const std::vector<ProgramText>& texts) {
    TakeAssumptions(in_, options_.assume);
    std::vector<py::Value> commands;
    for (const ProgramText& text : texts) {
      if (!text.writes.empty()) host_.AddFile(text.writes, text.text);
      for (const std::string& command : text.commands) commands.push_back(in_.Text(command));
    }
    if (commands.empty()) return;
    const py::Value runner = in_.Import("_tilewise_commands");
    const py::Value made =
        in_.Call(in_.Attribute(runner, in_.Name("runner")), {in_.List(std::move(commands)), &main});
    main.names.Set(in_.Name("_r"), made);
  }
  // A part of a package of which tilewise knows some modules: the others refer to
  // it by its name, so it is imported by that. Null: it is none, or cannot be.
  py::Module* ImportedMain() {
    const std::string top = package_.dotted.substr(0, package_.dotted.find('.'));
    if (options_.model.empty() || model_line_ > 0 || host_.OwnsPackage(top)) return nullptr;
    if (!host_.KnowsModule(top) && !(options_.packages_first && !top.empty())) return nullptr;
    py::Module* found = nullptr;
    in_.Guard([&] { found = in_.Import(ModuleName()).as<py::Module>(); });
    const bool same = found != nullptr && fs::path(found->file).lexically_normal() ==
                                              fs::path(path_).lexically_normal();
    return same ? found : nullptr;
  }

  // The name that is asked for at a line: what is added to it later counts.
  std::string Watched() const {
    const bool name = std::all_of(options_.model.begin(), options_.model.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    return model_line_ > 0 && name ? options_.model : "";
  }
  // A module that has the model to make is imported, not run as a program.
  std::string ModuleName() {
    if (options_.model.empty()) return "__main__";
    const std::string stem = fs::path(path_).stem().string();
    if (host_.OwnsPackage(package_.dotted.substr(0, package_.dotted.find('.')))) {
      return "user." + stem;
    }
    if (stem == "__init__") return package_.dotted;
    return package_.dotted.empty() ? stem : package_.dotted + "." + stem;
  }

  void TraceModel(py::Module& main) {
    const py::Value model = EvalModel(main);
    // What the module trains on its way is not asked for.
    trace_.records.clear();
    const py::Value entry = in_.Import("_tilewise_model");
    py::Arguments arguments;
    arguments.positional = {model, in_.Text(options_.inputs), py::Value(options_.differentiates)};
    in_.Call(in_.Attribute(entry, in_.Name("trace")), arguments);
  }

  // A program of Keras that trains nothing that was followed: the forward pass of
  // its model.
  void TraceBuilt() {
    const bool step = LastRecord(trace_.records, "backward") != nullptr ||
                      LastRecord(trace_.records, "result") != nullptr;
    if (step || !in_.Loaded("keras._model")) return;
    py::Value model = py::None();
    for (const Record& record : trace_.records) {
      const bool says = record.kind == "fitting" || record.kind == "compile";
      const py::Value* held = says ? record.Find("model") : nullptr;
      if (held != nullptr) model = *held;
    }
    traced_built_ = true;
    in_.Guard([&] {
      in_.Call(in_.Attribute(in_.Import("_tilewise_keras"), in_.Name("built")), {model});
    });
  }

  // A file whose training function is called from elsewhere.
  void CallUncalled(py::Module& main, const std::vector<ProgramText>& texts) {
    std::string text;
    for (const ProgramText& each : texts) text += each.text + "\n";
    const py::Value entry = in_.Import("_tilewise_entry");
    const py::Value names = in_.EvalText(main, "globals()");
    in_.Call(in_.Attribute(entry, in_.Name("run")),
             {names, in_.Text(main.name), in_.Text(std::move(text)), in_.List(in_.given_away())});
  }

  // Names that the module does not have are looked for in its package and in
  // the modules beside it.
  py::Value EvalModel(py::Module& main) {
    constexpr int kMaxNames = 8;
    for (int i = 0;; ++i) {
      std::optional<py::Value> raised;
      try {
        return in_.EvalText(main, options_.model);
      } catch (const py::Raised& exception) {
        raised = exception.exception;
      }
      const bool name = in_.IsInstance(*raised, in_.ExceptionType("NameError"));
      if (!name || i == kMaxNames || !AddName(main, in_.Display(*raised))) {
        throw py::Raised{*raised};
      }
    }
  }
  // "name 'ViT' is not defined"
  bool AddName(py::Module& main, const std::string& message) {
    const size_t begin = message.find('\'');
    const size_t end = message.find('\'', begin + 1);
    if (begin == std::string::npos || end == std::string::npos) return false;
    const std::string name = message.substr(begin + 1, end - begin - 1);
    const py::Symbol symbol = in_.Name(name);
    if (AddInput(main, name)) return true;
    if (!package_.dotted.empty()) {
      const py::Value package = in_.Import(package_.dotted);
      const py::Value found = in_.FindAttribute(package, symbol);
      if (found.set() && !py::IsUnknown(found)) {
        main.names.Set(symbol, found);
        return true;
      }
    }
    const std::string module = ModuleDefining(name, path_);
    const py::Value made = in_.Import(module.empty() ? name : module);
    if (py::IsUnknown(made)) return false;
    main.names.Set(symbol, module.empty() ? made : in_.Attribute(made, symbol));
    return true;
  }
  // "images" of a function of tensors: an input that --input gives.
  bool AddInput(py::Module& main, const std::string& name) {
    if (options_.inputs.empty() || !in_.Loaded("tensorflow")) return false;
    const py::Value given = in_.Attribute(in_.Import("_tilewise_tf"), in_.Name("given"));
    const py::Value read = in_.Attribute(in_.Import("_tilewise_model"), in_.Name("inputs_of"));
    const py::Value input =
        in_.Call(given, {in_.Text(name), in_.Call(read, {in_.Text(options_.inputs)})});
    if (input.none() || py::IsUnknown(input)) return false;
    main.names.Set(in_.Name(name), input);
    return true;
  }
  // Other weights that the program trains, in another loop.
  void NoteOtherPass(const Record& backward, const EarlierPasses& earlier) {
    const Record* other = PassLeftOut(trace_.records, earlier);
    if (other == nullptr) return;
    in_.Note("RD003", other->location,
             fmt::format("other weights are trained here; this report is about those that are "
                         "trained at line {}",
                         backward.location.line),
             Severity::kWarning);
  }

  // A critic's passes may run several times and those of the other network seldom, but the step
  // has each once.
  void NoteRepeats(const EarlierPasses& earlier) {
    for (const Record* loop : earlier.repeats) {
      in_.Note("RD003", loop->location, RepeatsText(*loop), Severity::kWarning);
    }
  }

  // The modules that ops of the model stand in, for excerpts and comments.
  void AddFiles(Workload& out) {
    if (!out.graph.has_value()) return;
    std::set<std::string> seen = {path_, ""};
    for (const Op& op : out.graph->ops()) {
      const std::string& file = op.location.file;
      if (!seen.insert(file).second || file.starts_with('<')) continue;
      std::optional<std::string> text = host_.ReadFile(file);
      if (text.has_value()) out.files.push_back({file, *std::move(text), {}});
    }
  }

  std::optional<Mesh> ReadMesh() {
    std::string unclear;
    const std::optional<ProgramMesh> found = MeshOf(trace_.records, unclear);
    if (!unclear.empty()) {
      in_.Note("RD002", LastRecord(trace_.records, "mesh")->location,
               fmt::format("what is split over the mesh axis '{}' is not known; all cores are "
                           "taken to have other examples; give --mesh",
                           unclear),
               Severity::kWarning);
    }
    if (!found.has_value()) return std::nullopt;
    in_.Note("RD003", found->location, fmt::format("the mesh of the program: {}", found->words));
    return found->mesh;
  }

  absl::StatusOr<ReadResult> Finish() {
    ReadResult out;
    out.name = path_.substr(path_.rfind('/') + 1);
    out.format = options_.format;
    StepRequest request;
    const Record* backward = LastRecord(trace_.records, "backward");
    if (backward != nullptr && backward->tensor("value") != nullptr) {
      request.loss = backward->tensor("value")->value;
      request.training = TrainingOf(trace_.records);
      request.training->loss_known = true;  // the graph has it
      if (const std::optional<Remat> remat = RematOf(trace_.records)) {
        request.training->remat = *remat;
      }
      EarlierPasses earlier = PassesBefore(trace_.records);
      NoteOtherPass(*backward, earlier);
      NoteRepeats(earlier);
      const std::vector<Value> trained = earlier.losses.empty()
                                             ? ValuesOf(backward->tensors("parameters"))
                                             : earlier.trained_by_last;
      request.others = std::move(earlier.losses);
      request.updates = std::move(earlier.updates);
      if (!trained.empty()) request.trained = trained;
    } else if (const Record* result = LastRecord(trace_.records, "result")) {
      request.results = ValuesOf(result->tensors("value"));
      if (const Tensor* tensor = result->tensor("value")) request.results.push_back(tensor->value);
    }
    if (const Record* model = LastRecord(trace_.records, "model")) {
      std::vector<Value> weights = ValuesOf(model->tensors("parameters"));
      const std::vector<Value> buffers = ValuesOf(model->tensors("buffers"));
      weights.insert(weights.end(), buffers.begin(), buffers.end());
      // What is trained may be another model than the one that was recorded.
      const bool other =
          request.trained.has_value() &&
          std::none_of(weights.begin(), weights.end(), [&](const Value& weight) {
            return std::any_of(request.trained->begin(), request.trained->end(),
                               [&](const Value& each) { return each.variable == weight.variable; });
          });
      if (!weights.empty() && !other) request.weights = WithTrained(std::move(weights), request);
    }
    if (request.loss.has_value() || !request.results.empty()) {
      absl::StatusOr<TracedStep> step = trace_.tracer.Finish(request);
      if (step.ok() && request.loss.has_value() && step->graph.trainable_parameters() == 0) {
        step = InvalidInput("what is trained is not known: its loss depends on no known weight");
      }
      if (step.ok() && ComputesNothing(step->graph)) {
        step = InvalidInput("the model that is made gives what it is given");
      }
      const std::string other = UnknownLoss(in_.notes(), path_);
      if (step.ok() && request.loss.has_value() &&
          HoldsLittle(trace_.records, step->graph, !other.empty())) {
        step = InvalidInput(!other.empty() ? other
                                           : "what is trained is not known: its loss trains "
                                             "less than a tenth of the optimizer's weights");
      }
      if (step.ok()) {
        if (in_.Loaded("tensorflow") || in_.Loaded("jax")) RecordTracedBatch(trace_, *step);
        std::move(*step).MoveInto(out);
        FindUnknownDims(trace_.records, out);
        NoteUncountedRounds(in_, trace_, request);
        out.lower_bound = LowerBound(in_.notes(), path_);
        const std::string unfed = in_.Loaded("torch") ? Unfed(in_.notes(), *out.graph) : "";
        if (out.lower_bound.empty()) {
          out.lower_bound = unfed.empty() ? LeftOut(in_, trace_.records, *out.graph) : unfed;
        }
        loss_stands_in_ = !unfed.empty() || LastRecord(trace_.records, "loss_stands_in") != nullptr;
        out.sizes_assumed |= trace_.assumed_size || HoldsStandIns(trace_, *out.graph);
        // Weights that are loaded in fewer bits than they are counted with.
        out.sizes_assumed |= LastRecord(trace_.records, "few_bits") != nullptr;
      } else {
        in_.Note("RD002", {path_, 0, 0, 0, ""}, Message(step.status()), Severity::kWarning);
      }
    }
    if (traced_built_) out.step = StepKind::kTraining;
    if (!out.model_size.has_value() && request.weights.has_value()) {
      out.model_size = SizeOf(trace_.tracer, *request.weights);
    }
    out.mesh = ReadMesh();
    ReadXlaFlags(trace_.records, out);
    NoteUnusedAssumptions(in_, path_);
    out.consulted = host_.consulted();
    for (const auto& [_, module] : in_.modules())
      if (module->origin == py::Module::Origin::kUser) out.modules.insert(module->file);
    const bool other = options_.may_be_other && !UsesFramework();
    if (!out.graph.has_value() && (options_.trains || options_.may_be_other) && !other) {
      in_.Note("RD005", {path_, 0, 0, 0, ""},
               "no model was read: " + WhyUnread(in_.notes(), path_, host_.absent()),
               Severity::kWarning);
    }
    AddFiles(out);
    ReadHostSide(request.training, out);
    for (Diagnostic note : other ? std::vector<Diagnostic>() : in_.notes()) {
      // A line of the reader's own modules tells the user nothing.
      if (note.location.file.starts_with('<')) note.location = {path_, 0, 0, 0, ""};
      out.notes.push_back(std::move(note));
    }
    return out;
  }

 public:
  Reading::Found Found(const ReadResult& result) const {
    using enum Reading::Found;
    if (!result.graph.has_value()) return result.model_size.has_value() ? kSize : kNothing;
    const bool guessed = called_ && !result.lower_bound.empty();
    return guessed || loss_stands_in_ ? kGuessedGraph : kGraph;
  }

  std::map<int64_t, std::vector<int64_t>> Fed(const ReadResult& result) const {
    if (!options_.fed.empty()) return {};
    return FedOtherwise(trace_, result.graph.has_value() ? &*result.graph : nullptr);
  }

  // What may be read otherwise where no model was found.
  void SayWhy(Reading& reading) {
    const int64_t most = options_.limits.steps / 3;
    const auto says = [&](Words words) { return Telling(in_.notes(), words) != nullptr; };
    reading.steps = in_.steps();
    reading.wrong_order = !package_.dotted.empty() && says({"cannot import name"});
    if (!options_.model.empty() || !UsesFramework() || reading.steps > most) return;
    reading.lacks_sizes =
        says({"a weight of a size that is not known", " stands for it in the count",
              "the size of an image that a file holds", "the loss is not known",
              "a loss whose gradient is asked for is not known"});
    reading.failed = says({" ends with ", "stopped here with", "a check of the program fails"});
    if (!options_.arguments.empty() || !(options_.trains || options_.may_be_other)) return;
    in_.Guard([&] {
      const py::Value examples = in_.Import("_tilewise_examples");
      const py::Value words = in_.Call(in_.Attribute(examples, in_.Name("arguments")), {});
      for (const py::Value& word : in_.Items(words)) {
        reading.example.push_back(in_.Display(word));
      }
    });
  }

 private:
  bool UsesFramework() const {
    return std::ranges::any_of(
        kFrameworks, [&](std::string_view name) { return in_.Loaded(std::string(name)); });
  }

  // What the host does: its loop and the pipelines.
  void ReadHostSide(const std::optional<TrainingSpec>& training, ReadResult& out) {
    const auto note = [this](const Location& at, std::string message) {
      in_.Note("RD002", at, std::move(message));
    };
    MapFunctions functions(path_, host_.texts());
    out.pipelines = PipelinesOf(trace_, host_.texts(), functions, note);
    const HostFacts facts(trace_.records, host_.texts(), note);
    out.host_loop = facts.Loop(training, options_.cores, trace_.hosts);
    const Record* one = called_ ? nullptr : OneDeviceOf(trace_, out.host_loop.framework);
    if (one != nullptr) out.one_device = one->location;
    if (out.training.has_value()) {
      out.training->accumulation_steps = PartsPerCore(trace_, out, options_.cores);
    }
    if (!out.training.has_value()) out.training = facts.CompiledTraining();
    if (!out.training && !out.graph) out.training = OptimizerMade(trace_.records);
    if (out.training && !out.graph) NoteOtherOptimizer(trace_.records, *out.training, note);
    facts.Fill(out.facts);
    facts.NoteFlags();
    // The batch that the step was seen to take is the pipeline's.
    const Pipeline* feeds = out.training_pipeline();
    if (feeds != nullptr && feeds->batch_size().has_value() &&
        out.host_loop.fit_batch_size.is(*feeds->batch_size()) && !facts.NamesBatch()) {
      out.host_loop.fit_batch_size = {};
    }
    out.per_core = RunsPerCore(trace_.records, out);
    for (const auto& body : functions.bodies()) out.dataset_functions.insert(body);
    out.examples = ExamplesOf(trace_.records);
    out.loaders = LoadersOf(trace_.records, functions);
  }

  bool called_ = false;          // the training starts in another file
  bool loss_stands_in_ = false;  // what models gave is differentiated, as no loss is known
  bool traced_built_ = false;    // the forward pass of a model that nothing trains
  ProgramOptions options_;
  int32_t model_line_ = 0;  // 0: all of the module is run
  std::string path_;
  PackageOf package_;
  Trace trace_;
  ProgramHost host_;
  py::Interpreter in_;
};

}  // namespace

absl::StatusOr<Reading> ReadOnce(const std::string& path, const std::vector<ProgramText>& texts,
                                 const ProgramOptions& options) {
  ProgramReader reader(path, options);
  Reading reading;
  TW_ASSIGN_OR_RETURN(reading.result, reader.Read(texts));
  reading.found = reader.Found(reading.result);
  reading.fed = reader.Fed(reading.result);
  if (reading.found < Reading::Found::kGraph || TrainsOnFew(reading.result)) reader.SayWhy(reading);
  return reading;
}

}  // namespace tilewise::program
