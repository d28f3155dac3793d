// Flags variables that are on another device than the ops that read them.

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::DI007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI007",
    .name = "cross-device-variable",
    .set = RuleSet::kPreview,
    .needs = {.graph = true},
    .summary = "a variable is on another device than its reader",
    .no_saving = "variables have no device in the graph that is simulated",
    .doc = R"(
What: a variable of min-kib KiB or more that the graph puts on one device while
an op that reads it is on another.
Why: the value crosses the link between them in every step, in both directions
when it is trained. Device scopes that are copied from one tower to the next, or
that go round over all variables, do this.
Remedy: put the variable on the device that reads it, or let the strategy place
both.
Ignore: parameter servers, which are made for that: jobs named ps are not
reported.
Numbers: the variable's bytes over the host link, per step.
Sources: the Timeline article that the catalogue names S4.)",
    .thresholds = {{"min-kib", 64, "KiB of a variable from which on its device matters"}},
};

// "device:GPU:1" of "/job:worker/replica:0/task:0/device:GPU:1", in capitals;
// old graphs have "/gpu:1". Empty: none is named.
std::string UnitOf(std::string_view device) {
  std::string unit;
  const size_t slash = device.rfind('/');
  if (slash == std::string_view::npos) return unit;
  std::string_view last = device.substr(slash + 1);
  if (last.starts_with("device:")) last.remove_prefix(7);
  if (last.starts_with("job:") || last.starts_with("replica:") || last.starts_with("task:")) {
    return unit;
  }
  for (const char c : last) {
    unit += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  // A device without a number is the first one.
  if (unit.find(':') == std::string::npos || unit.ends_with(":*")) {
    unit = unit.substr(0, unit.find(':')) + ":0";
  }
  return unit;
}

// "worker" of "/job:worker/...".
std::string_view JobOf(std::string_view device) {
  const size_t at = device.find("/job:");
  if (at == std::string_view::npos) return {};
  device.remove_prefix(at + 5);
  return device.substr(0, device.find('/'));
}

bool IsParameterServer(std::string_view device) { return JobOf(device).starts_with("ps"); }

// An op that computes on the variable, on another unit; kNoOp for none.
OpId DistantReader(const Facts& facts, OpId variable, std::string_view unit) {
  const auto& devices = facts.workload.module.devices;
  for (const OpId user : facts.source->users(variable)) {
    const auto at = devices.find(user);
    if (at == devices.end()) continue;
    const std::string other = UnitOf(at->second);
    const bool computes = !other.empty() && !other.starts_with("CPU");
    if (computes && other != unit) return user;
  }
  return kNoOp;
}

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  const double least = sink.threshold("min-kib") * 1024;
  for (const auto& [id, device] : facts.workload.module.devices) {
    if (id >= graph.size() || graph.op(id).kind != OpKind::kVariable) continue;
    const Op& variable = graph.op(id);
    const Bytes size = variable.shape.unpadded_bytes();
    if (static_cast<double>(size.value) < least) continue;
    const std::string unit = UnitOf(device);
    if (unit.empty() || IsParameterServer(device)) continue;
    const OpId reader = DistantReader(facts, id, unit);
    if (reader == kNoOp) continue;
    Finding& found = sink.ReportOp(
        id, "variable {} of {} is on {} and {} reads it on {}, expected both on one device",
        variable.name, FormatBytes(size), unit, graph.op(reader).name,
        UnitOf(facts.workload.module.devices.at(reader)));
    found.cost = DeviceCost(facts, size / facts.target.chip.host_link);
    found.fix.text = fmt::format(
        "put {} on the device that reads it, or let the strategy place both", variable.name);
  }
}

}  // namespace

TW_RULE(DI007)

}  // namespace tilewise::DI007
