// Writes the characters that ship: characters FOLDER
#include "tools/characters/cast.h"

#include "coracle/base/files.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

int main(int count, char** words) {
  using namespace coracle;
  if (count != 2) {
    fmt::print(stderr, "characters FOLDER: writes ball, arm, dog, bather and whale as .glb files\n");
    return 2;
  }
  try {
    make_directories(words[1]);
    for (Character character : {ball(), arm(), dog(), bather(), whale()}) {
      grow_skin(character);
      const std::string bytes = to_glb(character);
      write_atomically(fmt::format("{}/{}.glb", words[1], character.name), bytes);
      fmt::print("{}: {} triangles, {} bones, {} kB\n", character.name, character.skin.tris.size(),
                 character.bones.size(), bytes.size() / 1000);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
