// Each entry is made once, outside of the lock.

#include "sim/lowering/partitioned_steps.h"

#include <algorithm>

#include "base/content_hash.h"

namespace tilewise {
namespace {

// Ops that are kept: some tens of MB, which a search over chips needs for the settings that are
// tried side by side.
constexpr int64_t kMostOps = 60'000;

}  // namespace

std::shared_ptr<PartitionedSteps::Entry> PartitionedSteps::EntryOf(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known =
      std::ranges::find_if(entries_, [&](const auto& entry) { return entry->key == key; });
  if (known != entries_.end()) return *known;
  auto entry = std::make_shared<Entry>();
  entry->key = key;
  entries_.push_back(entry);
  return entry;
}

void PartitionedSteps::MakeRoom() {
  int64_t ops = 0;
  for (const auto& entry : entries_) ops += entry->ops;
  while (ops > kMostOps && entries_.size() > 1) {
    ops -= entries_.front()->ops;
    entries_.pop_front();
  }
}

PartitionedSteps::Step PartitionedSteps::Find(const Graph& forward, const Settings& settings,
                                              const std::function<Step()>& make) {
  const std::shared_ptr<Entry> entry = EntryOf({&forward, ContentHash().AddAll(settings).Hex()});
  std::call_once(entry->made, [&] {
    entry->step = make();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (entry->step.ok()) entry->ops = (*entry->step)->program.graph.size();
    MakeRoom();
  });
  return entry->step;
}

}  // namespace tilewise
