// Batch normalisation in one instruction.

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "frontend/hlo/written.h"
#include "library/normalizations.h"

namespace tilewise::hlo {
namespace {

// The results of `make` on the operands of a batch norm, in the types that the
// instruction states.
template <typename Make>
Operands Normed(Translation& t, const Site& site, size_t operands, const Make& make) {
  return Written(t, site, operands, [&](GraphBuilder& b, const Operands& x) {
    const int64_t feature = site.more().feature_index;
    if (feature < 0 || feature >= b.shape(x[0]).rank()) {
      b.Fail("found a feature dim that a batch norm does not have");
      return Operands{};
    }
    Operands made = make(b, x);
    for (size_t i = 0; i < made.size(); ++i) {
      const bool one = site.shape.elements.empty();
      made[i] = b.Convert(made[i], one ? site.shape.dtype : site.shape.elements[i].dtype);
    }
    return made;
  });
}

Value AllOf(const Site& site, const Operands& results) {
  if (results.size() != site.shape.elements.size()) return {};
  return Value::Tuple({results.begin(), results.end()});
}

}  // namespace

Value TranslateBatchNormTraining(Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  const auto make = [&](GraphBuilder& b, const Operands& x) -> Operands {
    const FeatureStatistics statistics = StatisticsOf(b, x[0], more.feature_index);
    return {BatchNormOf(b, x[0], {.scale = x[1], .offset = x[2]}, more.feature_index, more.epsilon,
                        /*training=*/true),
            statistics.mean, statistics.variance};
  };
  if (site.shape.elements.size() != 3) {
    t.emit().Fail("found a batch norm without a tuple of three results");
    return {};
  }
  return AllOf(site, Normed(t, site, 3, make));
}

Value TranslateBatchNormInference(Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  return FirstOf(Normed(t, site, 5, [&](GraphBuilder& b, const Operands& x) -> Operands {
    return {BatchNormOf(b, x[0], {x[1], x[2], x[3], x[4]}, more.feature_index, more.epsilon,
                        /*training=*/false)};
  }));
}

// Operands: x, scale, mean, variance, dy. Results: dx, dscale, doffset.
Value TranslateBatchNormGrad(Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  const auto make = [&](GraphBuilder& b, const Operands& x) -> Operands {
    const BatchNormGradients gradients =
        BatchNormGradientOf(b, x[0], x[4], {.scale = x[1], .mean = x[2], .variance = x[3]},
                            more.feature_index, more.epsilon, /*training=*/true);
    return {gradients.x, gradients.scale, gradients.offset};
  };
  if (site.shape.elements.size() != 3) {
    t.emit().Fail("found a batch norm without a tuple of three results");
    return {};
  }
  return AllOf(site, Normed(t, site, 5, make));
}

}  // namespace tilewise::hlo
