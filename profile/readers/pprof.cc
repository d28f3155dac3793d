// pprof of device memory, as jax.profiler.save_device_memory_profile writes it:
// bytes by the Python stack that allocated them.

#include <algorithm>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "profile/readers/readers.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

struct PprofTables {
  std::vector<std::string_view> strings;
  std::vector<std::pair<uint64_t, uint64_t>> sample_types;  // name, unit
  absl::flat_hash_map<uint64_t, uint64_t> function_of;      // by location: its innermost
  absl::flat_hash_map<uint64_t, uint64_t> name_of;          // by function

  std::string_view StringAt(uint64_t index) const {
    return index < strings.size() ? strings[index] : std::string_view();
  }
  std::string_view NameOf(uint64_t location) const {
    const auto function = function_of.find(location);
    if (function == function_of.end()) return "";
    const auto name = name_of.find(function->second);
    return name == name_of.end() ? "" : StringAt(name->second);
  }
};

std::pair<uint64_t, uint64_t> PairOf(std::string_view bytes) {
  std::pair<uint64_t, uint64_t> pair;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) pair.first = at.number();
    if (at.field() == 2) pair.second = at.number();
  }
  return pair;
}

void ReadLocation(std::string_view bytes, PprofTables& tables) {
  uint64_t id = 0, function = 0;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) id = at.number();
    if (at.field() == 4 && function == 0) function = PairOf(at.bytes()).first;
  }
  tables.function_of[id] = function;
}

// Packed numbers, or a single one.
std::vector<uint64_t> NumbersOf(const WireCursor& at) {
  if (!at.is_bytes()) return {at.number()};
  std::vector<uint64_t> numbers;
  const char* byte = at.bytes().data();
  const char* const end = byte + at.bytes().size();
  try {
    while (byte < end) numbers.push_back(protozero::decode_varint(&byte, end));
  } catch (const protozero::exception&) {
    // What is cut off is left out.
  }
  return numbers;
}

}  // namespace

absl::StatusOr<Profile> ReadMemoryPprof(ByteSource& source) {
  const std::string_view bytes = source.All(kMostToolBytes);
  PprofTables tables;
  WireCursor first(bytes);
  while (first.Next()) {
    if (first.field() == 1) tables.sample_types.push_back(PairOf(first.bytes()));
    if (first.field() == 4) ReadLocation(first.bytes(), tables);
    if (first.field() == 5) {
      const auto [id, name] = PairOf(first.bytes());
      tables.name_of[id] = name;
    }
    if (first.field() == 6) tables.strings.push_back(first.bytes());
  }
  size_t space = tables.sample_types.size();
  for (size_t i = 0; i < tables.sample_types.size(); ++i) {
    if (tables.StringAt(tables.sample_types[i].first) == "space") space = i;
  }
  if (space == tables.sample_types.size()) {
    return InvalidInput("found a pprof profile without 'space', expected one of device memory");
  }
  Profile profile;
  profile.format = "device memory profile (pprof)";
  int64_t total = 0;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() != 2) continue;
    std::vector<uint64_t> locations, values;
    for (WireCursor sample(at.bytes()); sample.Next();) {
      if (sample.field() == 1) {
        for (const uint64_t id : NumbersOf(sample)) locations.push_back(id);
      }
      if (sample.field() == 2) {
        for (const uint64_t value : NumbersOf(sample)) values.push_back(value);
      }
    }
    if (space >= values.size()) continue;
    const auto size = static_cast<int64_t>(std::min<uint64_t>(values[space], uint64_t{1} << 60));
    total = std::min(total + size, int64_t{1} << 62);
    const std::string_view name = locations.empty() ? "" : tables.NameOf(locations.front());
    profile.stated.counters[fmt::format("bytes held by {}", name.empty() ? "unknown" : name)] +=
        static_cast<double>(size);
  }
  profile.memory.push_back(
      {.allocator = "device", .samples = {{.in_use = {total}}}, .peak = {total}});
  if (!source.problem().empty()) profile.notes.push_back(source.problem());
  if (first.damaged()) {
    profile.notes.emplace_back("The file is cut or damaged: what stands before is read.");
  }
  return profile;
}

}  // namespace tilewise
