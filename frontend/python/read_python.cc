// Text -> syntax trees -> what the text says, and what running it on symbols gives.

#include "frontend/python/read_python.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "frontend/config/read_config.h"
#include "frontend/keras/bounded_json.h"
#include "frontend/program/imports.h"
#include "frontend/program/read_program.h"
#include "frontend/python/loader_pipeline.h"
#include "frontend/python/notebook_text.h"
#include "frontend/python/package_versions.h"
#include "frontend/python/source_calls.h"
#include "frontend/text_file.h"
#include "workload/blocks.h"

namespace tilewise {
namespace python {
namespace {

using Trees = std::vector<std::shared_ptr<const SyntaxTree>>;

// Whether a line at the start of the text (64 KiB) is `import a` or `from a
// import b`.
bool HasImport(std::string_view text) {
  text = text.substr(0, size_t{64} << 10);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with("import ")) return true;
    if (line.starts_with("from ") && line.find(" import ") != std::string_view::npos) {
      return true;
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

// A text of which the parser had to skip most is no Python.
absl::Status CheckReadable(const std::string& path, const Trees& trees) {
  int64_t bytes = 0, errors = 0;
  const SyntaxTree* first = nullptr;
  for (const std::shared_ptr<const SyntaxTree>& tree : trees) {
    bytes += static_cast<int64_t>(tree->text().size());
    errors += tree->error_bytes();
    if (first == nullptr && !tree->errors().empty()) first = tree.get();
  }
  if (first == nullptr || errors * 2 <= bytes) return absl::OkStatus();
  return InvalidInput(
      fmt::format("{}: found text that is mostly not python, "
                  "expected a python source ({})",
                  FormatLocation(first->errors().front()), path));
}

void NoteSyntaxError(const Location& at, Workload& out) {
  Diagnostic note;
  note.rule = "RD003";
  note.name = "ignored-part";
  note.severity = Severity::kWarning;
  note.location = at;
  note.message = "syntax error; the statement here is read as far as possible";
  out.notes.push_back(std::move(note));
}

// Whether the last name of `called`, or a word of it, says that it runs a program.
bool SaysThatItRuns(std::string_view called) {
  constexpr std::string_view kWords = "main|run|train|fit|learn|launch|start";
  const std::string_view name = LastName(called);
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find('_', begin), name.size());
    if (IsOneOfWords(name.substr(begin, end - begin), kWords)) return true;
    begin = end + 1;
  }
  return false;
}

// Whether a text calls something outside of its functions and classes whose name says that it runs
// a program: `swarm.run(..)`, `main()`, `params, _ = train_fn(..)`, `for i in ..: exp.train(..)`.
bool RunsSomething(std::string_view text) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  bool defines = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t indent = std::min(line.find_first_not_of(" \t\r"), line.size());
    line.remove_prefix(indent);
    if (indent == 0 && !line.empty() && std::string_view("#)]}\r").find(line[0]) == line.npos) {
      defines = line.starts_with("def ") || line.starts_with("class ") || line[0] == '@' ||
                line.starts_with("async def ");
    }
    if (defines) continue;
    const size_t made = line.find(" = ");
    const std::string_view targets = line.substr(0, std::min(made, line.size()));
    if (made != std::string_view::npos &&
        targets.find_first_of("()[]#\"'") == std::string_view::npos) {
      line.remove_prefix(made + 3);
    }
    const size_t called = line.find_first_not_of(kOfNames);
    if (called == 0 || called == std::string_view::npos || line[called] != '(') continue;
    if (SaysThatItRuns(line.substr(0, called))) return true;
  }
  return false;
}

// Whether a text is to be read by running it on symbols.
enum class IsProgram {
  kNo,
  kMaybe,  // it starts something, with modules of the user's that may import a framework
  kYes,    // it imports a framework, and trains or has an entry point
};
IsProgram KindOf(const std::string& path, const std::vector<program::ProgramText>& texts) {
  bool framework = false, trains = false, configures = false;
  for (const program::ProgramText& text : texts) {
    if (program::StartsProgram(text)) return IsProgram::kYes;
    framework = framework || program::Imports(text.text, program::kFrameworks);
    for (const std::string_view sign :
         {".backward(", "value_and_grad", "jax.grad", "__main__", "optimizer_step", "Trainer(",
          "TrainEpoch(", ".fit(", "apply_gradients", "minimize(", "Estimator(",
          "train_and_evaluate", "grad("}) {
      trains = trains || text.text.find(sign) != std::string::npos;
    }
    // Cells run from the first on, whatever starts the training.
    trains = trains || text.cell > 0 || RunsSomething(text.text);
    configures = configures || program::MakesConfiguration(text.text);
  }
  if (framework && trains) return IsProgram::kYes;
  const auto beside = [&](const auto& text) { return program::ImportsBeside(text.text, path); };
  const bool maybe = configures || (trains && std::ranges::any_of(texts, beside));
  return maybe ? IsProgram::kMaybe : IsProgram::kNo;
}

