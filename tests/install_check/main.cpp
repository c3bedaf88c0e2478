#include "coracle/scene.h"

#include <cstdio>

int main() {
  const std::string schema = coracle::scene_schema();
  std::printf("schema of %zu bytes\n", schema.size());
  return schema.find("liquid") == std::string::npos;
}
