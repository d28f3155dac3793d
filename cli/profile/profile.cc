// What a run left behind: where its time went, what bounds it and what to
// change; next to the simulated step where a program is given or the profile
// holds one.

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/profile/compare.h"
#include "cli/profile/log_sections.h"
#include "cli/profile/machine.h"
#include "cli/profile/run_files.h"
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
  std::string calibrate;  // file for the chip as it was measured; empty: none
};

void Add(Arguments& arguments, ProfileOptions& options) {
  Add(arguments, options.model);
  Add(arguments, NamesOf(FormatsOf<Listing>()), options.output);
  AddVerbose(arguments, options.output);
  arguments.InGroup(kTargetGroup)
      .Text({.name = "--calibrate",
             .help = "write the chip with the constants that the profile determines to this file "
                     "(.txtpb), which --chip takes everywhere, and its host beside it; needs a "
                     "program, or HLO in the profile",
             .type = "FILE"},
            options.calibrate);
}

// The files, told apart by what they hold.
struct ProfileInputs {
  std::vector<std::string> profiles, logs, programs;
  std::vector<std::string> notes;
};

ProfileInputs Sorted(const std::vector<std::string>& paths) {
  ProfileInputs inputs;
  RunFiles run = FilesOfRun(paths);
  inputs.notes = std::move(run.notes);
  for (const std::string& path : run.files) {
    auto& kind = LooksLikeProfile(path) ? inputs.profiles
                 : LooksLikeLog(path)   ? inputs.logs
                                        : inputs.programs;
    kind.push_back(path);
  }
  // The reader's message says what was found instead of a profile.
  if (inputs.profiles.empty() && inputs.logs.empty()) std::swap(inputs.profiles, inputs.programs);
  return inputs;
}

// The peaks of the device that the profile or the user names.
PeakRates PeaksOf(const Profile& profile, const TargetOptions& target) {
  std::string name = target.chip_given ? target.chip : "";
  for (const ProfilePlane& plane : profile.planes) {
    if (name.empty() && plane.hardware == Hardware::kTpu) name = plane.device_type;
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

// Families of rules that name causes in a program of what a rule says of a run.
std::vector<std::string_view> CausesOf(std::string_view rule) {
  if (rule == "IP021" || rule == "IP022" || rule == "IP024") return {"IP"};
  if (rule == "HL008" || rule == "HL011" || rule == "HL006") return {"HL", "FU001", "DY006"};
  if (rule == "DI003" || rule == "DI007") return {"DI"};
  if (rule == "CO004") return {"CO", "DY"};
  if (rule == "ME006") return {"ME", "PR", "LY"};
  if (rule == "AL005") return {"AL", "PR", "OP"};
  if (rule == "LY002") return {"LY"};
  return {rule};
}

// What the program's own findings say of the same causes, at their lines.
void AddProgramFindings(const std::vector<Diagnostic>& of_program,
                        std::vector<Diagnostic>& advice) {
  const size_t measured = advice.size();
  std::set<std::pair<std::string, Location>> said;
  for (size_t i = 0; i < measured; ++i) {
    for (const Diagnostic& finding : of_program) {
      const auto causes = CausesOf(advice[i].rule);
      const bool cause = std::ranges::any_of(
          causes, [&](std::string_view family) { return finding.rule.starts_with(family); });
      if (!cause || !said.emplace(finding.rule, finding.location).second) continue;
      if (finding.rule == advice[i].rule) {
        if (!advice[i].location.known()) advice[i].location = finding.location;
        continue;
      }
      advice.push_back(finding);
      advice.back().related.push_back(advice[i].rule);
    }
  }
}

absl::StatusOr<std::vector<ListingSection>> SectionsOfProfiles(const ProfileInputs& inputs,
                                                               const ModelOptions& model,
                                                               const ProfileOptions& options) {
  TW_ASSIGN_OR_RETURN(Profile profile, ReadRun(inputs.profiles));
  profile.notes.insert(profile.notes.begin(), inputs.notes.begin(), inputs.notes.end());
  ProfileAnalysis analysis = Analyse(profile, PeaksOf(profile, model.target));
  absl::StatusOr<std::optional<ProfileComparison>> comparison =
      CompareWithProgram(profile, analysis, model);
  if (!comparison.ok()) {
    // The profile is reported all the same when the user gave no program.
    if (!model.inputs.files.empty()) return comparison.status();
    analysis.notes.push_back(
        fmt::format("The HLO of the profile was not simulated: {}.", Message(comparison.status())));
    comparison = std::nullopt;
  }
  if (*comparison) AddProgramFindings((*comparison)->findings, analysis.advice);
  NameFindings(analysis.advice);
  if (!options.calibrate.empty()) {
    TW_RETURN_IF_ERROR(
        WriteMachine(*comparison, profile, analysis, model.target, options.calibrate));
  }
  std::vector<ListingSection> sections = ProfileSections(profile, analysis, options.output.verbose);
  if (*comparison) {
    std::ranges::move(ComparisonSections(**comparison, options.output.verbose),
                      std::back_inserter(sections));
  }
  return sections;
}

absl::StatusOr<int> RunProfile(const ProfileOptions& options) {
  ProfileInputs inputs = Sorted(options.model.inputs.files);
  std::vector<ListingSection> sections;
  ModelOptions model = options.model;
  if (!inputs.profiles.empty()) {
    model.inputs.files = inputs.programs;
    TW_ASSIGN_OR_RETURN(sections, SectionsOfProfiles(inputs, model, options));
    inputs.programs.clear();
  }
  if (!inputs.logs.empty()) {
    model.inputs.files = inputs.logs;
    std::ranges::move(inputs.programs, std::back_inserter(model.inputs.files));
    TW_ASSIGN_OR_RETURN(std::vector<ListingSection> of_logs, LogSections(model));
    std::ranges::move(of_logs, std::back_inserter(sections));
  }
  TW_RETURN_IF_ERROR(Render("profile", std::move(sections), options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Profile, RunProfile)

}  // namespace tilewise
