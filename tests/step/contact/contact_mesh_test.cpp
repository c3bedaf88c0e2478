// What can touch: rods, shells, rigid bodies and ties beside solids.
#include "coracle/base/random.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/step/contact/contact_pairs.h"
#include "coracle/step/contact/contact_start.h"
#include "coracle/world/make_rods.h"
#include "coracle/world/make_shells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coracle {
namespace {

using Nodes = std::vector<Vec3>;

Body finished(BodyRest rest, const std::string& name, const Vec3& velocity) {
  rest.options.name = name;
  Body body;
  body.name = name;
  body.x = rest.x;
  body.v.assign(rest.x.size(), velocity);
  body.rest = std::make_shared<const BodyRest>(std::move(rest));
  return body;
}

Body rod(const std::string& name, const Nodes& x, double radius, const Vec3& velocity = Vec3::Zero(),
         double young = 1e7) {
  BodyRest rest;
  rest.x = x;
  rest.options.young = young;
  rest.options.rod_radius = radius;
  rest.skin.radius = radius;
  for (int n = 0; n < int(x.size()); ++n) {
    rest.skin.nodes.push_back(n);
    if (n > 0) rest.skin.segments.push_back({n - 1, n});
  }
  rest.skin.edge = (x[1] - x[0]).norm();
  Rods rods = make_rods(x, rest.skin.segments);
  rest.mass = lumped_mass(rods, x.size(), rest.options);
  rest.elements = std::move(rods);
  return finished(std::move(rest), name, velocity);
}

Nodes line(const Vec3& from, const Vec3& to, int segments) {
  Nodes x;
  for (int n = 0; n <= segments; ++n) x.push_back(from + (to - from) * n / segments);
  return x;
}

Hold pin(int node) { return {.node = node, .free = Mat3::Zero(), .directions = {}}; }

// A square of n × n cells in the plane y = height, perhaps held along its border.
Body sheet(const std::string& name, int n, double side, double height, double thickness, bool held,
           double young = 1e7) {
  BodyRest rest;
  rest.options.young = young;
  rest.options.shell_thickness = thickness;
  rest.skin.radius = 0.5 * thickness;
  rest.skin.edge = side / n;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      rest.x.emplace_back(0.5 + side * (double(i) / n - 0.5), height, 0.5 + side * (double(j) / n - 0.5));
      const int at = i * (n + 1) + j;
      rest.skin.nodes.push_back(at);
      if (held && (i == 0 || j == 0 || i == n || j == n)) rest.holds.push_back(pin(at));
      if (i == n || j == n) continue;
      rest.skin.tris.emplace_back(at, at + 1, at + n + 2);
      rest.skin.tris.emplace_back(at, at + n + 2, at + n + 1);
    }
  Shells shells = make_shells(rest.x, rest.skin.tris, rest.options.poisson);
  rest.mass = lumped_mass(shells, rest.x.size(), rest.options);
  rest.elements = std::move(shells);
  return finished(std::move(rest), name, Vec3::Zero());
}

// A plate that is thinner than its reach: nodes 0 to 3 lead, 4 to 11 are the corners, which follow.
Body rigid_plate(const std::string& name, const Vec3& center, std::vector<Hold> holds = {}) {
  BodyRest rest;
  rest.x = {center, center + Vec3::UnitX(), center + Vec3::UnitY(), center + Vec3::UnitZ()};
  rest.mass = {1, 1, 1, 1};
  rest.options.young = 1e9;
  const Vec3 half(0.1, 0.002, 0.1);
  for (int c = 0; c < 8; ++c) {
    const Vec3 p(c & 1 ? half.x() : -half.x(), c & 2 ? half.y() : -half.y(), c & 4 ? half.z() : -half.z());
    rest.x.push_back(center + p);
    rest.mass.push_back(0);
    rest.followers.push_back({4 + c, {0, 1, 2, 3}, {1 - p.sum(), p.x(), p.y(), p.z()}});
    rest.skin.nodes.push_back(4 + c);
  }
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    rest.skin.tris.emplace_back(4 + a, 4 + b, 4 + c);
    rest.skin.tris.emplace_back(4 + a, 4 + c, 4 + d);
  }
  rest.skin.edge = 0.2;
  rest.holds = std::move(holds);
  rest.elements = Rigid{};
  return finished(std::move(rest), name, Vec3::Zero());
}