// Whether the text may hold input pipelines or a model of Keras: it imports
// TensorFlow, or what makes its data sets.
bool ImportsTensorFlow(const std::vector<program::ProgramText>& texts) {
  constexpr std::string_view kMakers[] = {"tensorflow",          "keras",     "tf_keras",
                                          "tensorflow_datasets", "keras_hub", "keras_nlp",
                                          "keras_core"};
  return std::ranges::any_of(texts, [&](const program::ProgramText& text) {
    return program::Imports(text.text, kMakers);
  });
}

// What rules ask for of modules that the program imports, which lie in its checkout.
bool IsAskedFor(const SourceCall& call) {
  constexpr std::string_view kMeshes = "pmap|filter_pmap|Mesh|make_mesh|create_device_mesh";
  const std::string_view name = LastName(call.name);
  return name == "DataLoader" || DividesTensors(call.name) || IsOneOfWords(name, kMeshes);
}

bool IsOfLibrary(std::string_view file) {
  return file.find("-packages/") != std::string_view::npos;
}

void AddFile(const std::string& path, std::string text, Workload& out) {
  const auto is_this = [&](const SourceFile& other) { return other.path == path; };
  if (!std::ranges::any_of(out.files, is_this)) out.files.push_back({path, std::move(text), {}});
}

// What other files of the program say: the loaders and meshes that they make, wherever that is, and
// the code that the program comes to there.
void CollectImported(const std::string& path, const std::set<std::string>& modules,
                     const FunctionSet& dataset_functions, const Loaders& loaders, Workload& out) {
  constexpr int kMostFiles = 64;
  std::vector<ImportedFile> files;
  std::map<std::string, std::string> texts;
  std::vector<Pipeline> made;
  for (const std::string& file : out.consulted) {
    // Others were only looked into: pages and programs beside it.
    if (!modules.contains(file) || file == path || IsOfLibrary(file)) continue;
    if (files.size() >= kMostFiles || texts.contains(file)) continue;
    absl::StatusOr<std::string> text = ReadRegularFile(file, SyntaxTree::kMaxBytes);
    if (!text.ok()) continue;
    const auto tree = SyntaxTree::Parse(file, *text, 0);
    if (!tree.ok()) continue;
    Aliases aliases;
    Constants constants;
    SourceFacts facts;
    CollectFacts(**tree, dataset_functions, aliases, constants, facts);
    if (out.pipelines.empty() && made.empty()) {
      if (std::optional<Pipeline> loader = LoaderPipeline(facts, loaders)) {
        made.push_back(*std::move(loader));
      }
    }
    const size_t before = out.facts.imported_calls.size();
    for (const SourceCall& call : facts.calls) {
      if (!IsAskedFor(call)) continue;
      SourceCall& kept = out.facts.imported_calls.emplace_back(call);
      // What these number stays behind.
      kept.context = kept.outer = -1;
      for (SourceArgument& argument : kept.arguments) argument.call = -1;
    }
    if (out.facts.imported_calls.size() > before) AddFile(file, *text, out);
    files.push_back({file, std::move(facts)});
    texts[file] = *std::move(text);
  }
  for (const std::string& file : AppendReached(std::move(files), out.facts)) {
    AddFile(file, std::move(texts[file]), out);
  }
  // Where the step was read, a loader that the program does not come to feeds another program.
  for (Pipeline& pipeline : made) {
    const bool comes = LoaderAt(loaders, pipeline.location) != nullptr ||
                       CallAt(out.facts, pipeline.location) != nullptr;
    if (comes || !out.graph) out.pipelines.push_back(std::move(pipeline));
  }
}

