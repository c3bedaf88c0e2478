// The characters that ship; scenes/characters/README.md describes them. Their skins are still to grow.
#pragma once

#include "tools/characters/character.h"

namespace coracle::characters {

Character ball();
Character arm();
Character dog();
Character bather();
Character whale();

}  // namespace coracle::characters
