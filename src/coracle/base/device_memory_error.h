// The memory of a GPU has run out.
#pragma once

#include "coracle/error.h"

namespace coracle {

// The user can mend it; what() says how.
class DeviceMemoryError : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace coracle
