// A Space has all settings that a search may choose from, with the batches and the steps per
// execution that are tried on each.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tuner/candidates.h"
#include "tuner/knob.h"
#include "tuner/setting.h"
#include "tuner/tuner.h"

namespace tilewise {

// The methods may be called from several threads at once.
class Space {
 public:
  // `session` and `search` outlive it. Errors: knobs or values that there are
  // not, prices that are missing.
  static absl::StatusOr<std::unique_ptr<const Space>> Make(const Session& session,
                                                           const SearchSpace& search);

  const SearchSpace& search() const { return search_; }
  const Session& own() const { return own_; }
  int32_t settings() const { return static_cast<int32_t>(points_.size()); }
  const SearchSetting& setting(int32_t index) const { return points_[index].setting; }
  // That of the setting; made when it is first asked for.
  const Session& session(int32_t index) const;
  // The user's own; the first where the knobs leave that out.
  int32_t own_setting() const;
  // Settings on one machine have one number.
  int32_t machine(int32_t index) const { return points_[index].machine; }
  int32_t machines() const { return machines_; }
  // Settings that differ in the chip alone have one number: one process partitions their graph once
  // for each batch.
  int32_t partition(int32_t index) const { return points_[index].partition; }
  // Returns which value each knob has; the length is the same for all.
  const std::vector<int32_t>& values_of(int32_t index) const { return points_[index].values; }

  const BatchBounds& bounds(int32_t index) const { return points_[index].bounds; }
  // Batches per core, ascending, the user's own among those of setting 0.
  std::vector<int64_t> Ladder(int32_t index) const;
  // Whether the batches are ours to choose.
  bool chooses_batches() const { return search_.batch_per_core.empty(); }
  // Those that were asked for become an epoch's steps where they are longer, as Keras does it.
  std::vector<int64_t> Executions(int32_t index, int64_t global_batch) const;
  // Returns whether the program has a batch of its own: it may not take a batch that was assumed.
  bool has_own_batch() const { return !own_.batch_assumed(); }
  bool IsOwn(int32_t index, int64_t batch_per_core) const;
  const std::vector<std::string>& constraints() const { return constraints_; }

 private:
  struct Point {
    SearchSetting setting;
    std::vector<int32_t> values;
    int32_t machine = 0;
    int32_t partition = 0;
    BatchBounds bounds;
    mutable std::once_flag made;
    mutable std::unique_ptr<const Session> session;
  };

  Space(const Session& session, const SearchSpace& search) : own_(session), search_(search) {}
  absl::Status AddSettings();
  // Says which values of a knob nothing takes, and whether the others change anything.
  absl::Status NoteLeftOut(const Knob& knob, const KnobChoice& choice,
                           const std::vector<SearchSetting>& bases, bool changes);
  absl::Status CheckPrices() const;
  void ConstrainExecutions();

  const Session& own_;
  const SearchSpace& search_;
  std::vector<Point> points_;
  int32_t machines_ = 0;
  bool single_step_ = false;  // per execution
  std::vector<std::string> constraints_;
};

// "v5p-32": the slice as it is sold, by its number of TensorCores.
std::string MachineName(const Target& target);
int64_t ChipsOf(const Target& target);

}  // namespace tilewise
