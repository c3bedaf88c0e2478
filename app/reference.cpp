#include "coracle/scene/reference.h"
#include "app/commands.h"

#include <cstdio>

namespace coracle {

int reference_command() {
  std::fputs(scene_reference().c_str(), stdout);
  return 0;
}

}  // namespace coracle
