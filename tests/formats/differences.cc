// Formats that say something else, and rows of disagreements.def; both sorted by
// the case.

#include "tests/formats/differences.h"

namespace tilewise::formats {
namespace {

constexpr std::string_view kNormInParts =
    "a layer norm that is written out has the gradient of its parts, as jax.grad makes it; "
    "that of a Keras layer is the closed form of TensorFlow's fused norm";
constexpr std::string_view kSortAsTopK =
    "tf.sort takes the largest of all negated elements by top-k; the program has XLA's sort";

constexpr Difference kTrueDifferences[] = {
    {"ConvNetLayerNorm", "HloText", "training", kNormInParts},
    {"ConvNetLayerNorm", "StableHlo", "training", kNormInParts},
    {"MlpLayerNorm", "HloText", "training", kNormInParts},
    {"MlpLayerNorm", "StableHlo", "training", kNormInParts},
    {"Mixer", "HloText", "training", kNormInParts},
    {"Mixer", "StableHlo", "training", kNormInParts},
    {"Transformer", "HloText", "training", kNormInParts},
    {"Transformer", "StableHlo", "training", kNormInParts},
    {"TransformerNormFirst", "HloText", "training", kNormInParts},
    {"TransformerNormFirst", "StableHlo", "training", kNormInParts},
    {"VisionTransformer", "HloText", "training", kNormInParts},
    {"VisionTransformer", "StableHlo", "training", kNormInParts},
    {"layer_norm", "HloText", "training", kNormInParts},
    {"layer_norm", "StableHlo", "training", kNormInParts},
    {"sort", "HloText", "", kSortAsTopK},
    {"sort", "StableHlo", "", kSortAsTopK},
};

constexpr Difference kDisagreements[] = {
#define TW_DISAGREES(name, format, mode, reason) {name, format, mode, reason},
#include "tests/formats/disagreements.def"
#undef TW_DISAGREES
};

}  // namespace

std::span<const Difference> TrueDifferences() { return kTrueDifferences; }

std::span<const Difference> KnownDisagreements() { return kDisagreements; }

}  // namespace tilewise::formats
