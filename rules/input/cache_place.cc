// Tries a cache at each place where all epochs have the same elements.

#include "rules/input/cache_place.h"

#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

// A share of the step: a smaller cache, or one in memory, beats what gains no more.
constexpr double kSame = 0.01;
constexpr const char* kFile = "/tmp/cache";

// Whether a cache behind the stage would freeze what differs from epoch to epoch, or hold
// batches.
bool EndsPlaces(const Stage& stage) {
  return stage.function.random ||
         IsOneOf(stage.kind, {StageKind::kCache, StageKind::kShuffle, StageKind::kBatch,
                              StageKind::kPaddedBatch, StageKind::kRepeat, StageKind::kPrefetch});
}

std::vector<CachePlace> PlacesWithRoom(const Facts& facts, const Pipeline& pipeline) {
  const Host& host = facts.target.host;
  std::vector<CachePlace> places;
  for (size_t i = 0; i < pipeline.stages.size() && !EndsPlaces(pipeline.stages[i]); ++i) {
    if (TakesFileNames(pipeline, i)) continue;
    const std::optional<Bytes> bytes = BytesOfItemsAfter(facts, pipeline, i);
    if (!bytes) continue;
    if (*bytes < RamForCaches(host)) places.push_back({i + 1, false, *bytes});
    if (*bytes < DiskForCaches(host)) places.push_back({i + 1, true, *bytes});
  }
  return places;
}

bool IsBetter(const CachePlace& a, Seconds step_a, const CachePlace& b, Seconds step_b) {
  if (step_a < step_b * (1 - kSame)) return true;
  if (step_b < step_a * (1 - kSame)) return false;
  if (a.on_disk != b.on_disk) return b.on_disk;
  // A cache comes behind take() and the like: before them it would not be filled.
  return a.bytes == b.bytes ? a.at > b.at : a.bytes < b.bytes;
}

// Where nothing is simulated: what is done the least often again.
std::optional<CachePlace> LastInMemory(const std::vector<CachePlace>& places,
                                       const Pipeline& pipeline) {
  for (size_t i = places.size(); i > 0; --i) {
    const CachePlace& place = places[i - 1];
    if (!place.on_disk && pipeline.stages[place.at - 1].function.decodes) return place;
  }
  return std::nullopt;
}

}  // namespace

Bytes RamForCaches(const Host& host) { return Bytes{host.ram.value / 2}; }
Bytes DiskForCaches(const Host& host) { return host.disk_size; }

std::optional<CachePlace> LastPlaceWithRoom(const Facts& facts, const Pipeline& pipeline) {
  return LastInMemory(PlacesWithRoom(facts, pipeline), pipeline);
}

std::optional<CachePlace> BestCachePlace(const Facts& facts, const Pipeline& pipeline) {
  const std::vector<CachePlace> places = PlacesWithRoom(facts, pipeline);
  if (!WhyNoLoop(facts, pipeline).empty()) return LastInMemory(places, pipeline);
  std::optional<CachePlace> best;
  const auto cache = FirstOf(pipeline, {StageKind::kCache});
  const Pipeline bare = cache ? With(pipeline, RemovingStage(pipeline, *cache)) : pipeline;
  const Seconds without = MeanStepFedBy(facts, bare);
  Seconds least = without;
  for (const CachePlace& place : places) {
    const Pipeline cached = With(bare, InsertingStage(bare, place.at, CacheStage(place.on_disk)));
    const Seconds step = MeanStepFedBy(facts, cached);
    const bool helps = step < without * (1 - kSame);
    if (!helps || (best && !IsBetter(place, step, *best, least))) continue;
    best = place;
    least = step;
  }
  return best;
}

Stage CacheStage(bool on_disk) {
  Stage stage;
  stage.kind = StageKind::kCache;
  stage.cache_to_file = on_disk;
  return stage;
}

std::string CacheCall(bool on_disk) {
  return on_disk ? fmt::format(".cache(\"{}\")", kFile) : ".cache()";
}

std::string RoomText(const Host& host, bool on_disk) {
  return on_disk ? fmt::format("on the {} of disk of the {} host", FormatBytes(host.disk_size),
                               host.name)
                 : fmt::format("in {} of host RAM ({})", FormatBytes(host.ram), host.name);
}

}  // namespace tilewise
