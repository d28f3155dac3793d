// Each format, small: text or bytes in, a profile out.

#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/analysis/analysis.h"
#include "profile/read_profile.h"
#include "tests/profile/wire_text.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Profile Read(std::string_view bytes, std::string_view name = "file") {
  absl::StatusOr<Profile> profile = ReadProfileBytes(bytes, name);
  EXPECT_TRUE(profile.ok()) << profile.status();
  return profile.ok() ? *std::move(profile) : Profile{};
}

std::string ErrorOf(std::string_view bytes, std::string_view name = "file") {
  const absl::StatusOr<Profile> profile = ReadProfileBytes(bytes, name);
  EXPECT_FALSE(profile.ok());
  return profile.ok() ? "" : Message(profile.status());
}

// A TPU with two runs of a program, each with one matmul.
std::string XSpaceBytes() {
  const auto stat_name = [](uint64_t id, std::string_view name) {
    return Wire().Number(1, id).Text(2, name);
  };
  Wire plane;
  plane.Number(1, 1).Text(2, "/device:TPU:0");
  Wire modules;
  modules.Number(1, 1).Text(2, "XLA Modules");
  Wire ops;
  ops.Number(1, 2).Text(2, "XLA Ops");
  for (uint64_t i = 0; i < 2; ++i) {
    modules.Add(4, Wire().Number(1, 1).Number(2, i * 2'000'000).Number(3, 1'000'000));
    ops.Add(4, Wire().Number(1, 2).Number(2, i * 2'000'000).Number(3, 800'000));
  }
  plane.Add(3, modules).Add(3, ops);
  plane.Entry(4, 1, Wire().Number(1, 1).Text(2, "jit_f(7)"));
  plane.Entry(4, 2,
              Wire()
                  .Number(1, 2)
                  .Text(2, "%fusion.1 = bf16[8,128] fusion(..)")
                  .Text(4, "fusion.1")
                  .Add(5, Wire().Number(1, 1).Text(5, "convolution fusion"))
                  .Add(5, Wire().Number(1, 2).Number(4, 1000))
                  .Add(5, Wire().Number(1, 4).Text(5, "train.py:31")));
  plane.Entry(5, 1, stat_name(1, "hlo_category")).Entry(5, 2, stat_name(2, "flops"));
  plane.Entry(5, 3, stat_name(3, "device_type_string")).Entry(5, 4, stat_name(4, "source"));
  plane.Entry(5, 5, stat_name(5, "peak_teraflops_per_second"));
  plane.Add(6, Wire().Number(1, 3).Text(5, "TPU v6 Lite"));
  plane.Add(6, Wire().Number(1, 5).Real(2, 918));
  return Wire().Add(1, plane).Text(4, "host-0").bytes();
}

TEST(XSpace, HasDevicesLinesAndWhatAnOpIs) {
  const Profile profile = Read(XSpaceBytes());
  EXPECT_EQ(profile.format, "XSpace");
  EXPECT_THAT(profile.hosts, ::testing::ElementsAre("host-0"));
  ASSERT_EQ(profile.planes.size(), 1u);
  const ProfilePlane& plane = profile.planes[0];
  EXPECT_TRUE(plane.hardware == Hardware::kTpu);
  EXPECT_EQ(plane.device_type, "TPU v6 Lite");
  EXPECT_DOUBLE_EQ(plane.peak_flops, 918e12);
  ASSERT_EQ(plane.lines.size(), 2u);
  EXPECT_EQ(plane.lines[1].kind, LineKind::kOps);
  ASSERT_EQ(plane.lines[1].events.size(), 2u);
  EXPECT_EQ(plane.lines[1].events[1].start, 2'000'000);
  const ProfileOp& op = profile.OpOf(plane.lines[1].events[0]);
  EXPECT_EQ(op.name, "fusion.1");
  EXPECT_EQ(op.kind, "convolution fusion");
  EXPECT_EQ(op.source, "train.py:31");
  EXPECT_EQ(op.flops, 1000);
}

TEST(XSpace, ThatIsCutIsReadUpToThere) {
  const std::string bytes = XSpaceBytes();
  const Profile profile = Read(std::string_view(bytes).substr(0, 100), "a.xplane.pb");
  EXPECT_GT(profile.event_count(), 0);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("cut or damaged")));
}

TEST(XSpace, OfAConvertedTextIsRefused) {
  std::string bytes = "\n\xef\xbf\xbd\xef\xbf\xbd\x06\x08\x02\x12\n/device:";
  for (int i = 0; i < 20; ++i) bytes += "a\xef\xbf\xbd";
  EXPECT_THAT(ErrorOf(bytes, "a.xplane.pb"), HasSubstr("conversion of text"));
}

