// What a program's run left behind, whatever tool wrote it down: the devices and
// the threads of the host, what ran on them and when, memory over time, and
// figures that the tool computed itself. Readers fill it; nothing here is
// simulated.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace tilewise {

// Times of events are picoseconds from the start of the profile, because that is
// what XSpace holds; a day fits 100 times.
using Picoseconds = int64_t;
inline constexpr Seconds SecondsOf(Picoseconds time) { return {static_cast<double>(time) * 1e-12}; }

// What is the same each time an op runs. Numbers are per run, 0 where unknown.
struct ProfileOp {
  std::string name;      // "fusion.3", "conv1/Conv2D", a function of the host
  std::string kind;      // HLO category or type of a TensorFlow op: "convolution fusion", "Conv2D"
  std::string hlo;       // the whole HLO line
  std::string path;      // name in the framework: "jit(f)/dense/dot_general"
  std::string source;    // "train.py:31" of the user's program
  double flops = 0;      // per core
  double bytes = 0;      // of memory accessed, per core
  uint64_t program = 0;  // id of ProfileProgram
};

struct ProfileEvent {
  Picoseconds start = 0;
  Picoseconds duration = 0;
  uint32_t op = 0;     // index of Profile::ops
  int32_t group = -1;  // number of the step that it belongs to; -1: not stated

  Picoseconds end() const { return start + duration; }
};

enum class LineKind : uint8_t {
  kSteps,
  kModules,  // one event per run of a program
  kOps,      // what the device executes, one after the other
  kAsync,    // spans of copies and collectives; they overlap the ops
  kWaits,    // of the runtime: barriers before a launch, dependencies
  kScopes,   // ops again, grouped by name or source: never added to busy time
  kThread,   // of the host
  kOther,
};

// Events that one thread, stream or unit ran.
struct ProfileLine {
  std::string name;
  int64_t id = 0;
  LineKind kind = LineKind::kOther;
  std::vector<ProfileEvent> events;  // by start
};

enum class Hardware : uint8_t { kUnknown, kTpu, kGpu, kCpu };

enum class PlaneKind : uint8_t { kDevice, kHost, kOther };

// A device (one TensorCore, one GPU) or a process of the host.
struct ProfilePlane {
  std::string name;
  int64_t id = 0;
  PlaneKind kind = PlaneKind::kOther;
  std::string device_type;                 // "TPU v6 Lite"
  double peak_flops = 0;                   // per second, of this plane's core; 0: unknown
  double peak_hbm = 0;                     // bytes per second
  Hardware hardware = Hardware::kUnknown;  // kCpu: a device of TensorFlow that is the host itself
  std::vector<ProfileLine> lines;
};

// A program that ran, as the profile carries it.
struct ProfileProgram {
  uint64_t id = 0;
  std::string name;
  std::string hlo_proto;  // serialised; empty: the profile does not hold it
};

struct MemorySample {
  Picoseconds at = 0;
  Bytes in_use;
  Bytes free;
  double fragmentation = 0;
};

// One allocator over time; samples by time.
struct ProfileMemory {
  std::string allocator;
  std::vector<MemorySample> samples;
  Bytes peak;      // as stated, else the largest sample
  Bytes capacity;  // 0: unknown
};

// Values that one event made and another took.
struct ProfileFlow {
  Picoseconds from = 0, to = 0;
  int64_t from_plane = 0, to_plane = 0;  // indices of Profile::planes; -1: unknown
};

// Times of steps that a tool states, or that are computed from the events.
struct StepTimes {
  int64_t count = 0;
  Seconds mean, least, most, deviation;
  std::vector<Seconds> each;  // where they are known one by one
};

// An op of a table that a tool computed.
struct StatedOp {
  std::string name, kind;
  bool on_host = false;
  double share = 0;  // of the device's time, 0..1
  int64_t count = 0;
  Seconds self;
  double flop_rate = 0, byte_rate = 0;  // per second
  std::string bound;
};

// What a tool's own summary says; absent: it does not say it. Shares are 0..1.
struct StatedFigures {
  std::optional<StepTimes> step;
  std::optional<Seconds> compute, input, output, idle;  // of a mean step
  std::optional<double> input_share, output_share, idle_share, compute_share;
  std::optional<double> mxu_use, roofline_share, hbm_share;
  std::optional<double> device_idle, host_idle;
  std::string verdict;   // sentence of the tool
  std::string hardware;  // "TPU v2"
  int64_t cores = 0, hosts = 0;
  std::vector<StatedOp> ops;                                 // longest first
  std::vector<std::pair<std::string, Seconds>> input_parts;  // of the host's input, in all
  std::map<std::string, double> counters;  // metrics of MLPerf, sizes of buffers: by name
};

struct Profile {
  std::string format;  // "XSpace", "TensorFlow timeline"
  std::vector<std::string> files;
  std::vector<std::string> hosts;
  std::vector<ProfilePlane> planes;
  std::vector<ProfileOp> ops;
  std::vector<ProfileProgram> programs;
  std::vector<ProfileMemory> memory;
  std::vector<ProfileFlow> flows;
  StatedFigures stated;
  // What is missing or could not be read, in sentences for the user.
  std::vector<std::string> notes;
  // A step that `simulate` predicted, not a measurement.
  bool simulated = false;
  // Counted but not kept one by one.
  int64_t dropped_events = 0;

  int64_t event_count() const;
  const ProfileOp& OpOf(const ProfileEvent& event) const { return ops[event.op]; }
};

// Adds the planes of another host of the same run; figures that a tool stated
// are kept from the first one that has them.
void MergeProfile(Profile&& other, Profile& profile);

}  // namespace tilewise
