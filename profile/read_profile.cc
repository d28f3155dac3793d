// The table of formats, and which of them a file is of.

#include "profile/read_profile.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "profile/readers/readers.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

std::string_view WithoutBlanks(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const size_t begin = head.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? "" : head.substr(begin);
}

bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool IsJson(std::string_view head) {
  const std::string_view text = WithoutBlanks(head);
  return text.starts_with('{') || text.starts_with('[');
}

int FitsChromeTrace(std::string_view head, std::string_view) {
  if (!IsJson(head)) return 0;
  if (Has(head, "\"traceEvents\"")) return 2;
  return Has(head, "\"ph\"") ? 2 : 0;
}

int FitsToolJson(std::string_view head, std::string_view) {
  if (!IsJson(head)) return 0;
  for (const std::string_view key :
       {"\"cols\"", "\"podStatsSequence\"", "\"byCategory\"", "\"byCategoryExcludeIdle\"",
        "\"memoryProfilePerAllocator\"", "\"heapSizes\"", "\"hloModule\""}) {
    if (Has(head, key)) return 2;
  }
  return 0;
}

int FitsRunMetadataText(std::string_view head, std::string_view) {
  return Has(head, "step_stats") && Has(head, "dev_stats") && !IsJson(head) ? 2 : 0;
}

int FitsMlperf(std::string_view head, std::string_view) {
  return Has(head, ":::MLPv0.") || Has(head, ":::MLLOG ") ? 2 : 0;
}

// The first bytes of field `field` of a message; empty: there is none.
std::string_view FieldOf(std::string_view message, uint32_t field) {
  for (WireCursor at(message); at.Next();) {
    if (at.field() == field && at.is_bytes()) return at.bytes();
  }
  return "";
}

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text.substr(0, 40), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20;
  });
}

// Fields that the message begins with, and nothing else within the head.
bool OnlyFields(std::string_view head, std::initializer_list<uint32_t> allowed) {
  WireCursor at(head);
  int count = 0;
  while (at.Next()) {
    if (std::ranges::find(allowed, at.field()) == allowed.end()) return false;
    ++count;
  }
  return count > 0 && (!at.damaged() || at.cut());
}

int FitsXSpace(std::string_view head, std::string_view name) {
  if (!head.starts_with('\x0a')) return 0;
  const std::string_view plane = FieldOf(head, 1);
  const std::string_view title = FieldOf(plane, 2);
  if (title.starts_with('/') || title == "Task Environment") return 2;
  // The first plane is cut or has no name.
  return name.ends_with(".xplane.pb") || name.ends_with(".xplane.pb.gz") ? 1 : 0;
}

int FitsRunMetadata(std::string_view head, std::string_view) {
  if (!head.starts_with('\x0a')) return 0;
  const std::string_view device = FieldOf(FieldOf(FieldOf(head, 1), 1), 1);
  return IsName(device) && device.starts_with('/') ? 2 : 0;
}

int FitsTraceProto(std::string_view head, std::string_view name) {
  const std::string_view device = FieldOf(FieldOf(head, 1), 2);
  if (!head.starts_with('\x0a') || !FieldOf(head, 4).data()) return 0;
  if (!OnlyFields(head, {1, 4})) return 0;
  return IsName(FieldOf(device, 1)) ? 2 : (name.ends_with(".trace") ? 1 : 0);
}

// {1 average, 3 least, 4 most} as doubles.
bool IsStepSummary(std::string_view bytes) {
  int doubles = 0;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() > 4 || at.is_bytes()) return false;
    if (at.real() > 0) ++doubles;
  }
  return doubles > 0;
}

int FitsInputPipeline(std::string_view head, std::string_view name) {
  if (!head.starts_with('\x12') || !IsStepSummary(FieldOf(head, 2))) return 0;
  return name.ends_with("input_pipeline.pb") ? 2 : 1;
}

int FitsOverviewPage(std::string_view head, std::string_view name) {
  if (!head.starts_with('\x12') || !OnlyFields(head, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11})) return 0;
  if (!IsStepSummary(FieldOf(FieldOf(head, 2), 2))) return 0;
  return name.ends_with("overview_page.pb") ? 2 : 1;
}

int FitsTfStats(std::string_view head, std::string_view name) {
  if (!head.starts_with('\x22') || !OnlyFields(head, {4, 5, 6})) return 0;
  const std::string_view row = FieldOf(FieldOf(head, 4), 1);
  if (!IsName(FieldOf(row, 3))) return 0;
  return name.ends_with("tensorflow_stats.pb") ? 2 : 1;
}

