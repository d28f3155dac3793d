// JUnit and Checkstyle: well-formed whatever is in the files, and counts that
// add up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/renderers.h"
#include "report/xml.h"
#include "tests/report/sample_report.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report Hostile() {
  Report report = LintSample();
  report.findings[0].message = "<![CDATA[ \"]]>' & \x1b[31m \xFF\n</failure>";
  report.findings[0].location.item = "a\"b<c>/\x01";
  report.findings[1].location.file = "a & b/\xC3\xA9\".py";
  report.failures = {"<oh> & \"no\""};
  return report;
}

TEST(RenderJunit, CountsTestsFailuresAndErrors) {
  const std::string xml = RenderJunit(LintSample(), {});
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"tilewise lint\" tests=\"5\" "
                             "failures=\"2\" errors=\"1\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"train.py\" tests=\"1\" "
                             "failures=\"1\" errors=\"0\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"IP002 prefetch-not-last at 2:5\" "
                             "line=\"2\">\n      <failure type=\"warning\" "
                             "message=\"prefetch stands before batch"));
}

TEST(RenderJunit, InfosAndCleanFilesPass) {
  const std::string xml = RenderJunit(LintSample(), {});
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"b.ipynb\" tests=\"1\" "
                             "failures=\"0\" errors=\"0\">"));
  EXPECT_THAT(xml, HasSubstr("at cell 2:1:3\" line=\"4\">\n      <system-out>one step"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"clean.py\" "
                             "name=\"no findings\"/>"));
  Report empty;
  empty.workload = "a.py";
  EXPECT_THAT(RenderJunit(empty, {}), HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST(RenderJunit, IsWellFormedWhateverIsInTheFiles) {
  EXPECT_TRUE(IsXml(RenderJunit(LintSample(), {})));
  EXPECT_TRUE(IsXml(RenderJunit(Hostile(), {})));
  EXPECT_TRUE(IsXml(RenderJunit({}, {})));
  EXPECT_FALSE(IsXml("<a>"));
}

TEST(RenderCheckstyle, GroupsErrorsByFile) {
  const std::string xml = RenderCheckstyle(LintSample(), {});
  EXPECT_THAT(xml, HasSubstr("  <file name=\"train.py\">\n    <error line=\"2\" "
                             "column=\"5\" severity=\"warning\" "
                             "message=\"prefetch stands"));
  EXPECT_THAT(xml, HasSubstr("<error line=\"0\" severity=\"error\" "
                             "message=\"m.onnx: block/conv1: dim 3"));
  EXPECT_THAT(xml, HasSubstr("source=\"tilewise.AL001\"/>"));
  EXPECT_THAT(xml, Not(HasSubstr("clean.py")));
}

TEST(RenderCheckstyle, IsWellFormedWhateverIsInTheFiles) {
  EXPECT_TRUE(IsXml(RenderCheckstyle(Hostile(), {})));
  EXPECT_TRUE(IsXml(RenderCheckstyle({}, {})));
}

TEST(EscapeXml, EscapesMarkupAndLineEnds) {
  EXPECT_EQ(EscapeXml("a<b>&\"'\n\r\t"), "a&lt;b&gt;&amp;&quot;&apos;&#10;&#13;&#9;");
  EXPECT_EQ(EscapeXml("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(EscapeXml, ReplacesWhatXmlCannotHold) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(EscapeXml(std::string_view("\0\x1b", 2)), bad + bad);
  EXPECT_EQ(EscapeXml("\xFF!"), bad + "!");
  EXPECT_EQ(EscapeXml("\xC3"), bad);                       // cut short
  EXPECT_EQ(EscapeXml("\xC0\xAF"), bad + bad);             // overlong
  EXPECT_EQ(EscapeXml("\xE0\x80\x80"), bad + bad + bad);   // overlong
  EXPECT_EQ(EscapeXml("\xED\xA0\x80").substr(0, 3), bad);  // a surrogate
  EXPECT_EQ(EscapeXml("\xEF\xBF\xBF"), bad);               // U+FFFF
  EXPECT_EQ(EscapeXml("\xC2\x85\xE2\x80\xAE"), "&#x85;&#x202e;");
}

}  // namespace
}  // namespace tilewise
