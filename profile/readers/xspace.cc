// XSpace, the profile that XProf, JAX, PyTorch/XLA and TensorFlow 2 write.
// Names stand behind the events that use them, so each plane is gone through
// twice: its tables first.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

constexpr size_t kMostHlo = size_t{256} << 20;
constexpr int64_t kSince1970 = int64_t{1} << 57;  // nanoseconds; 1974

// The stats that are looked at.
enum class Stat : uint8_t {
  kOther,
  kCategory,
  kFlops,
  kModelFlops,
  kBytes,
  kProgram,
  kTfOp,
  kSource,
  kHloProto,
  kDeviceType,
  kPeakFlops,
  kPeakHbm,
  kMxu,
  kStep,
  kStepName,
  kGroup,
  kHloOp,
  kAllocated,
  kReserved,
  kAvailable,
  kPeakMemory,
  kFragmentation,
};

Stat StatNamed(std::string_view name) {
  static const auto* const kNames = new absl::flat_hash_map<std::string, Stat>{
      {"hlo_category", Stat::kCategory},
      {"flops", Stat::kFlops},
      {"model_flops", Stat::kModelFlops},
      {"bytes_accessed", Stat::kBytes},
      {"program_id", Stat::kProgram},
      {"tf_op", Stat::kTfOp},
      {"source", Stat::kSource},
      {"Hlo Proto", Stat::kHloProto},
      {"hlo_proto", Stat::kHloProto},
      {"device_type_string", Stat::kDeviceType},
      {"peak_teraflops_per_second", Stat::kPeakFlops},
      {"peak_hbm_bw_gigabytes_per_second", Stat::kPeakHbm},
      {"matrix_unit_utilization_percent", Stat::kMxu},
      {"step_num", Stat::kStep},
      {"step_name", Stat::kStepName},
      {"group_id", Stat::kGroup},
      {"hlo_op", Stat::kHloOp},
      {"bytes_allocated", Stat::kAllocated},
      {"bytes_reserved", Stat::kReserved},
      {"bytes_available", Stat::kAvailable},
      {"peak_bytes_in_use", Stat::kPeakMemory},
      {"fragmentation", Stat::kFragmentation}};
  const auto found = kNames->find(std::string(name));
  return found == kNames->end() ? Stat::kOther : found->second;
}

struct StatValue {
  Stat stat = Stat::kOther;
  double number = 0;
  uint64_t whole = 0;
  std::string_view text;
  std::string_view bytes;
};

class PlaneReader {
 public:
  PlaneReader(std::string_view bytes, ProfileBuilder& builder, ByteSource& source)
      : bytes_(bytes), builder_(builder), source_(source) {}

  // `origin`: nanoseconds that lines of absolute times count from.
  void Read(int64_t origin) {
    origin_ = origin;
    ReadNames();
    const auto id = static_cast<int64_t>(builder_.profile.planes.size());
    plane_ = builder_.Plane(id);
    ProfilePlane& plane = builder_.profile.planes[plane_];
    plane.name = name_;
    ClassifyPlane(plane);
    ReadTables();
    source_.Rewind(bytes_.data());
    ReadLines();
  }

  bool cut() const { return cut_; }

 private:
  std::string_view StatName(uint64_t id) const {
    const auto found = stat_names_.find(static_cast<int64_t>(id));
    return found == stat_names_.end() ? std::string_view() : found->second;
  }

  StatValue ReadStat(std::string_view bytes) const {
    StatValue value;
    for (WireCursor at(bytes); at.Next();) {
      switch (at.field()) {
        case 1: {
          const auto found = stats_.find(at.integer());
          if (found == stats_.end()) return value;
          value.stat = found->second;
          break;
        }
        case 2:
          value.number = at.real();
          break;
        case 3:
        case 4:
          value.whole = at.number();
          value.number = at.field() == 3 ? static_cast<double>(at.number())
                                         : static_cast<double>(at.integer());
          break;
        case 5:
          value.text = at.bytes();
          break;
        case 6:
          value.bytes = at.bytes();
          break;
        case 7:
          value.text = StatName(at.number());
          break;
        default:
          break;
      }
    }
    return value;
  }

