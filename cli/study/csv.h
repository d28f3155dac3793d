// Rows as comma-separated values.

#pragma once

#include <span>
#include <string>

#include "report/listing.h"

namespace tilewise {

// Writes a line of column names first (RFC 4180, but for line ends); an empty line stands between
// two sections. Numbers are whole ones or the shortest text that reads back as the same number.
std::string CsvText(std::span<const ListingSection> sections);

}  // namespace tilewise
