// Reads what is noted on instructions from the wire form: shardings, metadata
// and what a framework adds.

#include <algorithm>
#include <utility>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_attributes.h"
#include "frontend/hlo/proto_fields.h"

namespace tilewise::hlo {

void ReadShardingProto(std::string_view bytes, Sharding& sharding) {
  using Proto = wire::OpSharding;
  int32_t type = Proto::REPLICATED;
  std::vector<std::string_view> elements;
  ReadFields(ReaderOf(bytes), Field{Proto::kTypeFieldNumber, type},
             Field{Proto::kTileAssignmentDimensionsFieldNumber, sharding.tiles},
             Field{Proto::kTupleShardingsFieldNumber, elements},
             Field{Proto::kReplicateOnLastTileDimFieldNumber, sharding.last_dim_replicated});
  switch (type) {
    case Proto::REPLICATED:
      sharding.kind = Sharding::Kind::kReplicated;
      break;
    case Proto::MAXIMAL:
      sharding.kind = Sharding::Kind::kMaximal;
      sharding.tiles.clear();
      break;
    case Proto::OTHER:
      sharding.kind = Sharding::Kind::kTiled;
      break;
    case Proto::MANUAL:
      sharding.kind = Sharding::Kind::kManual;
      break;
    default:
      sharding = Sharding();
  }
  // A tuple of one element has that element's sharding, as in the text. This
  // goes down one level, so that depth costs nothing.
  if (type != Proto::TUPLE || elements.size() != 1) return;
  bool nested = false;
  ReadFields(ReaderOf(elements[0]), Field{Proto::kTypeFieldNumber, [&](FieldReader& reader) {
                                            nested = nested || reader.get_enum() == Proto::TUPLE;
                                          }});
  if (!nested) ReadShardingProto(elements[0], sharding);
}

int64_t ReadMetadataProto(std::string_view bytes, Metadata& metadata) {
  using Proto = wire::OpMetadata;
  int32_t frame = 0;
  ReadFields(ReaderOf(bytes), Field{Proto::kOpTypeFieldNumber, metadata.op_type},
             Field{Proto::kOpNameFieldNumber, metadata.op_name},
             Field{Proto::kSourceFileFieldNumber, metadata.source_file},
             Field{Proto::kSourceLineFieldNumber, metadata.source_line},
             Field{Proto::kSourceColumnFieldNumber, metadata.source_column},
             Field{Proto::kStackFrameIdFieldNumber, frame});
  metadata.source_line = std::max(metadata.source_line, 0);
  metadata.source_column = std::max(metadata.source_column, 0);
  return frame;
}

void ReadFrontendProto(std::string_view bytes,
                       std::vector<std::pair<std::string_view, std::string_view>>& attributes) {
  ReadFields(ReaderOf(bytes),
             Field{wire::FrontendAttributes::kMapFieldNumber, [&](FieldReader& reader) {
                     auto& [key, value] = attributes.emplace_back();
                     ReadFields(reader.get_message(), Field{kMapKey, key}, Field{kMapValue, value});
                   }});
  // Maps have no order; the text writes them by key.
  std::sort(attributes.begin(), attributes.end());
}

}  // namespace tilewise::hlo