  void ReadNames() {
    WireCursor at(bytes_);
    while (at.Next()) {
      if (at.field() == 2) name_ = at.text();
      if (at.field() == 3) source_.Drop(at.bytes().data());
      if (at.field() != 5) continue;
      int64_t key = 0;
      std::string_view name;
      for (WireCursor entry(at.bytes()); entry.Next();) {
        if (entry.field() == 1) key = entry.integer();
        if (entry.field() != 2) continue;
        for (WireCursor meta(entry.bytes()); meta.Next();) {
          if (meta.field() == 2) name = meta.bytes();
        }
      }
      stat_names_[key] = name;
      const Stat stat = StatNamed(name);
      if (stat != Stat::kOther) stats_[key] = stat;
    }
    cut_ = at.damaged();
  }

  void ReadPlaneStat(std::string_view bytes) {
    const StatValue value = ReadStat(bytes);
    ProfilePlane& plane = builder_.profile.planes[plane_];
    if (value.stat == Stat::kDeviceType) plane.device_type = value.text;
    if (value.stat == Stat::kPeakFlops) plane.peak_flops = value.number * 1e12;
    if (value.stat == Stat::kPeakHbm) plane.peak_hbm = value.number * 1e9;
    if (value.stat == Stat::kMxu && value.number > 0)
      builder_.profile.stated.mxu_use = value.number / 100;
  }

  void ReadProgram(std::string_view name, uint64_t id, std::string_view proto) {
    hlo_bytes_ += proto.size();
    ProfileProgram program{.id = id, .name = std::string(name)};
    if (hlo_bytes_ <= kMostHlo) program.hlo_proto = std::string(proto);
    builder_.profile.programs.push_back(std::move(program));
  }

  void ReadEventMetadata(std::string_view bytes) {
    int64_t id = 0;
    std::string_view name, display;
    ProfileOp op;
    double model_flops = 0;
    std::string_view proto;
    for (WireCursor at(bytes); at.Next();) {
      if (at.field() == 1) id = at.integer();
      if (at.field() == 2) name = at.bytes();
      if (at.field() == 4) display = at.bytes();
      if (at.field() != 5) continue;
      const StatValue value = ReadStat(at.bytes());
      if (value.stat == Stat::kCategory) op.kind = value.text;
      if (value.stat == Stat::kFlops) op.flops = value.number;
      if (value.stat == Stat::kModelFlops) model_flops = value.number;
      if (value.stat == Stat::kBytes) op.bytes = value.number;
      if (value.stat == Stat::kProgram) op.program = value.whole;
      if (value.stat == Stat::kTfOp) op.path = value.text;
      if (value.stat == Stat::kSource) op.source = value.text;
      if (value.stat == Stat::kHloProto) proto = value.bytes;
    }
    if (op.flops == 0) op.flops = model_flops;
    op.name = display.empty() ? name : display;
    if (!display.empty() && display != name) op.hlo = name;
    if (!proto.empty()) {
      ReadProgram(op.name, static_cast<uint64_t>(id), proto);
      return;
    }
    metadata_[id] = std::move(op);
  }

  void ReadTables() {
    source_.Rewind(bytes_.data());
    for (WireCursor at(bytes_); at.Next();) {
      if (at.field() == 3) source_.Drop(at.bytes().data());
      if (at.field() == 6) ReadPlaneStat(at.bytes());
      if (at.field() != 4) continue;
      for (WireCursor entry(at.bytes()); entry.Next();) {
        if (entry.field() == 2) ReadEventMetadata(entry.bytes());
      }
    }
  }

  uint32_t OpOf(int64_t id, bool step) {
    const auto known = ops_.find({id, step});
    if (known != ops_.end()) return known->second;
    const auto found = metadata_.find(id);
    ProfileOp op =
        found == metadata_.end() ? ProfileOp{.name = fmt::format("event {}", id)} : found->second;
    if (found == metadata_.end()) ++unnamed_;
    if (step) op.kind = "step";
    return ops_[{id, step}] = builder_.Op(std::move(op));
  }

