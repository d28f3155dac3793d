// The hook after each pass cannot fail, so the first error waits for the end.

#include "cli/dump_lowering.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/output.h"
#include "graph/text.h"
#include "sim/lowering/text.h"

namespace tilewise {
namespace {

size_t PlaceOf(std::string_view name) {
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

absl::Status DumpLowering(const Subject& subject, const std::string& folder) {
  if (folder.empty()) return absl::OkStatus();
  const Facts& facts = subject.facts();
  TW_RETURN_IF_ERROR(MakeFolder(folder));
  TW_RETURN_IF_ERROR(WriteOutput(PrintGraph(*facts.source), FileOf(folder, 0, "source")));
  absl::Status written;
  const auto write = [&](std::string_view pass, const Program& program) {
    if (!written.ok()) return;
    const ProgramContext context = ContextOf(pass, subject.target, *facts.source);
    written = WriteOutput(PrintProgram(program, context), FileOf(folder, PlaceOf(pass), pass));
  };
  TW_RETURN_IF_ERROR(subject.session->ShowPasses(write));
  return written;
}

}  // namespace tilewise
