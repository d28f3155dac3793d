// How many elements pass a stage per global batch, and how large they are. In front of a shard()
// there are more of them: it drops those of the other parts.

#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// Walks a pipeline from its source; Pass() moves on over a stage.
class ItemFlow {
 public:
  ItemFlow(const Pipeline& pipeline, int64_t global_batch, Bytes bytes_per_example);

  double examples() const { return global_batch_ * dropped_; }
  double elements() const { return elements_ * dropped_; }  // per global batch
  double bytes() const { return bytes_; }                   // of one element
  double total_bytes() const { return elements() * bytes_; }
  // Bytes of one element after `stage`.
  double bytes_after(const Stage& stage) const;
  void Pass(const Stage& stage);  // one of the pipeline's

 private:
  double elements_after(const Stage& stage) const;

  const Pipeline& pipeline_;
  double global_batch_;
  double elements_;     // of those that get to the end
  double dropped_ = 1;  // elements made for one that the shards further on keep
  double bytes_;
  // Growth that the maps of unknown growth must make up for together; the first of them that
  // decodes is taken to do it, or the first of all.
  double unexplained_growth_ = 1;
  const Stage* grows_ = nullptr;
};

// Bytes of all that the source reads; nothing: not known.
std::optional<double> BytesOfSource(const Pipeline& pipeline);

}  // namespace tilewise
