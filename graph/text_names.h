// Words that the graph text writes and reads: enumerators and plain names.

#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/op.h"

namespace tilewise {

// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 8> kReducerNames = {"sum", "max", "min", "product",
                                                                  "and", "or",  "xor", "other"};
inline constexpr std::array<std::string_view, 6> kComparisonNames = {"eq", "ne", "lt",
                                                                     "le", "gt", "ge"};
inline constexpr std::array<std::string_view, 3> kCellNames = {"simple_rnn", "lstm", "gru"};
inline constexpr std::array<std::string_view, 4> kPhaseNames = {"forward", "loss", "backward",
                                                                "update"};
inline constexpr std::array<std::string_view, 4> kRoleNames = {"result", "tile", "loss", "state"};

// Stands without quotes in the text.
inline bool IsNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
         c == '/' || c == ':' || c == '+';
}

// Integer vectors of Attributes by name, in the order they print.
struct DimsField {
  std::string_view name;
  std::vector<int64_t> Attributes::*field;
};
inline constexpr std::array<DimsField, 7> kDimsFields = {{
    {"dims", &Attributes::dims},
    {"starts", &Attributes::starts},
    {"limits", &Attributes::limits},
    {"strides", &Attributes::strides},
    {"pad_low", &Attributes::pad_low},
    {"pad_high", &Attributes::pad_high},
    {"pad_interior", &Attributes::pad_interior},
}};
struct DotField {
  std::string_view name;
  std::vector<int64_t> DotDims::*field;
};
inline constexpr std::array<DotField, 4> kDotFields = {{
    {"lhs_batch", &DotDims::lhs_batch},
    {"rhs_batch", &DotDims::rhs_batch},
    {"lhs_contract", &DotDims::lhs_contract},
    {"rhs_contract", &DotDims::rhs_contract},
}};
struct GatherField {
  std::string_view name;
  std::vector<int64_t> GatherDims::*field;
};
inline constexpr std::array<GatherField, 6> kGatherFields = {{
    {"offset_dims", &GatherDims::offset_dims},
    {"collapsed_dims", &GatherDims::collapsed_dims},
    {"start_dims", &GatherDims::start_dims},
    {"operand_batch", &GatherDims::operand_batch},
    {"indices_batch", &GatherDims::indices_batch},
    {"slice_sizes", &GatherDims::slice_sizes},
}};
struct FlagField {
  std::string_view name;
  bool Attributes::*field;
};
inline constexpr std::array<FlagField, 10> kFlagFields = {{
    {"channels_first", &Attributes::channels_first},
    {"reverse_time", &Attributes::reverse_time},
    {"approximate", &Attributes::approximate},
    {"trainable", &Attributes::trainable},
    {"causal", &Attributes::causal},
    {"flash", &Attributes::flash},
    {"descending", &Attributes::descending},
    {"reverse", &Attributes::reverse},
    {"assign", &Attributes::assign},
    {"wide", &Attributes::wide},
}};
struct IntegerField {
  std::string_view name;
  int64_t Attributes::*field;
};
inline constexpr std::array<IntegerField, 7> kIntegerFields = {{
    {"groups", &Attributes::groups},
    {"precision_passes", &Attributes::precision_passes},
    {"k", &Attributes::k},
    {"sliding_window", &Attributes::sliding_window},
    {"result", &Attributes::result},
    {"group_size", &Attributes::group_size},
    {"shift", &Attributes::shift},
}};
struct RealField {
  std::string_view name;
  double Attributes::*field;
};
inline constexpr std::array<RealField, 4> kRealFields = {{
    {"value", &Attributes::value},
    {"epsilon", &Attributes::epsilon},
    {"scale", &Attributes::scale},
    {"momentum", &Attributes::momentum},
}};
struct TextField {
  std::string_view name;
  std::string Attributes::*field;
};
inline constexpr std::array<TextField, 2> kTextFields = {{
    {"label", &Attributes::label},
    {"axis", &Attributes::axis},
}};

}  // namespace tilewise