World world_of(std::vector<Body> bodies) {
  World world;
  world.domain = {Vec3::Zero(), Vec3::Ones()};
  world.bodies = std::move(bodies);
  return world;
}

Nodes all_nodes(const World& world) {
  Nodes x;
  for (const Body& body : world.bodies) x.insert(x.end(), body.x.begin(), body.x.end());
  return x;
}

// Pairs within their reach.
int count_near(ContactMesh& mesh, const Nodes& x) {
  const ContactCandidates candidates = find_candidates(mesh, x, x);
  int count = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ContactPair pair = pair_at(mesh, candidates, i);
    count += within(measure(mesh, pair, x), pair.offset + pair.reach);
  }
  return count;
}

double least_axis_distance(const Body& a, const Body& b) {
  double least = INFINITY;
  for (const auto& s : a.rest->skin.segments)
    for (const auto& t : b.rest->skin.segments)
      least = std::min(least, edge_edge_distance({a.x[s[0]], a.x[s[1]], b.x[t[0]], b.x[t[1]]}).squared);
  return std::sqrt(least);
}

// look(report) after every step.
template <class Look>
void run(World& world, int steps, double dt, Look&& look, double gravity = 0, double stiffness = 0) {
  const ElasticOptions elastic{.place = {}, .newton = true, .max_iterations = 100, .tolerance = 1e-10};
  const ContactOptions contact{.place = {}, .kind = ContactKind::barrier, .stiffness = stiffness};
  BodySystem system;
  for (int s = 0; s < steps; ++s) {
    const World before = world;
    const BodyStep step{.options = elastic,
                        .contact = contact,
                        .world = before,
                        .trees = {},
                        .dt = dt,
                        .gravity_dv = Vec3(0, -dt * gravity, 0)};
    std::vector<NodeField> motion;
    const BodySolve solved = solve_bodies(step, system, world.bodies, motion);
    ASSERT_TRUE(solved.ok) << solved.trouble << ", step " << s;
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
      for (std::size_t i = 0; i < motion[b].size(); ++i) world.bodies[b].x[i] += dt * motion[b][i];
    look(*solved.contact);
  }
}

TEST(ContactMesh, a_rod_is_its_segments_and_their_shadow) {
  const double r = 0.01;
  const World world = world_of({rod("rod", line(Vec3(0.2, 0.5, 0.5), Vec3(0.8, 0.5, 0.5), 6), r)});
  const ContactMesh mesh = make_contact_mesh(world, 0);
  EXPECT_EQ(mesh.edges.size(), 6u);
  EXPECT_EQ(mesh.points.size(), 7u);
  EXPECT_EQ(mesh.surface_tris, 0);
  EXPECT_EQ(mesh.tris.size(), 6u) << "flat ones, for points of a liquid";
  const double shadow = 2 * r * 0.6;
  EXPECT_NEAR(std::accumulate(mesh.edge_area.begin(), mesh.edge_area.end(), 0.0), shadow, 1e-15);
  EXPECT_NEAR(std::accumulate(mesh.point_area.begin(), mesh.point_area.end(), 0.0), shadow, 1e-15);
  EXPECT_NEAR(mesh.point_area[0], 0.5 * mesh.point_area[1], 1e-15);
  // The mass over that area: ρ π r² / 2 r.
  EXPECT_NEAR(mesh.parts[0].layer / (world.bodies[0].rest->options.density * M_PI * r / 2), 1, 1e-12);
}

