// What bounds the step, with the numbers that say so. The limits are XProf's.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "profile/analysis/analysis.h"
#include "profile/analysis/input_op.h"

namespace tilewise {
namespace {

constexpr double kModerate = 0.05, kHigh = 0.20;

struct Candidate {
  VerdictKind kind;
  double share;
  std::string_view waits_for;
};

std::array<Candidate, 5> CandidatesOf(const ProfileAnalysis& analysis) {
  const auto share = [&](StepPartKind kind) { return analysis.ShareOf(kind); };
  return {Candidate{VerdictKind::kInputBound, share(StepPartKind::kInput), "waits for input"},
          Candidate{VerdictKind::kCommunicationBound,
                    share(StepPartKind::kCollective) + share(StepPartKind::kNetwork),
                    analysis.distributed ? "waits for the network and for other devices"
                                         : "exchanges values with other devices"},
          Candidate{VerdictKind::kTransferBound, share(StepPartKind::kHostTransfer),
                    "copies to and from host memory"},
          Candidate{VerdictKind::kCompileBound, share(StepPartKind::kCompile),
                    "waits for the compiler"},
          Candidate{VerdictKind::kHostBound, share(StepPartKind::kHost),
                    "is idle until the host starts the next program"}};
}

// Returns the part of the device's compute time whose ops are bound by HBM; -1: unknown.
double HbmBoundPart(const ProfileAnalysis& analysis) {
  double hbm = 0, mxu = 0;
  for (const ProfileOpRow& row : analysis.ops) {
    const double time = row.self > Seconds{} ? row.self.value : row.share;
    if (row.bound == "HBM") hbm += time;
    if (row.bound == "MXU" || row.bound == "Compute") mxu += time;
  }
  return hbm + mxu > 0 ? hbm / (hbm + mxu) : -1;
}

std::string InputSentence(const Profile& profile, const ProfileTotals& totals, double share) {
  const auto [op, queue] = InputOpOf(profile, totals);
  const std::string_view degree = share >= kHigh ? "highly" : "moderately";
  std::string text = fmt::format("The step is {} input-bound: {} of it waits for input", degree,
                                 FormatPercent(share));
  if (op != nullptr && queue) {
    text += fmt::format(
        ". It is starved by the input queue: {} ({}) is not slow, it waits for an element",
        op->name, op->kind.empty() ? "dequeue" : op->kind);
  } else if (op != nullptr) {
    text += fmt::format(", in {}", op->name);
  }
  return text + ".";
}

void AddComputeVerdict(ProfileAnalysis& analysis) {
  ProfileVerdict& verdict = analysis.verdict;
  const double hbm = HbmBoundPart(analysis);
  if (hbm < 0 && analysis.mxu_use && analysis.hbm_use) {
    // The one that is nearer to its limit.
    const bool memory = *analysis.hbm_use > *analysis.mxu_use;
    verdict.kind = memory ? VerdictKind::kHbmBound : VerdictKind::kMxuBound;
    verdict.sentence =
        fmt::format("The step is {}: {} of the HBM's bandwidth and {} of the MXU's peak are used.",
                    VerdictName(verdict.kind), FormatPercent(*analysis.hbm_use),
                    FormatPercent(*analysis.mxu_use));
    return;
  }
  if (hbm < 0) {
    verdict.kind = VerdictKind::kComputeBound;
    verdict.sentence =
        "The device computes for most of the step; the profile does not say whether HBM or the "
        "MXU bounds it.";
    return;
  }
  verdict.kind = hbm >= 0.5 ? VerdictKind::kHbmBound : VerdictKind::kMxuBound;
  verdict.sentence = hbm >= 0.5
                         ? fmt::format(
                               "The step is HBM-bound: ops that wait for memory take {} of the "
                               "time of ops whose bound is known.",
                               FormatPercent(hbm))
                         : fmt::format(
                               "The step is MXU-bound: ops that the matrix units bound take {} of "
                               "the time of ops whose bound is known.",
                               FormatPercent(1 - hbm));
}

void AddEvidence(const Profile& profile, ProfileAnalysis& analysis) {
  std::vector<std::string>& evidence = analysis.verdict.evidence;
  for (const StepPartTime& part : analysis.parts) {
    if (part.share < 0.01) continue;
    evidence.push_back(fmt::format("{}: {} a step, {}", StepPartName(part.kind),
                                   FormatSeconds(part.time), FormatPercent(part.share)));
  }
  if (analysis.mxu_use) {
    evidence.push_back(fmt::format("MXU use: {}", FormatPercent(*analysis.mxu_use)));
  }
  if (analysis.hbm_use) {
    evidence.push_back(
        fmt::format("HBM traffic: {} of the bandwidth", FormatPercent(*analysis.hbm_use)));
  }
  if (!profile.stated.verdict.empty()) {
    evidence.push_back(fmt::format("the profiler says: {}", profile.stated.verdict));
  }
}

}  // namespace

std::string_view VerdictName(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kInputBound:
      return "input-bound";
    case VerdictKind::kHostBound:
      return "host-bound";
    case VerdictKind::kTransferBound:
      return "transfer-bound";
    case VerdictKind::kCommunicationBound:
      return "communication-bound";
    case VerdictKind::kCompileBound:
      return "compile-bound";
    case VerdictKind::kMxuBound:
      return "MXU-bound";
    case VerdictKind::kHbmBound:
      return "HBM-bound";
    case VerdictKind::kComputeBound:
      return "compute-bound";
    case VerdictKind::kUnknown:
      break;
  }
  return "unknown";
}

void AddVerdict(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  ProfileVerdict& verdict = analysis.verdict;
  const auto candidates = CandidatesOf(analysis);
  const auto* worst =
      std::max_element(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.share < b.share; });
  const double input = analysis.ShareOf(StepPartKind::kInput);
  // XProf asks for the input first; so it is unless something else is far longer.
  if (input >= kHigh && worst->share < 2 * input) worst = candidates.data();
  if (worst->share >= kHigh || (worst->kind == VerdictKind::kInputBound && input >= kModerate)) {
    verdict.kind = worst->kind;
    verdict.sentence =
        worst->kind == VerdictKind::kInputBound
            ? InputSentence(profile, totals, input)
            : fmt::format("The step is {}: the device {} for {} of it.", VerdictName(worst->kind),
                          worst->waits_for, FormatPercent(worst->share));
  } else if (profile.event_count() > 0 && !analysis.has_devices) {
    verdict.sentence = "Without events of a device the profile does not say what bounds the step.";
  } else if (!analysis.parts.empty() || !analysis.ops.empty()) {
    AddComputeVerdict(analysis);
    if (input >= kModerate) {
      verdict.sentence += " " + InputSentence(profile, totals, input);
    }
  }
  AddEvidence(profile, analysis);
}

}  // namespace tilewise