  // What an event of an allocator says; nothing of the others.
  struct EventFacts {
    int64_t step = -1, group = -1;
    double allocated = -1, reserved = 0, available = 0, fragmentation = 0, peak = 0;
  };

  EventFacts ReadFacts(WireCursor at) const {
    EventFacts facts;
    for (; at.Next();) {
      if (at.field() != 4) continue;
      const StatValue value = ReadStat(at.bytes());
      if (value.stat == Stat::kStep) facts.step = static_cast<int64_t>(value.number);
      if (value.stat == Stat::kStepName && facts.step < 0) {
        facts.step = static_cast<int64_t>(std::clamp(NumberIn(value.text), 0.0, 1e9));
      }
      if (value.stat == Stat::kGroup) facts.group = static_cast<int64_t>(value.number);
      if (value.stat == Stat::kAllocated) facts.allocated = value.number;
      if (value.stat == Stat::kReserved) facts.reserved = value.number;
      if (value.stat == Stat::kAvailable) facts.available = value.number;
      if (value.stat == Stat::kFragmentation) facts.fragmentation = value.number;
      if (value.stat == Stat::kPeakMemory) facts.peak = value.number;
    }
    return facts;
  }

  void TakeMemory(const EventFacts& facts, Picoseconds at) {
    auto& all = builder_.profile.memory;
    if (all.empty()) all.push_back({.allocator = name_});
    const auto bytes = [](double value) {
      return Bytes{static_cast<int64_t>(std::clamp(value, 0.0, 9e18))};
    };
    all.front().samples.push_back({.at = at,
                                   .in_use = bytes(facts.allocated + facts.reserved),
                                   .free = bytes(facts.available),
                                   .fragmentation = facts.fragmentation});
    all.front().peak = std::max(all.front().peak, bytes(facts.peak));
  }

  void ReadEvent(std::string_view bytes, Picoseconds start, ProfileLine& line) {
    int64_t id = 0, offset = 0, duration = 0;
    bool has_stats = false;
    const WireCursor begin(bytes);
    for (WireCursor at = begin; at.Next();) {
      switch (at.field()) {
        case 1:
          id = at.integer();
          break;
        case 2:
          offset = at.integer();
          break;
        case 3:
          duration = at.integer();
          break;
        case 4:
          has_stats = true;
          break;
        default:
          break;
      }
    }
    ProfileEvent event;
    if (__builtin_add_overflow(start, offset, &event.start)) ++backwards_;
    if (duration < 0 || __builtin_add_overflow(event.start, duration, &offset)) {
      ++backwards_;
      duration = 0;
    }
    event.duration = duration;
    EventFacts facts;
    if (has_stats) facts = ReadFacts(begin);
    event.op = OpOf(id, facts.step >= 0);
    event.group = static_cast<int32_t>(facts.step >= 0 ? facts.step : facts.group);
    if (facts.allocated >= 0) TakeMemory(facts, event.start);
    builder_.Add(line, event);
  }

  void ReadLine(std::string_view bytes) {
    int64_t timestamp = 0;
    std::string_view name, display;
    const size_t index = builder_.Line(plane_, lines_++);
    ProfileLine& line = builder_.LineAt(plane_, index);
    WireCursor at(bytes);
    while (at.Next()) {
      switch (at.field()) {
        case 1:
          line.id = at.integer();
          break;
        case 2:
          name = at.bytes();
          break;
        case 3:  // stands before the events, which count from it
          timestamp = PicosecondsFrom(at.integer());
          break;
        case 4:
          ReadEvent(at.bytes(), timestamp, line);
          source_.Drop(at.bytes().data());
          break;
        case 11:
          display = at.bytes();
          break;
        default:
          break;
      }
    }
    line.name = display.empty() ? name : display;
    line.kind = LineKindOf(line.name, builder_.profile.planes[plane_].kind);
    cut_ |= at.damaged();
  }

  // Converts a line's timestamp in nanoseconds.
  Picoseconds PicosecondsFrom(int64_t timestamp) {
    if (timestamp > kSince1970) timestamp -= origin_;
    if (std::abs(timestamp) < std::numeric_limits<int64_t>::max() / 4000) return timestamp * 1000;
    ++backwards_;
    return 0;
  }

