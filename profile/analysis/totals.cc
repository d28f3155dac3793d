// Events of a line nest: the time of an op is what is left of it without the
// ops within it.

#include "profile/analysis/totals.h"

#include <algorithm>

namespace tilewise {
namespace {

// Calls `take(event, begin, end)` for each piece of time that an event is the
// innermost one of its line, and `whole(event)` once for each event.
template <class Take, class Whole>
void ForEachPiece(const ProfileLine& line, Take take, Whole whole) {
  std::vector<const ProfileEvent*> open;
  Picoseconds at = 0;
  const auto close_until = [&](Picoseconds time) {
    while (!open.empty() && open.back()->end() <= time) {
      take(*open.back(), at, open.back()->end());
      at = std::max(at, open.back()->end());
      open.pop_back();
    }
  };
  for (const ProfileEvent& event : line.events) {
    close_until(event.start);
    if (!open.empty()) take(*open.back(), at, event.start);
    at = event.start;
    // Events that overlap without nesting end the one before them.
    while (!open.empty() && open.back()->end() < event.end()) open.pop_back();
    open.push_back(&event);
    whole(event);
  }
  while (!open.empty()) {
    take(*open.back(), at, open.back()->end());
    at = std::max(at, open.back()->end());
    open.pop_back();
  }
}

class TotalsBuilder {
 public:
  TotalsBuilder(const Profile& profile, const TimeSpans& windows)
      : profile_(profile),
        begin_(windows.empty() ? 0 : windows.front().begin),
        end_(windows.empty() ? 0 : windows.back().end),
        ops_(profile.ops.size()),
        host_(profile.ops.size()) {
    for (size_t i = 0; i < profile.ops.size(); ++i) {
      ops_[i] = {.op = static_cast<uint32_t>(i), .kind = ClassOf(profile.ops[i])};
      host_[i] = {.op = static_cast<uint32_t>(i), .kind = HostClassOf(profile.ops[i])};
    }
  }

  ProfileTotals Build() {
    for (size_t i = 0; i < profile_.planes.size(); ++i) {
      const ProfilePlane& plane = profile_.planes[i];
      if (plane.kind == PlaneKind::kDevice) AddDevice(i, plane);
      if (plane.kind == PlaneKind::kHost) AddHost(plane);
    }
    for (TimeSpans* set : {&made_.input, &made_.compile, &made_.transfer}) Normalize(*set);
    Keep(ops_, made_.ops);
    Keep(host_, made_.host);
    return std::move(made_);
  }

 private:
  template <class Total>
  static void Keep(const std::vector<Total>& all, std::vector<Total>& kept) {
    for (const Total& total : all) {
      if (total.count > 0) kept.push_back(total);
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Total& a, const Total& b) { return a.self > b.self; });
  }

  void AddOps(const ProfileLine& line, DeviceTime& device) {
    ForEachPiece(
        line,
        [&](const ProfileEvent& event, Picoseconds begin, Picoseconds end) {
          if (end <= begin) return;
          OpTotal& total = ops_[event.op];
          total.self += end - begin;
          Append(begin, end, device.busy[static_cast<int>(total.kind)]);
        },
        [&](const ProfileEvent& event) {
          OpTotal& total = ops_[event.op];
          ++total.count;
          total.whole += event.duration;
          if (total.kind == ProfileOpClass::kContainer || event.start < begin_ ||
              event.start >= end_)
            return;
          device.flops += profile_.OpOf(event).flops;
          device.bytes += profile_.OpOf(event).bytes;
        });
  }

  void AddDevice(size_t index, const ProfilePlane& plane) {
    DeviceTime device{.plane = index};
    bool has_ops = false;
    for (const ProfileLine& line : plane.lines) {
      if (line.kind == LineKind::kOps) {
        AddOps(line, device);
        has_ops = true;
      }
      for (const ProfileEvent& event : line.events) {
        if (line.kind == LineKind::kAsync) {
          const auto kind = static_cast<int>(ClassOf(profile_.OpOf(event)));
          device.asynchronous[kind].push_back({event.start, event.end()});
        } else if (line.kind == LineKind::kWaits &&
                   profile_.OpOf(event).name.starts_with("barrier")) {
          device.barriers.push_back({event.start, event.end()});
        }
      }
    }
    if (!has_ops) return;
    for (TimeSpans& set : device.busy) Normalize(set);
    for (TimeSpans& set : device.asynchronous) Normalize(set);
    Normalize(device.barriers);
    made_.devices.push_back(std::move(device));
  }

  void AddHost(const ProfilePlane& plane) {
    for (const ProfileLine& line : plane.lines) {
      ForEachPiece(
          line,
          [&](const ProfileEvent& event, Picoseconds begin, Picoseconds end) {
            if (end > begin) host_[event.op].self += end - begin;
          },
          [&](const ProfileEvent& event) {
            HostTotal& total = host_[event.op];
            ++total.count;
            TimeSpans* const set = total.kind == HostClass::kInput      ? &made_.input
                                   : total.kind == HostClass::kCompile  ? &made_.compile
                                   : total.kind == HostClass::kTransfer ? &made_.transfer
                                                                        : nullptr;
            if (set != nullptr) set->push_back({event.start, event.end()});
          });
    }
  }

  const Profile& profile_;
  const Picoseconds begin_, end_;
  std::vector<OpTotal> ops_;
  std::vector<HostTotal> host_;
  ProfileTotals made_;
};

}  // namespace

ProfileTotals TotalsOf(const Profile& profile, const TimeSpans& windows) {
  return TotalsBuilder(profile, windows).Build();
}

}  // namespace tilewise