int FitsOpProfile(std::string_view head, std::string_view name) {
  if (!head.starts_with('\x0a') || !OnlyFields(head, {1, 4, 5, 6, 7, 8, 9, 10})) return 0;
  const std::string_view node = FieldOf(head, 1);
  if (!IsName(FieldOf(node, 1)) || FieldOf(node, 2).empty()) return 0;
  return name.ends_with("op_profile.pb") || FieldOf(node, 1).starts_with("by_") ? 2 : 1;
}

int FitsPprof(std::string_view head, std::string_view) {
  if (!head.starts_with('\x0a') || !OnlyFields(head, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})) {
    return 0;
  }
  const std::string_view type = FieldOf(head, 1);
  int64_t fields = 0;
  for (WireCursor at(type); at.Next(); ++fields) {
    if (at.field() > 2 || at.is_bytes()) return 0;
  }
  return fields == 2 ? 1 : 0;
}

const ProfileFormat* FormatOf(std::string_view head, std::string_view name) {
  const ProfileFormat* best = nullptr;
  int most = 0;
  for (const ProfileFormat& format : ProfileFormats()) {
    const int fits = format.fits(head, name);
    if (fits <= most) continue;
    most = fits;
    best = &format;
  }
  return best;
}

// What a file of a known kind that is no profile is for.
std::string HintOf(std::string_view head, std::string_view name) {
  const std::string_view module = FieldOf(head, 1);
  if (IsName(FieldOf(module, 1)) && !FieldOf(module, 3).empty()) {
    return "found an HLO module, expected a profile: 'tilewise simulate FILE' times it; give it "
           "after the profile to compare both";
  }
  if (name.ends_with(".tracetable") || name.ends_with(".SSTABLE")) {
    return "found a table for the trace viewer, expected the .xplane.pb or trace.json.gz beside it";
  }
  return "found no format that is known, expected a trace or profile (docs/profiles.md)";
}

absl::StatusOr<Profile> ReadSource(ByteSource& source, const std::string& name) {
  const std::string_view head = source.Head();
  if (head.empty()) {
    return InvalidInput(fmt::format("{}: found an empty file, expected a trace or profile", name));
  }
  const ProfileFormat* format = FormatOf(head, name);
  if (format == nullptr) return InvalidInput(fmt::format("{}: {}", name, HintOf(head, name)));
  absl::StatusOr<Profile> profile = format->read(source);
  if (!profile.ok()) return Annotate(profile.status(), name);
  profile->files.push_back(name);
  return profile;
}

}  // namespace

std::span<const ProfileFormat> ProfileFormats() {
  static constexpr ProfileFormat kFormats[] = {
      {"trace", "Chrome trace of TensorFlow, XProf, JAX, PyTorch or 'simulate --trace'",
       FitsChromeTrace, ReadChromeTrace},
      {"tool-json", "XProf's overview, input pipeline, op profile, memory, pods as JSON",
       FitsToolJson, ReadToolJson},
      {"run-metadata-text", "TensorFlow RunMetadata as text", FitsRunMetadataText,
       ReadRunMetadataText},
      {"mlperf", "compliance log of MLPerf Training", FitsMlperf, ReadMlperfLog},
      {"xspace", "XSpace of XProf, JAX, PyTorch/XLA, TensorFlow (*.xplane.pb)", FitsXSpace,
       ReadXSpace},
      {"run-metadata", "TensorFlow RunMetadata", FitsRunMetadata, ReadRunMetadata},
      {"trace-proto", "Trace protobuf of TensorFlow's first profiler", FitsTraceProto,
       ReadTraceProto},
      {"overview-page", "XProf's overview page", FitsOverviewPage, ReadOverviewPage},
      {"input-pipeline", "XProf's input pipeline analysis", FitsInputPipeline, ReadInputPipeline},
      {"tensorflow-stats", "XProf's statistics of TensorFlow ops", FitsTfStats, ReadTfStats},
      {"op-profile", "XProf's op profile", FitsOpProfile, ReadOpProfile},
      {"memory-pprof", "device memory profile of JAX (pprof)", FitsPprof, ReadMemoryPprof},
  };
  return kFormats;
}

absl::StatusOr<Profile> ReadProfile(const std::string& path) {
  TW_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(path));
  return ReadSource(source, path);
}

absl::StatusOr<Profile> ReadProfileBytes(std::string_view bytes, std::string_view name) {
  ByteSource source = ByteSource::Of(bytes);
  return ReadSource(source, std::string(name));
}

bool LooksLikeProfile(const std::string& path) {
  absl::StatusOr<ByteSource> source = ByteSource::Open(path);
  return source.ok() && FormatOf(source->Head(), path) != nullptr;
}

}  // namespace tilewise
