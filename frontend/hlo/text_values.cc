// Reads windows, dim labels, slices, paddings and groups of devices.

#include "frontend/hlo/text_values.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tilewise::hlo {
namespace {

// "3x3" or "0_1x0_1": `read` takes the numbers of dim `i`.
template <typename Read>
bool ReadByDim(TextCursor& cursor, std::vector<HloWindowDim>& window, Read read) {
  for (size_t i = 0;; ++i) {
    if (i == window.size()) window.emplace_back();
    if (!read(window[i])) return false;
    if (cursor.Peek() != 'x') return true;
    cursor.Take('x');
  }
}

bool ReadWindowPart(TextCursor& cursor, std::string_view key, std::vector<HloWindowDim>& window) {
  if (key == "pad") {
    return ReadByDim(cursor, window, [&](HloWindowDim& dim) {
      return cursor.Integer(dim.pad_low) && cursor.Expect('_') && cursor.Integer(dim.pad_high);
    });
  }
  if (key == "rhs_reversal") {
    return ReadByDim(cursor, window, [&](HloWindowDim& dim) {
      int64_t flag = 0;
      const bool read = cursor.Integer(flag);
      dim.reversal = flag != 0;
      return read;
    });
  }
  int64_t HloWindowDim::*field = nullptr;
  if (key == "size") field = &HloWindowDim::size;
  if (key == "stride") field = &HloWindowDim::stride;
  if (key == "lhs_dilate") field = &HloWindowDim::base_dilation;
  if (key == "rhs_dilate") field = &HloWindowDim::window_dilation;
  if (field == nullptr) {
    cursor.SkipValue();
    return cursor.ok();
  }
  return ReadByDim(cursor, window, [&](HloWindowDim& dim) { return cursor.Integer(dim.*field); });
}

// A LabelSet says where the dims of one array of a convolution are: `first` and
// `second` are the letters of its two dims that are not spatial.
struct LabelSet {
  char first, second;
  int64_t* first_dim;
  int64_t* second_dim;
  std::vector<int64_t>* spatial;
};

bool ReadLabelSet(TextCursor& cursor, const LabelSet& set) {
  std::array<int64_t, 10> places;
  places.fill(-1);
  *set.first_dim = *set.second_dim = -1;
  size_t spatial = 0;
  for (int64_t dim = 0;; ++dim) {
    const char c = cursor.Peek();
    if (c == set.first) {
      *set.first_dim = dim;
    } else if (c == set.second) {
      *set.second_dim = dim;
    } else if (c >= '0' && c <= '9') {
      places[c - '0'] = dim;
      ++spatial;
    } else if (c != '?') {
      break;
    }
    cursor.Take(c);
  }
  bool whole = *set.first_dim >= 0 && *set.second_dim >= 0;
  set.spatial->clear();
  for (size_t i = 0; i < spatial && i < places.size(); ++i) {
    whole = whole && places[i] >= 0;
    set.spatial->push_back(places[i]);
  }
  return whole ||
         cursor.FailExpected(fmt::format("dim labels with {}, {} and digits from 0 on, each once",
                                         set.first, set.second));
}

bool ReadIotaGroups(TextCursor& cursor, InstructionExtras& extras) {
  cursor.Take('[');
  std::vector<int64_t> dims;
  while (cursor.PeekSign() != ']') {
    if (!dims.empty() && !cursor.Expect(',')) return false;
    if (!cursor.Integer(dims.emplace_back())) return false;
  }
  cursor.Take(']');
  if (dims.size() == 2) {
    extras.devices->group_count = dims[0];
    extras.devices->group_size = dims[1];
  }
  cursor.SkipValue();
  return cursor.ok();
}

}  // namespace

bool ReadWindow(TextCursor& cursor, InstructionExtras& extras) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    const std::string_view key = cursor.ExpectName("a part of a window");
    if (!cursor.ok() || !cursor.Expect('=')) return false;
    cursor.SkipSpace();
    if (!ReadWindowPart(cursor, key, extras.window)) return false;
    cursor.Take(',');
  }
  return cursor.Expect('}');
}

