// Small ONNX models written as lines, for tests:
//
//   opset 13 [com.microsoft 1]
//   input x f32 N,4            a number, or the name of a dim
//   weight w f32 4,8           an initializer of zeros
//   ints shape 2,-1            an int64 initializer of one dim
//   floats s 1,1,2,2           the same of floats
//   node MatMul x w -> y       attributes follow: axis=1 pads=[0,1] mode="edge"
//                                            b=[0.5,1.0] s=["a","b"]
//   state y f32 N,8            a shape that the file states
//   output y

#pragma once

#include <string>
#include <string_view>

#include "frontend/onnx/onnx.pb.h"

namespace tilewise {

// Stops the test on lines that are none of these.
onnx_format::ModelProto ModelFromText(std::string_view text);

}  // namespace tilewise
