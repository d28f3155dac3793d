// Runs of plain values that stay where they are while more are added.

#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace tilewise::tf {

template <typename T>
class Arena {
 public:
  // Moved only: a copy would leave others' spans in the values of the first.
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  // A copy of `values` that lives as long as the arena.
  std::span<const T> Add(const std::vector<T>& values) {
    if (values.empty()) return {};
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < values.size()) {
      chunks_.emplace_back().reserve(std::max(kChunk, values.size()));
    }
    std::vector<T>& chunk = chunks_.back();
    chunk.insert(chunk.end(), values.begin(), values.end());
    return std::span<const T>(chunk).last(values.size());
  }

 private:
  static constexpr size_t kChunk = 4096;
  std::vector<std::vector<T>> chunks_;
};

}  // namespace tilewise::tf
