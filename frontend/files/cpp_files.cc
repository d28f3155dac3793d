// Finds the plug-in with the C++ reader beside the program, and hands files to it.

#include "frontend/files/cpp_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "frontend/files/cpp_words.h"
#include "frontend/program/read_program.h"
#include "frontend/python/loader_pipeline.h"
#include "frontend/text_file.h"
#include "python/syntax.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

// The plugin lies next to the program, above it (programs of tests), or where libraries of an
// installation are.
constexpr std::array<std::string_view, 3> kPluginFolders = {".", "..", "../lib/tilewise"};

std::filesystem::path ProgramFolder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

#ifdef TILEWISE_CPP

absl::StatusOr<void*> PluginFunction(const char* name) {
  const std::string path = CppPluginPath();
  if (path.empty()) {
    return absl::UnavailableError(
        fmt::format("the reader of C++ sources, {}, is not beside the program in {}",
                    kCppPluginFile, ProgramFolder().string()));
  }
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : dlsym(library, name);
  if (function != nullptr) return function;
  return absl::UnavailableError(
      fmt::format("the reader of C++ sources cannot be loaded: {}", dlerror()));
}

#endif

// What feeds the training, where that is clear.
void AddLoader(const std::string& path, std::optional<int64_t> examples, Workload& out) {
  if (std::optional<Pipeline> loader = python::LoaderPipeline(out.facts)) {
    loader->source_items = examples;
    out.pipelines.push_back(*std::move(loader));
    return;
  }
  const bool loads = std::any_of(
      out.facts.calls.begin(), out.facts.calls.end(),
      [](const SourceCall& call) { return call.name == "torch.utils.data.DataLoader"; });
  if (!loads || !out.graph) return;
  out.notes.push_back(NoteOnFile("RD002", "loader", path,
                                 "which of the loaders feeds the training is not clear; figures "
                                 "leave the input out"));
}

Diagnostic NoModel(const std::string& path, std::string_view why) {
  Diagnostic note =
      NoteOnFile("RD005", "model-not-read", path, fmt::format("no model was read: {}", why));
  note.severity = Severity::kWarning;
  return note;
}

// A source without main() whose functions train, which another source calls.
void SayWhoTrains(const std::string& path, Workload& out) {
  for (const SourceCall& call : out.facts.calls) {
    const std::string_view name = LastName(call.name);
    if (name != "backward" && name != "AddSymbolicGradients") continue;
    const int32_t function = Around(out.facts, call.context, ContextKind::kFunction);
    if (function < 0) continue;
    out.notes.push_back(NoModel(
        path, fmt::format("{}() trains, and what it trains is known where another source calls it; "
                          "give the source that has main(), which is read with this one",
                          out.facts.contexts[function].name)));
    return;
  }
}

// Puts all that stands in a file below a context of it.
SourceFacts BelowFile(ImportedFile file) {
  SourceFacts below;
  SourceContext& context = below.contexts.emplace_back();
  context.kind = ContextKind::kModule;
  context.location = {file.path, 1, 1, 0, ""};
  context.name = std::filesystem::path(file.path).stem().string();
  below.Append(std::move(file.facts));
  const auto move = [](int32_t& at) {
    if (at < 0) at = 0;
  };
  for (size_t i = 1; i < below.contexts.size(); ++i) move(below.contexts[i].parent);
  for (SourceCall& call : below.calls) move(call.context);
  for (SourceAssignment& made : below.assignments) move(made.context);
  for (SourceSubscript& part : below.subscripts) move(part.context);
  return below;
}

}  // namespace

std::string CppPluginPath() {
  for (const std::string_view folder : kPluginFolders) {
    const std::filesystem::path path = ProgramFolder() / folder / kCppPluginFile;
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path.string();
  }
  return "";
}

bool ReadsCpp() {
#ifdef TILEWISE_CPP
  return true;
#else
  return false;
#endif
}

