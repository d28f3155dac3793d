// Reads the structured attributes of instructions from the wire form.

#include "frontend/hlo/proto_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"

namespace tilewise::hlo {
namespace {

// As the text writes them, by number.
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

void ReadWindowDim(FieldReader reader, HloWindowDim& dim) {
  while (reader.next()) {
    switch (reader.tag()) {
      case wire::WindowDimension::kSizeFieldNumber:
        dim.size = reader.get_int64();
        break;
      case wire::WindowDimension::kStrideFieldNumber:
        dim.stride = reader.get_int64();
        break;
      case wire::WindowDimension::kPaddingLowFieldNumber:
        dim.pad_low = reader.get_int64();
        break;
      case wire::WindowDimension::kPaddingHighFieldNumber:
        dim.pad_high = reader.get_int64();
        break;
      case wire::WindowDimension::kWindowDilationFieldNumber:
        dim.window_dilation = reader.get_int64();
        break;
      case wire::WindowDimension::kBaseDilationFieldNumber:
        dim.base_dilation = reader.get_int64();
        break;
      case wire::WindowDimension::kWindowReversalFieldNumber:
        dim.reversal = reader.get_bool();
        break;
      default:
        reader.skip();
    }
  }
}

void ReadPrecision(FieldReader& reader, InstructionExtras& extras) {
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
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() == wire::Window::kDimensionsFieldNumber) {
      ReadWindowDim(reader.get_message(), window.emplace_back());
    } else {
      reader.skip();
    }
  }
}

void ReadConvDimsProto(std::string_view bytes, ConvDims& dims) {
  using Proto = wire::ConvolutionDimensionNumbers;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kKernelInputFeatureDimensionFieldNumber:
        dims.kernel_in = reader.get_int64();
        break;
      case Proto::kKernelOutputFeatureDimensionFieldNumber:
        dims.kernel_out = reader.get_int64();
        break;
      case Proto::kKernelSpatialDimensionsFieldNumber:
        ReadIntegers(reader, dims.kernel_spatial);
        break;
      case Proto::kInputBatchDimensionFieldNumber:
        dims.input_batch = reader.get_int64();
        break;
      case Proto::kInputFeatureDimensionFieldNumber:
        dims.input_feature = reader.get_int64();
        break;
      case Proto::kOutputBatchDimensionFieldNumber:
        dims.output_batch = reader.get_int64();
        break;
      case Proto::kOutputFeatureDimensionFieldNumber:
        dims.output_feature = reader.get_int64();
        break;
      case Proto::kInputSpatialDimensionsFieldNumber:
        ReadIntegers(reader, dims.input_spatial);
        break;
      case Proto::kOutputSpatialDimensionsFieldNumber:
        ReadIntegers(reader, dims.output_spatial);
        break;
      default:
        reader.skip();
    }
  }
}

void ReadDotDimsProto(std::string_view bytes, DotDims& dims) {
  using Proto = wire::DotDimensionNumbers;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kLhsContractingDimensionsFieldNumber:
        ReadIntegers(reader, dims.lhs_contract);
        break;
      case Proto::kRhsContractingDimensionsFieldNumber:
        ReadIntegers(reader, dims.rhs_contract);
        break;
      case Proto::kLhsBatchDimensionsFieldNumber:
        ReadIntegers(reader, dims.lhs_batch);
        break;
      case Proto::kRhsBatchDimensionsFieldNumber:
        ReadIntegers(reader, dims.rhs_batch);
        break;
      default:
        reader.skip();
    }
  }
}

void ReadGatherDimsProto(std::string_view bytes, GatherDims& dims) {
  using Gather = wire::GatherDimensionNumbers;
  using Scatter = wire::ScatterDimensionNumbers;
  static_assert(static_cast<int>(Gather::kOffsetDimsFieldNumber) ==
                static_cast<int>(Scatter::kUpdateWindowDimsFieldNumber));
  static_assert(static_cast<int>(Gather::kCollapsedSliceDimsFieldNumber) ==
                static_cast<int>(Scatter::kInsertedWindowDimsFieldNumber));
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case Gather::kOffsetDimsFieldNumber:
        ReadIntegers(reader, dims.offset_dims);
        break;
      case Gather::kCollapsedSliceDimsFieldNumber:
        ReadIntegers(reader, dims.collapsed_dims);
        break;
      case Gather::kStartIndexMapFieldNumber:
        ReadIntegers(reader, dims.start_dims);
        break;
      case Gather::kIndexVectorDimFieldNumber:
        dims.index_dim = reader.get_int64();
        break;
      case Gather::kOperandBatchingDimsFieldNumber:
        ReadIntegers(reader, dims.operand_batch);
        break;
      case Gather::kStartIndicesBatchingDimsFieldNumber:
        ReadIntegers(reader, dims.indices_batch);
        break;
      default:
        reader.skip();
    }
  }
}

