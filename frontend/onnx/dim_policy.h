// Which symbolic dims of a model are the batch, and what stands in for the
// others.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/onnx/model_view.h"
#include "graph/shape.h"

namespace tilewise::onnx {

class DimPolicy {
 public:
  // Chooses the batch from the inputs that are data: a dim named like a batch;
  // else the first named or unknown dim 0. With `batch` false none is the
  // batch.
  DimPolicy(const std::vector<const ValueInfoView*>& inputs, bool batch);

  bool has_batch() const { return has_batch_; }
  std::string batch_name() const { return batch_.empty() ? "?" : batch_; }

  // A dim of an input: `index` of `rank`. Dims that are not the batch get a
  // stand-in, the same for all dims of one name, and are listed.
  Dim Resolve(const DimView& dim, std::string_view input, size_t index, size_t rank);
  // The size that the file states for a dim of some value; nullopt when it
  // states a name that is not known, or nothing.
  std::optional<Dim> Stated(const DimView& dim, size_t index) const;
  // Lines such as "dim T of input x is taken as 128".
  const std::vector<std::string>& taken() const { return taken_; }

 private:
  bool IsBatch(const DimView& dim, size_t index) const;
  // Sums and products of names that are known: "past + 1".
  std::optional<Dim> Evaluate(std::string_view expression) const;

  bool has_batch_ = false;
  std::string batch_;  // empty: dims 0 without a name
  std::map<std::string, int64_t> sizes_;
  std::vector<std::string> taken_;
};

}  // namespace tilewise::onnx