absl::StatusOr<Workload> ReadTrees(const std::string& path, const Trees& trees,
                                   const std::vector<program::ProgramText>& texts,
                                   const LoadOptions& options) {
  TW_RETURN_IF_ERROR(CheckReadable(path, trees));
  const bool asked = !options.program.model.empty();
  Workload out;
  FunctionSet dataset_functions;
  std::set<std::string> modules;
  std::vector<program::LoaderArguments> loaders;
  std::optional<int64_t> examples;
  const IsProgram kind = KindOf(path, texts);
  if (asked || ImportsTensorFlow(texts) || kind != IsProgram::kNo) {
    program::ProgramOptions settings;
    settings.cores = options.cores;
    settings.hosts = options.hosts;
    settings.shape = options.shape;
    settings.model = options.program.model;
    settings.inputs = options.program.inputs;
    settings.python_path = options.program.python_path;
    settings.arguments = options.program.arguments;
    settings.assume = options.program.assume;
    settings.differentiates = options.training.value_or(true);
    settings.trains = asked || kind == IsProgram::kYes;
    settings.may_be_other = kind == IsProgram::kMaybe;
    TW_ASSIGN_OR_RETURN(program::ReadResult made, program::ReadProgram(path, texts, settings));
    dataset_functions = std::move(made.dataset_functions);
    loaders = std::move(made.loaders);
    modules = std::move(made.modules);
    examples = made.examples;
    out = std::move(static_cast<Workload&>(made));
  } else {
    for (const std::shared_ptr<const SyntaxTree>& tree : trees) {
      for (const Location& error : tree->errors()) NoteSyntaxError(error, out);
    }
  }
  out.name = path.substr(path.rfind('/') + 1);
  std::stable_sort(out.notes.begin(), out.notes.end(), ReportsBefore);
  Aliases aliases = {{"tf", "tensorflow"}, {"np", "numpy"}, {"keras", "tensorflow.keras"}};
  Constants constants;
  for (const std::shared_ptr<const SyntaxTree>& tree : trees) {
    CollectFacts(*tree, dataset_functions, aliases, constants, out.facts);
  }
  CollectEnvironment(out.facts);
  // What launches the program may be there without having been come to.
  if (NamesLaunch(out.facts) || NamesSharding(out.facts)) out.one_device.reset();
  program::FillLoaders(loaders, out.facts.calls);
  if (out.pipelines.empty()) {
    if (std::optional<Pipeline> loader = LoaderPipeline(out.facts, loaders)) {
      out.pipelines.push_back(*std::move(loader));
    }
  }
  CollectImported(path, modules, dataset_functions, loaders, out);
  if (out.pipelines.empty()) {
    if (std::optional<Pipeline> loader = TrainingLoaderPipeline(loaders)) {
      out.pipelines.push_back(*std::move(loader));
    }
  }
  program::FillLoaders(loaders, out.facts.imported_calls);
  for (Pipeline& pipeline : out.pipelines) {
    if (pipeline.loader.empty()) continue;
    if (!pipeline.source_items) pipeline.source_items = examples;
    if (out.host_loop.process_per_core) {
      pipeline.processes =
          std::max<int64_t>(1, options.cores / std::max<int64_t>(1, options.hosts));
    }
  }
  return out;
}

// Lines of shell and magic commands become blanks, so that locations stay true.
std::string BlankMagics(std::string text) {
  if (text.starts_with("%%") && !text.starts_with("%%time") && !text.starts_with("%%capture")) {
    for (char& c : text) {
      if (c != '\n') c = ' ';
    }
    return text;
  }
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const size_t first = text.find_first_not_of(" \t", begin);
    if (first < end && (text[first] == '%' || text[first] == '!')) {
      // A lone magic may be the body of a block: `pass` keeps it one.
      std::string blank(end - begin, ' ');
      if (end - first >= 4) blank.replace(first - begin, 4, "pass");
      text.replace(begin, end - begin, blank);
    }
    begin = end + 1;
  }
  return text;
}

// Notebooks have some hundred.
constexpr size_t kMostCells = 20'000;

// A cell's source: one string, or a list of lines.
std::optional<std::string> CellText(const nlohmann::json& source) {
  if (source.is_string()) return source.get<std::string>();
  if (!source.is_array()) return std::nullopt;
  std::string text;
  for (const nlohmann::json& line : source) {
    if (!line.is_string()) return std::nullopt;
    text += line.get<std::string>();
  }
  return text;
}

