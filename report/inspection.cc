// The table of formats, and words that they share.

#include "report/inspection.h"

#include <algorithm>

namespace tilewise {
namespace {

constexpr InspectionFormat kInspectionFormats[] = {{"text", RenderInspectionText},
                                                   {"json", RenderInspectionJson}};

}  // namespace

std::span<const InspectionFormat> InspectionFormats() { return kInspectionFormats; }

const InspectionFormat* FindInspectionFormat(std::string_view name) {
  for (const InspectionFormat& format : kInspectionFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string_view StepWords(StepKind step) {
  switch (step) {
    case StepKind::kTraining:
      return "forward pass, to be trained";
    case StepKind::kInference:
      return "inference";
    case StepKind::kTrainingStep:
      return "training step with its gradients";
  }
  return "";
}

std::vector<std::pair<std::string, int64_t>> ByCount(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return rows;
}

}  // namespace tilewise
