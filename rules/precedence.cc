// Which rule speaks where several see one cause: rules/precedence.def.

#include "rules/precedence.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tilewise {
namespace {

struct Precedence {
  std::string_view speaks;
  std::string_view silent;
};
constexpr std::array kPrecedence = {
#define TW_PRECEDENCE(speaks, silent) Precedence{#speaks, #silent},
#include "rules/precedence.def"
#undef TW_PRECEDENCE
};

// The finding that speaks for `finding`. One that is silenced itself does too:
// what outranks it is at the same place.
std::optional<size_t> SpeakerFor(const Finding& finding, const std::vector<Finding>& all) {
  for (const Precedence& row : kPrecedence) {
    if (row.silent != finding.rule) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].rule == row.speaks && all[i].location == finding.location) {
        return i;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> OnePerCause(std::vector<Finding> all) {
  std::vector<std::optional<size_t>> speaker;
  speaker.reserve(all.size());
  for (const Finding& finding : all) {
    speaker.push_back(SpeakerFor(finding, all));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!speaker[i]) continue;
    size_t last = *speaker[i];
    for (size_t hops = 0; speaker[last] && hops < all.size(); ++hops) {
      last = *speaker[last];
    }
    std::vector<std::string>& related = all[last].related;
    if (std::ranges::find(related, all[i].rule) == related.end()) {
      related.push_back(all[i].rule);
    }
  }
  std::vector<Finding> kept;
  kept.reserve(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (!speaker[i]) kept.push_back(std::move(all[i]));
  }
  return kept;
}

}  // namespace tilewise
