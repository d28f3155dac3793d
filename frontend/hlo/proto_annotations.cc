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
  FieldReader reader = ReaderOf(bytes);
  int32_t type = Proto::REPLICATED;
  std::vector<std::string_view> elements;
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kTypeFieldNumber:
        type = reader.get_enum();
        break;
      case Proto::kTileAssignmentDimensionsFieldNumber:
        ReadIntegers(reader, sharding.tiles);
        break;
      case Proto::kTupleShardingsFieldNumber:
        elements.push_back(ViewOf(reader));
        break;
      case Proto::kReplicateOnLastTileDimFieldNumber:
        sharding.last_dim_replicated = reader.get_bool();
        break;
      default:
        reader.skip();
    }
  }
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
  // As in the text: a tuple of one element has that element's sharding. One
  // level, so that depth costs nothing.
  if (type != Proto::TUPLE || elements.size() != 1) return;
  FieldReader inner = ReaderOf(elements[0]);
  while (inner.next()) {
    if (inner.tag() == Proto::kTypeFieldNumber && inner.get_enum() == Proto::TUPLE) {
      return;
    }
    if (inner.tag() != Proto::kTypeFieldNumber) inner.skip();
  }
  ReadShardingProto(elements[0], sharding);
}

int64_t ReadMetadataProto(std::string_view bytes, Metadata& metadata) {
  using Proto = wire::OpMetadata;
  FieldReader reader = ReaderOf(bytes);
  int64_t frame = 0;
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kOpTypeFieldNumber:
        metadata.op_type = ViewOf(reader);
        break;
      case Proto::kOpNameFieldNumber:
        metadata.op_name = ViewOf(reader);
        break;
      case Proto::kSourceFileFieldNumber:
        metadata.source_file = ViewOf(reader);
        break;
      case Proto::kSourceLineFieldNumber:
        metadata.source_line = std::max(reader.get_int32(), 0);
        break;
      case Proto::kSourceColumnFieldNumber:
        metadata.source_column = std::max(reader.get_int32(), 0);
        break;
      case Proto::kStackFrameIdFieldNumber:
        frame = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
  return frame;
}

void ReadFrontendProto(std::string_view bytes,
                       std::vector<std::pair<std::string_view, std::string_view>>& attributes) {
  FieldReader reader = ReaderOf(bytes);
  while (reader.next()) {
    if (reader.tag() != wire::FrontendAttributes::kMapFieldNumber) {
      reader.skip();
      continue;
    }
    auto& [key, value] = attributes.emplace_back();
    FieldReader entry = reader.get_message();
    while (entry.next()) {
      if (entry.tag() == 1) {  // key and value of every map
        key = ViewOf(entry);
      } else if (entry.tag() == 2) {
        value = ViewOf(entry);
      } else {
        entry.skip();
      }
    }
  }
  // Maps have no order; the text writes them by key.
  std::sort(attributes.begin(), attributes.end());
}

}  // namespace tilewise::hlo
