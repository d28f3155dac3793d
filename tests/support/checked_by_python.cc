// One process per document, so the documents go through files.

#include "tests/support/checked_by_python.h"

#include <cstdlib>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

bool Succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

}  // namespace

bool HasSchemaValidator() {
  return Succeeds("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null");
}

bool FollowsSchema(const std::string& json, const std::string& schema) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("document.json", json);
  return Succeeds("/usr/bin/python3 -W ignore -m jsonschema -i " + path + " " + schema);
}

bool IsXml(const std::string& xml) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("document.xml", xml);
  return Succeeds(
      "/usr/bin/python3 -c 'import sys, xml.etree.ElementTree as e; "
      "e.parse(sys.argv[1])' " +
      path);
}

}  // namespace tilewise