bool LooksLikeCpp(const InputFile& file) {
  return LooksLikeText(file) && FirstCharacter(file) != '\0' && IsCppPath(file.path);
}

absl::StatusOr<Workload> ReadCppFile(const InputFile& file, const LoadOptions& options) {
#ifdef TILEWISE_CPP
  static const absl::StatusOr<void*> read = PluginFunction(kCppPluginReadName);
  TW_RETURN_IF_ERROR(read.status());
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  absl::StatusOr<CppReading> reading = absl::UnknownError("");
  reinterpret_cast<CppPluginRead*> (*read)(file.path, text, options, reading);
  TW_RETURN_IF_ERROR(reading.status());
  return RunTranslated(file.path, *std::move(reading), options);
#else
  (void)options;
  return InvalidInput(
      fmt::format("{}: this build of tilewise reads no C++ sources; build it with "
                  "-DTILEWISE_CPP=ON and Clang 19 (libclang-19-dev, clang-19)",
                  file.path));
#endif
}

void FormatCppEdits(const std::string& path, const std::string& text,
                    std::vector<TextEdit>& edits) {
#ifdef TILEWISE_CPP
  static const absl::StatusOr<void*> format = PluginFunction(kCppPluginFormatName);
  if (format.ok()) reinterpret_cast<CppPluginFormat*> (*format)(path, text, edits);
#else
  (void)path, (void)text, (void)edits;
#endif
}

absl::StatusOr<Workload> RunTranslated(const std::string& path, CppReading reading,
                                       const LoadOptions& options) {
  const bool asked = !options.program.model.empty();
  for (ImportedFile& each : reading.program.files) {
    reading.workload.facts.Append(BelowFile(std::move(each)));
  }
  if (!asked && !reading.program.models) {
    if (!reading.program.trains) SayWhoTrains(path, reading.workload);
    return std::move(reading.workload);
  }
  if (const auto size = static_cast<int64_t>(reading.program.text.size());
      !asked && size > python::SyntaxTree::kMaxBytes) {
    reading.workload.notes.push_back(
        NoModel(path, fmt::format("its statements take {} bytes, expected at most {}", size,
                                  python::SyntaxTree::kMaxBytes)));
    return std::move(reading.workload);
  }
  program::ProgramOptions settings;
  settings.cores = options.cores;
  settings.hosts = options.hosts;
  settings.shape = options.shape;
  settings.model = options.program.model;
  settings.inputs = options.program.inputs;
  settings.assume = options.program.assume;
  settings.differentiates = options.training.value_or(true);
  settings.trains = asked || reading.program.trains;
  settings.format = "cpp";
  settings.goes_on = true;  // what cannot be read of it is no error of the program's
  std::vector<std::string> consulted = std::move(reading.workload.consulted);
  for (cpp::TranslatedModule& each : reading.program.modules) {
    consulted.push_back(each.path);
    settings.modules.push_back({each.name, each.path, std::move(each.text), std::move(each.lines)});
  }
  TW_ASSIGN_OR_RETURN(program::ReadResult made,
                      program::ReadProgram(path,
                                           {{.text = std::move(reading.program.text),
                                             .lines = std::move(reading.program.lines)}},
                                           settings));
  for (Diagnostic& note : made.notes) note.message = InWordsOfCpp(note.message);
  const std::optional<int64_t> examples = made.examples;
  Workload out = std::move(static_cast<Workload&>(made));
  out.facts.Append(std::move(reading.workload.facts));
  out.consulted.insert(out.consulted.end(), consulted.begin(), consulted.end());
  if (!out.graph && !settings.trains) SayWhoTrains(path, out);
  if (out.pipelines.empty()) AddLoader(path, examples, out);
  out.notes.insert(out.notes.end(), reading.workload.notes.begin(), reading.workload.notes.end());
  std::stable_sort(out.notes.begin(), out.notes.end(), ReportsBefore);
  out.files.insert(out.files.begin(), reading.workload.files.begin(), reading.workload.files.end());
  return out;
}

}  // namespace tilewise
