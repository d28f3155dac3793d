// Collectives over the links that their groups of cores have, all at nameplate rates.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hardware/torus.h"
#include "sim/lowering/program.h"

namespace tilewise {

class Links {
 public:
  explicit Links(const Target& target) : target_(target) {}

  Seconds Time(const Kernel& kernel);
  // Adds a collective that runs `times` times. Those over one axis of the torus follow each other,
  // those over others run beside them.
  void Add(const Kernel& kernel, double times = 1);
  Seconds busiest() const;

 private:
  const CoreGroup& GroupOf(const Kernel& kernel);

  const Target& target_;
  std::map<std::pair<std::string, int64_t>, CoreGroup> groups_;
  std::vector<Seconds> busy_;  // by axis of the torus
};

}  // namespace tilewise