TEST(ChromeTrace, OfXProfHasCategoriesAndNumbersInStrings) {
  const Profile profile = Read(R"({"displayTimeUnit":"ns","traceEvents":[
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
    {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
    {"ph":"X","pid":3,"tid":3,"ts":10.5,"dur":2.000001,"name":"fusion",
     "args":{"hlo_category":"loop fusion","bytes_accessed":"64","flops":"7"}},{}]})");
  EXPECT_EQ(profile.format, "XProf trace");
  ASSERT_EQ(profile.planes.size(), 1u);
  const ProfileLine& line = profile.planes[0].lines.at(0);
  EXPECT_EQ(line.kind, LineKind::kOps);
  EXPECT_EQ(line.events.at(0).duration, 2'000'001);
  EXPECT_EQ(profile.OpOf(line.events[0]).bytes, 64);
  EXPECT_TRUE(profile.notes.empty());
}

TEST(ChromeTrace, OfATimelineCountsStreamsOnce) {
  const Profile profile = Read(R"({"traceEvents":[
    {"ph":"M","pid":1,"name":"process_name","args":{"name":"/gpu:0/stream:all Compute"}},
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/gpu:0/stream:7 Compute"}},
    {"ph":"M","pid":5,"name":"process_name","args":{"name":"/job:a/gpu:0 Compute"}},
    {"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1500000000000000,"dur":5,"name":"Conv2D",
     "args":{"name":"conv1","op":"Conv2D"}},
    {"ph":"X","cat":"Op","pid":3,"tid":0,"ts":1500000000000000,"dur":5,"name":"Conv2D",
     "args":{"name":"conv1","op":"Conv2D"}},
    {"ph":"X","cat":"Op","pid":5,"tid":0,"ts":1500000000000000,"dur":9,"name":"Conv2D",
     "args":{"name":"conv1","op":"Conv2D"}}]})");
  EXPECT_EQ(profile.format, "TensorFlow timeline");
  EXPECT_EQ(profile.planes.at(0).kind, PlaneKind::kDevice);
  EXPECT_EQ(profile.planes.at(1).kind, PlaneKind::kOther);
  EXPECT_EQ(profile.planes.at(2).kind, PlaneKind::kHost);
}

TEST(ChromeTrace, ThatIsCutIsReadUpToThere) {
  const Profile profile = Read(R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"},
                                   {"ph":"X","pid":1,"tid":1,"ts":4,"du)");
  EXPECT_EQ(profile.event_count(), 1);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("The trace is cut")));
}

// The first two thirds of a compressed trace of 60 events, as a full disk leaves it.
constexpr char kCutGzip[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xad\xd7\xbb\x4a\xc5\x40\x14\x85\xe1\x57"
    "\x09\x53\x9f\x22\xb3\x2f\xb9\xf8\x24\x82\x58\x1c\x38\x82\x16\x6a\xf0\x52\xc9\x79"
    "\x77\xc7\xea\x54\xbf\xcc\x22\xe9\x56\x93\x05\xb3\xf9\x92\xcc\x7e\xf8\x29\xdb\x73"
    "\xb9\x1b\xca\x7d\x39\x0d\x65\x7b\xb9\xb4\x5c\x5b\xfa\xba\xa5\xcf\x16\xc6\x16\x2e"
    "\xdf\x1f\x2d\x59\x4b\x6f\xe7\xd7\xa7\xbf\x67\xde\xb7\xb1\x5c\x4f\x43\x5f\x45\x0d"
    "\xe8\x88\xfe\x0e\x73\xe8\x58\xfa\x3b\xdc\xa0\xa3\xf6\x77\x44\x85\x8e\xec\xef\x48"
    "\x9a\xe9\xda\xdf\x31\xd1\x4c\xad\xbf\x63\xa6\x99\x4e\xfd\x1d\x0b\xce\x54\x00\xb2"
    "\xd2\x50\x5d\x40\x36\xd2\x54\x67\xa1\x04\xa9\x2a\xdc\xd1\xaa\xe0\xbd\x22\xd6\x45"
    "\x79\xf1\xea\x7e\xf1\x15\xb9\x0a\xe4\x2b\x7a\x15\xcc\x57\x04\x2b\xa0\xaf\x28\x56"
    "\x50\x5f\x51\xac\xc2\xde\x90\xac\xe0\xde\x90\xac\xe0\xde\x90\xac\x72\x1c\x24\xab"
    "\x7c\xe7\x91\xac\xe0\xde\x90\xac\xe0\xde\x90\xac\xe0\xde\x90\xac\xe0\xde\x90\xac"
    "\xe0\xde\x90\xac\xe0\xde\x51\xac\xe2\xde\x91\xac\x2b\x3f\x73\xdf\xef\xde";

TEST(ChromeTrace, OfATruncatedGzipIsReadUpToThere) {
  const Profile profile =
      Read(std::string_view(kCutGzip, sizeof(kCutGzip) - 1), "host.trace.json.gz");
  EXPECT_GT(profile.event_count(), 0);
  EXPECT_LT(profile.event_count(), 60);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("cut")));
}

