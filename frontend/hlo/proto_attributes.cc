// Reads the structured attributes of instructions from the wire form.

#include "frontend/hlo/proto_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"

namespace tilewise::hlo {
namespace {

// These are the names as the text writes them, by number.
constexpr auto kAlgorithms = std::to_array<std::string_view>({
    "",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "dot_bf16_bf16_f32_x9",
});

void ReadPrecisionConfig(FieldReader& reader, InstructionExtras& extras) {
  using Precision = InstructionExtras::Precision;
  const auto raise = [&](int32_t value) {
    const auto precision = static_cast<Precision>(std::clamp(value, 0, 2));
    extras.precision = std::max(extras.precision, precision);
  };
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
    raise(reader.get_enum());
    return;
  }
  for (const int32_t value : reader.get_packed_enum()) raise(value);
}

}  // namespace

void ReadWindowProto(std::string_view bytes, std::vector<HloWindowDim>& window) {
  using Proto = wire::WindowDimension;
  ReadFields(ReaderOf(bytes),
             Field{wire::Window::kDimensionsFieldNumber, [&](FieldReader& reader) {
                     HloWindowDim& dim = window.emplace_back();
                     ReadFields(reader.get_message(), Field{Proto::kSizeFieldNumber, dim.size},
                                Field{Proto::kStrideFieldNumber, dim.stride},
                                Field{Proto::kPaddingLowFieldNumber, dim.pad_low},
                                Field{Proto::kPaddingHighFieldNumber, dim.pad_high},
                                Field{Proto::kWindowDilationFieldNumber, dim.window_dilation},
                                Field{Proto::kBaseDilationFieldNumber, dim.base_dilation},
                                Field{Proto::kWindowReversalFieldNumber, dim.reversal});
                   }});
}

void ReadConvDimsProto(std::string_view bytes, ConvDims& dims) {
  using Proto = wire::ConvolutionDimensionNumbers;
  ReadFields(ReaderOf(bytes), Field{Proto::kKernelInputFeatureDimensionFieldNumber, dims.kernel_in},
             Field{Proto::kKernelOutputFeatureDimensionFieldNumber, dims.kernel_out},
             Field{Proto::kKernelSpatialDimensionsFieldNumber, dims.kernel_spatial},
             Field{Proto::kInputBatchDimensionFieldNumber, dims.input_batch},
             Field{Proto::kInputFeatureDimensionFieldNumber, dims.input_feature},
             Field{Proto::kOutputBatchDimensionFieldNumber, dims.output_batch},
             Field{Proto::kOutputFeatureDimensionFieldNumber, dims.output_feature},
             Field{Proto::kInputSpatialDimensionsFieldNumber, dims.input_spatial},
             Field{Proto::kOutputSpatialDimensionsFieldNumber, dims.output_spatial});
}

void ReadDotDimsProto(std::string_view bytes, DotDims& dims) {
  using Proto = wire::DotDimensionNumbers;
  ReadFields(ReaderOf(bytes), Field{Proto::kLhsContractingDimensionsFieldNumber, dims.lhs_contract},
             Field{Proto::kRhsContractingDimensionsFieldNumber, dims.rhs_contract},
             Field{Proto::kLhsBatchDimensionsFieldNumber, dims.lhs_batch},
             Field{Proto::kRhsBatchDimensionsFieldNumber, dims.rhs_batch});
}

void ReadGatherDimsProto(std::string_view bytes, GatherDims& dims) {
  using Gather = wire::GatherDimensionNumbers;
  using Scatter = wire::ScatterDimensionNumbers;
  static_assert(static_cast<int>(Gather::kOffsetDimsFieldNumber) ==
                static_cast<int>(Scatter::kUpdateWindowDimsFieldNumber));
  static_assert(static_cast<int>(Gather::kCollapsedSliceDimsFieldNumber) ==
                static_cast<int>(Scatter::kInsertedWindowDimsFieldNumber));
  ReadFields(ReaderOf(bytes), Field{Gather::kOffsetDimsFieldNumber, dims.offset_dims},
             Field{Gather::kCollapsedSliceDimsFieldNumber, dims.collapsed_dims},
             Field{Gather::kStartIndexMapFieldNumber, dims.start_dims},
             Field{Gather::kIndexVectorDimFieldNumber, dims.index_dim},
             Field{Gather::kOperandBatchingDimsFieldNumber, dims.operand_batch},
             Field{Gather::kStartIndicesBatchingDimsFieldNumber, dims.indices_batch});
}

void ReadPaddingProto(std::string_view bytes, InstructionExtras& extras) {
  using Dim = wire::PaddingConfig::PaddingConfigDimension;
  PadDims& pad = *extras.pad;
  ReadFields(ReaderOf(bytes),
             Field{wire::PaddingConfig::kDimensionsFieldNumber, [&](FieldReader& reader) {
                     ReadFields(
                         reader.get_message(),
                         Field{Dim::kEdgePaddingLowFieldNumber, pad.low.emplace_back()},
                         Field{Dim::kEdgePaddingHighFieldNumber, pad.high.emplace_back()},
                         Field{Dim::kInteriorPaddingFieldNumber, pad.interior.emplace_back()});
                   }});
}

void ReadSliceProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::HloInstructionProto::SliceDimensions;
  ReadFields(ReaderOf(bytes), Field{Proto::kStartFieldNumber, extras.slice->starts.emplace_back()},
             Field{Proto::kLimitFieldNumber, extras.slice->limits.emplace_back()},
             Field{Proto::kStrideFieldNumber, extras.slice->strides.emplace_back(1)});
}

void ReadPrecisionProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::PrecisionConfig;
  int32_t algorithm = 0;
  ReadFields(ReaderOf(bytes),
             Field{Proto::kOperandPrecisionFieldNumber,
                   [&](FieldReader& reader) { ReadPrecisionConfig(reader, extras); }},
             Field{Proto::kAlgorithmFieldNumber, algorithm});
  const size_t number = algorithm;
  if (number < kAlgorithms.size()) extras.algorithm = kAlgorithms[number];
}

void ReadDevicesProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::CollectiveDeviceListProto;
  using Iota = wire::IotaReplicaGroupListProto;
  Devices& devices = *extras.devices;
  ReadFields(ReaderOf(bytes),
             Field{Proto::kReplicaGroupsFieldNumber,
                   [&](FieldReader& reader) { ReadReplicaGroupProto(ViewOf(reader), extras); }},
             Field{Proto::kIotaReplicaGroupListFieldNumber, [&](FieldReader& reader) {
                     ReadFields(reader.get_message(),
                                Field{Iota::kNumReplicaGroupsFieldNumber, devices.group_count},
                                Field{Iota::kNumDevicesPerGroupFieldNumber, devices.group_size});
                   }});
}

void ReadReplicaGroupProto(std::string_view bytes, InstructionExtras& extras) {
  Devices& devices = *extras.devices;
  ReadFields(ReaderOf(bytes),
             Field{wire::ReplicaGroup::kReplicaIdsFieldNumber, devices.groups.emplace_back()});
  devices.group_count = static_cast<int64_t>(devices.groups.size());
  devices.group_size = static_cast<int64_t>(devices.groups.front().size());
}

void ReadSourceTargetProto(std::string_view bytes, InstructionExtras& extras) {
  auto& [source, target] = extras.devices->source_target.emplace_back();
  ReadFields(ReaderOf(bytes), Field{wire::SourceTarget::kSourceFieldNumber, source},
             Field{wire::SourceTarget::kTargetFieldNumber, target});
}

}  // namespace tilewise::hlo
