// Findings of one rule that have one reason are one item: where they stand, and what they cost in
// sum.

#include "report/too_small_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "advice/locations.h"

namespace tilewise {
namespace {

// The places of an item that are named.
constexpr size_t kMostPlaces = 3;

struct SmallItem {
  std::string rule;  // "PR001 f32-heavy"
  std::vector<Location> places;
  Cost cost;
};

struct SmallGroup {
  std::string why;
  std::vector<SmallItem> items;
};

template <typename T>
void AddUp(const std::optional<T>& part, std::optional<T>& total) {
  if (part) total = total.value_or(T{}) + *part;
}

void Add(const Diagnostic& finding, SmallItem& item) {
  if (std::ranges::find(item.places, finding.location) == item.places.end()) {
    item.places.push_back(finding.location);
  }
  // What can be had, where a fix was simulated and saves anything.
  const bool saves = finding.saving && finding.saving->time_per_step > Seconds{};
  AddUp(saves ? std::optional(finding.saving->time_per_step) : finding.cost.time_per_step,
        item.cost.time_per_step);
  AddUp(finding.cost.bytes, item.cost.bytes);
  AddUp(finding.cost.once_per_run, item.cost.once_per_run);
}

Seconds TimeOf(const SmallItem& item) { return item.cost.time_per_step.value_or(Seconds{}); }

bool IsDearerItem(const SmallItem& a, const SmallItem& b) { return TimeOf(a) > TimeOf(b); }

std::vector<SmallGroup> GroupsOf(std::span<const TooSmall> all) {
  std::vector<SmallGroup> groups;
  for (const TooSmall& small : all) {
    auto group = std::ranges::find(groups, small.why, &SmallGroup::why);
    if (group == groups.end()) group = groups.insert(groups.end(), SmallGroup{small.why, {}});
    const std::string rule = small.finding.rule + " " + small.finding.name;
    auto item = std::ranges::find(group->items, rule, &SmallItem::rule);
    if (item == group->items.end()) {
      item = group->items.insert(group->items.end(), SmallItem{.rule = rule});
    }
    Add(small.finding, *item);
  }
  for (SmallGroup& group : groups) std::ranges::stable_sort(group.items, IsDearerItem);
  std::ranges::stable_sort(groups, [](const SmallGroup& a, const SmallGroup& b) {
    return IsDearerItem(a.items.front(), b.items.front());
  });
  return groups;
}

// " at lines 3 and 8", " at line 3 and 4 more places"; empty: the place has no name.
std::string PlacesOf(const SmallItem& item, const std::string& file) {
  Location from;
  from.file = file;
  const auto is_plain = [&](const Location& place) {
    return place.file == file && place.cell == 0 && place.line > 0;
  };
  const Location& first = item.places.front();
  if (first.line == 0 && first.item.empty()) return "";
  const size_t count = item.places.size();
  if (count == 1) return " at " + LineText(first, from);
  if (count > kMostPlaces || !std::ranges::all_of(item.places, is_plain)) {
    return fmt::format(" at {} and {} more place{}", LineText(first, from), count - 1,
                       count == 2 ? "" : "s");
  }
  std::vector<int32_t> lines;
  for (const Location& place : item.places) lines.push_back(place.line);
  std::ranges::sort(lines);
  const auto duplicates = std::ranges::unique(lines);
  lines.erase(duplicates.begin(), duplicates.end());
  if (lines.size() == 1) return fmt::format(" at line {}", lines.front());
  const int32_t last = lines.back();
  lines.pop_back();
  return fmt::format(" at lines {} and {}", fmt::join(lines, ", "), last);
}

// " (351 us a step)"; empty: what it costs is not known.
std::string CostOf(const SmallItem& item) {
  const Cost& cost = item.cost;
  if (cost.time_per_step && *cost.time_per_step > Seconds{}) {
    return fmt::format(" ({} a step)", FormatSeconds(*cost.time_per_step));
  }
  if (cost.bytes) return fmt::format(" ({})", FormatBytes(*cost.bytes));
  if (cost.once_per_run) return fmt::format(" ({} once)", FormatSeconds(*cost.once_per_run));
  return cost.time_per_step ? " (free here)" : "";
}

}  // namespace

std::vector<std::string> TooSmallInWords(std::span<const TooSmall> all, const std::string& file,
                                         size_t most) {
  std::vector<std::string> clauses;
  size_t named = 0, left_out = 0;
  for (const SmallGroup& group : GroupsOf(all)) {
    std::vector<std::string> items;
    for (const SmallItem& item : group.items) {
      if (most > 0 && named == most) {
        ++left_out;
        continue;
      }
      ++named;
      items.push_back(item.rule + PlacesOf(item, file) + CostOf(item));
    }
    if (items.empty()) continue;
    clauses.push_back(fmt::format("{}: {}", group.why, fmt::join(items, ", ")));
  }
  if (left_out > 0) clauses.push_back(fmt::format("{} more (--verbose names them)", left_out));
  return clauses;
}

}  // namespace tilewise
