// Documents checked by Python's own parsers, which know nothing of tilewise.

#pragma once

#include <string>

namespace tilewise {

// Whether python3-jsonschema is there.
bool HasSchemaValidator();

// Whether `json` follows the JSON schema in the file `schema`; complaints go to
// the test's log.
bool FollowsSchema(const std::string& json, const std::string& schema);

// Whether `xml` is well-formed; complaints go to the test's log.
bool IsXml(const std::string& xml);

}  // namespace tilewise