TEST(ContactMesh, a_rod_thicker_than_its_segments_does_not_repel_its_neighbours_but_the_next_winding) {
  const double r = 0.01, h = 0.004;
  World straight = world_of({rod("rod", line(Vec3(0.3, 0.5, 0.5), Vec3(0.7, 0.5, 0.5), 100), r)});
  ContactMesh mesh = make_contact_mesh(straight, 0);
  EXPECT_EQ(count_near(mesh, straight.bodies[0].x), 0);
  EXPECT_NEAR(mesh.parts[0].reach, 0.1 * h, 1e-12);
  EXPECT_TRUE(find_meetings(mesh, straight.bodies[0].x).empty());

  // A hairpin: bent nearly as far as its thickness allows, with its two legs apart.
  Nodes hairpin;
  const double bend = 1.2 * r, turn = M_PI * bend, leg = 0.2 - 0.5 * turn;
  for (int n = 0; n <= 100; ++n) {
    const double s = n * h - leg, angle = std::clamp(s / bend, 0.0, M_PI);
    const double along = s < 0 ? s : s > turn ? turn - s : 0;
    hairpin.push_back(Vec3(0.5, 0.5, 0.5) + Vec3(along + bend * std::sin(angle), -bend * std::cos(angle), 0));
  }
  EXPECT_TRUE(find_meetings(mesh, hairpin).empty());
  for (Vec3& p : hairpin) p.y() = 0.5 + (p.y() - 0.5) * 0.8;  // now the legs overlap
  EXPECT_EQ(find_meetings(mesh, hairpin).size(), 1u);

  // A coil whose windings are 2 r and half a reach apart: each acts on the next, and none is joined.
  const double gap = 0.5 * 0.1 * h, radius = 0.05;
  Nodes coil;
  for (int n = 0; n <= 200; ++n) {
    const double angle = n * h / radius;
    coil.emplace_back(0.5 + radius * std::cos(angle), 0.5 + (2 * r + gap) * angle / (2 * M_PI),
                      0.5 + radius * std::sin(angle));
  }
  World wound = world_of({rod("coil", coil, r)});
  mesh = make_contact_mesh(wound, 0);
  const ContactCandidates near = find_candidates(mesh, coil, coil);
  EXPECT_GT(near.edges.size(), 100u);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const ContactPair pair = pair_at(mesh, near, i);
    EXPECT_GT(std::abs(pair.vertex[0] - pair.vertex[2]) * h, M_PI * radius);
    EXPECT_EQ(pair.offset, 2 * r);
  }
  EXPECT_TRUE(find_meetings(mesh, coil).empty());
  for (Vec3& p : coil) p.y() = 0.5 + (p.y() - 0.5) * 0.99 * 2 * r / (2 * r + gap);  // now they overlap
  const std::vector<Meeting> meetings = find_meetings(mesh, coil);
  ASSERT_EQ(meetings.size(), 1u);
  EXPECT_EQ(meetings[0].first, meetings[0].second);
}

TEST(ContactMesh, a_sheet_thicker_than_its_edges_does_not_repel_itself_where_it_is_flat) {
  World world = world_of({sheet("sheet", 20, 0.4, 0.5, 0.05, false)});
  ContactMesh mesh = make_contact_mesh(world, 0);
  EXPECT_EQ(count_near(mesh, world.bodies[0].x), 0);
  // Folded over, one half above the other at its thickness and a little more.
  const auto folded = [&](double apart) {
    Nodes x = world.bodies[0].x;
    for (Vec3& p : x)
      if (p.x() > 0.5) p.y() += apart, p.x() = 1.003 - p.x();
    return x;
  };
  const double reach = mesh.parts[0].reach;
  const Nodes near = folded(0.05 + 0.5 * reach), far = folded(0.05 + 3 * reach), crossed = folded(0.049);
  EXPECT_GT(count_near(mesh, near), 100);
  EXPECT_EQ(count_near(mesh, far), 0);
  EXPECT_TRUE(find_meetings(mesh, near).empty());
  EXPECT_EQ(find_meetings(mesh, crossed).size(), 1u);
}

