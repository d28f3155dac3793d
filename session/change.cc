// Joins what several fixes do to the program into one change.

#include "session/change.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

// A value that at most one of the changes may set.
template <typename T>
absl::Status SetOnce(const std::optional<T>& wanted, std::string_view what,
                     std::optional<T>& value) {
  if (!wanted) return absl::OkStatus();
  if (value && *value != *wanted) {
    return InvalidInput(fmt::format("found two changes that want another {}, expected one", what));
  }
  value = wanted;
  return absl::OkStatus();
}

absl::Status AddWidth(const NewWidth& width, std::vector<NewWidth>& widths) {
  const auto same = std::ranges::find_if(widths, [&](const NewWidth& other) {
    return other.op == width.op && other.dim == width.dim;
  });
  if (same == widths.end()) {
    widths.push_back(width);
    return absl::OkStatus();
  }
  if (same->size == width.size) return absl::OkStatus();
  return InvalidInput(fmt::format("found sizes {} and {} for dim {} of one op, expected one",
                                  same->size, width.size, width.dim));
}

absl::Status Add(const Change& change, Change& sum) {
  for (const auto& [op, replacement] : change.replace) {
    if (sum.replace.emplace(op, replacement).second) continue;
    return InvalidInput("found two changes of one op, expected one");
  }
  for (const NewWidth& width : change.widths) {
    TW_RETURN_IF_ERROR(AddWidth(width, sum.widths));
  }
  TW_RETURN_IF_ERROR(SetOnce(change.compute_type, "type", sum.compute_type));
  TW_RETURN_IF_ERROR(SetOnce(change.batch_per_core, "batch", sum.batch_per_core));
  TW_RETURN_IF_ERROR(SetOnce(change.steps_per_execution, "number of steps per execution",
                             sum.steps_per_execution));
  if (change.pipeline) {
    sum.pipeline = [first = std::move(sum.pipeline), then = change.pipeline](Pipeline& pipeline) {
      if (first) first(pipeline);
      then(pipeline);
    };
  }
  return absl::OkStatus();
}

}  // namespace

bool Change::empty() const { return !edits_graph() && !edits_loop() && !batch_per_core; }

bool Change::edits_graph() const { return !replace.empty() || !widths.empty() || compute_type; }

bool Change::edits_loop() const { return pipeline != nullptr || steps_per_execution; }

absl::StatusOr<Change> CombineChanges(std::span<const Change* const> changes) {
  Change sum;
  for (const Change* change : changes) {
    TW_RETURN_IF_ERROR(Add(*change, sum));
  }
  return sum;
}

}  // namespace tilewise
