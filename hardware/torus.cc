// Deals the axes of the torus out to the axes of the mesh.

#include "hardware/torus.h"

#include <algorithm>
#include <numeric>

namespace tilewise {
namespace {

// A part of a torus axis that one mesh axis has.
struct Share {
  MeshAxis owner = MeshAxis::kData;
  int64_t length = 1;
};

struct SplitAxis {
  int64_t length = 1;
  int64_t left = 1;           // not dealt out yet
  std::vector<Share> shares;  // from the inside out
};

struct Placement {
  std::vector<SplitAxis> axes;
  std::vector<Share> on_chip;
  std::vector<Share> slices;
};

// An axis of just that length; else the longest that `wanted` takes whole; else
// the one that has most in common with it.
SplitAxis* BestAxis(std::vector<SplitAxis>& axes, int64_t wanted) {
  SplitAxis* best = nullptr;
  const auto rank = [&](const SplitAxis& axis) {
    if (axis.left == wanted) return int64_t{1} << 40;
    if (wanted % axis.left == 0) return (int64_t{1} << 20) + axis.left;
    return std::gcd(axis.left, wanted);
  };
  for (SplitAxis& axis : axes) {
    if (std::gcd(axis.left, wanted) < 2) continue;
    if (best == nullptr || rank(axis) > rank(*best)) best = &axis;
  }
  return best;
}

void Deal(MeshAxis owner, int64_t wanted, std::vector<SplitAxis>& axes) {
  while (wanted > 1) {
    SplitAxis* axis = BestAxis(axes, wanted);
    if (axis == nullptr) return;  // a core count that fills no chips
    const int64_t length = std::gcd(axis->left, wanted);
    axis->shares.push_back({owner, length});
    axis->left /= length;
    wanted /= length;
  }
}

// The axis of which `owner` has least.
SplitAxis* LeastTaken(std::vector<SplitAxis>& axes, MeshAxis owner, int64_t wanted) {
  SplitAxis* least = nullptr;
  const auto taken = [owner](const SplitAxis& axis) {
    const bool has = !axis.shares.empty() && axis.shares.back().owner == owner;
    return has ? axis.shares.back().length : 1;
  };
  for (SplitAxis& axis : axes) {
    if (std::gcd(axis.left, wanted) < 2) continue;
    if (least == nullptr || taken(axis) < taken(*least)) least = &axis;
  }
  return least;
}

int64_t SmallestFactor(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; ++factor) {
    if (number % factor == 0) return factor;
  }
  return number;
}

void DealBlock(MeshAxis owner, int64_t wanted, std::vector<SplitAxis>& axes) {
  while (wanted > 1) {
    SplitAxis* axis = LeastTaken(axes, owner, wanted);
    if (axis == nullptr) return;  // a core count that fills no chips
    const int64_t length = SmallestFactor(std::gcd(axis->left, wanted));
    if (axis->shares.empty() || axis->shares.back().owner != owner) {
      axis->shares.push_back({owner, 1});
    }
    axis->shares.back().length *= length;
    axis->left /= length;
    wanted /= length;
  }
}

Placement Place(const Target& target) {
  const Chip& chip = target.chip;
  int64_t on_chip = std::min(target.cores, chip.cores_per_chip);
  const int64_t slices = std::max<int64_t>(1, target.mesh.slices);
  const int64_t chips = (target.cores + on_chip - 1) / on_chip / slices;
  Placement placement;
  for (const int64_t length : TorusAxes(chips, chip)) {
    placement.axes.push_back({length, length, {}});
  }
  int64_t slices_left = slices;
  const int64_t data_slices = std::gcd(slices_left, target.extent(MeshAxis::kData));
  slices_left /= data_slices;
  const int64_t stage_slices = std::gcd(slices_left, target.extent(MeshAxis::kStage));
  slices_left /= stage_slices;
  for (const MeshAxis axis : {MeshAxis::kTensor, MeshAxis::kContext, MeshAxis::kExpert,
                              MeshAxis::kFsdp, MeshAxis::kStage, MeshAxis::kData}) {
    int64_t wanted = target.extent(axis);
    int64_t across = 1;
    if (axis == MeshAxis::kData) across = data_slices;
    if (axis == MeshAxis::kStage) across = stage_slices;
    if (axis == MeshAxis::kFsdp) across = std::gcd(slices_left, wanted);
    placement.slices.push_back({axis, across});
    wanted /= across;
    const int64_t inside = std::gcd(wanted, on_chip);
    placement.on_chip.push_back({axis, inside});
    on_chip /= inside;
    if (axis == MeshAxis::kExpert) {
      DealBlock(axis, wanted / inside, placement.axes);
    } else {
      Deal(axis, wanted / inside, placement.axes);
    }
  }
  return placement;
}

// An empty group is that of all cores.
bool Has(std::string_view group, MeshAxis axis) { return group.empty() || Covers(group, axis); }

// Shares of one axis that follow each other make one span.
void AddSpans(const SplitAxis& axis, size_t index, std::string_view group, const Chip& chip,
              std::vector<TorusSpan>& spans) {
  const bool closes = axis.length % chip.torus_wrap_chips == 0;
  int64_t stride = 1;
  bool extends = false;
  for (const Share& share : axis.shares) {
    if (!Has(group, share.owner)) {
      extends = false;
    } else if (extends) {
      spans.back().length *= share.length;
    } else {
      spans.push_back({share.length, stride, false, index});
      extends = true;
    }
    stride *= share.length;
    if (extends) {
      TorusSpan& span = spans.back();
      span.closed = closes && span.length * span.stride == axis.length;
    }
  }
}

int64_t Product(const std::vector<Share>& shares, std::string_view group) {
  int64_t product = 1;
  for (const Share& share : shares) {
    if (Has(group, share.owner)) product *= share.length;
  }
  return product;
}

int64_t Extent(const Target& target, std::string_view axis) {
  int64_t extent = 1;
  for (const MeshAxis each : kMeshAxes) {
    if (Has(axis, each)) extent *= target.extent(each);
  }
  return extent;
}

// `size` neighbours; the rest of the cores are in other such groups.
Target Neighbours(const Target& target, int64_t size) {
  Target alone = target;
  alone.mesh = {};
  if (size > target.cores || target.cores % size != 0) alone.cores = size;
  alone.mesh.tensor = size;
  return alone;
}

// The lengths are as equal as `chips` allows, the longest comes first, and none is 1.
std::vector<int64_t> EqualAxes(int64_t chips, int64_t dims) {
  std::vector<int64_t> axes;
  int64_t left = chips;
  for (int64_t dim = dims; dim > 0 && left > 1; --dim) {
    // The largest divisor whose power `dim` is at most what is left.
    int64_t length = 1;
    for (int64_t candidate = 1; candidate <= left; ++candidate) {
      double power = 1;
      for (int64_t i = 0; i < dim; ++i) power *= static_cast<double>(candidate);
      if (power > static_cast<double>(left)) break;
      if (left % candidate == 0) length = candidate;
    }
    if (dim == 1) length = left;
    if (length > 1) axes.push_back(length);
    left /= length;
  }
  std::sort(axes.rbegin(), axes.rend());
  return axes;
}

}  // namespace

