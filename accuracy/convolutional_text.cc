// Convolutional networks that are named by their published form.

#include <fmt/format.h>

#include "accuracy/workload_text.h"

namespace tilewise {
namespace {

// Networks that are built around one of these, or differ from it.
constexpr std::string_view kOtherNetworks[] = {
    "r-cnn",        "rcnn",  "retina",    "fpn",
    "mask",         "bit ",  "groupnorm", "weight standardisation",
    "shapemask",    "cifar", "unet3d",    "3d u-net",
    "efficientnet", "amoeba"};

struct Family {
  const char* pattern;  // its group, where there is one, is the depth
  const char* spec;     // {} stands for the depth
};
constexpr Family kFamilies[] = {
    {"stable diffusion", "zoo:stable_diffusion"},          {"ssd-resnet34", "zoo:ssd"},
    {"resnet-?(18|34|50|101|152)", "zoo:resnet,depth={}"}, {"inception", "zoo:inception"},
    {"(?:^|[^a-z])vgg-?(16|19)", "zoo:vgg,depth={}"},      {"mobilenet", "zoo:mobilenet"},
    {"densenet-?(121|169|201)", "zoo:densenet,depth={}"},  {"alexnet", "zoo:alexnet"},
};

}  // namespace

WorkloadSpec ReadConvolutionalText(const WorkloadWords& words) {
  const TextMatch& text = words.text;
  if (text.HasAny(kOtherNetworks)) return {};
  for (const Family& family : kFamilies) {
    const std::string pattern = family.pattern;
    if (text.Word("(" + pattern + ")").empty()) continue;
    const bool has_depth = pattern.find('(') != std::string::npos &&
                           std::string_view(family.spec).find("{}") != std::string_view::npos;
    WorkloadSpec spec;
    spec.spec =
        has_depth ? fmt::format(fmt::runtime(family.spec), text.Word(pattern)) : family.spec;
    const auto image =
        text.Has("latents")
            ? std::nullopt
            : text.First({"\\b([0-9]{2,4})x[0-9]{2,4}\\b", "imagenet(?:-1k)? ([0-9]{2,4})\\b",
                          "\\b(224|160|192|256|299|320|384)\\b"});
    if (image) spec.spec += fmt::format(",image={}", *image);
    if (const auto groups = text.First({"group norm ([0-9]+) groups"})) {
      spec.spec += fmt::format(",groups={}", *groups);
    }
    if (!words.dtype.empty()) spec.spec += ",dtype=" + words.dtype;
    return spec;
  }
  return {};
}

}  // namespace tilewise
