// The kernels and layouts of a compiled module.

#include <algorithm>
#include <utility>

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

void Translation::RecordFree() {
  compilation_->kernel_of.resize(emit_.size(), -1);
  compilation_->layouts.resize(emit_.size());
}

void Translation::RecordKernel(const Site& site, int32_t kernel, const Value& value) {
  const size_t made = emit_.size();
  // Ops of a callee that runs kernels of its own have been recorded by then.
  if (fused_ == 0) {
    compilation_->kernel_of.resize(made, kernel);
    compilation_->layouts.resize(made);
  }
  if (compilation_->layouts.size() < made) compilation_->layouts.resize(made);
  RecordLayouts(value, site.shape);
}

void Translation::RecordLayouts(const Value& value, const HloShape& shape) {
  for (size_t i = 0; i < std::min(shape.elements.size(), value.elements().size()); ++i) {
    RecordLayouts(value.elements()[i], shape.elements[i]);
  }
  if (!value.is_op() || !shape.layout) return;
  std::optional<PhysicalLayout>& layout = compilation_->layouts[value.op()];
  if (layout) return;
  layout =
      PhysicalLayout{shape.layout->minor_to_major, shape.layout->tiles, shape.layout->memory_space};
}

std::optional<Compilation> Translation::TakeCompilation() {
  if (compilation_) RecordFree();
  return std::move(compilation_);
}

}  // namespace tilewise::hlo
