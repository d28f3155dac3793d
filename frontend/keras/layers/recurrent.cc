// LSTM, GRU and SimpleRNN: one matmul of all time steps with the input
// kernel, then the recurrence. The recurrent bias of a GRU is added before the
// recurrence, and recurrent dropout is left out: neither changes what the MXU
// does. An initial state enters the gates of the first step; an LSTM's initial
// cell state is left out.

#include "library/recurrent.h"

#include <fmt/format.h>

#include "frontend/keras/layer_arguments.h"
#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

struct Cell {
  CellKind kind;
  int64_t gates;
};

Cell CellOf(std::string_view class_name) {
  if (class_name == "LSTM") return {CellKind::kLstm, 4};
  if (class_name == "GRU") return {CellKind::kGru, 3};
  return {CellKind::kSimpleRnn, 1};
}

OpId GateBias(LayerContext& ctx, const Cell& cell, int64_t width) {
  const bool twice = cell.kind == CellKind::kGru && ctx.config.Flag("reset_after", false);
  if (!twice) return ctx.Variable("bias", {width});
  return ctx.builder.Reduce(Reducer::kSum, ctx.Variable("bias", {2, width}), {0});
}

OpId BuildRecurrent(LayerContext& ctx) {
  if (!ctx.ExpectRank(ctx.input(), 3)) return kNoOp;
  const Cell cell = CellOf(ctx.layer.class_name);
  const int64_t units = ctx.config.Positive("units");
  const int64_t width = cell.gates * units;
  const bool reverse = ctx.config.Flag("go_backwards", false);
  const OpId x = Drop(ctx, ctx.input(), ctx.config.Number("dropout", 0), {1});
  const int64_t features = ctx.shape(x).dims[2].factor;
  RecurrentInputs inputs;
  inputs.x = x;
  inputs.input = ctx.Variable("kernel", {features, width});
  inputs.hidden = ctx.Variable("recurrent_kernel", {units, width});
  if (ctx.config.Flag("use_bias", true)) {
    inputs.bias = GateBias(ctx, cell, width);
  }
  if (ctx.inputs.size() > 1 && ctx.rank(ctx.inputs[1]) == 2) {
    inputs.h0 = ctx.inputs[1];
  }
  const OpId h = RecurrentLayer(ctx.builder, cell.kind, inputs, reverse);
  const OpId last = FinalState(ctx.builder, h, reverse);
  if (ctx.config.Flag("return_state", false)) {
    // A cell state has the shape of the hidden one, which stands for it.
    ctx.more_outputs.push_back(last);
    if (cell.kind == CellKind::kLstm) ctx.more_outputs.push_back(last);
  }
  if (!ctx.config.Flag("return_sequences", false)) return last;
  return reverse ? ctx.builder.Reverse(h, {1}) : h;
}

// A layer for each of the cells, which hand all their steps on; a single cell
// has become its layer before.
OpId BuildStacked(LayerContext& ctx) {
  const nlohmann::json* cell = ctx.config.Find("cell");
  const auto unknown = [&] {
    return ctx.Opaque(ctx.shape(ctx.input()), "has a cell that is not known");
  };
  if (cell == nullptr || !cell->is_object() || !cell->contains("config")) {
    return unknown();
  }
  const nlohmann::json& config = (*cell)["config"];
  if (!config.is_object() || !config.contains("cells") || !config["cells"].is_array() ||
      config["cells"].empty()) {
    return unknown();
  }
  OpId y = ctx.input();
  const nlohmann::json& cells = config["cells"];
  for (size_t i = 0; i < cells.size(); ++i) {
    KerasLayer layer;
    layer.class_name = "RNN";
    layer.name = ctx.layer.name;
    layer.location = ctx.layer.location;
    layer.config = ctx.layer.config;
    layer.config["cell"] = cells[i];
    if (i + 1 < cells.size()) layer.config["return_sequences"] = true;
    ModernizeLayer(layer.class_name, layer.config);
    if (layer.class_name == "RNN") return unknown();
    y = CallInner(layer, {y}, fmt::format("cell_{}_", i), ctx);
  }
  return y;
}

constexpr LayerEntry kRecurrentLayers[] = {
    {"LSTM|GRU|SimpleRNN", BuildRecurrent},
    {"RNN", BuildStacked},
    {"ConvLSTM1D|ConvLSTM2D|ConvLSTM3D", BuildConvLstm},
};

}  // namespace

std::span<const LayerEntry> RecurrentLayers() { return kRecurrentLayers; }

}  // namespace tilewise
