// What `tilewise inspect` prints: what is in a file, and how much of it is
// understood. Nothing is lowered or simulated for it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "workload/coverage.h"
#include "workload/workload.h"

namespace tilewise {

struct InspectedFile {
  std::string path;
  Workload workload;
  Coverage coverage;
  // How the batch was found in a graph whose sizes are all fixed: one line for
  // each op where it passes; empty when not asked for, or symbolic.
  std::vector<std::string> batch_explanation;
};

struct Inspection {
  std::string version;  // of tilewise
  std::vector<InspectedFile> files;
};

struct InspectionFormat {
  std::string_view name;  // "text", "json"
  std::string (*render)(const Inspection& inspection, const RenderOptions& options);
};
std::span<const InspectionFormat> InspectionFormats();
const InspectionFormat* FindInspectionFormat(std::string_view name);

// For a terminal; with `verbose` all ops and notes.
std::string RenderInspectionText(const Inspection& inspection, const RenderOptions& options);
// docs/schema/inspect.schema.json describes it; everything is in it.
std::string RenderInspectionJson(const Inspection& inspection, const RenderOptions& options);

// "training", "inference", "training step (its gradients are in the graph)".
std::string_view StepWords(StepKind step);

// Names and numbers, the largest number first, equal ones by name.
std::vector<std::pair<std::string, int64_t>> ByCount(const std::map<std::string, int64_t>& counts);

}  // namespace tilewise
