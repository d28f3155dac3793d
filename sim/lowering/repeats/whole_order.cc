// Items are walked in their order, periods of layers copied where they begin.

#include "sim/lowering/repeats/whole_order.h"

#include <algorithm>
#include <array>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

namespace tilewise {
namespace {

class Ordering {
 public:
  Ordering(const std::vector<LayerPosition>& positions, const FoldedGraph& folded)
      : positions_(positions), folded_(folded), last_copy_(positions.size(), kNone) {
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i].repeat < 0 || !positions[i].is_middle()) continue;
      indices_[Key(positions[i], positions[i].layer)] = i;
    }
  }

  absl::StatusOr<std::vector<CopiedItem>> Run() {
    for (size_t i = 0; i < positions_.size();) {
      const bool begins =
          positions_[i].repeat >= 0 && positions_[i].is_typical() && last_copy_[i] == kNone;
      if (begins) {
        TW_ASSIGN_OR_RETURN(i, CopyPeriod(i));
      } else {
        Add(i, last_copy_[i] == kNone ? 0 : last_copy_[i]);
        ++i;
      }
    }
    return std::move(order_);
  }

 private:
  static constexpr int32_t kNone = -1;
  using ItemKey = std::array<int32_t, 3>;  // repeat, layer, rank

  static ItemKey Key(const LayerPosition& position, int32_t layer) {
    return {position.repeat, layer, position.rank};
  }

  void Add(size_t index, int32_t copy) { order_.push_back({static_cast<int32_t>(index), copy}); }

  absl::Status Fail(size_t i) const {
    return InvalidInput(fmt::format("layers are not in turn at item {}", i));
  }

  // The same item in another of the middle layers.
  absl::StatusOr<size_t> InLayer(size_t i, int32_t layer) const {
    const auto found = indices_.find(Key(positions_[i], layer));
    if (found == indices_.end()) return Fail(i);
    return found->second;
  }

  // Copies what stands from `begin`, of the typical layer, to the same item of
  // the next layer. Returns where to go on.
  absl::StatusOr<size_t> CopyPeriod(size_t begin) {
    TW_ASSIGN_OR_RETURN(const size_t above, InLayer(begin, kTypicalLayer + 1));
    TW_ASSIGN_OR_RETURN(const size_t below, InLayer(begin, kTypicalLayer - 1));
    if ((above > begin) == (below > begin)) return Fail(begin);
    const bool ascends = above > begin;
    size_t end = ascends ? above : below;
    while (!positions_[end - 1].in(positions_[begin])) --end;
    const size_t repeat = positions_[begin].repeat;
    const int32_t copies = folded_.repeats[repeat].left_out();
    // What belongs to no layer comes once.
    for (size_t i = begin; i < end; ++i) {
      if (positions_[i].repeat < 0) Add(i, 0);
    }
    for (int32_t nth = 0; nth <= copies; ++nth) {
      for (size_t i = begin; i < end; ++i) {
        if (positions_[i].repeat < 0) continue;
        if (!positions_[i].in(positions_[begin])) return Fail(i);
        const int32_t copy = ascends ? nth : copies - nth;
        if (positions_[i].is_typical()) {
          Add(i, copy);
          continue;
        }
        TW_ASSIGN_OR_RETURN(const size_t late, LateItem(i, end, ascends));
        if (nth == 0) {
          Add(i, 0);
        } else {
          Add(late, ascends ? copy - 1 : copy + 1);
        }
        last_copy_[late] = ascends ? copies : 0;
      }
    }
    return end;
  }

  // The item of the typical layer that stands in the next period, as `i` of the
  // layer before does in this one.
  absl::StatusOr<size_t> LateItem(size_t i, size_t end, bool ascends) const {
    const int32_t before = ascends ? kTypicalLayer - 1 : kTypicalLayer + 1;
    if (positions_[i].layer != before) return Fail(i);
    TW_ASSIGN_OR_RETURN(const size_t late, InLayer(i, kTypicalLayer));
    if (late < end) return Fail(i);
    return late;
  }

  const std::vector<LayerPosition>& positions_;
  const FoldedGraph& folded_;
  std::vector<int32_t> last_copy_;  // by item; of those that are late
  absl::flat_hash_map<ItemKey, size_t> indices_;
  std::vector<CopiedItem> order_;
};

}  // namespace

absl::StatusOr<std::vector<CopiedItem>> WholeOrder(const std::vector<LayerPosition>& positions,
                                                   const FoldedGraph& folded) {
  return Ordering(positions, folded).Run();
}

}  // namespace tilewise
