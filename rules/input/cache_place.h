// Where in a pipeline a cache serves best, in memory or on the host's own disk, of the places
// where what it holds has room there.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "advice/pipeline_change.h"
#include "rules/input/feed.h"

namespace tilewise {

struct CachePlace {
  size_t at = 0;  // the stage that it stands before
  bool on_disk = false;
  Bytes bytes;  // what it holds
};

// The half of the RAM that caches may hold; buffers and the program get the other.
Bytes RamForCaches(const Host& host);
// Disks wait for nobody else; what is free of one is known.
Bytes DiskForCaches(const Host& host);

// The place that makes the simulated step shortest, over all epochs; where nothing is simulated,
// the last one in memory that has room. A cache that the pipeline has is taken for gone, and its
// place is the last. Nothing: no place has room, or none helps.
std::optional<CachePlace> BestCachePlace(const Facts& facts, const Pipeline& pipeline);
// The last place behind a decode where memory has room, whatever a cache saves there.
std::optional<CachePlace> LastPlaceWithRoom(const Facts& facts, const Pipeline& pipeline);

Stage CacheStage(bool on_disk);
// ".cache()", or with a file on the host's disk.
std::string CacheCall(bool on_disk);
// "in 334 GiB of host RAM (tpu-vm)".
std::string RoomText(const Host& host, bool on_disk);

}  // namespace tilewise