absl::StatusOr<std::vector<std::string>> CodeCells(const std::string& path,
                                                   const nlohmann::json& notebook) {
  const nlohmann::json* cells = nullptr;
  if (notebook.is_object()) {
    const auto found = notebook.find("cells");
    if (found != notebook.end() && found->is_array()) cells = &*found;
  }
  if (cells == nullptr) {
    return InvalidInput(
        fmt::format("{}: found JSON without a list \"cells\", expected a notebook of "
                    "nbformat 4",
                    path));
  }
  std::vector<std::string> result;
  if (cells->size() > kMostCells) {
    return InvalidInput(fmt::format("{}: found a notebook of {} cells, expected at most {}", path,
                                    cells->size(), kMostCells));
  }
  for (size_t i = 0; i < cells->size(); ++i) {
    const nlohmann::json& cell = (*cells)[i];
    if (!cell.is_object() || !cell.contains("cell_type") || cell["cell_type"] != "code") {
      continue;
    }
    const std::optional<std::string> text =
        cell.contains("source") ? CellText(cell["source"]) : std::nullopt;
    if (!text.has_value()) {
      return InvalidInput(
          fmt::format("{}: cell {} has no text in \"source\", expected a string or a list "
                      "of strings",
                      path, i + 1));
    }
    result.push_back(*text);
  }
  return result;
}

}  // namespace
}  // namespace python

bool LooksLikePython(const InputFile& file) {
  if (!LooksLikeText(file) || FirstCharacter(file) == '\0') return false;
  if (file.path.ends_with(".py")) return true;
  if (LooksLikeTrainingGin(file)) return false;
  const char first = FirstCharacter(file);
  if (first == '{' || first == '[') return false;
  constexpr std::array<std::string_view, 8> kOthers = {".cc", ".cpp", ".cxx", ".c++",
                                                       ".h",  ".hpp", ".hh",  ".ipynb"};
  return std::none_of(kOthers.begin(), kOthers.end(),
                      [&](std::string_view suffix) { return file.path.ends_with(suffix); }) &&
         (file.bytes.starts_with("#!") || python::HasImport(file.bytes));
}

bool LooksLikeNotebook(const InputFile& file) {
  if (!LooksLikeText(file)) return false;
  if (file.path.ends_with(".ipynb")) return FirstCharacter(file) != '\0';
  return FirstCharacter(file) == '{' && file.bytes.find("\"nbformat\"") != std::string_view::npos &&
         file.bytes.find("\"cells\"") != std::string_view::npos;
}

absl::StatusOr<Workload> ReadPython(const InputFile& file, const LoadOptions& options) {
  const std::string& path = file.path;
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  python::Trees trees;
  TW_ASSIGN_OR_RETURN(std::shared_ptr<const python::SyntaxTree> tree,
                      python::SyntaxTree::Parse(path, text, 0));
  trees.push_back(std::move(tree));
  TW_ASSIGN_OR_RETURN(Workload out, python::ReadTrees(path, trees, {{text, 0}}, options));
  python::CollectVersions(text, path, 0, out.facts);
  out.files.insert(out.files.begin(), {path, text, {}});
  return out;
}

absl::StatusOr<Workload> ReadNotebook(const InputFile& file, const LoadOptions& options) {
  const std::string& path = file.path;
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  absl::StatusOr<nlohmann::json> notebook = ParseBoundedJson(python::WithoutOutputs(text));
  if (!notebook.ok()) return Annotate(notebook.status(), path);
  TW_ASSIGN_OR_RETURN(std::vector<std::string> cells, python::CodeCells(path, *notebook));
  python::Trees trees;
  for (size_t i = 0; i < cells.size(); ++i) {
    TW_ASSIGN_OR_RETURN(std::shared_ptr<const python::SyntaxTree> tree,
                        python::SyntaxTree::Parse(path, python::BlankMagics(cells[i]),
                                                  static_cast<int32_t>(i) + 1));
    trees.push_back(std::move(tree));
  }
  std::vector<program::ProgramText> parts;
  for (size_t i = 0; i < cells.size(); ++i) {
    parts.push_back(program::ReadCell(cells[i], static_cast<int32_t>(i) + 1));
  }
  TW_ASSIGN_OR_RETURN(Workload out, python::ReadTrees(path, trees, parts, options));
  for (size_t i = 0; i < cells.size(); ++i) {
    python::CollectVersions(cells[i], path, static_cast<int32_t>(i) + 1, out.facts);
  }
  out.files.insert(out.files.begin(), {path, text, std::move(cells)});
  return out;
}

}  // namespace tilewise
