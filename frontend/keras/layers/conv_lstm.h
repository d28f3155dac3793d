// ConvLSTM1D, ConvLSTM2D and ConvLSTM3D.

#pragma once

#include "frontend/keras/layer_context.h"

namespace tilewise {

OpId BuildConvLstm(LayerContext& ctx);

}  // namespace tilewise
