// The measured step next to the simulated one, op by op.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/units.h"
#include "cli/options/model_options.h"
#include "profile/analysis/analysis.h"
#include "profile/profile.h"
#include "report/listing.h"

namespace tilewise {

struct ComparedOp {
  std::string name;
  Seconds measured, simulated;                         // per step; zero: it is not on that side
  double measured_use = 0, simulated_use = 0;          // of the MXU
  Bound bound = Bound::kOverhead;                      // in the simulation
  ProfileOpClass op_class = ProfileOpClass::kCompute;  // there
  bool matched() const { return measured > Seconds{} && simulated > Seconds{}; }
};

struct ProfileComparison {
  std::string program;  // what was simulated
  std::string target;
  Seconds measured_step, simulated_step;
  Seconds measured_wall, simulated_wall;  // of a step of the loop around it
  Seconds measured_gap, simulated_gap;    // of it: the device waits for the host
  std::string framework, host;            // HostRuntime and Host of the simulated loop
  int64_t hosts = 1;
  std::vector<ComparedOp> classes;   // matmuls, collectives ..
  std::vector<ComparedOp> ops;       // by what is not explained, largest first
  double matched = 0;                // share of the measured time that has a counterpart
  std::vector<Diagnostic> findings;  // of the program, by its rules
};

// Nothing: neither a program nor HLO of a TPU is at hand. Errors: programs that
// cannot be read or lowered.
absl::StatusOr<std::optional<ProfileComparison>> CompareWithProgram(const Profile& profile,
                                                                    const ProfileAnalysis& analysis,
                                                                    const ModelOptions& model);

std::vector<ListingSection> ComparisonSections(const ProfileComparison& comparison, bool verbose);

}  // namespace tilewise
