// What a run left behind: where its time went, what bounds it and what to
// change; beside the simulated step where a program is given or the profile
// holds one.

#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/profile/log_sections.h"
#include "cli/profile/sections.h"
#include "profile/analysis/analysis.h"
#include "profile/read_profile.h"
#include "report/listing.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

struct ProfileOptions {
  ModelOptions model;  // traces and programs are told apart by what they hold
  OutputOptions output;
};

void Add(Arguments& arguments, ProfileOptions& options) {
  Add(arguments, options.model);
  Add(arguments, NamesOf(FormatsOf<Listing>()), options.output);
  AddVerbose(arguments, options.output);
}

// Moves the files that are profiles out of the options, into one profile.
absl::StatusOr<Profile> ReadProfiles(std::vector<std::string>& files) {
  std::vector<std::string> programs;
  std::optional<Profile> merged;
  for (const std::string& path : files) {
    if (!LooksLikeProfile(path) && (merged || files.size() > 1)) {
      programs.push_back(path);
      continue;
    }
    TW_ASSIGN_OR_RETURN(Profile profile, ReadProfile(path));
    if (merged) {
      MergeProfile(std::move(profile), *merged);
    } else {
      merged = std::move(profile);
    }
  }
  if (!merged) {
    // The reader's message says what was found.
    TW_ASSIGN_OR_RETURN(merged, ReadProfile(files.front()));
  }
  files = std::move(programs);
  return *std::move(merged);
}

// Of the device that the profile names, or that the user does.
PeakRates PeaksOf(const Profile& profile, const TargetOptions& target) {
  std::string name = target.chip_given ? target.chip : "";
  for (const ProfilePlane& plane : profile.planes) {
    if (name.empty() && plane.is_tpu) name = plane.device_type;
  }
  if (name.empty()) return {};
  const absl::StatusOr<Chip> chip = FindChip(name);
  if (!chip.ok()) return {};
  // A plane is one TensorCore, also where the framework sees a chip.
  const auto cores = static_cast<double>(chip->tensor_cores_per_device);
  return {.flops = chip->peak_flops() / cores, .hbm = chip->hbm_bandwidth.value / cores};
}

void NameFindings(std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    if (const Rule* rule = FindRule(finding.rule)) finding.name = rule->info.name;
  }
}

absl::StatusOr<int> RunProfile(const ProfileOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto log, LogSections(options.model));
  if (log) {
    TW_RETURN_IF_ERROR(Render("profile", *log, options.output));
    return kExitClean;
  }
  ModelOptions model = options.model;
  TW_ASSIGN_OR_RETURN(const Profile profile, ReadProfiles(model.inputs.files));
  ProfileAnalysis analysis = Analyse(profile, PeaksOf(profile, model.target));
  NameFindings(analysis.advice);
  TW_RETURN_IF_ERROR(Render("profile", ProfileSections(profile, analysis, options.output.verbose),
                            options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Profile, RunProfile)

}  // namespace tilewise