std::vector<int64_t> TorusAxes(int64_t chips, const Chip& chip) {
  const int64_t dims = chip.torus_dims, ring = chip.torus_wrap_chips;
  int64_t block = 1;
  for (int64_t i = 0; i < dims && block <= chips; ++i) block *= ring;
  if (ring < 2 || chips % block != 0) return EqualAxes(chips, dims);
  std::vector<int64_t> axes = EqualAxes(chips / block, dims);
  axes.resize(dims, 1);
  for (int64_t& length : axes) length *= ring;
  return axes;
}

int64_t CoreGroup::chips() const {
  int64_t product = 1;
  for (const TorusSpan& span : spans) product *= span.length;
  return product;
}

double CoreGroup::links(const Chip& chip) const {
  double links = 0;
  for (const TorusSpan& span : spans) {
    links += (span.closed ? 2.0 : 1.0) / static_cast<double>(span.stride);
  }
  return std::min(links, static_cast<double>(chip.ici_links)) / static_cast<double>(groups_on_chip);
}

int64_t CoreGroup::hops() const {
  int64_t hops = 0;
  for (const TorusSpan& span : spans) {
    hops += (span.closed ? span.length / 2 : span.length - 1) * span.stride;
  }
  return hops;
}

CoreGroup FindGroup(const Target& target, std::string_view axis, int64_t size) {
  if (size != 0 && size != Extent(target, axis)) {
    return FindGroup(Neighbours(target, size), MeshAxisName(MeshAxis::kTensor));
  }
  const Placement placement = Place(target);
  CoreGroup group;
  group.cores_on_chip = Product(placement.on_chip, axis);
  group.groups_on_chip = Product(placement.on_chip, "") / group.cores_on_chip;
  group.slices = Product(placement.slices, axis);
  for (size_t i = 0; i < placement.axes.size(); ++i) {
    AddSpans(placement.axes[i], i, axis, target.chip, group.spans);
  }
  return group;
}

}  // namespace tilewise
