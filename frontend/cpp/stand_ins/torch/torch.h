// Stand-in for LibTorch's header.
#pragma once
namespace torch {}
