// Reads aliases, device counts and source places from the wire form.

#include "frontend/hlo/proto_tables.h"

#include <algorithm>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"

namespace tilewise::hlo {
namespace {

void ReadLocation(FieldReader reader, StackFrames& frames) {
  using Proto = wire::StackFrameIndexProto::FileLocation;
  StackFrames::FileLocation& location = frames.locations.emplace_back();
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kFileNameIdFieldNumber:
        location.file = reader.get_int32();
        break;
      case Proto::kLineFieldNumber:
        location.line = reader.get_int32();
        break;
      case Proto::kColumnFieldNumber:
        location.column = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
}

void ReadFrame(FieldReader reader, StackFrames& frames) {
  using Proto = wire::StackFrameIndexProto::StackFrame;
  int64_t& location = frames.frames.emplace_back();
  while (reader.next()) {
    if (reader.tag() == Proto::kFileLocationIdFieldNumber) {
      location = reader.get_int32();
    } else {
      reader.skip();
    }
  }
}

}  // namespace

void ReadAliasProto(std::string_view bytes, std::vector<Alias>& aliases) {
  FieldReader reader = ReaderOf(bytes);
  using Entry = wire::HloInputOutputAliasProto::AliasEntryProto;
  while (reader.next()) {
    if (reader.tag() != wire::HloInputOutputAliasProto::kEntriesFieldNumber) {
      reader.skip();
      continue;
    }
    Alias& alias = aliases.emplace_back();
    FieldReader entry = reader.get_message();
    while (entry.next()) {
      switch (entry.tag()) {
        case Entry::kOutputShapeIndexFieldNumber:
          ReadIntegers(entry, alias.output);
          break;
        case Entry::kParameterNumberFieldNumber:
          alias.parameter = entry.get_int64();
          break;
        case Entry::kParameterShapeIndexFieldNumber:
          ReadIntegers(entry, alias.index);
          break;
        default:
          entry.skip();
      }
    }
  }
}

void ReadDeviceCounts(std::string_view bytes, Module& module) {
  FieldReader reader = ReaderOf(bytes);
  using Proto = wire::DeviceAssignmentProto;
  while (reader.next()) {
    if (reader.tag() == Proto::kReplicaCountFieldNumber) {
      module.replica_count = std::max(reader.get_int32(), 1);
    } else if (reader.tag() == Proto::kComputationCountFieldNumber) {
      module.num_partitions = std::max(reader.get_int32(), 1);
    } else {
      reader.skip();
    }
  }
}

void ReadStackFramesProto(std::string_view bytes, StackFrames& frames) {
  FieldReader reader = ReaderOf(bytes);
  using Proto = wire::StackFrameIndexProto;
  while (reader.next()) {
    switch (reader.tag()) {
      case Proto::kFileNamesFieldNumber:
        frames.files.push_back(ViewOf(reader));
        break;
      case Proto::kFileLocationsFieldNumber:
        ReadLocation(reader.get_message(), frames);
        break;
      case Proto::kStackFramesFieldNumber:
        ReadFrame(reader.get_message(), frames);
        break;
      default:
        reader.skip();
    }
  }
}

}  // namespace tilewise::hlo
