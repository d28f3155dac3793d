// Windows count tiles; a dim's windows are its tiles over those of one window,
// rounded up.

#include "accuracy/stated_windows.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"
#include "sim/lowering/tile_selection/even_tiles.h"

namespace tilewise {
namespace {

constexpr int64_t kMostTiles = int64_t{1} << 40;

absl::StatusOr<std::vector<int64_t>> ParseList(std::string_view text) {
  std::vector<int64_t> numbers;
  while (!text.empty()) {
    int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || number < 1 || number > kMostTiles) {
      return InvalidInput(fmt::format("found \"{}\", expected numbers of tiles", text));
    }
    numbers.push_back(number);
    text.remove_prefix(stop - text.data());
    if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  }
  return numbers;
}

// Tiles along each dim, most major in memory first.
std::vector<int64_t> TilesOf(const Shape& shape, const Layout& layout) {
  std::vector<int64_t> tiles;
  const std::vector<int64_t>& order = layout.minor_to_major;
  tiles.reserve(order.size());
  for (size_t i = order.size(); i-- > 0;) {
    const int64_t size = shape.size(order[i]);
    const int64_t tile = i == 0 ? layout.tile_lanes : i == 1 ? layout.tile_sublanes : 1;
    tiles.push_back(CeilDiv(size, tile));
  }
  return tiles;
}

absl::Status WrongRank(const std::vector<int64_t>& window, const Shape& shape) {
  return InvalidInput(fmt::format("found a window of {{{}}} tiles, expected {} dims as in {}",
                                  fmt::join(window, ","), shape.rank(), FormatShape(shape)));
}

struct WindowCount {
  int64_t steps = 1;
  double waste = 1;  // of the last windows, over the whole
};

// The shape whose windows are stated: the result, or what it is reduced from.
absl::StatusOr<WindowCount> CountWindows(const std::vector<int64_t>& window, const Kernel& kernel,
                                         const Program& program) {
  std::vector<OpId> candidates = kernel.outputs;
  candidates.insert(candidates.end(), kernel.ops.rbegin(), kernel.ops.rend());
  candidates.insert(candidates.end(), kernel.inputs.begin(), kernel.inputs.end());
  for (const OpId id : candidates) {
    const Op& op = program.graph.op(id);
    if (op.shape.rank() != static_cast<int64_t>(window.size())) continue;
    const std::vector<int64_t> tiles = TilesOf(op.shape, program.layouts[id]);
    WindowCount count;
    for (size_t i = 0; i < tiles.size(); ++i) {
      const int64_t steps = CeilDiv(tiles[i], window[i]);
      count.steps *= steps;
      count.waste *= static_cast<double>(steps * window[i]) /
                     static_cast<double>(std::max(tiles[i], window[i]));
    }
    return count;
  }
  return WrongRank(window, program.graph.op(kernel.root).shape);
}

// The layout that the dump states, or the standard order and tile.
Layout LayoutOf(const Workload& workload, const Op& op) {
  Layout layout;
  for (int64_t dim = op.shape.rank() - 1; dim >= 0; --dim) {
    layout.minor_to_major.push_back(dim);
  }
  if (!workload.compilation) return layout;
  const size_t i = op.id;
  if (i >= workload.compilation->layouts.size()) return layout;
  const std::optional<PhysicalLayout>& stated = workload.compilation->layouts[i];
  if (!stated || stated->minor_to_major.size() != layout.minor_to_major.size()) {
    return layout;
  }
  layout.minor_to_major = stated->minor_to_major;
  if (!stated->tiles.empty() && stated->tiles[0].size() == 2) {
    layout.tile_sublanes = std::max<int64_t>(1, stated->tiles[0][0]);
    layout.tile_lanes = std::max<int64_t>(1, stated->tiles[0][1]);
  } else if (!stated->tiles.empty() && stated->tiles[0].size() == 1) {
    layout.tile_sublanes = 1;  // of few rows, each with lanes of its own
  }
  return layout;
}

// Windows along the logical dims `from` to `to` of `op`.
absl::StatusOr<int64_t> CutsAlong(const std::vector<int64_t>& window, const Workload& workload,
                                  const Op& op, const std::vector<int64_t>& dims) {
  const Layout layout = LayoutOf(workload, op);
  if (window.size() != layout.minor_to_major.size()) {
    return WrongRank(window, op.shape);
  }
  const std::vector<int64_t> tiles = TilesOf(op.shape, layout);
  int64_t cuts = 1;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const int64_t dim = layout.minor_to_major[tiles.size() - 1 - i];
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) continue;
    cuts *= CeilDiv(tiles[i], window[i]);
  }
  return cuts;
}