TEST(ChromeTrace, WithoutNamesOfProcessesKeepsItsEvents) {
  const Profile profile = Read(R"([{"ph":"X","pid":7,"tid":1,"ts":1,"dur":2,"name":"a"}])");
  EXPECT_EQ(profile.event_count(), 1);
}

TEST(XSpace, WithoutAPlaneOfADeviceSaysSo) {
  Wire line;
  line.Number(1, 1)
      .Text(2, "thread/1")
      .Add(4, Wire().Number(1, 1).Number(2, 0).Number(3, 1'000'000));
  Wire plane;
  plane.Number(1, 1).Text(2, "/host:CPU").Add(3, line);
  plane.Entry(4, 1, Wire().Number(1, 1).Text(2, "main"));
  const Profile profile = Read(Wire().Add(1, plane).bytes(), "a.xplane.pb");
  EXPECT_EQ(profile.event_count(), 1);
  EXPECT_THAT(Analyse(profile).notes, ::testing::Contains(HasSubstr("no events of a device")));
}

TEST(XSpace, EventsThatTakeYearsAreLeftOut) {
  Wire line;
  line.Number(1, 1).Text(2, "thread/1");
  for (int i = 0; i < 3; ++i) {
    line.Add(4, Wire().Number(1, 1).Number(2, 0).Number(3, uint64_t{1} << 62));
  }
  Wire plane;
  plane.Number(1, 1).Text(2, "/host:CPU").Add(3, line);
  plane.Entry(4, 1, Wire().Number(1, 1).Text(2, "main"));
  const Profile profile = Read(Wire().Add(1, plane).bytes(), "a.xplane.pb");
  EXPECT_LT(profile.event_count(), 3);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("clock or its bytes are wrong")));
}

TEST(ChromeTrace, SaysThatClocksGoBackwards) {
  const Profile profile = Read(R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":-2,"name":"a"},
                                   {"ph":"B","pid":1,"tid":1,"ts":9,"name":"b"},
                                   {"ph":"E","pid":1,"tid":1,"ts":4}])");
  EXPECT_EQ(profile.event_count(), 2);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("2 events end before they begin")));
}

TEST(ChromeTrace, KeepsTheFirstOfVeryManyThreads) {
  std::string text = R"({"traceEvents":[)";
  for (int thread = 0; thread < 120'000; ++thread) {
    absl::StrAppend(&text, thread == 0 ? "" : ",", R"({"ph":"X","pid":1,"name":"f","dur":1,"ts":)",
                    thread, R"(,"tid":)", thread, "}");
  }
  const Profile profile = Read(text + "]}");
  EXPECT_EQ(profile.event_count(), 99'999);  // the process counts, too
  EXPECT_THAT(profile.notes,
              ::testing::Contains(HasSubstr("20001 events are left out: 100000 processes")));
}

TEST(ChromeTrace, TakesNanosecondsSince1970ForWhatTheyAre) {
  const Profile profile =
      Read(R"([{"ph":"X","pid":1,"tid":1,"ts":1500000000000000000,"dur":2000,"name":"a"}])");
  EXPECT_EQ(profile.planes.at(0).lines.at(0).events.at(0).duration, 2'000'000);
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("nanoseconds")));
}

TEST(RunMetadata, AsTextAndAsBytesSayTheSame) {
  const Profile text = Read(R"j(step_stats { dev_stats { device: "/job:a/cpu:0"
    node_stats { node_name: "x" all_start_micros: 1500000000000000 all_end_rel_micros: 52
                 timeline_label: "x = MatMul(a, b)" } } })j");
  const Wire node =
      Wire().Text(1, "x").Number(2, 1500000000000000).Number(5, 52).Text(8, "x = MatMul(a, b)");
  const Wire device = Wire().Text(1, "/job:a/cpu:0").Add(2, node);
  const Profile bytes = Read(Wire().Add(1, Wire().Add(1, device)).bytes());
  for (const Profile* profile : {&text, &bytes}) {
    ASSERT_EQ(profile->event_count(), 1);
    const ProfileEvent& event = profile->planes[0].lines[0].events[0];
    EXPECT_EQ(event.duration, 52'000'000);
    EXPECT_EQ(profile->OpOf(event).kind, "MatMul");
    EXPECT_TRUE(profile->planes[0].hardware == Hardware::kCpu);
  }
}

