// Protobuf text becomes the wire form of the same message.

#include "frontend/wire/text_to_wire.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

TEST(TextToWire, GivesTheBytesOfTheMessage) {
  const google::protobuf::DescriptorProto schema;
  const absl::StatusOr<std::string> wire =
      TextToWire("name: \"a\" field { name: 'b' number: 7 }", schema);
  ASSERT_TRUE(wire.ok()) << wire.status();
  google::protobuf::DescriptorProto read;
  ASSERT_TRUE(read.ParseFromString(*wire));
  EXPECT_EQ(read.name(), "a");
  EXPECT_EQ(read.field(0).number(), 7);
}

TEST(TextToWire, LeavesOutWhatTheSchemaHasNot) {
  const google::protobuf::DescriptorProto schema;
  const absl::StatusOr<std::string> wire =
      TextToWire("name: \"a\" unknown { deep { x: 1 } } other: [1, 2]", schema);
  ASSERT_TRUE(wire.ok()) << wire.status();
  google::protobuf::DescriptorProto read;
  ASSERT_TRUE(read.ParseFromString(*wire));
  EXPECT_EQ(read.name(), "a");
}

TEST(TextToWire, NamesThePlaceOfAnError) {
  const google::protobuf::DescriptorProto schema;
  EXPECT_THAT(TextToWire("name: \"a\"\nfield { name: }", schema).status().message(),
              HasSubstr("line 2, column 15"));
}

TEST(TextToWire, RefusesDeepNesting) {
  const google::protobuf::DescriptorProto schema;
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "nested_type{";
  EXPECT_FALSE(TextToWire(text, schema).ok());
  text.clear();
  for (int i = 0; i < 1'000'000; ++i) text += "unknown{";
  EXPECT_FALSE(TextToWire(text, schema).ok());
}

}  // namespace
}  // namespace tilewise
