// The build of the program is told by the id that the linker computes from all
// that it is made of, data included; it is the same on every machine.

#include "tuner/study/key.h"

#include <cstring>

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include "base/content_hash.h"
#include "graph/text.h"

namespace tilewise {
namespace {

constexpr size_t AlignedNoteSize(size_t size) { return (size + 3) / 4 * 4; }

// The build id among the notes at [begin, end); empty: there is none.
std::string BuildIdAmong(const char* begin, const char* end) {
  ElfW(Nhdr) note;
  for (const char* at = begin; at + sizeof(note) <= end;) {
    std::memcpy(&note, at, sizeof(note));
    const char* const name = at + sizeof(note);
    const char* const value = name + AlignedNoteSize(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
        std::memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
      return {value, note.n_descsz};
    }
    at = value + AlignedNoteSize(note.n_descsz);
  }
  return "";
}

// The first object is the program itself.
int ReadBuildId(dl_phdr_info* object, size_t, void* id) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const auto* const begin = reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr);
    auto& text = *static_cast<std::string*>(id);
    if (text.empty()) text = BuildIdAmong(begin, begin + header.p_memsz);
  }
  return 1;
}

std::string BuildId() {
  std::string id;
  dl_iterate_phdr(ReadBuildId, &id);
  return id;
}

template <class T>
void AddMeaning(ContentHash& hash, const T& value) {
  hash.AddAll<Location, Span, decltype(SessionOptions::adjust_program),
              decltype(SessionOptions::fixed_dim), decltype(SessionOptions::partitioned)>(value);
}

void AddGraph(ContentHash& hash, const Graph& graph) {
  hash.Add(static_cast<uint64_t>(graph.size()));
  for (const Op& op : graph.ops()) {
    hash.Add(OpName(op.kind)).Add(op.name).Add(FormatShape(op.shape)).Add(AttributesText(op));
    hash.Add(uint64_t{op.operands.size()});
    for (const OpId operand : op.operands) hash.Add(static_cast<uint64_t>(operand.value()));
    hash.AddAll(op.phase).Add(static_cast<uint64_t>(op.origin.value()));
    AddMeaning(hash, op.loop);
  }
  for (const Output& output : graph.outputs()) {
    hash.Add(static_cast<uint64_t>(output.value.value())).AddAll(output.role);
    hash.Add(static_cast<uint64_t>(output.variable.value()));
  }
}

void AddWorkload(ContentHash& hash, const Workload& workload) {
  hash.AddAll(workload.graph.has_value());
  if (workload.graph) AddGraph(hash, *workload.graph);
  hash.AddAll(workload.step);
  AddMeaning(hash, workload.compilation);
  const Pipeline* pipeline = workload.training_pipeline();
  hash.AddAll(pipeline != nullptr);
  if (pipeline != nullptr) AddMeaning(hash, *pipeline);
  AddMeaning(hash, workload.host_loop);
}

}  // namespace

std::string_view ObjectiveName(Objective::Kind kind) {
  switch (kind) {
    case Objective::Kind::kThroughput:
      return "throughput";
    case Objective::Kind::kCost:
      return "cost";
    case Objective::Kind::kLatency:
      return "latency";
  }
  return "";
}

StudyIdentity IdentityOf(const Session& session, const SearchSpace& search) {
  StudyIdentity identity;
  identity.tilewise = TILEWISE_VERSION;
  identity.program = session.workload().name;
  identity.target = session.target().description();
  identity.objective = ObjectiveName(search.objective.kind);
  ContentHash hash;
  hash.Add(identity.tilewise).Add(BuildId());
  AddWorkload(hash, session.workload());
  AddMeaning(hash, session.target());
  AddMeaning(hash, session.options());
  AddMeaning(hash, session.spec());
  hash.AddAll(session.adds_gradients()).AddAll(session.ExampleBytes());
  hash.AddAll(session.global_batch()).AddAll(session.batch_assumed());
  hash.AddAll(session.steps_per_execution());
  hash.AddAll(session.examples_per_epoch()).AddAll(session.steps_per_epoch());
  hash.AddAll(search.steps_per_execution);
  hash.AddAll(search.objective.kind).AddAll(search.objective.price);
  identity.key = hash.Hex();
  return identity;
}

std::string SettingKey(const SearchSetting& setting) {
  ContentHash hash;
  hash.AddAll(setting.changes);
  AddMeaning(hash, setting.target);
  return hash.Hex();
}

int64_t ClaimOf(const std::string& study, const std::string& setting, const Candidate& candidate) {
  const std::string hex = ContentHash()
                              .Add(study)
                              .Add(setting)
                              .AddAll(candidate.batch_per_core)
                              .AddAll(candidate.tries_all)
                              .Hex();
  return static_cast<int64_t>(std::stoull(hex.substr(0, 16), nullptr, 16));
}

}  // namespace tilewise
