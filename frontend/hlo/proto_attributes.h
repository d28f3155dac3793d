// Attributes of instructions in XLA's protobufs: messages of their own inside
// an instruction. All throw protozero's exceptions on malformed bytes.

#pragma once

#include <string_view>
#include <vector>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

void ReadWindowProto(std::string_view bytes, std::vector<HloWindowDim>& window);
void ReadConvDimsProto(std::string_view bytes, ConvDims& dims);
void ReadDotDimsProto(std::string_view bytes, DotDims& dims);
// Fields of gather and scatter dims with one number mean the same.
void ReadGatherDimsProto(std::string_view bytes, GatherDims& dims);
void ReadPaddingProto(std::string_view bytes, InstructionExtras& extras);
void ReadSliceProto(std::string_view bytes, InstructionExtras& extras);
void ReadPrecisionProto(std::string_view bytes, InstructionExtras& extras);
void ReadDevicesProto(std::string_view bytes, InstructionExtras& extras);
void ReadReplicaGroupProto(std::string_view bytes, InstructionExtras& extras);
void ReadSourceTargetProto(std::string_view bytes, InstructionExtras& extras);
void ReadShardingProto(std::string_view bytes, Sharding& sharding);
// The stack frame that the metadata names; 0: none.
int64_t ReadMetadataProto(std::string_view bytes, Metadata& metadata);
void ReadFrontendProto(std::string_view bytes,
                       std::vector<std::pair<std::string_view, std::string_view>>& attributes);

}  // namespace tilewise::hlo
