// Time of the exchanges between the cores of a target.

#pragma once

#include <cstdint>
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

// Time of one exchange on the interconnect, of the chip's cores among
// themselves and of the data centre's network between slices; without the fixed
// overhead of a collective. `bytes`: the value where it is whole; all-to-all
// and collective-permute: what each core holds.
Seconds ExchangeTime(OpKind exchange, Bytes bytes, const CoreGroup& group,
                     const Chip& chip);

// The same for an all-reduce over all of `cores`.
Seconds AllReduceTime(Bytes bytes, int64_t cores, const Chip& chip);

// Times collectives on one target; remembers where the mesh axes lie.
class Interconnect {
 public:
  explicit Interconnect(const Target& target);

  // All of a span but its start.
  KernelSpan Time(const Kernel& kernel) const;

 private:
  CoreGroup GroupOf(const Kernel& kernel) const;

  struct NamedGroup {
    std::string axis;
    CoreGroup group;
  };
  const Target& target_;
  std::vector<NamedGroup> groups_;
};

}  // namespace tilewise
