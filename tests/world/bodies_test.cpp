#include "coracle/world/bodies.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coracle {
namespace {

BodyOptions crate() {
  BodyOptions o;
  o.name = "crate";
  o.kind = BodyKind::rigid;
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3(0.5, 0.3, 0.4);
  o.edge = 0.1;
  return o;
}

HoldOptions hold(BodySide side, const Vec3& velocity) {
  HoldOptions h;
  h.kind = HoldKind::pin;
  h.side = side;
  if (velocity == Vec3::Zero()) return h;
  MotionOptions motion;
  motion.kind = MotionKind::velocity;
  motion.velocity = velocity;
  h.motions = {motion};
  return h;
}

HoldOptions roller(BodySide side, const Vec3& normal, const Vec3& velocity) {
  HoldOptions h = hold(side, velocity);
  h.kind = HoldKind::roller;
  h.normal = normal;
  return h;
}

std::string refusal(const std::vector<HoldOptions>& holds) {
  BodyOptions o = crate();
  o.holds = holds;
  try {
    (void)build_body(o);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Bodies, holds_of_a_rigid_body_move_it_as_one) {
  const Vec3 left(-0.5, 0, 0), right(0.5, 0, 0), rest(0, 0, 0), x(1, 0, 0), y(0, 1, 0);
  const std::string torn = "give them the same motion";
  EXPECT_NE(refusal({hold(BodySide::x_min, left), hold(BodySide::x_max, right)}).find(torn), std::string::npos);
  EXPECT_NE(refusal({hold(BodySide::x_min, rest), hold(BodySide::x_max, right)}).find(torn), std::string::npos);
  EXPECT_NE(refusal({roller(BodySide::x_min, x, left), roller(BodySide::x_max, x, right)}).find(torn),
            std::string::npos);
  EXPECT_EQ(refusal({hold(BodySide::x_min, right), hold(BodySide::x_max, right)}), "") << "the same motion twice";
  EXPECT_EQ(refusal({hold(BodySide::x_min, rest), hold(BodySide::x_max, rest)}), "");
  EXPECT_EQ(refusal({roller(BodySide::x_min, x, right), roller(BodySide::x_min, y, rest)}), "")
      << "along different directions";
  BodyOptions soft = crate();
  soft.kind = BodyKind::solid;
  soft.holds = {hold(BodySide::x_min, left), hold(BodySide::x_max, right)};
  EXPECT_NO_THROW((void)build_body(soft)) << "others can be stretched";
}

TEST(Bodies, of_a_held_rigid_body_only_leading_nodes_keep_their_holds) {
  BodyOptions o = crate();
  o.holds = {hold(BodySide::x_min, Vec3::Zero())};
  EXPECT_EQ(build_body(o).rest->holds.size(), 3u);  // they span the side
  o.holds.push_back(hold(BodySide::x_max, Vec3::Zero()));
  const Body body = build_body(o);
  ASSERT_EQ(body.rest->holds.size(), 4u);
  const Vec4i& leaders = std::get<Rigid>(body.rest->elements).frame.tets[0];
  for (const Hold& h : body.rest->holds) EXPECT_TRUE((leaders.array() == h.node).any()) << h.node;
}

}  // namespace
}  // namespace coracle
