module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1]0,1}"}, %arg1: tensor<16x32xf32>) -> (tensor<8x32xf32> {jax.result_info = ""}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc(#loc1)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x32xf32>
    %3 = call @relu(%2) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %4 = "stablehlo.add"(%3, %0) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    return %4 : tensor<8x32xf32>
  }
  func.func private @relu(%arg0: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x32xf32>
    %0 = stablehlo.maximum %arg0, %cst : tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
}
#loc = loc("step.py":3:0)
#loc1 = loc("jit(step)/dot_general"(#loc))
