// By an attempt on a builder of its own.

#include "frontend/hlo/written.h"

#include <fmt/format.h>

#include "library/attempt.h"

namespace tilewise::hlo {

Operands Written(Translation& t, const Site& site, size_t operands, const Make& make) {
  Emitter& e = t.emit();
  const Operands given = site.arrays();
  if (given.size() != operands) {
    e.Fail(fmt::format("found {} operands, expected {}", given.size(), operands));
    return {};
  }
  if (!e.CheckRoom()) return {};
  Attempt attempt(e.builder(),
                  {t.Place(site.instruction), std::string(site.instruction.name), e.loop()});
  Operands taken;
  for (const OpId id : given) taken.push_back(attempt.StandIn(id));
  absl::StatusOr<Operands> results = attempt.Commit(make(attempt.builder(), taken));
  if (results.ok()) return *std::move(results);
  e.Fail(Message(results.status()));
  return {};
}

}  // namespace tilewise::hlo
