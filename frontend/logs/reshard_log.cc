// See reshard_log.h. The words around the shardings differ between releases.

#include "frontend/logs/reshard_log.h"

#include <algorithm>
#include <charconv>

#include "frontend/logs/log_text.h"

namespace tilewise {
namespace {

constexpr size_t kMostReshards = 200;
constexpr size_t kLongest = 500;

// "{devices=[2,1,4]<=[4,2]T(1,0)}" at the start of `text`, with its braces.
std::string Braced(std::string_view text) {
  if (!text.starts_with('{')) return "";
  int depth = 0;
  for (size_t i = 0; i < std::min(text.size(), kLongest); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return std::string(text.substr(0, i + 1));
  }
  return "";
}

// Returns what stands before the operands of "%pad = f64[96]{0} pad(%a, %b),
// padding=8_7".
std::string ValueOf(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" :"), text.size()));
  return std::string(text.substr(0, std::min(text.find('('), kLongest)));
}

}  // namespace

void ReshardLog::Take(std::string_view text, const Location& place) {
  const std::string_view warning = After(text, kWholeReshardSign);
  if (warning.empty()) return;
  WholeReshard reshard;
  const std::string_view from = After(warning, "from sharding ");
  reshard.from = Braced(from);
  if (reshard.from.empty()) return;
  reshard.to = Braced(After(from.substr(reshard.from.size()), "to "));
  if (reshard.to.empty()) return;
  reshard.value = ValueOf(After(warning, "for HLO operation"));
  reshard.operation = QuotedAfter(warning, "op_name=").substr(0, kLongest);
  reshard.source.file = QuotedAfter(warning, "source_file=").substr(0, kLongest);
  const std::string_view line = After(warning, "source_line=");
  std::from_chars(line.data(), line.data() + line.size(), reshard.source.line);
  reshard.location = place;
  const auto same = std::ranges::find_if(found_, [&](const WholeReshard& other) {
    return other.from == reshard.from && other.to == reshard.to &&
           other.operation == reshard.operation && other.source.file == reshard.source.file &&
           other.source.line == reshard.source.line &&
           (reshard.source.known() || other.value == reshard.value);
  });
  if (same != found_.end()) {
    ++same->times;
  } else if (found_.size() < kMostReshards) {
    found_.push_back(std::move(reshard));
  }
}

}  // namespace tilewise
