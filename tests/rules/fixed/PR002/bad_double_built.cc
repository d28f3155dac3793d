// chip: v3
#include "xla/hlo/builder/xla_builder.h"

xla::XlaOp Sum(xla::XlaOp x) {
  xla::XlaOp wide = xla::ConvertElementType(x, xla::F32);  // want: PR002
  return xla::Mul(wide, wide);
}