  void ReadLines() {
    for (WireCursor at(bytes_); at.Next();) {
      if (at.field() == 3) ReadLine(at.bytes());
    }
    if (unnamed_ > 0) {
      builder_.Note(fmt::format("{}: the names of {} ops are missing.", name_, unnamed_));
    }
    if (backwards_ > 0) {
      builder_.Note(
          fmt::format("{}: {} events or lines have times that cannot be.", name_, backwards_));
    }
  }

  std::string_view bytes_;
  ProfileBuilder& builder_;
  ByteSource& source_;
  int64_t origin_ = 0;
  std::string name_;
  size_t plane_ = 0;
  int64_t lines_ = 0, unnamed_ = 0, backwards_ = 0;
  size_t hlo_bytes_ = 0;
  bool cut_ = false;
  absl::flat_hash_map<int64_t, std::string_view> stat_names_;
  absl::flat_hash_map<int64_t, Stat> stats_;
  absl::flat_hash_map<int64_t, ProfileOp> metadata_;
  absl::flat_hash_map<std::pair<int64_t, bool>, uint32_t> ops_;
};

// Nanoseconds since 1970 at which the first line with such a time begins; 0: none.
int64_t OriginOf(std::string_view space, ByteSource& source) {
  int64_t origin = 0;
  for (WireCursor at(space); at.Next();) {
    if (at.field() != 1) continue;
    for (WireCursor plane(at.bytes()); plane.Next();) {
      if (plane.field() != 3) continue;
      source.Drop(plane.bytes().data());
      for (WireCursor line(plane.bytes()); line.Next();) {
        if (line.field() == 4) break;  // times stand before the events
        if (line.field() != 3) continue;
        const int64_t time = line.integer();
        if (time > kSince1970 && (origin == 0 || time < origin)) origin = time;
        break;
      }
    }
  }
  source.Rewind(space.data());
  return origin;
}

// Programs that changed a file's encoding put EF BF BD in place of every byte
// that is no ASCII.
bool IsMangled(std::string_view bytes) {
  bytes = bytes.substr(0, size_t{64} << 10);
  size_t replaced = 0, others = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (static_cast<unsigned char>(bytes[i]) < 0x80) continue;
    if (bytes.substr(i).starts_with("\xef\xbf\xbd")) {
      ++replaced;
      i += 2;
    } else {
      ++others;
    }
  }
  return replaced > 8 && 2 * replaced > others;
}

}  // namespace

absl::StatusOr<Profile> ReadXSpace(ByteSource& source) {
  const std::string_view bytes = source.All(kMostProfileBytes);
  if (IsMangled(bytes)) {
    return InvalidInput(
        "found an XSpace whose bytes above 0x7f were replaced by U+FFFD, expected the file as it "
        "was written: it went through a conversion of text (copy it in binary mode)");
  }
  ProfileBuilder builder("XSpace");
  const int64_t origin = OriginOf(bytes, source);
  WireCursor at(bytes);
  bool cut = false;
  while (at.Next()) {
    if (at.field() == 1) {
      PlaneReader plane(at.bytes(), builder, source);
      plane.Read(origin);
      cut |= plane.cut();
    } else if (at.field() == 2 || at.field() == 3) {
      builder.Note(fmt::format("The profiler says: {}", at.bytes().substr(0, 500)));
    } else if (at.field() == 4) {
      builder.profile.hosts.push_back(at.text());
    }
  }
  if (builder.profile.planes.empty()) {
    return InvalidInput("found no planes, expected an XSpace protobuf (*.xplane.pb)");
  }
  if (!source.problem().empty()) builder.Note(source.problem());
  if (cut || at.damaged()) {
    if (builder.profile.event_count() == 0 && builder.profile.programs.empty()) {
      return InvalidInput(
          "found a cut or damaged protobuf without a whole event, expected an XSpace "
          "(*.xplane.pb)");
    }
    builder.Note("The file is cut or damaged: what stands before the end is read.");
  }
  return builder.Finish();
}

}  // namespace tilewise