void ReadPaddingProto(std::string_view bytes, InstructionExtras& extras) {
  using Dim = wire::PaddingConfig::PaddingConfigDimension;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() != wire::PaddingConfig::kDimensionsFieldNumber) {
      reader.skip();
      continue;
    }
    int64_t& low = extras.pad->low.emplace_back();
    int64_t& high = extras.pad->high.emplace_back();
    int64_t& interior = extras.pad->interior.emplace_back();
    FieldReader dim = reader.get_message();
    while (dim.next()) {
      switch (dim.tag()) {
        case Dim::kEdgePaddingLowFieldNumber:
          low = dim.get_int64();
          break;
        case Dim::kEdgePaddingHighFieldNumber:
          high = dim.get_int64();
          break;
        case Dim::kInteriorPaddingFieldNumber:
          interior = dim.get_int64();
          break;
        default:
          dim.skip();
      }
    }
  }
}

void ReadSliceProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::HloInstructionProto::SliceDimensions;
  int64_t& start = extras.slice->starts.emplace_back();
  int64_t& limit = extras.slice->limits.emplace_back();
  int64_t& stride = extras.slice->strides.emplace_back(1);
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kStartFieldNumber:
        start = reader.get_int64();
        break;
      case Proto::kLimitFieldNumber:
        limit = reader.get_int64();
        break;
      case Proto::kStrideFieldNumber:
        stride = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
}

void ReadPrecisionProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::PrecisionConfig;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kOperandPrecisionFieldNumber:
        ReadPrecision(reader, extras);
        break;
      case Proto::kAlgorithmFieldNumber: {
        const size_t number = reader.get_enum();
        if (number < kAlgorithms.size()) extras.algorithm = kAlgorithms[number];
        break;
      }
      default:
        reader.skip();
    }
  }
}

void ReadDevicesProto(std::string_view bytes, InstructionExtras& extras) {
  using Proto = wire::CollectiveDeviceListProto;
  using Iota = wire::IotaReplicaGroupListProto;
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() == Proto::kReplicaGroupsFieldNumber) {
      ReadReplicaGroupProto(ViewOf(reader), extras);
    } else if (reader.tag() == Proto::kIotaReplicaGroupListFieldNumber) {
      FieldReader iota = reader.get_message();
      while (iota.next()) {
        if (iota.tag() == Iota::kNumReplicaGroupsFieldNumber) {
          extras.devices->group_count = iota.get_int64();
        } else if (iota.tag() == Iota::kNumDevicesPerGroupFieldNumber) {
          extras.devices->group_size = iota.get_int64();
        } else {
          iota.skip();
        }
      }
    } else {
      reader.skip();
    }
  }
}

void ReadReplicaGroupProto(std::string_view bytes, InstructionExtras& extras) {
  std::vector<int64_t>& group = extras.devices->groups.emplace_back();
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() == wire::ReplicaGroup::kReplicaIdsFieldNumber) {
      ReadIntegers(reader, group);
    } else {
      reader.skip();
    }
  }
  extras.devices->group_count = static_cast<int64_t>(extras.devices->groups.size());
  extras.devices->group_size = static_cast<int64_t>(extras.devices->groups.front().size());
}

void ReadSourceTargetProto(std::string_view bytes, InstructionExtras& extras) {
  auto& [source, target] = extras.devices->source_target.emplace_back();
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() == wire::SourceTarget::kSourceFieldNumber) {
      source = reader.get_int64();
    } else if (reader.tag() == wire::SourceTarget::kTargetFieldNumber) {
      target = reader.get_int64();
    } else {
      reader.skip();
    }
  }
}

}  // namespace tilewise::hlo