const Op* OnlyDot(const Graph& graph) {
  const Op* dot = nullptr;
  for (const Op& op : graph.ops()) {
    if (ClassOf(op.kind) != OpClass::kMxu) continue;
    if (dot != nullptr || op.kind != OpKind::kDot) return nullptr;
    dot = &op;
  }
  return dot;
}

std::vector<int64_t> Range(int64_t begin, int64_t end) {
  std::vector<int64_t> dims;
  for (int64_t dim = begin; dim < end; ++dim) dims.push_back(dim);
  return dims;
}

}  // namespace

absl::StatusOr<StatedWindows> ParseStatedWindows(std::string_view text) {
  struct Field {
    std::string_view name;
    std::vector<int64_t> StatedWindows::*list;
  };
  constexpr Field kFields[] = {{"kernel", &StatedWindows::kernel},
                               {"output", &StatedWindows::output},
                               {"input", &StatedWindows::input},
                               {"iteration", &StatedWindows::iteration}};
  StatedWindows windows;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const size_t equals = word.find('=');
    const auto* field =
        std::find_if(std::begin(kFields), std::end(kFields),
                     [&](const Field& known) { return known.name == word.substr(0, equals); });
    if (equals == std::string_view::npos || field == std::end(kFields)) {
      return InvalidInput(
          fmt::format("found \"{}\", expected kernel=, output=, input= or iteration= and "
                      "numbers of tiles",
                      word));
    }
    TW_ASSIGN_OR_RETURN(windows.*(field->list), ParseList(word.substr(equals + 1)));
  }
  return windows;
}

absl::StatusOr<std::optional<MatmulCuts>> CutsOf(const StatedWindows& windows,
                                                 const Workload& workload) {
  if (!workload.graph || windows.output.empty()) return std::nullopt;
  const Op* dot = OnlyDot(*workload.graph);
  if (dot == nullptr || !dot->shape.is_static()) return std::nullopt;
  const DotDims& dims = dot->as<DotAttrs>();
  const Op& lhs = workload.graph->operand(*dot, 0);
  const Op& rhs = workload.graph->operand(*dot, 1);
  const auto batch = static_cast<int64_t>(dims.lhs_batch.size());
  const int64_t free = lhs.shape.rank() - batch - static_cast<int64_t>(dims.lhs_contract.size());
  // Tried out one by one: the MXU's usual share of its peak, which has the cost
  // of the windows that a compiler would choose in it, says nothing of them.
  MatmulCuts cuts{.hand_written = true};
  TW_ASSIGN_OR_RETURN(cuts.m,
                      CutsAlong(windows.output, workload, *dot, Range(batch, batch + free)));
  TW_ASSIGN_OR_RETURN(
      cuts.n, CutsAlong(windows.output, workload, *dot, Range(batch + free, dot->shape.rank())));
  if (!windows.kernel.empty()) {
    TW_ASSIGN_OR_RETURN(cuts.k, CutsAlong(windows.kernel, workload, rhs, dims.rhs_contract));
  }
  return cuts;
}

absl::Status SetStatedWindows(const StatedWindows& windows, const Chip& chip, Program& program) {
  const auto largest = std::max_element(
      program.kernels.begin(), program.kernels.end(), [](const Kernel& a, const Kernel& b) {
        return a.hbm_read + a.hbm_write < b.hbm_read + b.hbm_write;
      });
  if (windows.output.empty() || largest == program.kernels.end() ||
      largest->kind == KernelKind::kMatrix) {
    return absl::OkStatus();
  }
  Kernel& kernel = *largest;
  TW_ASSIGN_OR_RETURN(const WindowCount count, CountWindows(windows.output, kernel, program));
  kernel.vector.alu *= count.waste;
  kernel.vector.transcendental *= count.waste;
  kernel.vector.cross_lane *= count.waste;
  kernel.vector.loads *= count.waste;
  kernel.vector.stores *= count.waste;
  const Bytes moved = kernel.hbm_read + kernel.hbm_write;
  SetSteps(kernel, count.steps, {CeilDiv(moved.value, count.steps)}, chip);
  return absl::OkStatus();
}

}  // namespace tilewise
