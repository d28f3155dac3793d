// frontend/hlo does the work; here one module is chosen and named.

#include "frontend/files/hlo_files.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/fit_shards.h"
#include "frontend/hlo/read_hlo.h"
#include "frontend/hlo/read_proto.h"
#include "frontend/hlo/read_text.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

using Modules = absl::StatusOr<std::vector<hlo::Module>>;

int64_t Instructions(const hlo::Module& module) {
  int64_t count = 0;
  for (const hlo::Computation& computation : module.computations) {
    count += static_cast<int64_t>(computation.instructions.size());
  }
  return count;
}

void NoteOthers(const InputFile& file, size_t modules, const hlo::Module& chosen,
                Workload& workload) {
  if (modules < 2) return;
  workload.notes.push_back(
      NoteOnFile("RD003", "other-modules", file.path,
                 fmt::format("the file has {} modules; the largest is read, {} with {} "
                             "instructions",
                             FormatCount(static_cast<int64_t>(modules)), chosen.name.substr(0, 200),
                             FormatCount(Instructions(chosen)))));
}

void NoteShards(const InputFile& file, int64_t inside, Workload& workload) {
  if (inside == 0) return;
  workload.notes.push_back(
      NoteOnFile("RD003", "ignored-part", file.path,
                 fmt::format("between programs of one device there is code for all ({} "
                             "times from one to the other); its sizes are those of all "
                             "devices",
                             inside)));
}

absl::StatusOr<Workload> WorkloadOf(const InputFile& file, Modules modules,
                                    std::string_view format) {
  if (!modules.ok()) return Annotate(modules.status(), file.path);
  const auto largest = std::max_element(
      modules->begin(), modules->end(),
      [](const hlo::Module& a, const hlo::Module& b) { return Instructions(a) < Instructions(b); });
  if (largest == modules->end()) {
    return InvalidInput(fmt::format("{}: found no module, expected one", file.path));
  }
  const int64_t inside = hlo::FitShards(*largest);
  TW_ASSIGN_OR_RETURN(Workload workload, hlo::BuildWorkload(*largest, file.path));
  workload.format = format;
  workload.name = file.path;
  if (workload.files.empty()) workload.files.push_back({file.path, {}, {}});
  NoteOthers(file, modules->size(), *largest, workload);
  NoteShards(file, inside, workload);
  return workload;
}

Modules One(absl::StatusOr<hlo::Module> module) {
  if (!module.ok()) return module.status();
  std::vector<hlo::Module> modules;
  modules.push_back(*std::move(module));
  return modules;
}

}  // namespace

absl::StatusOr<Workload> ReadHloText(const InputFile& file, const LoadOptions&) {
  return WorkloadOf(file, hlo::ReadHloText(file.bytes), "hlo-text");
}

absl::StatusOr<Workload> ReadHloProto(const InputFile& file, const LoadOptions&) {
  return WorkloadOf(file, One(hlo::ReadHloProto(file.bytes)), "hlo-proto");
}

absl::StatusOr<Workload> ReadHloTextproto(const InputFile& file, const LoadOptions&) {
  return WorkloadOf(file, One(hlo::ReadHloTextProto(file.bytes)), "hlo-textproto");
}

}  // namespace tilewise
