// What a profile says: the step and its parts, what the device reached, who
// waits for whom, what bounds the step, and what to do about it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "profile/analysis/steps.h"
#include "profile/analysis/totals.h"
#include "profile/profile.h"

namespace tilewise {

// What a part of the wall step is spent on; one that the device works in, or
// what it waits for.
enum class StepPartKind : uint8_t {
  kMatmul,
  kCompute,
  kCopy,
  kCollective,
  kHostTransfer,
  kInput,
  kOutput,
  kNetwork,
  kCompile,
  kHost,  // idle: nothing that is known runs meanwhile
};
inline constexpr int kStepParts = 10;
std::string_view StepPartName(StepPartKind kind);

struct StepPartTime {
  StepPartKind kind = StepPartKind::kHost;
  Seconds time;      // of a mean step, over the devices
  double share = 0;  // of the wall step
};

enum class VerdictKind : uint8_t {
  kUnknown,
  kInputBound,
  kHostBound,
  kTransferBound,
  kCommunicationBound,
  kCompileBound,
  kMxuBound,
  kHbmBound,
  kComputeBound,  // neither is known
};
std::string_view VerdictName(VerdictKind kind);

struct ProfileVerdict {
  VerdictKind kind = VerdictKind::kUnknown;
  std::string sentence;               // "The step is input-bound: .."
  std::vector<std::string> evidence;  // with numbers
};

// Something that waits, and what for.
struct ProfileWait {
  std::string waits, for_what;
  Seconds time;      // of a mean step
  double share = 0;  // of the wall step
};

// An op of the tables, whatever they were made from.
struct ProfileOpRow {
  std::string name, kind, source, path;
  ProfileOpClass op_class = ProfileOpClass::kCompute;
  int64_t count = 0;
  Seconds self, average;
  double share = 0;  // of the time of all ops
  double flop_rate = 0, byte_rate = 0;
  double peak_share = 0;  // of the peak FLOP rate
  std::string bound;      // "MXU", "HBM"
};

struct HostRow {
  std::string name;
  HostClass kind = HostClass::kOther;
  int64_t count = 0;
  Seconds self;
};

struct CategoryRow {
  std::string name;
  int64_t count = 0;
  Seconds self;
  double share = 0;
};

struct ProfileAnalysis {
  ProfileSteps steps;
  bool has_devices = false;
  // Devices that send values to each other through the network and do little
  // else.
  bool distributed = false;
  int64_t devices = 0;
  std::string device_type;
  Hardware hardware = Hardware::kUnknown;  // what ran the model
  double peak_flops = 0, peak_hbm = 0;     // of a device; 0: unknown
  std::vector<StepPartTime> parts;         // of the wall step, longest first
  std::optional<double> device_busy;       // share of the wall steps
  std::optional<double> mxu_use, hbm_use;
  std::vector<ProfileOpRow> ops;        // longest first
  std::vector<CategoryRow> categories;  // longest first
  std::vector<HostRow> host;            // longest first
  std::vector<ProfileWait> waits;       // longest first
  ProfileVerdict verdict;
  std::vector<Diagnostic> advice;
  std::vector<std::string> notes;

  double ShareOf(StepPartKind kind) const;
  Seconds TimeOf(StepPartKind kind) const;
};

// Peaks for profiles that state none; 0: unknown.
struct PeakRates {
  double flops = 0;
  double hbm = 0;
};

ProfileAnalysis Analyse(const Profile& profile, const PeakRates& peaks = {});

// The parts of Analyse, each of which adds to what stands there.
void AddStated(const Profile& profile, ProfileAnalysis& analysis);
void AddWaits(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis);
void AddVerdict(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis);
void AddAdvice(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis);

}  // namespace tilewise
