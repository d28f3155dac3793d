// Reads aliases, device counts and source locations from the wire form.

#include "frontend/hlo/proto_tables.h"

#include <algorithm>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/proto_fields.h"

namespace tilewise::hlo {

void ReadAliasProto(std::string_view bytes, std::vector<Alias>& aliases) {
  using Proto = wire::HloInputOutputAliasProto;
  using Entry = Proto::AliasEntryProto;
  ReadFields(ReaderOf(bytes),
             Field{Proto::kEntriesFieldNumber, [&](FieldReader& reader) {
                     Alias& alias = aliases.emplace_back();
                     ReadFields(reader.get_message(),
                                Field{Entry::kOutputShapeIndexFieldNumber, alias.output},
                                Field{Entry::kParameterNumberFieldNumber, alias.parameter},
                                Field{Entry::kParameterShapeIndexFieldNumber, alias.index});
                   }});
}

void ReadDeviceCounts(std::string_view bytes, Module& module) {
  using Proto = wire::DeviceAssignmentProto;
  int32_t replicas = 1, partitions = 1;
  ReadFields(ReaderOf(bytes), Field{Proto::kReplicaCountFieldNumber, replicas},
             Field{Proto::kComputationCountFieldNumber, partitions});
  module.replica_count = std::max(replicas, 1);
  module.num_partitions = std::max(partitions, 1);
}

void ReadStackFramesProto(std::string_view bytes, StackFrames& frames) {
  using Proto = wire::StackFrameIndexProto;
  using Place = Proto::FileLocation;
  const auto read_location = [&](FieldReader& reader) {
    StackFrames::FileLocation& location = frames.locations.emplace_back();
    ReadFields(reader.get_message(), Field{Place::kFileNameIdFieldNumber, location.file},
               Field{Place::kLineFieldNumber, location.line},
               Field{Place::kColumnFieldNumber, location.column});
  };
  const auto read_frame = [&](FieldReader& reader) {
    ReadFields(reader.get_message(),
               Field{Proto::StackFrame::kFileLocationIdFieldNumber, frames.frames.emplace_back()});
  };
  ReadFields(ReaderOf(bytes), Field{Proto::kFileNamesFieldNumber, frames.files},
             Field{Proto::kFileLocationsFieldNumber, read_location},
             Field{Proto::kStackFramesFieldNumber, read_frame});
}

}  // namespace tilewise::hlo
