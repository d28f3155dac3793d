// Time of the collectives between the cores of a target.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "graph/op.h"
#include "hardware/target.h"
#include "hardware/torus.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// Time of one collective on the interconnect, of the chip's cores among
// themselves and of the data centre's network between slices; without the fixed
// overhead of a collective. `bytes`: the value where it is whole; all-to-all
// and collective-permute: what each core holds.
Seconds CollectiveTime(OpKind collective, Bytes bytes, const CoreGroup& group, const Chip& chip);

// The same for an all-reduce over all of `cores`.
Seconds AllReduceTime(Bytes bytes, int64_t cores, const Chip& chip);

// Times collectives on one target: remembers where the mesh axes lie, and from
// when on the axes of the torus, the link through the chips' HBM and the
// network between slices are free. Collectives that share none of them run side
// by side.
class Interconnect {
 public:
  explicit Interconnect(const Target& target);

  // Returns all of a span but its start.
  KernelSpan Time(const Kernel& kernel) const;

  // Returns when all that a collective goes over is free.
  Seconds FreeFor(const Kernel& kernel) const;
  void Hold(const Kernel& kernel, Seconds until);
  // Whether two collectives go over something in common.
  bool Share(const Kernel& one, const Kernel& other) const;
  Seconds all_free() const { return all_free_; }

 private:
  struct NamedGroup {
    std::string axis;
    CoreGroup group;
    std::vector<size_t> links;  // in free_
  };
  void Add(std::string_view axis);
  // The group that a mesh axis makes of as many cores; null for none such.
  const NamedGroup* Find(const Kernel& kernel) const;
  // A group that is not known goes over all.
  std::span<const size_t> LinksOf(const Kernel& kernel) const;

  const Target& target_;
  std::vector<NamedGroup> groups_;
  std::vector<Seconds> free_;  // HBM, network, then the axes of the torus
  std::vector<size_t> all_links_;
  Seconds all_free_;
};

}  // namespace tilewise