TEST(ContactMesh, a_needle_in_a_sheet_does_not_part_its_two_sides) {
  // p lies 0.2 mm beside the edge ab, and 10 mm from its ends. The triangle abq is across that edge.
  BodyRest rest;
  const Vec3 a(0.5, 0.5, 0.5), b(0.52, 0.5, 0.5), p(0.51, 0.5, 0.5002), q(0.51, 0.5, 0.49);
  rest.x = {a, b, p, q};
  rest.mass.assign(4, 1);
  rest.skin.tris = {{0, 2, 1}, {0, 1, 3}};
  rest.skin.nodes = {0, 1, 2, 3};
  rest.skin.edge = 0.01;
  rest.skin.radius = 0.0005;
  rest.elements = Shells{};
  const World world = world_of({finished(std::move(rest), "sheet", Vec3::Zero())});
  ContactMesh mesh = make_contact_mesh(world, 0);
  EXPECT_EQ(count_near(mesh, world.bodies[0].x), 0);
  EXPECT_TRUE(find_meetings(mesh, world.bodies[0].x).empty());
  EXPECT_NEAR(mesh.parts[0].reach, 0.001, 1e-15);
}

TEST(ContactMesh, a_rigid_body_does_not_touch_itself_and_is_held_by_its_leading_nodes) {
  World world = world_of({rigid_plate("a", Vec3(0.5, 0.5, 0.5))});
  ContactMesh mesh = make_contact_mesh(world, 0);
  EXPECT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(find_candidates(mesh, all_nodes(world), all_nodes(world)).size(), 0u);
  EXPECT_TRUE(mesh.parts[0].rigid());
  EXPECT_NEAR(mesh.parts[0].reach, 0.02 * 0.2, 1e-12);  // of its size: it is not thin to itself
  EXPECT_NEAR(mesh.parts[0].weight, 0.2 * world.bodies[0].rest->options.density, 1e-9);

  Mat3 along_x = Mat3::Zero();
  along_x(0, 0) = 1;
  const auto holds = [](const Mat3& free, int count) {
    std::vector<Hold> list;
    list.reserve(count);
    for (int n = 0; n < count; ++n) list.push_back({.node = n, .free = free, .directions = {}});
    return list;
  };
  const auto corner = [&](const std::vector<Hold>& list) {
    const ContactMesh held = make_contact_mesh(world_of({rigid_plate("a", Vec3(0.5, 0.5, 0.5), list)}), 0);
    return std::pair(bool(held.given[7]), held.free[7]);
  };
  EXPECT_EQ(corner({}), std::pair(false, Mat3(Mat3::Identity())));
  EXPECT_EQ(corner(holds(Mat3::Zero(), 4)), std::pair(true, Mat3(Mat3::Zero())));
  EXPECT_EQ(corner(holds(along_x, 4)), std::pair(false, along_x));
  EXPECT_EQ(corner(holds(Mat3::Zero(), 3)), std::pair(false, Mat3(Mat3::Identity())));
}

TEST(ContactMesh, what_is_tied_together_may_touch_there_and_nowhere_else) {
  // A rope of radius 5 mm hangs from the middle of a plate's lower side. Its second end lies against another plate.
  const Vec3 center(0.5, 0.7, 0.5);
  const double low = center.y() - 0.002;
  World world = world_of({rigid_plate("top", center), rigid_plate("bottom", Vec3(0.5, 0.3, 0.5)),
                          rod("rope", line(Vec3(0.5, low, 0.53), Vec3(0.5, 0.306, 0.53), 100), 0.005)});
  ContactMesh apart = make_contact_mesh(world, 0);
  const Nodes x = all_nodes(world);
  EXPECT_EQ(find_meetings(apart, x).size(), 2u);
  // The rope's first node follows the plate's leading nodes: p = Σ w x.
  const Vec3 p = Vec3(0.5, low, 0.53) - center;
  world.ties = {{24, {0, 1, 2, 3}, {1 - p.sum(), p.x(), p.y(), p.z()}}};
  ContactMesh tied = make_contact_mesh(world, 0);
  const std::vector<Meeting> meetings = find_meetings(tied, x);
  ASSERT_EQ(meetings.size(), 1u);
  EXPECT_EQ(std::minmax(meetings[0].first, meetings[0].second), std::minmax(1, 2));
  // Held in its place instead, the end may touch neither: both plates are free.
  world.ties.clear();
  BodyRest held = *world.bodies[2].rest;
  held.holds = {pin(0)};
  world.bodies[2].rest = std::make_shared<const BodyRest>(held);
  ContactMesh pinned = make_contact_mesh(world, 0);
  EXPECT_EQ(find_meetings(pinned, x).size(), 2u);
}

