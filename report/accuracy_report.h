// What `tilewise validate` prints: measured sets against the simulator.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/validate.h"
#include "report/report.h"

namespace tilewise {

struct AccuracyReport {
  std::string version;  // of tilewise
  std::vector<SetAccuracy> sets;
};

struct AccuracyFormat {
  std::string_view name;  // "text", "json", "markdown"
  std::string (*render)(const AccuracyReport& report, const RenderOptions& options);
};
std::span<const AccuracyFormat> AccuracyFormats();
const AccuracyFormat* FindAccuracyFormat(std::string_view name);

// docs/schema/validate.schema.json describes it. With `verbose` all rows, each
// with its spec.
std::string RenderAccuracyJson(const AccuracyReport& report, const RenderOptions& options);

}  // namespace tilewise