TEST(TraceProto, HasEventsOfItsDevices) {
  const Wire device = Wire().Text(1, "/host:CPU").Entry(3, 5, Wire().Text(1, "main"));
  const Wire event = Wire().Number(2, 5).Text(3, "MatMul").Number(9, 859).Number(10, 77);
  const Profile profile = Read(Wire().Entry(1, 0, device).Add(4, event).bytes(), "local.trace");
  EXPECT_EQ(profile.format, "Trace protobuf");
  ASSERT_EQ(profile.event_count(), 1);
  EXPECT_EQ(profile.planes[0].lines[0].events[0].duration, 77);
}

TEST(OverviewPage, DividesInputTimeByStepTimeOfAllSteps) {
  const auto step = [](double time, double input) {
    return Wire()
        .Text(1, "type.googleapis.com/tensorflow.profiler.PerGenericStepDetails")
        .Add(2, Wire().Real(2, time).Real(11, input));
  };
  const Wire summary = Wire().Real(1, 50).Real(3, 10).Real(4, 90);
  const Wire input = Wire().Add(2, summary).Add(4, step(10, 0)).Add(4, step(90, 80));
  const Profile profile = Read(
      Wire().Add(2, input).Add(4, Wire().Text(2, "Your program is HIGHLY input-bound")).bytes(),
      "host.overview_page.pb");
  ASSERT_TRUE(profile.stated.input_share.has_value());
  EXPECT_DOUBLE_EQ(*profile.stated.input_share, 0.8);
  EXPECT_EQ(profile.stated.step->mean.value, 0.05);
}

TEST(ToolJson, ReadsPropertiesOfCharts) {
  const Profile profile = Read(R"([{"cols":[{"id":"operation"},{"id":"selfTimePercent"}],
    "rows":[{"c":[{"v":"conv1"},{"v":0.03}]}],
    "p":{"mxu_utilization_percent":"48.8%","host_idle_time_percent":"87.7%"}},
    {"cols":[{"id":"stepnum"},{"id":"computeTimeMs"},{"id":"inputTimeMs"}],
     "rows":[{"c":[{"v":"0"},{"v":300.0},{"v":100.0}]}],"p":{}}])");
  EXPECT_DOUBLE_EQ(*profile.stated.mxu_use, 0.488);
  EXPECT_DOUBLE_EQ(*profile.stated.input_share, 0.25);
  EXPECT_EQ(profile.stated.ops.at(0).name, "conv1");
}

TEST(ToolJson, OfAnEmptyMemoryProfileSaysSo) {
  const Profile profile = Read(R"({"memoryProfilePerAllocator":{},"numHosts":1,"memoryIds":[]})");
  EXPECT_THAT(profile.notes, ::testing::Contains(HasSubstr("empty")));
}

TEST(Mlperf, HasTheRunAndItsEpochs) {
  const Profile profile = Read(
      ":::MLPv0.5.0 resnet 100.5 (a.py:1) run_start\n"
      ":::MLPv0.5.0 resnet 101.0 (a.py:2) input_batch_size: 1024\n"
      ":::MLPv0.5.0 resnet 200.5 (a.py:3) eval_accuracy: {\"value\": 0.75, \"epoch\": 61}\n"
      ":::MLPv0.5.0 resnet 300.5 (a.py:4) run_stop: {\"success\": \"true\"}\n");
  EXPECT_EQ(profile.stated.counters.at("run time (s)"), 200);
  EXPECT_EQ(profile.stated.counters.at("epochs"), 61);
  EXPECT_EQ(profile.stated.counters.at("last evaluation"), 0.75);
}

TEST(Profiles, OfNoKnownFormatAreRefusedWithAHint) {
  EXPECT_THAT(ErrorOf("hello"), HasSubstr("no format that is known"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("empty file"));
  EXPECT_THAT(ErrorOf(R"({"traceEvents": 7})"), HasSubstr("without traceEvents"));
  EXPECT_THAT(ErrorOf(std::string("\x1f\x8b\x08\x00", 4)), HasSubstr("expected"));
}

}  // namespace
}  // namespace tilewise
