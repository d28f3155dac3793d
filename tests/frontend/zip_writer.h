// Small zip archives, written by libzip.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilewise {

// The bytes of an archive of these members, deflated.
std::string WriteZip(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace tilewise
