#include "app/commands.h"

#include <cstdio>

namespace coracle {

int schema_command() {
  std::fputs(scene_schema().c_str(), stdout);
  return 0;
}

}  // namespace coracle
