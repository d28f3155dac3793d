// Names of ops differ from table to table; sizes are in their arguments or are
// those of the data set.

#include "accuracy/pipeline_ops.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "accuracy/csv.h"
#include "accuracy/published.h"
#include "accuracy/text_match.h"
#include "base/check.h"

namespace tilewise {
namespace {

constexpr double kKilobyte = 1e3;
constexpr double kMegabyteOf = 1e6;

double CellNumber(const Csv& csv, size_t row, std::string_view column) {
  return ParseNumber(csv.Cell(row, column)).value_or(0);
}

// What is known of the data set that the row names; the longest name wins.
void ReadKnownSet(const TextMatch& words, ChainItem& item) {
  const absl::StatusOr<Csv> csv = Csv::Parse("item-sizes.csv", PublishedText("item-sizes.csv"));
  TW_CHECK(csv.ok());
  size_t longest = 0;
  for (size_t row = 0; row < csv->rows(); ++row) {
    const std::string& name = csv->Cell(row, "name");
    if (name.size() <= longest || !words.Has(name)) continue;
    longest = name.size();
    item.bytes = CellNumber(*csv, row, "item_kb") * kKilobyte;
    item.numbers = CellNumber(*csv, row, "numbers");
    item.height = CellNumber(*csv, row, "height");
    item.width = CellNumber(*csv, row, "width");
    item.channels = CellNumber(*csv, row, "channels");
  }
}

void SetSize(double height, double width, ChainItem& item) {
  item.height = height;
  item.width = width;
  item.numbers = height * width * std::max(1.0, item.channels);
}

// Photographs of several megapixels have fewer bytes a pixel.
double JpegBytes(const ChainItem& item) {
  constexpr double kLargePixels = 1e6;
  constexpr double kLargeBytesPerPixel = 0.25;
  const double pixels = item.height * item.width;
  return pixels * (pixels > kLargePixels ? kLargeBytesPerPixel
                                         : PublishedPipelineCosts().jpeg_bytes_per_pixel);
}

// The library whose op it is, as imports name it.
std::string LibraryOf(const std::string& framework, const std::string& arguments) {
  const TextMatch own(arguments);
  if (own.Has("pil")) return "PIL";
  const TextMatch words(framework);
  if (words.Has("simd") && words.Has("avx")) return "pillow_simd";
  if (words.Has("simd") && words.Has("sse")) return "pillow_sse";
  for (const char* library : {"albumentations", "torchvision", "simplejpeg", "opencv", "pillow"}) {
    if (words.Has(library)) return library;
  }
  return "tensorflow";
}

struct Resize {
  std::string call;
  double height = 0, width = 0;
};

// "224", "min 256", "400->224, bilinear native u8", "2560x1600->320x200,lanczos".
Resize ParseResize(const std::string& arguments, const ChainItem& item) {
  const TextMatch words(arguments);
  Resize resize{.call = "resize"};
  if (words.Has("bicubic")) resize.call = "resize_bicubic";
  if (words.Has("lanczos")) resize.call = "resize_lanczos";
  if (words.HasAny({"via f32", "f32 path"})) resize.call = "resize_f32";
  if (words.Has("nearest")) resize.call = "resize_nearest";
  if (const auto both = words.Find("->([0-9]+)x([0-9]+)")) {
    resize.width = (*both)[0];
    resize.height = (*both)[1];
  } else if (const auto side = words.First({"->([0-9]+)", "min ([0-9]+)", "([0-9]+)"})) {
    resize.height = resize.width = static_cast<double>(*side);
    if (words.Has("min") && item.height > 0) {
      const double shorter = std::min(item.height, item.width);
      resize.height *= item.height / shorter;
      resize.width *= item.width / shorter;
    }
  }
  return resize;
}

using Words = std::vector<std::string>;

// Ops that stand for several calls, or whose names say something else.
const std::map<std::string, Words>& CallsOf() {
  static const std::map<std::string, Words> calls = {
      {"parse", {"parse_single_example"}}, {"distort", {"random_crop", "random_flip"}},
      {"flip", {"random_flip"}},           {"rotate90", {"rotate90"}},
      {"centre", {"normalise"}},           {"x+1", {"add"}},
      {"decode", {"decode_jpeg"}},         {"deserialize", {"parse_tensor"}},
  };
  return calls;
}

double WidthOf(const std::string& arguments, double otherwise) {
  const TextMatch words(arguments);
  if (words.HasAny({"f32", "float32"})) return 4;
  if (words.HasAny({"i16", "16bit", "int16"})) return 2;
  return otherwise;
}

bool MakesFloatsOf(const std::string& op) {
  return op == "centre" || op == "normalise" || op == "normalize" || op == "convert_dtype" ||
         op == "scale";
}

void Decode(const ChainStage& stage, ChainItem& item) {
  const bool sized = TextMatch(stage.arguments).Find("([0-9]+)x([0-9]+)").has_value();
  if (sized) {
    const auto sides = TextMatch(stage.arguments).Find("([0-9]+)x([0-9]+)");
    SetSize((*sides)[1], (*sides)[0], item);
  }
  // Images of 16 bit are taken as bytes from here on.
  item.number_bytes = stage.name.find("audio") != std::string::npos ? 2 : 1;
  item.decoded = true;
  item.bytes = item.numbers * item.number_bytes;
}

void Leave(double number_bytes, ChainItem& item) {
  item.number_bytes = number_bytes;
  item.bytes = item.numbers * number_bytes;
}

// "RandomCrop64", "random_crop(224)": the side that is left; 0 for none.
double CropSide(const ChainStage& stage) {
  const TextMatch words(stage.arguments.empty() ? stage.name : stage.name + " " + stage.arguments);
  if (!words.Has("crop")) return 0;
  return static_cast<double>(words.First({"([0-9]+)$", "([0-9]+)"}).value_or(0));
}

// What a stage leaves where it is no decoder and no resize.
void ApplySize(const ChainStage& stage, ChainItem& item) {
  if (stage.name == "parse_tensor") {
    item.number_bytes = WidthOf(stage.arguments, 1);
    item.numbers = item.bytes / item.number_bytes;
    item.decoded = true;
    return;
  }
  if (const auto growth = TextMatch(stage.arguments).Find("([0-9.]+)x");
      growth && stage.name == "inflate") {
    item.bytes *= (*growth)[0];
    item.numbers = item.bytes;
  }
  if (!item.decoded) return;
  if (stage.name == "grayscale" || stage.name == "Grayscale") {
    item.numbers /= std::max(1.0, item.channels);
    item.channels = 1;
  }
  const auto side = CropSide(stage);
  if (side > 0) SetSize(side, side, item);
  const TextMatch resized(stage.name);
  if (const auto to = resized.Find("^resize([0-9]+)$")) SetSize((*to)[0], (*to)[0], item);
  Leave(MakesFloatsOf(stage.name) ? 4 : item.number_bytes, item);
}

// "map(resize(224,f32 path))", "map(RandomCrop64)", "map(scale,seq)".
ChainStage Inner(const ChainStage& stage) {
  const std::string& text = stage.arguments;
  const size_t end = text.find_first_of("( ,");
  if (end == std::string::npos) return {text, ""};
  std::string rest = text.substr(end + 1);
  if (text[end] == '(' && rest.ends_with(')')) rest.pop_back();
  return {text.substr(0, end), rest};
}

bool IsConversion(const std::string& name) {
  return name == "rgb numpy" || name == "numpy" || name == "collate" || name == "interleave" ||
         name == "parallel_interleave";
}

}  // namespace

absl::StatusOr<ChainItem> ItemOf(const PipelineText& text) {
  const TextMatch words(text.dataset);
  ChainItem item;
  ReadKnownSet(words, item);
  if (const auto sides = words.Find("([0-9]+)x([0-9]+)x([0-9]+)")) {
    item.channels = (*sides)[2];
    SetSize((*sides)[0], (*sides)[1], item);
  } else if (const auto two = words.Find("([0-9]+)x([0-9]+)")) {
    item.channels = 3;
    SetSize((*two)[1], (*two)[0], item);
    item.bytes = JpegBytes(item);
  } else if (words.Has("-like")) {
    return ChainItem{};  // of no known size
  }
  const auto mib = NumberBefore(text.dataset, "mib files");
  const auto gib = NumberBefore(text.dataset, "gib files");
  const auto kib = NumberBefore(text.dataset, "kib files");
  if (kib) item.bytes = *kib * 1024;
  if (mib) item.bytes = *mib * 1024 * 1024;
  if (gib) item.bytes = *gib * 1024 * 1024 * 1024;
  if (const auto file = NumberBefore(text.dataset, "gb file")) item.bytes = *file * 1e9;
  const auto kb = NumberBefore(text.dataset, "kb");
  if (kb) item.bytes = *kb * kKilobyte;
  const auto of = words.Find("(?:items|tensors|files) of ([0-9.]+) mb");
  if (of) item.bytes = (*of)[0] * kMegabyteOf;
  item.stated = of.has_value();
  if (const auto stored = words.Find("stored item ([0-9.]+) mb")) {
    item.bytes = (*stored)[0] * kMegabyteOf;
    item.stated = true;
  }
  if (text.dataset.find("int64") != std::string::npos) {
    item.bytes = 8;
    item.numbers = 1;
  }
  // A chain that starts with decoded images.
  const bool encoded = TextMatch(text.stages).HasAny({"decode", "read", "parse", "list", "range"});
  item.decoded = !encoded && item.numbers > 0;
  if (item.decoded) item.bytes = item.numbers;
  return item;
}

absl::StatusOr<Words> ApplyOp(const ChainStage& outer, const std::string& framework,
                              ChainItem& item) {
  const ChainStage stage = outer.name == "map" ? Inner(outer) : outer;
  if (IsConversion(stage.name)) return Words{};
  const std::string library = LibraryOf(framework, stage.arguments);
  const auto named = [&](const std::string& op) { return fmt::format("{}.{}", library, op); };
  if (stage.name == "resize") {
    const Resize resize = ParseResize(stage.arguments, item);
    if (resize.height == 0) return InvalidInput("the size that it resizes to is not told");
    SetSize(resize.height, resize.width, item);
    item.decoded = true;
    Leave(library == "tensorflow" ? 4 : 1, item);
    return Words{named(resize.call)};
  }
  if (stage.name == "augment" || stage.name == "random_resized_crop") {
    const double side = TextMatch(stage.arguments).First({"([0-9]+)"}).value_or(224);
    SetSize(side, side, item);
    item.decoded = true;
    Leave(4, item);
    return Words{named("resize"), named("random_flip"), named("normalise")};
  }
  const auto several = CallsOf().find(stage.name);
  const Words ops = several == CallsOf().end() ? Words{stage.name} : several->second;
  if (stage.name == "parse_tensor" && !item.stated) {
    return InvalidInput("the size of its stored tensors is not told");
  }
  if (ops.front().starts_with("decode_")) {
    if (item.numbers <= 0) return InvalidInput("the size of its images is not told");
    Decode(stage, item);
  } else {
    ApplySize(stage, item);
  }
  Words calls;
  for (const std::string& op : ops) calls.push_back(named(op));
  return calls;
}

}  // namespace tilewise
