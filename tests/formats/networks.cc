// Networks of a few layers, from families that differ in structure.

#include <fmt/format.h>

#include "tests/formats/cases.h"

namespace tilewise::formats {
namespace {

// Lines with names of their own: y0, y1, ...
class Lines {
 public:
  // The name of the last line's result.
  std::string Add(const std::string& op, const std::string& inputs, const std::string& attrs = "") {
    const std::string name = fmt::format("y{}", next_++);
    text_ += fmt::format("{} = {} {} {}\n", name, op, inputs, attrs);
    return name;
  }
  std::string Input(const std::string& dims) { return Add("input", dims); }
  const std::string& text() const { return text_; }

 private:
  int next_ = 0;
  std::string text_;
};

std::string Units(int64_t units) { return fmt::format("units={}", units); }

std::string Conv(Lines& l, const std::string& x, int filters, int kernel = 3,
                 const char* more = "") {
  return l.Add("conv", x,
               fmt::format("filters={} kernel={} padding=same {}", filters, kernel, more));
}

std::string Classified(Lines& l, const std::string& x, int classes) {
  l.Add("softmax", l.Add("dense", x, Units(classes)));
  return l.text();
}

std::string Mlp(int layers, int width, const char* activation) {
  Lines l;
  std::string x = l.Input("256");
  for (int i = 0; i < layers; ++i) {
    x = l.Add(activation, l.Add("dense", x, Units(width)));
  }
  return Classified(l, x, 128);
}

std::string NormalizedMlp(const char* norm) {
  Lines l;
  std::string x = l.Input("256");
  for (int i = 0; i < 2; ++i) {
    x = l.Add("relu", l.Add(norm, l.Add("dense", x, Units(512))));
  }
  return Classified(l, x, 10);
}

// Convolutions, norms and pools, then a classifier.
std::string ConvNet(const char* norm, const char* pool, bool flat) {
  Lines l;
  std::string x = l.Input("32,32,3");
  for (const int filters : {32, 64}) {
    x = Conv(l, x, filters);
    if (*norm != '\0') {
      const bool groups = std::string_view(norm) == "group_norm";
      x = l.Add(norm, x, groups ? "groups=8" : "");
    }
    x = l.Add(pool, l.Add("relu", x), "size=2");
  }
  x = l.Add(flat ? "flatten" : "global_avg", x);
  return Classified(l, x, 10);
}

std::string Residual(int blocks, bool bottleneck, const char* norm) {
  Lines l;
  std::string x = Conv(l, l.Input("28,28,3"), 64);
  for (int i = 0; i < blocks; ++i) {
    std::string y = x;
    if (bottleneck) y = l.Add("relu", l.Add(norm, Conv(l, y, 32, 1)));
    y = l.Add("relu", l.Add(norm, Conv(l, y, bottleneck ? 32 : 64)));
    y = l.Add(norm, Conv(l, y, 64, bottleneck ? 1 : 3));
    x = l.Add("relu", l.Add("add", x + " " + y));
  }
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string Inception() {
  Lines l;
  const std::string x = Conv(l, l.Input("28,28,3"), 64);
  const std::string a = l.Add("relu", Conv(l, x, 32, 1));
  const std::string b = l.Add("relu", Conv(l, Conv(l, x, 32, 1), 64));
  const std::string c = l.Add("relu", Conv(l, Conv(l, x, 16, 1), 32, 5));
  const std::string d = Conv(l, l.Add("max_pool", x, "size=3 strides=1 padding=same"), 32, 1);
  const std::string all = l.Add("concat", fmt::format("{} {} {} {}", a, b, c, d));
  return Classified(l, l.Add("global_avg", all), 10);
}

std::string DenseBlock() {
  Lines l;
  std::string x = Conv(l, l.Input("28,28,3"), 32);
  for (int i = 0; i < 3; ++i) {
    const std::string y = Conv(l, l.Add("relu", l.Add("batch_norm", x)), 16);
    x = l.Add("concat", x + " " + y);
  }
  return Classified(l, l.Add("global_avg", l.Add("avg_pool", x, "size=2")), 10);
}

std::string Separable(const char* activation, bool residual) {
  Lines l;
  std::string x = Conv(l, l.Input("28,28,3"), 32);
  for (int i = 0; i < 2; ++i) {
    std::string y = l.Add("depthwise", x, "kernel=3 padding=same");
    y = l.Add(activation, l.Add("batch_norm", y));
    y = l.Add("batch_norm", Conv(l, y, 32, 1));
    x = residual ? l.Add("add", x + " " + y) : l.Add(activation, y);
  }
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string SqueezeAndExcite() {
  Lines l;
  const std::string x = Conv(l, l.Input("28,28,3"), 64);
  std::string s = l.Add("dense", l.Add("global_avg", x), Units(16));
  s = l.Add("sigmoid", l.Add("dense", l.Add("relu", s), Units(64)));
  s = l.Add("reshape", s, "to=1,1,64");
  const std::string y = l.Add("mul", x + " " + s);
  return Classified(l, l.Add("global_avg", y), 10);
}

std::string Recurrent(const char* cell, int layers) {
  Lines l;
  std::string x = l.Input("32 type=s32");
  x = l.Add("embedding", x, "rows=5000 width=128");
  for (int i = 0; i < layers; ++i) {
    const char* more = i + 1 < layers ? "units=128 sequences=1" : "units=128";
    x = l.Add(cell, x, more);
  }
  return Classified(l, x, 10);
}

std::string BagOfWords(const char* pool) {
  Lines l;
  std::string x = l.Add("embedding", l.Input("64 type=s32"), "rows=10000 width=128");
  x = l.Add("relu", l.Add("dense", l.Add(pool, x), Units(256)));
  return Classified(l, x, 20);
}

std::string TextConv() {
  Lines l;
  const std::string x = l.Add("embedding", l.Input("64 type=s32"), "rows=10000 width=128");
  std::string all;
  for (const int kernel : {3, 5}) {
    const std::string y =
        l.Add("relu", l.Add("conv", x, fmt::format("filters=64 kernel={}", kernel)));
    all += l.Add("global_max", y) + " ";
  }
  return Classified(l, l.Add("concat", all), 2);
}

// Attention and a feed-forward part, the norms before or after them.
std::string Transformer(int layers, bool norm_first, const char* activation) {
  Lines l;
  std::string x = l.Add("embedding", l.Input("64 type=s32"), "rows=5000 width=128");
  for (int i = 0; i < layers; ++i) {
    const auto add = [&](const std::string& part) {
      x = l.Add("add", x + " " + part);
      if (!norm_first) x = l.Add("layer_norm", x);
    };
    const auto inner = [&] { return norm_first ? l.Add("layer_norm", x) : x; };
    add(l.Add("attention", inner(), "heads=4 depth=32"));
    const std::string y = l.Add(activation, l.Add("dense", inner(), Units(512)));
    add(l.Add("dense", y, Units(128)));
  }
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string VisionTransformer() {
  Lines l;
  std::string x = l.Add("conv", l.Input("64,64,3"), "filters=128 kernel=8 strides=8");
  x = l.Add("reshape", x, "to=64,128");
  x = l.Add("add", x + " " + l.Add("attention", l.Add("layer_norm", x), "heads=4 depth=32"));
  std::string y = l.Add("dense", l.Add("layer_norm", x), Units(256));
  y = l.Add("dense", l.Add("gelu", y), Units(128));
  x = l.Add("layer_norm", l.Add("add", x + " " + y));
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string Mixer(const char* activation) {
  Lines l;
  std::string x = l.Add("conv", l.Input("64,64,3"), "filters=128 kernel=8 strides=8");
  x = l.Add("reshape", x, "to=64,128");
  std::string y = l.Add("transpose", l.Add("layer_norm", x), "perm=0,2,1");
  y = l.Add("dense", l.Add(activation, l.Add("dense", y, Units(128))), Units(64));
  x = l.Add("add", x + " " + l.Add("transpose", y, "perm=0,2,1"));
  y = l.Add(activation, l.Add("dense", l.Add("layer_norm", x), Units(256)));
  x = l.Add("add", x + " " + l.Add("dense", y, Units(128)));
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string Autoencoder() {
  Lines l;
  std::string x = l.Input("784");
  for (const int units : {256, 64, 16, 64, 256}) {
    x = l.Add("relu", l.Add("dense", x, Units(units)));
  }
  l.Add("sigmoid", l.Add("dense", x, Units(784)));
  return l.text();
}

std::string ConvAutoencoder(bool transposed) {
  Lines l;
  std::string x = l.Input("32,32,3");
  for (const int filters : {32, 64}) {
    x = l.Add("max_pool", l.Add("relu", Conv(l, x, filters)), "size=2");
  }
  for (const int filters : {64, 32}) {
    if (transposed) {
      x = l.Add("conv_transpose", x, fmt::format("filters={} kernel=2 strides=2", filters));
    } else {
      x = Conv(l, l.Add("upsample", x, "size=2"), filters);
    }
    x = l.Add("relu", x);
  }
  l.Add("sigmoid", Conv(l, x, 3));
  return l.text();
}

std::string Unet(bool transposed) {
  Lines l;
  const std::string a = l.Add("relu", Conv(l, l.Input("32,32,3"), 32));
  const std::string b = l.Add("relu", Conv(l, l.Add("max_pool", a, "size=2"), 64));
  std::string x = l.Add("relu", Conv(l, l.Add("max_pool", b, "size=2"), 128));
  for (const auto& [skip, filters] : {std::pair(b, 64), std::pair(a, 32)}) {
    x = transposed
            ? l.Add("conv_transpose", x, fmt::format("filters={} kernel=2 strides=2", filters))
            : l.Add("upsample", x, "size=2");
    x = l.Add("relu", Conv(l, l.Add("concat", x + " " + skip), filters));
  }
  l.Add("sigmoid", Conv(l, x, 1, 1));
  return l.text();
}

std::string Generator() {
  Lines l;
  std::string x = l.Add("dense", l.Input("128"), Units(8 * 8 * 64));
  x = l.Add("reshape", l.Add("leaky_relu", x), "to=8,8,64");
  for (const int filters : {64, 32}) {
    x = l.Add("conv_transpose", x,
              fmt::format("filters={} kernel=4 strides=2 padding=same", filters));
    x = l.Add("leaky_relu", x);
  }
  l.Add("tanh", Conv(l, x, 3, 5));
  return l.text();
}

std::string Discriminator() {
  Lines l;
  std::string x = l.Input("32,32,3");
  for (const int filters : {64, 128}) {
    x = l.Add("leaky_relu", Conv(l, x, filters, 4, "strides=2"));
  }
  l.Add("sigmoid", l.Add("dense", l.Add("flatten", x), Units(1)));
  return l.text();
}

std::string TwoTowers() {
  Lines l;
  const std::string a = l.Add("dense", l.Input("256"), Units(128));
  const std::string b = l.Add("dense", l.Input("64"), Units(128));
  const std::string product = l.Add("mul", l.Add("relu", a) + " " + l.Add("relu", b));
  l.Add("sigmoid", l.Add("reduce_sum", product, "axis=1 keep=1"));
  return l.text();
}

std::string WideAndDeep() {
  Lines l;
  const std::string x = l.Input("512");
  std::string deep = x;
  for (const int units : {256, 64}) {
    deep = l.Add("relu", l.Add("dense", deep, Units(units)));
  }
  const std::string all = l.Add("concat", x + " " + deep);
  l.Add("sigmoid", l.Add("dense", all, Units(1)));
  return l.text();
}

std::string Highway() {
  Lines l;
  std::string x = l.Add("dense", l.Input("256"), Units(256));
  for (int i = 0; i < 2; ++i) {
    const std::string gate = l.Add("sigmoid", l.Add("dense", x, Units(256)));
    const std::string y = l.Add("tanh", l.Add("dense", x, Units(256)));
    const std::string apart = l.Add("sub", y + " " + x);
    x = l.Add("add", x + " " + l.Add("mul", gate + " " + apart));
  }
  return Classified(l, x, 10);
}

std::string GatedUnits() {
  Lines l;
  const std::string x = l.Add("layer_norm", l.Input("64,128"));
  const std::string gate = l.Add("swish", l.Add("dense", x, "units=256 bias=0"));
  const std::string y = l.Add("dense", x, "units=256 bias=0");
  const std::string z = l.Add("mul", gate + " " + y);
  l.Add("dense", z, "units=128 bias=0");
  return l.text();
}

std::string DotAttention() {
  Lines l;
  const std::string x = l.Input("64,128");
  const std::string q = l.Add("dense", x, "units=64 bias=0");
  const std::string k = l.Add("dense", x, "units=64 bias=0");
  const std::string v = l.Add("dense", x, "units=128 bias=0");
  const std::string scores = l.Add("matmul", q + " " + k, "transpose=1");
  l.Add("matmul", l.Add("softmax", scores) + " " + v);
  return l.text();
}

std::string Volumes() {
  Lines l;
  std::string x = l.Input("8,16,16,1");
  for (const int filters : {16, 32}) {
    x = l.Add("max_pool", l.Add("relu", Conv(l, x, filters)), "size=2");
  }
  return Classified(l, l.Add("flatten", x), 10);
}

std::string Waves(int dilation) {
  Lines l;
  std::string x = Conv(l, l.Input("256,1"), 64, 1);
  for (int i = 1; i <= dilation; i *= 2) {
    const std::string y = l.Add("tanh", Conv(l, x, 64, 3, fmt::format("dilation={}", i).c_str()));
    x = l.Add("add", x + " " + y);
  }
  return Classified(l, l.Add("global_avg", x), 10);
}

std::string PaddedNet() {
  Lines l;
  std::string x = l.Add("zero_pad", l.Input("28,28,3"), "size=3");
  x = l.Add("relu", l.Add("conv", x, "filters=64 kernel=7 strides=2"));
  x = l.Add("max_pool", l.Add("zero_pad", x, "size=1"), "size=3 strides=2");
  return Classified(l, l.Add("flatten", l.Add("crop", x, "size=1")), 10);
}

}  // namespace

std::vector<Case> Networks() {
  return {
      {"Mlp1", Mlp(1, 512, "relu"), "mlp,layers=1,nodes=512,input=256,output=128"},
      {"Mlp4", Mlp(4, 1024, "relu"), "mlp,layers=4,nodes=1024,input=256,output=128"},
      {"MlpTanh", Mlp(2, 256, "tanh"),
       "mlp,layers=2,nodes=256,input=256,output=128,activation=tanh"},
      {"MlpSigmoid", Mlp(3, 384, "sigmoid"),
       "mlp,layers=3,nodes=384,input=256,output=128,activation=sigmoid"},
      {"MlpElu", Mlp(2, 512, "elu")},
      {"MlpSoftplus", Mlp(2, 512, "softplus")},
      {"MlpGelu", Mlp(2, 512, "gelu")},
      {"MlpBatchNorm", NormalizedMlp("batch_norm")},
      {"MlpLayerNorm", NormalizedMlp("layer_norm")},
      {"ConvNet", ConvNet("", "max_pool", true)},
      {"ConvNetGlobal", ConvNet("", "avg_pool", false)},
      {"ConvNetBatchNorm", ConvNet("batch_norm", "max_pool", false)},
      {"ConvNetLayerNorm", ConvNet("layer_norm", "max_pool", false)},
      {"ConvNetGroupNorm", ConvNet("group_norm", "avg_pool", true)},
      {"Residual", Residual(1, false, "batch_norm")},
      {"ResidualDeep", Residual(3, false, "batch_norm")},
      {"Bottleneck", Residual(2, true, "batch_norm")},
      {"Inception", Inception()},
      {"DenseBlock", DenseBlock()},
      {"Separable", Separable("relu6", false)},
      {"InvertedResidual", Separable("swish", true)},
      {"SqueezeAndExcite", SqueezeAndExcite()},
      {"LstmClassifier", Recurrent("lstm", 1)},
      {"LstmStack", Recurrent("lstm", 2)},
      {"GruClassifier", Recurrent("gru", 1)},
      {"RnnClassifier", Recurrent("simple_rnn", 1)},
      {"BagOfWords", BagOfWords("global_avg")},
      {"BagOfWordsMax", BagOfWords("global_max")},
      {"TextConv", TextConv()},
      {"Transformer", Transformer(1, false, "relu")},
      {"TransformerNormFirst", Transformer(2, true, "gelu")},
      {"VisionTransformer", VisionTransformer()},
      {"Mixer", Mixer("gelu")},
      {"Autoencoder", Autoencoder()},
      {"ConvAutoencoder", ConvAutoencoder(true)},
      {"ConvAutoencoderUpsampled", ConvAutoencoder(false)},
      {"Unet", Unet(true)},
      {"UnetUpsampled", Unet(false)},
      {"Generator", Generator()},
      {"Discriminator", Discriminator()},
      {"TwoTowers", TwoTowers()},
      {"WideAndDeep", WideAndDeep()},
      {"Highway", Highway()},
      {"GatedUnits", GatedUnits()},
      {"DotAttention", DotAttention()},
      {"Volumes", Volumes()},
      {"Waves", Waves(4)},
      {"PaddedNet", PaddedNet()},
  };
}

}  // namespace tilewise::formats
