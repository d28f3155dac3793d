// Reads an instruction from the wire form. What an opcode alone has, and what
// is as it stands by default, makes no extras, so that most stay small.

#include "frontend/hlo/proto_instruction.h"

#include <array>
#include <utility>

#include "frontend/hlo/backend_config.h"
#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_attributes.h"
#include "frontend/hlo/proto_fields.h"
#include "frontend/hlo/proto_literal.h"
#include "frontend/hlo/proto_shape.h"

namespace tilewise::hlo {
namespace {

using InstructionProto = wire::HloInstructionProto;

template <size_t kSize>
std::string_view NameAt(const std::array<std::string_view, kSize>& names, int32_t number) {
  const size_t at = number;
  return at < kSize ? names[at] : std::string_view();
}
constexpr auto kDistributions = std::to_array<std::string_view>({"", "rng_uniform", "rng_normal"});
constexpr auto kRngAlgorithms =
    std::to_array<std::string_view>({"rng_default", "rng_three_fry", "rng_philox"});
constexpr auto kFftTypes = std::to_array<std::string_view>({"FFT", "IFFT", "RFFT", "IRFFT"});
class InstructionReader {
 public:
  InstructionReader(const StackFrames& frames, ProtoInstruction& read)
      : frames_(frames), read_(read), instruction_(read.instruction) {}

  absl::Status Read(std::string_view bytes) {
    FieldReader reader = ReaderOf(bytes);
    while (reader.next()) {
      if (!ReadCommon(reader) && !ReadNumber(reader) && !ReadMessage(reader)) {
        reader.skip();
      }
    }
    if (!shape_.empty()) {
      TW_RETURN_IF_ERROR(ReadShapeProto(shape_, instruction_.shape));
    }
    Complete();
    return absl::OkStatus();
  }

 private:
  InstructionExtras& Extras() { return instruction_.Extras(); }

  bool ReadCommon(FieldReader& reader) {
    switch (reader.tag()) {
      case InstructionProto::kNameFieldNumber:
        instruction_.name = ViewOf(reader);
        return true;
      case InstructionProto::kOpcodeFieldNumber:
        opcode_ = ViewOf(reader);
        instruction_.opcode = ParseOpcode(opcode_);
        return true;
      case InstructionProto::kShapeFieldNumber:
        shape_ = ViewOf(reader);
        return true;
      case InstructionProto::kMetadataFieldNumber:
        frame_ = ReadMetadataProto(ViewOf(reader), instruction_.metadata);
        return true;
      case InstructionProto::kParameterNumberFieldNumber:
      case InstructionProto::kTupleIndexFieldNumber:
        instruction_.index = reader.get_int64();
        return true;
      case InstructionProto::kDimensionsFieldNumber:
        ReadIntegers(reader, instruction_.dims);
        return true;
      case InstructionProto::kIdFieldNumber:
        read_.id = reader.get_int64();
        return true;
      case InstructionProto::kOperandIdsFieldNumber:
        ReadIntegers(reader, read_.operand_ids);
        return true;
      case InstructionProto::kCalledComputationIdsFieldNumber:
        ReadIntegers(reader, read_.called_ids);
        return true;
      case InstructionProto::kIsStableFieldNumber:
        instruction_.is_stable = reader.get_bool();
        return true;
      case InstructionProto::kComparisonDirectionFieldNumber:
        ReadDirection(ViewOf(reader));
        return true;
      default:
        return false;
    }
  }

  void ReadDirection(std::string_view word) {
    for (size_t i = 0; i < kComparisonWords.size(); ++i) {
      if (kComparisonWords[i] != word) continue;
      instruction_.comparison = static_cast<Comparison>(i);
    }
  }

  // A number or text that is `standard` makes no extras.
  template <typename T>
  void Set(T InstructionExtras::*field, T value, T standard) {
    if (value != standard) Extras().*field = value;
  }

