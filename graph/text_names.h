// Words that the graph text writes and reads: enumerators and plain names.

#pragma once

#include <array>
#include <cctype>
#include <string_view>

#include "graph/op.h"

namespace tilewise {

// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 8> kReducerNames = {"sum", "max", "min", "product",
                                                                  "and", "or",  "xor", "other"};
inline constexpr std::array<std::string_view, 6> kComparisonNames = {"eq", "ne", "lt",
                                                                     "le", "gt", "ge"};
inline constexpr std::array<std::string_view, 3> kCellNames = {"simple_rnn", "lstm", "gru"};
constexpr const auto& NamesOf(Reducer) { return kReducerNames; }
constexpr const auto& NamesOf(Comparison) { return kComparisonNames; }
constexpr const auto& NamesOf(CellKind) { return kCellNames; }
inline constexpr std::array<std::string_view, 4> kPhaseNames = {"forward", "loss", "backward",
                                                                "update"};
inline constexpr std::array<std::string_view, 4> kRoleNames = {"result", "tile", "loss", "state"};

// Stands without quotes in the text.
inline bool IsNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
         c == '/' || c == ':' || c == '+';
}

}  // namespace tilewise
