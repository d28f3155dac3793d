// A lowered program fits one target, so the target comes from the file, and
// options may only repeat it.

#include "cli/program_file.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/output.h"
#include "frontend/mapped_file.h"
#include "graph/text.h"
#include "session/simulated.h"

namespace tilewise {
namespace {

constexpr size_t kLargestFile = size_t{1} << 30;
constexpr size_t kStart = 16;

// The whole file if it starts as a program does.
std::optional<std::string> ReadIfProgram(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok() || file->bytes().size() > kLargestFile) return std::nullopt;
  if (!IsProgramText(file->bytes().substr(0, kStart))) return std::nullopt;
  return std::string(file->bytes());
}

absl::Status CheckOptions(const ModelOptions& options) {
  const TrainingOptions& training = options.training;
  const LoopOptions& loop = options.loop;
  const std::pair<bool, std::string_view> given[] = {
      {training.global_batch > 0, "--batch"},
      {training.batch_per_core > 0, "--batch-per-core"},
      {training.batch_per_device > 0, "--batch-per-device"},
      {!training.optimizer.empty(), "--optimizer"},
      {!training.momentum_type.empty(), "--mu-dtype"},
      {!training.gradient_type.empty(), "--grad-dtype"},
      {!training.remat.empty(), "--remat"},
      {training.shard_update, "--weight-update-sharding"},
      {training.accumulation_steps > 0, "--gradient-accumulation"},
      {!training.xla_flags.empty(), "--xla-flags"},
      {training.training == false, "--infer"},
      {options.target.mesh != Mesh{}, "--mesh or --slices"},
      {loop.steps_per_execution > 0, "--steps-per-execution"},
      {loop.steps_per_epoch > 0, "--steps-per-epoch"},
      {loop.examples > 0, "--examples"},
      {!options.lowering.disabled_passes.empty(), "--disable-pass"},
      {!options.lowering.dump_folder.empty(), "--dump-lowering"},
  };
  for (const auto& [is_given, name] : given) {
    if (!is_given) continue;
    return InvalidInput(
        fmt::format("found {} with a program that is lowered already, expected a model", name));
  }
  return absl::OkStatus();
}

absl::StatusOr<Target> TargetFor(const ProgramContext& context, const TargetOptions& options) {
  const std::string& chip = options.chip_given ? options.chip : context.chip;
  const std::string& host = options.host.empty() ? context.host : options.host;
  TW_ASSIGN_OR_RETURN(Target target, MakeTarget(chip, context.cores, host, context.mesh));
  if (target.chip.name != context.chip) {
    return InvalidInput(
        fmt::format("--chip: found {}, expected {}, for which the program is lowered",
                    target.chip.name, context.chip));
  }
  if (options.cores > 0 && options.cores != context.cores) {
    return InvalidInput(
        fmt::format("--cores: found {}, expected {}, for which the program is lowered",
                    options.cores, context.cores));
  }
  return target;
}

absl::StatusOr<ProgramFile> ParseFile(const std::string& text, const ModelOptions& options) {
  ProgramFile file;
  TW_ASSIGN_OR_RETURN(file.text, ParseProgram(text));
  const ProgramContext& context = file.text.context;
  if (file.text.program.buffers.empty()) {
    return InvalidInput(
        fmt::format("found a program after {}, expected one after "
                    "place_buffers or schedule: only those can be simulated",
                    context.pass));
  }
  TW_RETURN_IF_ERROR(CheckOptions(options));
  TW_ASSIGN_OR_RETURN(file.target, TargetFor(context, options.target));
  return file;
}

size_t NumberOf(std::string_view name) {
  const std::span<const Pass> passes = LoweringPasses();
  size_t place = 0;
  while (place < passes.size() && passes[place].name != name) ++place;
  return place + 1;
}

std::string FileOf(const std::string& folder, size_t place, std::string_view name) {
  return (std::filesystem::path(folder) / fmt::format("{:02}_{}.txt", place, name)).string();
}

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("cannot make the folder {}: {}", folder, error.message()));
}

}  // namespace

absl::StatusOr<std::optional<ProgramFile>> ReadProgramFile(const ModelOptions& options) {
  if (options.inputs.files.size() != 1) return std::nullopt;
  const std::string& path = options.inputs.files.front();
  const std::optional<std::string> text = ReadIfProgram(path);
  if (!text) return std::nullopt;
  absl::StatusOr<ProgramFile> file = ParseFile(*text, options);
  if (!file.ok()) return Annotate(file.status(), path);
  file->path = path;
  return std::optional<ProgramFile>(*std::move(file));
}

Report ReportOn(std::string_view command, const ProgramFile& file) {
  const Program& program = file.text.program;
  Report report{{.workload = file.path,
                 .target = file.target.description(),
                 .batch_per_core = program.batch_per_core,
                 .global_batch = program.batch_per_core * file.target.batch_shards(),
                 .cores = file.target.cores,
                 .training = program.training}};
  report.version = TILEWISE_VERSION;
  report.command = command;
  const Simulated step = Simulate(program, file.target, file.source().size());
  AddStep(&step, report);
  report.memory_use = MemoryUseAtPeak(program, file.target.chip);
  return report;
}

absl::Status DumpLowering(const Session& session, const std::string& folder) {
  if (folder.empty()) return absl::OkStatus();
  const Facts& facts = session.facts();
  TW_RETURN_IF_ERROR(MakeFolder(folder));
  TW_RETURN_IF_ERROR(WriteOutput(PrintGraph(*facts.source), FileOf(folder, 0, "source")));
  absl::Status written;  // the hook cannot fail, so the first error waits for the end
  const auto write = [&](std::string_view pass, const Program& program) {
    if (!written.ok()) return;
    const ProgramContext context = ContextOf(pass, session.target(), *facts.source);
    written = WriteOutput(PrintProgram(program, context), FileOf(folder, NumberOf(pass), pass));
  };
  TW_RETURN_IF_ERROR(session.ShowPasses(write));
  return written;
}

}  // namespace tilewise
