// How many elements pass a stage per global batch, and how large they are.

#pragma once

#include <cstdint>

#include "base/units.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// Walks a pipeline from its source; Pass() moves on over a stage.
class ItemFlow {
 public:
  ItemFlow(const Pipeline& pipeline, int64_t global_batch, Bytes bytes_per_example);

  double examples() const { return global_batch_; }
  double elements() const { return elements_; }  // per global batch
  double bytes() const { return bytes_; }        // of one element
  double total_bytes() const { return elements_ * bytes_; }
  // Bytes of one element after `stage`.
  double bytes_after(const Stage& stage) const;
  void Pass(const Stage& stage);

 private:
  double elements_after(const Stage& stage) const;

  double global_batch_;
  double elements_;
  double bytes_;
  // Growth that the maps of unknown growth must make up for together; the
  // first of them is taken to do it.
  double unexplained_growth_ = 1;
};

}  // namespace tilewise