TEST(ContactMesh, a_thick_rope_held_at_a_side_of_the_domain_may_begin_there) {
  World world = world_of({rod("rope", line(Vec3(0.5, 1, 0.5), Vec3(0.5, 0.5, 0.5), 100), 0.02)});
  ContactMesh loose = make_contact_mesh(world, 0);
  const std::vector<Meeting> meetings = find_meetings(loose, all_nodes(world));
  ASSERT_EQ(meetings.size(), 1u);
  EXPECT_EQ(meetings[0].side, 3);
  BodyRest held = *world.bodies[0].rest;
  held.holds = {pin(0)};
  world.bodies[0].rest = std::make_shared<const BodyRest>(held);
  ContactMesh pinned = make_contact_mesh(world, 0);
  EXPECT_TRUE(find_meetings(pinned, all_nodes(world)).empty());
}

// Whatever moves inside the boxes that were covered, no pair comes near that is not listed.
TEST(ContactMesh, a_search_with_slack_holds_for_all_places_that_it_covers) {
  World world = world_of({sheet("sheet", 6, 0.4, 0.5, 0.001, false),
                          rod("rod", line(Vec3(0.35, 0.51, 0.4), Vec3(0.6, 0.507, 0.55), 8), 0.002),
                          rigid_plate("plate", Vec3(0.5, 0.496, 0.5))});
  ContactMesh mesh = make_contact_mesh(world, 0);
  const Nodes from = all_nodes(world);
  Nodes to = from;
  for (std::size_t i = 0; i < to.size(); ++i)
    for (int a = 0; a < 3; ++a) to[i][a] += 0.02 * (uniform(1, 3 * i + a) - 0.5);
  const ContactCandidates wide = find_candidates(mesh, from, to, 0.25), narrow = find_candidates(mesh, from, to);
  EXPECT_GT(wide.size(), narrow.size());
  EXPECT_TRUE(covers(wide, from) && covers(wide, to));
  Nodes outside = to;
  outside[3].x() = wide.covered[3].hi.x() + 1e-6;
  EXPECT_FALSE(covers(wide, outside));
  int seen = 0;
  for (std::uint64_t key = 0; key < 20; ++key) {
    Nodes x = from;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int a = 0; a < 3; ++a) {
        const Bounds& box = wide.covered[i];
        x[i][a] = box.lo[a] + uniform(key, 3 * i + a) * (box.hi[a] - box.lo[a]);
      }
    EXPECT_TRUE(covers(wide, x));
    const ContactCandidates here = find_candidates(mesh, x, x);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const ContactPair pair = pair_at(mesh, here, i);
      if (!within(measure(mesh, pair, x), pair.offset + pair.reach)) continue;
      const auto& list = pair.kind == ContactPair::Kind::point_triangle ? wide.points
                         : pair.kind == ContactPair::Kind::edge_edge    ? wide.edges
                                                                        : wide.walls;
      EXPECT_NE(std::find(list.begin(), list.end(), pair.items), list.end());
      ++seen;
    }
  }
  EXPECT_GT(seen, 100);
}

