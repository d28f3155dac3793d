// A width that one layer has and another takes is a free choice. What the data and the task fix,
// the first layer's input and the last one's output, is not looked at.

#include "rules/alignment/written_widths.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/cpp/written_layers.h"

namespace tilewise {
namespace {

constexpr int64_t kSmallestWidth = 5;  // below are coordinates, colours and scores
constexpr double kLeastPadding = 1.2;  // padded over real width

// Tiles may have a width below a row of lanes in their rows of 8.
bool IsPaddedWidth(int64_t width, const Chip& chip) {
  if (width < kSmallestWidth || (width < chip.lanes && width % chip.sublanes == 0)) return false;
  const auto padded = static_cast<double>(RoundUp(width, chip.lanes));
  return padded >= kLeastPadding * static_cast<double>(width);
}

// Whether another layer of the group takes the result, as it is or flattened.
bool IsTakenOn(const WrittenLayer& layer, const std::vector<WrittenLayer>& group) {
  return std::ranges::any_of(group, [&](const WrittenLayer& other) {
    if (other.call == layer.call || other.in == 0) return false;
    const bool flattened =
        layer.is_convolution && !other.is_convolution && other.in % layer.out == 0;
    return other.in == layer.out || flattened;
  });
}

int64_t WiderWidth(int64_t width, const Chip& chip) {
  return RoundUp(width, width < chip.lanes ? chip.sublanes : chip.lanes);
}

void ReportWidths(const std::string& owner, const WrittenLayer& first,
                  const std::set<int64_t>& widths, const Chip& chip, Sink& sink) {
  std::string listed;
  std::string better;
  for (const int64_t width : widths) {
    listed += fmt::format("{}{}", listed.empty() ? "" : ", ", width);
    better += fmt::format("{}{}", better.empty() ? "" : ", ", WiderWidth(width, chip));
  }
  Finding& found = sink.Report(
      first.call->location,
      "{} {} layers that are {} wide, which tiles of {} x {} pad, expected widths that are "
      "multiples of {}, and of {} from there on",
      owner.empty() ? "this source" : owner, owner.empty() ? "makes" : "has", listed, chip.sublanes,
      chip.lanes, chip.sublanes, chip.lanes);
  found.severity = Severity::kInfo;
  found.cost.unknown = kNoStepInCpp;
  found.fix.applicability = Applicability::kShow;
  found.fix.text = fmt::format(
      "make {} {}, in the layer that makes it and in the one that takes it", listed, better);
}

}  // namespace

void CheckWrittenWidths(const Facts& facts, Sink& sink) {
  std::map<std::string, std::vector<WrittenLayer>> groups;
  for (const WrittenLayer& layer : WrittenLayers(facts.workload.facts)) {
    const SourceCall& call = *layer.call;
    const bool of_class = !call.class_name.empty();
    groups[of_class                ? call.class_name
           : call.function.empty() ? ""
                                   : call.function + "()"]
        .push_back(layer);
  }
  const Chip& chip = facts.target.chip;
  for (const auto& [owner, group] : groups) {
    std::set<int64_t> widths;
    const WrittenLayer* first = nullptr;
    for (const WrittenLayer& layer : group) {
      if (layer.out == 0 || !IsPaddedWidth(layer.out, chip) || !IsTakenOn(layer, group)) continue;
      if (first == nullptr) first = &layer;
      widths.insert(layer.out);
    }
    if (first != nullptr) ReportWidths(owner, *first, widths, chip, sink);
  }
}

}  // namespace tilewise
