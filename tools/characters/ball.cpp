// A ball of radius 0.1 m that lies on the ground, with one bone.
#include "tools/characters/cast.h"

namespace coracle::characters {

Character ball() {
  Character c{.name = "ball", .edge = 0.01, .longest = 0.014};
  constexpr double radius = 0.1;
  const Vec3 centre(0, radius, 0);
  c.add_bone("ball", -1, centre);
  c.body = {{.bone = 0, .a = centre, .b = centre, .ra = radius, .rb = radius}};
  const Character still = c;
  // Linear keys turn at a constant rate: exact rotation, whatever the number of keys.
  c.clips.push_back({.name = "turn", .duration = 2, .rate = 4, .pose = [still](double t) {
                       Pose pose = still.rest();
                       pose.turn[0] = turn(180 * t, Vec3::UnitY());
                       return pose;
                     }});
  return c;
}

}  // namespace coracle::characters
