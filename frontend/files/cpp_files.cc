// Finds the plug-in with the C++ reader beside the program, and hands files to it.

#include "frontend/files/cpp_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "frontend/program/read_program.h"
#include "frontend/text_file.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

#ifdef TILEWISE_CPP

// Beside the program, above it (programs of tests), or where libraries of an installation are.
constexpr std::array<std::string_view, 3> kPluginFolders = {".", "..", "../lib/tilewise"};

absl::StatusOr<void*> PluginFunction(const char* name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::string_view folder : kPluginFolders) {
    const std::filesystem::path path = program.parent_path() / folder / kCppPluginFile;
    if (!std::filesystem::exists(path, error)) continue;
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const function = library == nullptr ? nullptr : dlsym(library, name);
    if (function != nullptr) return function;
    return absl::UnavailableError(
        fmt::format("the reader of C++ sources cannot be loaded: {}", dlerror()));
  }
  return absl::UnavailableError(
      fmt::format("the reader of C++ sources, {}, is not beside the program in {}", kCppPluginFile,
                  program.parent_path().string()));
}

#endif

}  // namespace

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
                  "-DTILEWISE_CPP=ON and Clang 19 (libclang-19-dev)",
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
  if (!asked && !reading.program.models) return std::move(reading.workload);
  program::ProgramOptions settings;
  settings.cores = options.cores;
  settings.hosts = options.hosts;
  settings.model = options.program.model;
  settings.inputs = options.program.inputs;
  settings.assume = options.program.assume;
  settings.differentiates = options.training.value_or(true);
  settings.trains = asked || reading.program.trains;
  settings.format = "cpp";
  for (cpp::TranslatedModule& each : reading.program.modules) {
    settings.modules.push_back({each.name, each.path, std::move(each.text), std::move(each.lines)});
  }
  TW_ASSIGN_OR_RETURN(program::ReadResult made,
                      program::ReadProgram(path,
                                           {{.text = std::move(reading.program.text),
                                             .lines = std::move(reading.program.lines)}},
                                           settings));
  Workload out = std::move(static_cast<Workload&>(made));
  out.facts.Append(std::move(reading.workload.facts));
  out.notes.insert(out.notes.end(), reading.workload.notes.begin(), reading.workload.notes.end());
  std::stable_sort(out.notes.begin(), out.notes.end(), ReportsBefore);
  out.files.insert(out.files.begin(), reading.workload.files.begin(), reading.workload.files.end());
  return out;
}

}  // namespace tilewise
