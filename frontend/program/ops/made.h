// What functions of several families share.

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend/program/op_table.h"
#include "library/broadcast.h"
#include "library/op_functions.h"

namespace tilewise::program {

// What a name stands for; nullptr: nothing.
template <typename T, size_t kSize>
const T* FindNamed(const std::array<std::pair<std::string_view, T>, kSize>& table,
                   std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const auto& entry) { return entry.first == name; });
  return at == table.end() ? nullptr : &at->second;
}

// The same for attribute `kind`; fails on an unknown one.
template <typename T, size_t kSize>
const T* OfKind(OpCall& call, const std::array<std::pair<std::string_view, T>, kSize>& table,
                std::string_view otherwise = {}) {
  const std::string_view kind = call.Text("kind", otherwise);
  const T* found = FindNamed(table, kind);
  if (found == nullptr) call.Fail(fmt::format("found kind '{}', which is not known", kind));
  return found;
}

// An attribute that is a list: of one number, too. Absent: nullopt.
inline std::optional<std::vector<int64_t>> ListOf(const OpCall& call, std::string_view name) {
  const onnx::AttributeView* attribute = call.Find(name);
  if (attribute == nullptr) return std::nullopt;
  if (attribute->type == onnx_format::AttributeProto::INT) {
    return std::vector<int64_t>{attribute->i};
  }
  return attribute->ints;
}

// Dims of `rank`, in their order, those counted from the end too.
inline std::vector<int64_t> OrderedDims(OpCall& call, std::vector<int64_t> dims, int64_t rank) {
  for (int64_t& dim : dims) dim = DimOf(call.builder(), dim, rank);
  return dims;
}

// The same of attribute `name`; none: none.
inline std::vector<int64_t> DimList(OpCall& call, std::string_view name, int64_t rank) {
  return OrderedDims(call, ListOf(call, name).value_or(std::vector<int64_t>()), rank);
}

// Attribute `dtype`, or `otherwise`; fails on an unknown one.
inline DType TypeOf(OpCall& call, DType otherwise) {
  const std::string_view name = call.Text("dtype", "");
  if (name.empty()) return otherwise;
  const std::optional<DType> dtype = ParseDType(name);
  if (!dtype) call.Fail(fmt::format("found type '{}', which is not known", name));
  return dtype.value_or(otherwise);
}

// Attribute `shape`; fails when a size is negative.
inline Shape ShapeAttr(OpCall& call, DType dtype) {
  const std::vector<int64_t> sizes = ListOf(call, "shape").value_or(std::vector<int64_t>());
  for (const int64_t size : sizes) {
    if (size < 0) call.Fail(fmt::format("found size {}, expected 0 or more", size));
  }
  return call.ok() ? Shape::Of(dtype, sizes) : Shape(dtype, {});
}

// Sizes as dims that do not depend on the batch.
inline std::vector<Dim> DimsOfSizes(const std::vector<int64_t>& sizes) {
  std::vector<Dim> dims;
  dims.reserve(sizes.size());
  for (const int64_t size : sizes) dims.push_back({size, false});
  return dims;
}

// One number for each dim: an attribute, or `otherwise` for all.
inline std::vector<int64_t> PerDim(OpCall& call, std::string_view name, int64_t rank,
                                   int64_t otherwise) {
  std::vector<int64_t> values = ListOf(call, name).value_or(std::vector<int64_t>());
  if (values.empty()) return std::vector<int64_t>(rank, otherwise);
  if (static_cast<int64_t>(values.size()) != rank) {
    call.Fail(
        fmt::format("found {} {}, expected one for each of {} dims", values.size(), name, rank));
    values.assign(rank, otherwise);
  }
  return values;
}

}  // namespace tilewise::program
