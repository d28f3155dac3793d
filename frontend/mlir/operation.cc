// See operation.h.

#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

const Attribute* Operation::Find(std::string_view attribute) const {
  for (const NamedAttribute& named : attributes) {
    if (named.first == attribute) return &named.second;
  }
  return nullptr;
}

const Attribute* Operation::FindAny(std::initializer_list<std::string_view> names) const {
  for (std::string_view wanted : names) {
    if (const Attribute* found = Find(wanted)) return found;
  }
  return nullptr;
}

std::string_view DialectOf(std::string_view operation) {
  const size_t dot = operation.find('.');
  return dot == std::string_view::npos ? "func" : operation.substr(0, dot);
}

std::string_view NameOf(std::string_view operation) {
  const size_t dot = operation.find('.');
  return dot == std::string_view::npos ? operation : operation.substr(dot + 1);
}

}  // namespace tilewise::mlir
