// The table's columns tell its kind; the kind has the reader.

#include "accuracy/read_set.h"

#include "accuracy/csv.h"
#include "accuracy/set_kinds.h"

namespace tilewise {
namespace {

// "folder/tpu-v4-gemm.csv" -> "tpu-v4-gemm".
std::string Stem(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  const size_t dot = file.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

// The published set of that name, else the first of that kind.
SetDefaults DefaultsOf(const std::string& name, std::string_view kind) {
  const SetDefaults* found = nullptr;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.kind != kind) continue;
    if (found == nullptr || set.name == name) found = &set;
  }
  return found ? *found : SetDefaults{};
}

}  // namespace

absl::StatusOr<MeasuredSet> ReadMeasuredSet(const std::string& path, std::string_view text) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Parse(path, text));
  TW_ASSIGN_OR_RETURN(const SetKind* kind, KindOf(csv));
  MeasuredSet set;
  set.name = Stem(path);
  set.kind = kind->name;
  set.published = DefaultsOf(set.name, kind->name);
  set.rows = csv.rows();
  TW_ASSIGN_OR_RETURN(set.points, kind->read(csv, set.published));
  return set;
}

Machine MachineFor(const Machine& user, const SetDefaults& set) {
  Machine machine = user;
  const bool own_chip = !machine.chip.empty();
  if (!own_chip) machine.chip = set.chip;
  if (machine.host.empty() && !own_chip) machine.host = set.host;
  if (machine.cores == 0) machine.cores = set.cores;
  return machine;
}

}  // namespace tilewise