  bool ReadNumber(FieldReader& reader) {
    using X = InstructionExtras;
    const std::string_view none;
    switch (reader.tag()) {
      case InstructionProto::kIndicesAreSortedFieldNumber:
        Set(&X::sorted_indices, reader.get_bool(), false);
        return true;
      case InstructionProto::kUniqueIndicesFieldNumber:
        Set(&X::unique_indices, reader.get_bool(), false);
        return true;
      case InstructionProto::kFusionKindFieldNumber:
        Set(&X::fusion_kind, ViewOf(reader), none);
        return true;
      case InstructionProto::kExponentBitsFieldNumber:
        Set(&X::exponent_bits, int64_t{reader.get_int32()}, int64_t{0});
        return true;
      case InstructionProto::kMantissaBitsFieldNumber:
        Set(&X::mantissa_bits, int64_t{reader.get_int32()}, int64_t{0});
        return true;
      case InstructionProto::kDistributionFieldNumber:
        Set(&X::distribution, NameAt(kDistributions, reader.get_enum()), none);
        return true;
      case InstructionProto::kEpsilonFieldNumber:
        Set(&X::epsilon, double{reader.get_float()}, 0.0);
        return true;
      case InstructionProto::kFeatureIndexFieldNumber:
        Set(&X::feature_index, reader.get_int64(), int64_t{0});
        return true;
      case InstructionProto::kChannelIdFieldNumber:
        if (const int64_t id = reader.get_int64(); id > 0) {
          Extras().channel_id = id;
        }
        return true;
      case InstructionProto::kInfeedConfigFieldNumber:
        Set(&X::infeed_config, ViewOf(reader), none);
        return true;
      case InstructionProto::kCustomCallTargetFieldNumber:
        Set(&X::custom_call_target, ViewOf(reader), none);
        return true;
      case InstructionProto::kFftTypeFieldNumber:
        fft_type_ = NameAt(kFftTypes, reader.get_enum());
        return true;
      case InstructionProto::kBackendConfigFieldNumber:
        Set(&X::backend_config, ViewOf(reader), none);
        return true;
      case InstructionProto::kFeatureGroupCountFieldNumber:
        groups_ = reader.get_int64();
        return true;
      case InstructionProto::kBatchGroupCountFieldNumber:
        batch_groups_ = reader.get_int64();
        return true;
      case InstructionProto::kRngAlgorithmFieldNumber:
        rng_algorithm_ = NameAt(kRngAlgorithms, reader.get_enum());
        return true;
      case InstructionProto::kKFieldNumber:
        Set(&X::k, reader.get_int64(), int64_t{0});
        return true;
      case InstructionProto::kLargestFieldNumber:
        largest_ = reader.get_bool();
        return true;
      default:
        return false;
    }
  }

  bool ReadMessage(FieldReader& reader) {
    switch (reader.tag()) {
      case InstructionProto::kLiteralFieldNumber:
        literal_ = ViewOf(reader);
        return true;
      case InstructionProto::kWindowFieldNumber:
        if (const std::string_view bytes = ViewOf(reader); !bytes.empty()) {
          ReadWindowProto(bytes, Extras().window);
        }
        return true;
      case InstructionProto::kConvolutionDimensionNumbersFieldNumber:
        ReadConvDimsProto(ViewOf(reader), *Extras().conv);
        return true;
      case InstructionProto::kSliceDimensionsFieldNumber:
        ReadSliceProto(ViewOf(reader), Extras());
        return true;
      case InstructionProto::kDynamicSliceSizesFieldNumber:
        ReadIntegers(reader, Extras().slice->sizes);
        return true;
      case InstructionProto::kPaddingConfigFieldNumber:
        if (const std::string_view bytes = ViewOf(reader); !bytes.empty()) {
          ReadPaddingProto(bytes, Extras());
        }
        return true;
      case InstructionProto::kDotDimensionNumbersFieldNumber:
        ReadDotDimsProto(ViewOf(reader), *instruction_.dot);
        return true;
      case InstructionProto::kRaggedDotDimensionNumbersFieldNumber:
        ReadRaggedDims(ViewOf(reader));
        return true;
      case InstructionProto::kFftLengthFieldNumber:
        ReadIntegers(reader, Extras().fft->length);
        return true;
      case InstructionProto::kGatherDimensionNumbersFieldNumber:
      case InstructionProto::kScatterDimensionNumbersFieldNumber:
        ReadGatherDimsProto(ViewOf(reader), *Extras().gather);
        return true;
      case InstructionProto::kGatherSliceSizesFieldNumber:
        ReadIntegers(reader, Extras().gather->slice_sizes);
        return true;
      case InstructionProto::kShardingFieldNumber:
        ReadShardingProto(ViewOf(reader), *Extras().sharding);
        return true;
      case InstructionProto::kReplicaGroupsFieldNumber:
        ReadReplicaGroupProto(ViewOf(reader), Extras());
        return true;
      case InstructionProto::kCollectiveDeviceListFieldNumber:
        devices_ = ViewOf(reader);
        return true;
      case InstructionProto::kPrecisionConfigFieldNumber:
        precision_ = ViewOf(reader);
        return true;
      case InstructionProto::kSourceTargetPairsFieldNumber:
        ReadSourceTargetProto(ViewOf(reader), Extras());
        return true;
      case InstructionProto::kFrontendAttributesFieldNumber:
        if (const std::string_view bytes = ViewOf(reader); !bytes.empty()) {
          ReadFrontendProto(bytes, Extras().frontend);
        }
        return true;
      default:
        return false;
    }
  }

