// Runs a program on symbols and makes a workload of what it recorded.

#include "frontend/program/read_program.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;

// The dotted package that a file is in, by the __init__.py beside it; and the
// folder that holds the outermost.
struct PackageOf {
  std::string dotted;
  std::string root;
};
PackageOf FindPackage(const std::string& path) {
  PackageOf result;
  std::error_code error;
  fs::path folder = fs::absolute(fs::path(path)).parent_path();
  while (fs::exists(folder / "__init__.py", error)) {
    const std::string name = folder.filename().string();
    result.dotted = result.dotted.empty() ? name : name + "." + result.dotted;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  result.root = folder.string();
  return result;
}

// The packages around the program, whose own code is not run before it.
void OpenPackages(py::Interpreter& in, const PackageOf& package) {
  if (package.dotted.empty()) return;
  if (in.host().KnowsModule(package.dotted.substr(0, package.dotted.find('.')))) return;
  size_t end = 0;
  py::Module* outer = nullptr;
  fs::path folder = package.root;
  while (end != std::string::npos) {
    const size_t begin = end == 0 ? 0 : end + 1;
    end = package.dotted.find('.', begin);
    const std::string dotted = package.dotted.substr(0, end);
    const std::string last =
        package.dotted.substr(begin, end == std::string::npos ? end : end - begin);
    folder /= last;
    py::Module* module = in.NewModule(dotted, py::Module::Origin::kUser);
    module->package = dotted;
    module->path = {folder.string()};
    module->deferred = (folder / "__init__.py").string();
    module->file = module->deferred;
    if (outer != nullptr) outer->names.Set(in.Name(last), module);
    outer = module;
  }
}

std::optional<OptimizerKind> KindOf(const std::string& name, double momentum) {
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
  constexpr std::array<std::pair<std::string_view, OptimizerKind>, 10> kNames = {{
      {"adam", OptimizerKind::kAdam},
      {"adamw", OptimizerKind::kAdamW},
      {"adamax", OptimizerKind::kAdam},
      {"nadam", OptimizerKind::kAdam},
      {"radam", OptimizerKind::kAdam},
      {"lamb", OptimizerKind::kLamb},
      {"lars", OptimizerKind::kLars},
      {"adagrad", OptimizerKind::kMomentum},
      {"lion", OptimizerKind::kMomentum},
      {"yogi", OptimizerKind::kAdam},
  }};
  for (const auto& [known, kind] : kNames) {
    if (lower == known) return kind;
  }
  return std::nullopt;
}

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
    in_.argv = {path};
    in_.argv.insert(in_.argv.end(), options.arguments.begin(), options.arguments.end());
  }

  absl::StatusOr<Workload> Read(const std::vector<ProgramText>& texts) {
    OpenPackages(in_, package_);
    py::Module* main = in_.NewModule(ModuleName(), py::Module::Origin::kUser);
    main->file = path_;
    main->package = package_.dotted;
    main->names.Set(in_.Name("__file__"), in_.Text(path_));
    std::vector<std::unique_ptr<py::Code>> codes;
    for (const ProgramText& text : texts) {
      TW_ASSIGN_OR_RETURN(std::unique_ptr<py::Code> code,
                          py::ParseCode(path_, text.text, text.cell, in_.symbols(), in_));
      for (const Location& error : code->errors) {
        in_.Note("RD003", error, "syntax error; the statement here is read as far as possible",
                 Severity::kWarning);
      }
      codes.push_back(std::move(code));
    }
    // A cell that fails leaves the others to run.
    for (const std::unique_ptr<py::Code>& code : codes) {
      in_.Guard([&] { in_.Run(*main, *code); });
    }
    if (!options_.model.empty()) {
      in_.Guard([&] { TraceModel(*main); });
    }
    return Finish();
  }

 private:
  SearchOptions MakeSearch() const {
    SearchOptions search;
    search.program = path_;
    search.user_folders = options_.python_path;
    if (!package_.dotted.empty()) search.user_folders.push_back(package_.root);
    search.libraries = LibraryFolders(path_);
    return search;
  }
  // With a model to make, the module is imported, not run as a program.
  std::string ModuleName() {
    if (options_.model.empty()) return "__main__";
    const std::string stem = fs::path(path_).stem().string();
    if (host_.KnowsModule(package_.dotted.substr(0, package_.dotted.find('.')))) {
      return "user." + stem;
    }
    if (stem == "__init__") return package_.dotted;
    return package_.dotted.empty() ? stem : package_.dotted + "." + stem;
  }

  void TraceModel(py::Module& main) {
    const py::Value model = EvalModel(main);
    const py::Value entry = in_.Import("_tilewise_model");
    py::Arguments arguments;
    arguments.positional = {model, in_.Text(options_.inputs)};
    in_.Call(in_.Attribute(entry, in_.Name("trace")), arguments);
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
    if (!package_.dotted.empty()) {
      const py::Value package = in_.Import(package_.dotted);
      const py::Value found = in_.FindAttribute(package, symbol);
      if (found.set() && !py::IsUnknown(found)) {
        main.names.Set(symbol, found);
        return true;
      }
    }
    const std::string module = ModuleWith(name);
    const py::Value made = in_.Import(module.empty() ? name : module);
    if (py::IsUnknown(made)) return false;
    main.names.Set(symbol, module.empty() ? made : in_.Attribute(made, symbol));
    return true;
  }
  // The module beside the program, or above it, that defines a name.
  std::string ModuleWith(const std::string& name) const {
    constexpr int kMaxFiles = 200;
    int files = 0;
    fs::path folder = fs::absolute(fs::path(path_)).parent_path();
    for (int up = 0; up < 2; ++up, folder = folder.parent_path()) {
      std::vector<std::string> names;
      std::error_code error;
      for (fs::directory_iterator at(folder, error), end; !error && at != end;
           at.increment(error)) {
        if (at->path().extension() == ".py") names.push_back(at->path().string());
      }
      std::sort(names.begin(), names.end());
      for (const std::string& file : names) {
        if (++files > kMaxFiles) return "";
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        for (const char* word : {"\ndef ", "\nclass "}) {
          for (const char* after : {"(", ":"}) {
            if (text.str().find(word + name + after) != std::string::npos) {
              return fs::path(file).stem().string();
            }
          }
        }
      }
    }
    return "";
  }

  const Record* Last(std::string_view kind) const {
    for (auto at = trace_.records.rbegin(); at != trace_.records.rend(); ++at) {
      if (at->kind == kind) return &*at;
    }
    return nullptr;
  }

  std::optional<TrainingSpec> Training() const {
    const Record* backward = Last("backward");
    const Record* step = Last("step");
    const Record* optimizer = Last("optimizer");
    if (backward == nullptr && step == nullptr) return std::nullopt;
    TrainingSpec spec;
    spec.location = step != nullptr ? step->location : backward->location;
    for (const Record* record : {step, optimizer}) {
      const std::string* name = record == nullptr ? nullptr : record->text("name");
      if (name == nullptr) continue;
      const double momentum =
          std::max(record->number("momentum").value_or(0),
                   optimizer == nullptr ? 0 : optimizer->number("momentum").value_or(0));
      if (const std::optional<OptimizerKind> kind = KindOf(*name, momentum)) {
        spec.optimizer = *kind;
        spec.optimizer_known = true;
        break;
      }
    }
    if (optimizer != nullptr) spec.learning_rate = optimizer->number("lr");
    const Record* loss = Last("loss");
    const std::string* name = loss == nullptr ? nullptr : loss->text("name");
    spec.loss_known = name != nullptr;
    if (name != nullptr && name->find("binary") != std::string::npos) {
      spec.loss = LossKind::kBinaryCrossEntropy;
    } else if (name != nullptr && (name->find("mse") != std::string::npos ||
                                   name->find("squared") != std::string::npos ||
                                   name->find("l2") != std::string::npos)) {
      spec.loss = LossKind::kMeanSquaredError;
    }
    if (const Record* accumulation = Last("accumulation")) {
      spec.accumulation_steps = static_cast<int64_t>(accumulation->number("steps").value_or(1));
    }
    return spec;
  }

  static std::vector<Value> ValuesOf(const std::vector<const Tensor*>& tensors) {
    std::vector<Value> values;
    for (const Tensor* tensor : tensors) values.push_back(tensor->value);
    return values;
  }

  // The size of a model is known even where its step could not be made.
  ModelSize SizeOf(const std::vector<Value>& weights) const {
    ModelSize size;
    std::set<int32_t> counted;
    for (const Value& weight : weights) {
      if (!Tracer::IsWeight(weight) || !counted.insert(weight.variable).second) continue;
      const int64_t elements = trace_.tracer.ShapeOf(weight)->elements();
      (trace_.tracer.IsTrainable(weight) ? size.trainable : size.other) += elements;
    }
    return size;
  }

  absl::StatusOr<Workload> Finish() {
    Workload out;
    out.name = path_.substr(path_.rfind('/') + 1);
    out.format = "python";
    StepRequest request;
    const Record* backward = Last("backward");
    if (backward != nullptr && backward->tensor("value") != nullptr) {
      request.loss = backward->tensor("value")->value;
      request.training = Training();
      const std::vector<Value> trained = ValuesOf(backward->tensors("parameters"));
      if (!trained.empty()) request.trained = trained;
    } else if (const Record* result = Last("result")) {
      for (const Tensor* tensor : result->tensors("value")) {
        request.results.push_back(tensor->value);
      }
      if (const Tensor* tensor = result->tensor("value")) request.results.push_back(tensor->value);
    }
    if (const Record* model = Last("model")) {
      std::vector<Value> weights = ValuesOf(model->tensors("parameters"));
      const std::vector<Value> buffers = ValuesOf(model->tensors("buffers"));
      weights.insert(weights.end(), buffers.begin(), buffers.end());
      if (!weights.empty()) request.weights = weights;
    }
    if (request.loss.has_value() || !request.results.empty()) {
      absl::StatusOr<TracedStep> step = trace_.tracer.Finish(request);
      if (step.ok()) {
        std::move(*step).MoveInto(out);
      } else {
        in_.Note("RD002", {path_, 0, 0, 0, ""}, Message(step.status()), Severity::kWarning);
      }
    }
    if (!out.model_size.has_value() && request.weights.has_value()) {
      out.model_size = SizeOf(*request.weights);
    }
    if (const Record* batch = Last("batch")) {
      if (const std::optional<double> size = batch->number("size")) {
        out.host_loop.fit_batch_size = {Count::Kind::kValue, static_cast<int64_t>(*size)};
      }
    }
    if (const Record* epochs = Last("epochs")) {
      if (const std::optional<double> count = epochs->number("count")) {
        out.host_loop.epochs = {Count::Kind::kValue, static_cast<int64_t>(*count)};
      }
    }
    if (request.training.has_value()) {
      out.host_loop.framework = Framework::kCustomLoop;
      out.host_loop.fit = request.training->location;
    }
    out.notes.insert(out.notes.end(), in_.notes().begin(), in_.notes().end());
    return out;
  }

  ProgramOptions options_;
  std::string path_;
  PackageOf package_;
  Trace trace_;
  ProgramHost host_;
  py::Interpreter in_;
};

}  // namespace

absl::StatusOr<Workload> ReadProgram(const std::string& path, const std::vector<ProgramText>& texts,
                                     const ProgramOptions& options) {
  return ProgramReader(path, options).Read(texts);
}

bool ImportsFramework(std::string_view text) {
  for (const std::string_view name : {"torch", "jax", "flax", "haiku"}) {
    for (const std::string_view word : {"import ", "from "}) {
      const std::string wanted = std::string(word) + std::string(name);
      for (size_t at = text.find(wanted); at != std::string_view::npos;
           at = text.find(wanted, at + 1)) {
        const size_t end = at + wanted.size();
        const char next = end < text.size() ? text[end] : '\n';
        if (next == ' ' || next == '.' || next == '\n' || next == '\r' || next == ',' ||
            next == '_') {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace tilewise::program
