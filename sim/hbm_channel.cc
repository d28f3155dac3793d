// The scheduler's loop: of the next column access and the next activate that
// could start, the earlier one does.

#include "sim/hbm_channel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace tilewise {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int64_t kClosed = -1;

struct Bank {
  int64_t open_row = kClosed;
  double activate_from = 0;
  double precharge_from = 0;
  double access_from = 0;
};

// Something that could start at `at`: a queue slot or a bank.
struct Command {
  double at = kNever;
  size_t what = 0;
};

class Channel {
 public:
  Channel(const HbmChannels& hbm, const HbmDetail& detail, std::span<const HbmAccess> accesses)
      : hbm_(hbm),
        detail_(detail),
        arriving_(accesses),
        burst_(hbm.burst_time().value),
        banks_(hbm.banks),
        groups_(detail.bank_groups, 0.0),
        next_refresh_(hbm.t_refi > Seconds{} ? hbm.t_refi.value : kNever) {
    activates_.fill(-kNever);
  }

  Seconds Run() {
    Admit();
    while (!queue_.empty()) {
      const Command access = NextAccess();
      const Command activate = NextActivate();
      const double at = std::max(now_, std::min(access.at, activate.at));
      if (at >= next_refresh_) {
        Refresh();
      } else if (access.at <= activate.at) {
        now_ = at;
        Access(access.what);
      } else {
        now_ = at;
        Activate(activate.what);
      }
    }
    return {bus_from_};
  }

 private:
  Bank& BankOf(const HbmAccess& access) { return banks_[access.bank]; }
  double& GroupOf(const HbmAccess& access) { return groups_[access.bank % detail_.bank_groups]; }
  bool IsHit(const HbmAccess& access) { return BankOf(access).open_row == access.row; }

  void Admit() {
    while (static_cast<int64_t>(queue_.size()) < detail_.queue && !arriving_.empty()) {
      queue_.push_back(arriving_.front());
      arriving_ = arriving_.subspan(1);
    }
  }

  // The first hit that is ready, per direction: reads, writes.
  std::array<Command, 2> ReadyHits() {
    std::array<Command, 2> first;
    for (size_t i = 0; i < queue_.size(); ++i) {
      const HbmAccess& access = queue_[i];
      if (!IsHit(access)) continue;
      double at = std::max({bus_from_, BankOf(access).access_from, GroupOf(access)});
      if (access.is_write != is_writing_) {
        at = std::max(at, bus_from_ + hbm_.turnaround.value / 2);
      }
      Command& best = first[access.is_write ? 1 : 0];
      if (at < best.at) best = {at, i};
    }
    return first;
  }

  Command NextAccess() {
    const std::array<Command, 2> hits = ReadyHits();
    const Command& same = hits[is_writing_ ? 1 : 0];
    const Command& other = hits[is_writing_ ? 0 : 1];
    const bool turn = in_direction_ >= hbm_.batch && other.at < kNever;
    return same.at == kNever || turn ? other : same;
  }

  // Activates for the oldest access to each bank, unless hits on its open row
  // wait.
  Command NextActivate() {
    std::vector<bool> is_settled(banks_.size(), false);
    for (const HbmAccess& access : queue_) {
      if (IsHit(access)) is_settled[access.bank] = true;
    }
    const double channel =
        std::max(last_activate_ + hbm_.t_rrd.value, activates_[oldest_] + hbm_.t_faw.value);
    Command next;
    for (size_t i = 0; i < queue_.size(); ++i) {
      const size_t bank = queue_[i].bank;
      if (is_settled[bank]) continue;
      is_settled[bank] = true;
      double at = std::max(channel, banks_[bank].activate_from);
      if (banks_[bank].open_row != kClosed) {
        at = std::max(at, banks_[bank].precharge_from + hbm_.t_rp.value);
      }
      if (at < next.at) next = {at, i};
    }
    return next;
  }

  void Activate(size_t slot) {
    Bank& bank = BankOf(queue_[slot]);
    bank.open_row = queue_[slot].row;
    bank.access_from = now_ + hbm_.t_rcd.value;
    bank.precharge_from = now_ + hbm_.t_ras.value;
    bank.activate_from = bank.precharge_from + hbm_.t_rp.value;
    last_activate_ = now_;
    activates_[oldest_] = now_;
    oldest_ = (oldest_ + 1) % activates_.size();
  }

  void Access(size_t slot) {
    const HbmAccess access = queue_[slot];
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(slot));
    if (access.is_write != is_writing_) in_direction_ = 0;
    is_writing_ = access.is_write;
    ++in_direction_;
    bus_from_ = now_ + burst_;
    GroupOf(access) = now_ + burst_ * detail_.bursts_within_group;
    Bank& bank = BankOf(access);
    const double closing = access.is_write ? burst_ + detail_.write_to_precharge.value
                                           : detail_.read_to_precharge.value;
    bank.precharge_from = std::max(bank.precharge_from, now_ + closing);
    bank.activate_from = std::max(bank.activate_from, bank.precharge_from + hbm_.t_rp.value);
    Admit();
  }

  void Refresh() {
    double start = std::max(now_, next_refresh_);
    for (const Bank& bank : banks_) {
      start = std::max(start, bank.precharge_from);
    }
    now_ = start + (hbm_.t_rp + hbm_.t_rfc).value;
    for (Bank& bank : banks_) {
      bank.open_row = kClosed;
      bank.activate_from = now_;
    }
    bus_from_ = std::max(bus_from_, now_);
    next_refresh_ += hbm_.t_refi.value;
  }

  const HbmChannels& hbm_;
  const HbmDetail& detail_;
  std::span<const HbmAccess> arriving_;
  const double burst_;
  std::vector<Bank> banks_;
  std::vector<double> groups_;       // each free from then on
  std::vector<HbmAccess> queue_;     // oldest first
  std::array<double, 4> activates_;  // the last four
  size_t oldest_ = 0;                // of them
  double last_activate_ = -kNever;
  double bus_from_ = 0;  // data bus free from then on
  double next_refresh_;
  double now_ = 0;
  bool is_writing_ = false;
  int64_t in_direction_ = 0;  // bursts since the last turn
};

}  // namespace

Seconds RunHbmChannel(const HbmChannels& hbm, const HbmDetail& detail,
                      std::span<const HbmAccess> accesses) {
  return Channel(hbm, detail, accesses).Run();
}

}  // namespace tilewise
