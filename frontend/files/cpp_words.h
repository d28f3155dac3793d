// Notes on C++ sources, which are followed as programs in Python are: in words of C++.

#pragma once

#include <string>

namespace tilewise {

// "AttributeError: 'Net' object has no attribute 'fc'" is "'Net' has no member 'fc'"; places in the
// reader's own modules are left out.
std::string InWordsOfCpp(const std::string& message);

}  // namespace tilewise