  void ReadRaggedDims(std::string_view bytes) {
    using Ragged = wire::RaggedDotDimensionNumbers;
    FieldReader reader = ReaderOf(bytes);
    while (reader.next()) {
      if (reader.tag() == Ragged::kDotDimensionNumbersFieldNumber) {
        ReadDotDimsProto(ViewOf(reader), *instruction_.dot);
      } else {
        reader.skip();
      }
    }
  }

  // What needs the opcode or the shape, which may come after it.
  void Complete() {
    const Opcode opcode = instruction_.opcode;
    if (opcode == Opcode::kUnknown) Extras().opcode_text = opcode_;
    frames_.Locate(frame_, instruction_.metadata);
    if (opcode == Opcode::kConstant) {
      instruction_.literal = ReadLiteralProto(literal_, instruction_.shape);
    }
    if (opcode == Opcode::kConvolution) {
      Extras().feature_groups = groups_ > 0 ? groups_ : 1;
      Extras().batch_groups = batch_groups_ > 0 ? batch_groups_ : 1;
    }
    if (opcode == Opcode::kFft) Extras().fft->type = fft_type_;
    if (opcode == Opcode::kTopk) Extras().largest = largest_;
    if (opcode == Opcode::kRngBitGenerator) {
      Extras().algorithm = rng_algorithm_;
    }
    CompletePrecision();
    CompleteDevices();
    if (opcode != Opcode::kWhile) return;
    // The body comes first on the wire.
    if (read_.called_ids.size() == 2) {
      std::swap(read_.called_ids[0], read_.called_ids[1]);
    }
    const std::string_view config = instruction_.more().backend_config;
    if (const auto trips = KnownTripCount(config)) Extras().trip_count = trips;
  }

  void CompletePrecision() {
    if (precision_.empty()) return;
    InstructionExtras read;
    ReadPrecisionProto(precision_, read);
    Set(&InstructionExtras::precision, read.precision, InstructionExtras::Precision::kDefault);
    Set(&InstructionExtras::algorithm, read.algorithm, std::string_view());
  }

  // Newer writers state the groups in both fields.
  void CompleteDevices() {
    if (devices_.empty()) return;
    InstructionExtras& extras = Extras();
    extras.devices->groups.clear();
    ReadDevicesProto(devices_, extras);
  }

  const StackFrames& frames_;
  ProtoInstruction& read_;
  Instruction& instruction_;
  std::string_view opcode_, shape_, literal_, precision_, devices_;
  int64_t frame_ = 0;
  std::string_view fft_type_ = kFftTypes[0];
  std::string_view rng_algorithm_ = kRngAlgorithms[0];
  int64_t groups_ = 1;
  int64_t batch_groups_ = 1;
  bool largest_ = false;
};

}  // namespace

absl::Status ReadInstructionProto(std::string_view bytes, const StackFrames& frames,
                                  ProtoInstruction& read) {
  read.instruction = Instruction();
  read.id = 0;
  read.operand_ids.clear();
  read.called_ids.clear();
  return InstructionReader(frames, read).Read(bytes);
}

}  // namespace tilewise::hlo
