// The bytes that each chip has to send, over the links of its group.

#include "estimator/links.h"

#include <algorithm>

namespace tilewise {
namespace {

// How often a byte leaves the chips that do not keep it; 0 where that depends
// on the way it takes.
double Sends(OpKind collective) {
  switch (collective) {
    case OpKind::kAllReduce:
      return 2;
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

Seconds Links::Time(const Kernel& kernel) {
  const CoreGroup& group = GroupOf(kernel);
  if (group.chips() < 2) return {};
  const auto chips = static_cast<double>(group.chips());
  return (Sends(kernel.collective) * (chips - 1) / chips / group.links(target_.chip)) *
         (kernel.collective_bytes / target_.chip.ici_link_bandwidth) *
         static_cast<double>(kernel.repeat);
}

void Links::Add(const Kernel& kernel, double times) {
  const Seconds time = Time(kernel) * times;
  for (const TorusSpan& span : GroupOf(kernel).spans) {
    busy_.resize(std::max(busy_.size(), span.axis + 1));
    busy_[span.axis] += time;
  }
}

Seconds Links::busiest() const {
  return busy_.empty() ? Seconds{} : *std::ranges::max_element(busy_);
}

const CoreGroup& Links::GroupOf(const Kernel& kernel) {
  const auto [known, is_new] = groups_.try_emplace({kernel.mesh_axis, kernel.participants});
  if (is_new) known->second = FindGroup(target_, kernel.mesh_axis);
  if (is_new && known->second.cores() != kernel.participants) {
    known->second = FindGroup(target_, "", std::max<int64_t>(1, kernel.participants));
  }
  return known->second;
}

}  // namespace tilewise