// A rod presses on its shadow with ρ π r² g / 2 r, a sheet with ρ t g. The gap carries that: φ(g/d̂) κ is the pressure.
TEST(Barrier, a_rod_and_a_sheet_on_the_floor_rest_where_the_pressure_carries_them) {
  const double r = 0.01, thickness = 0.004, g = 9.81, kappa = 500;
  World world = world_of({rod("rod", line(Vec3(0.2, r + 0.004, 0.1), Vec3(0.8, r + 0.004, 0.1), 12), r),
                          sheet("sheet", 6, 0.4, 0.5 * thickness + 0.005, thickness, false)});
  run(
      world, 100, 0.01, [](const ContactReport& report) { EXPECT_GT(report.min_distance, 0); }, g, kappa);
  const ContactMesh mesh = make_contact_mesh(world, 0);
  const double density = world.bodies[0].rest->options.density;
  const double expected[] = {density * M_PI * r * g / 2, density * thickness * g};
  for (int b = 0; b < 2; ++b)
    for (const Vec3& x : world.bodies[b].x) {
      const BarrierLaw law{.kappa = kappa, .reach = mesh.parts[b].reach, .offset = mesh.parts[b].radius};
      EXPECT_NEAR(barrier_pressure(law, x.y()) / expected[b], 1, 1e-3) << b;
    }
}

TEST(Barrier, rods_thrown_at_each_other_stay_apart_by_their_radii_and_keep_their_momentum) {
  const double r = 0.01, speed = 30, dt = 0.002;
  World world = world_of({rod("a", line(Vec3(0.2, 0.45, 0.5), Vec3(0.8, 0.45, 0.5), 12), r, Vec3(0, speed, 0)),
                          rod("b", line(Vec3(0.5, 0.55, 0.2), Vec3(0.52, 0.55, 0.8), 10), r, Vec3(0, -speed, 0))});
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (const Body& body : world.bodies)
      for (std::size_t i = 0; i < body.x.size(); ++i) sum += body.rest->mass[i] * body.v[i];
    return sum;
  };
  const Vec3 sum = momentum();
  const double size = world.bodies[0].rest->options.density * M_PI * r * r * 0.6 * speed;
  int touching = 0;
  run(world, 10, dt, [&](const ContactReport& report) {
    const double gap = least_axis_distance(world.bodies[0], world.bodies[1]) - 2 * r;
    EXPECT_GT(gap, 0);
    touching += report.active > 0;
    EXPECT_NEAR(report.min_distance, std::min(gap, 0.006), 1e-12);  // what is beyond the reach is not measured
    EXPECT_LT((momentum() - sum).norm(), 1e-10 * size);
  });
  EXPECT_GT(touching, 0);
  EXPECT_GT(world.bodies[1].v[5].y(), -0.5 * speed);  // they have met
}

TEST(Barrier, a_rod_thrown_at_a_sheet_of_1_mm_does_not_pass) {
  struct Shot {
    double speed, young;  // faster bodies are stiffer, so that they are not torn out of shape
  };
  for (const auto& [speed, young] : {Shot{50, 1e7}, {1000, 1e9}}) {
    const double r = 0.002, thickness = 0.001;
    World world =
        world_of({sheet("sheet", 8, 0.4, 0.5, thickness, true, young),
                  rod("rod", line(Vec3(0.45, 0.53, 0.47), Vec3(0.57, 0.54, 0.51), 6), r, Vec3(0, -speed, 0), young)});
    run(world, 8, 0.05 / speed, [&, speed = speed](const ContactReport& report) {
      EXPECT_GT(report.min_distance, 0) << speed;
      // Above the sheet: over every node of the rod no triangle is higher.
      for (const Vec3& p : world.bodies[1].x)
        for (const Vec3i& t : world.bodies[0].rest->skin.tris) {
          const Nodes& x = world.bodies[0].x;
          const SimplexDistance d = point_triangle_distance({p, x[t[0]], x[t[1]], x[t[2]]});
          EXPECT_GT(std::sqrt(d.squared), r + 0.5 * thickness);
          EXPECT_TRUE(d.feature != ClosestFeature::face || d.difference.y() > 0);
        }
    });
  }
}

}  // namespace
}  // namespace coracle