bool ReadDimLabels(TextCursor& cursor, InstructionExtras& extras) {
  ConvDims& dims = *extras.conv;
  cursor.SkipSpace();
  return ReadLabelSet(cursor,
                      {'b', 'f', &dims.input_batch, &dims.input_feature, &dims.input_spatial}) &&
         cursor.Expect('_') &&
         ReadLabelSet(cursor,
                      {'i', 'o', &dims.kernel_in, &dims.kernel_out, &dims.kernel_spatial}) &&
         cursor.Expect('-') && cursor.Expect('>') &&
         ReadLabelSet(cursor,
                      {'b', 'f', &dims.output_batch, &dims.output_feature, &dims.output_spatial});
}

bool ReadSlice(TextCursor& cursor, InstructionExtras& extras) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    int64_t stride = 1;
    if (!extras.slice->starts.empty() && !cursor.Expect(',')) return false;
    if (!cursor.Expect('[') || !cursor.Integer(extras.slice->starts.emplace_back()) ||
        !cursor.Expect(':') || !cursor.Integer(extras.slice->limits.emplace_back())) {
      return false;
    }
    if (cursor.Take(':') && !cursor.Integer(stride)) return false;
    extras.slice->strides.push_back(stride);
    if (!cursor.Expect(']')) return false;
  }
  return cursor.Expect('}');
}

bool ReadPadding(TextCursor& cursor, InstructionExtras& extras) {
  do {
    int64_t interior = 0;
    if (!cursor.Integer(extras.pad->low.emplace_back()) || !cursor.Expect('_') ||
        !cursor.Integer(extras.pad->high.emplace_back())) {
      return false;
    }
    if (cursor.Take('_') && !cursor.Integer(interior)) return false;
    extras.pad->interior.push_back(interior);
  } while (cursor.Peek() == 'x' && cursor.Take('x'));
  return cursor.ok();
}

bool ReadReplicaGroups(TextCursor& cursor, InstructionExtras& extras) {
  if (cursor.PeekSign() == '[') return ReadIotaGroups(cursor, extras);
  if (cursor.Peek() != '{') {
    cursor.SkipValue();
    return cursor.ok();
  }
  cursor.Take('{');
  while (cursor.PeekSign() != '}') {
    if (!extras.devices->groups.empty() && !cursor.Expect(',')) return false;
    if (!cursor.IntegerList(extras.devices->groups.emplace_back())) return false;
  }
  extras.devices->group_count = static_cast<int64_t>(extras.devices->groups.size());
  if (!extras.devices->groups.empty()) {
    extras.devices->group_size = static_cast<int64_t>(extras.devices->groups.front().size());
  }
  return cursor.Expect('}');
}

bool ReadSourceTargetPairs(TextCursor& cursor, InstructionExtras& extras) {
  auto& pairs = extras.devices->source_target;
  if (!cursor.Expect('{')) return false;
  std::vector<int64_t> pair;
  while (cursor.PeekSign() != '}') {
    if (!pairs.empty() && !cursor.Expect(',')) return false;
    if (!cursor.IntegerList(pair)) return false;
    if (pair.size() != 2) {
      return cursor.Fail(
          fmt::format("found {} devices, expected a source and a target", pair.size()));
    }
    pairs.emplace_back(pair[0], pair[1]);
  }
  return cursor.Expect('}');
}

bool ReadPrecision(TextCursor& cursor, InstructionExtras& extras) {
  using Precision = InstructionExtras::Precision;
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    const std::string_view word = cursor.ExpectName("a precision");
    if (!cursor.ok()) return false;
    Precision precision = Precision::kDefault;
    if (word == "high") precision = Precision::kHigh;
    if (word == "highest") precision = Precision::kHighest;
    extras.precision = std::max(extras.precision, precision);
    cursor.Take(',');
  }
  return cursor.Expect('}');
}

}  // namespace tilewise::hlo
