// CHECK(condition): always on. Where it fails, the mistake is ours: InternalError.
#pragma once

#include "coracle/error.h"

namespace coracle {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace coracle

#define CHECK(condition) \
  if (!(condition)) ::coracle::check_failed(#condition, __FILE__, __LINE__)
