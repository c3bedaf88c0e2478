// The longest step that the physics allows.
#pragma once

namespace coracle {

struct StableStep {
  double dt;     // s
  double speed;  // m/s, the largest of anything that moves
};

}  // namespace coracle
