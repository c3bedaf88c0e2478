// Where the pressure equation is solved.
#pragma once

#include <string>

namespace coracle {

enum class Backend {
  cpu,
  cuda,  // a GPU
};

// Throws RunError, which names the remedy, if this program or this machine cannot use it.
void require_backend(Backend backend);
// "NVIDIA H200, 139 GiB"; the processor's is empty.
std::string device_name(Backend backend);

}  // namespace coracle
