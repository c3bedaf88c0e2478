#include "coracle/step/contact/contact_start.h"

#include "coracle/shape/thickness.h"
#include "coracle/step/contact/contact_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr const char* sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

}  // namespace

std::vector<Problem> barrier_problems(const Scene& scene, const World& world) {
  std::vector<Problem> problems;
  if (scene.contact.kind != ContactKind::barrier || world.bodies.empty()) return problems;
  ContactMesh mesh = make_contact_mesh(world, scene.contact.distance);
  std::vector<Vec3> x;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    x.insert(x.end(), body.x.begin(), body.x.end());
    // A rigid body does not touch itself, and the gap of shells and rods is beside their thickness.
    if (mesh.parts[b].rigid() || mesh.parts[b].radius > 0) {
      if (scene.contact.distance > body.rest->skin.edge)
        problems.push_back({scene.contact.place,
                            fmt::format("'distance' = {:.4g} m is more than the mean edge of the body '{}', {:.4g} m: "
                                        "it would float; take less, or leave it out",
                                        scene.contact.distance, body.name, body.rest->skin.edge)});
      continue;
    }
    const double thickness = median_thickness(body.rest->x, body.rest->skin.tris);
    if (2 * scene.contact.distance > thickness)
      problems.push_back(
          {scene.contact.place,
           fmt::format("'distance' = {:.4g} m is more than half of the thickness of the body '{}', {:.4g} "
                       "m: its sides would repel each other; take less, or leave it out",
                       scene.contact.distance, body.name, thickness)});
  }
  for (const Meeting& m : find_meetings(mesh, contact_positions(mesh, world, x))) {
    const std::string& name = mesh.parts[m.first].name;
    const std::size_t body = std::size_t(m.side >= 0 ? m.first : std::min(m.first, m.second));
    const double gap = mesh.parts[body].reach;
    const std::string where = fmt::format("({:.4g}, {:.4g}, {:.4g})", m.place.x(), m.place.y(), m.place.z());
    std::string text;
    if (m.side >= 0)
      text = fmt::format(
          "the body '{}' touches the side {} of the domain at the start, at {}: barrier contact needs a "
          "gap of {:.2g} m or so, or a [[body.hold]] there",
          name, sides[m.side], where, gap);
    else if (m.first == m.second)
      text = fmt::format(
          "'{}' crosses itself at the start, at {}: barrier contact needs a gap between surfaces, of "
          "{:.2g} m or so",
          name, where, gap);
    else
      text = fmt::format(
          "'{}' and '{}' cross or touch each other at the start, at {}: barrier contact needs a gap "
          "between surfaces, of {:.2g} m or so",
          name, mesh.parts[m.second].name, where, gap);
    problems.push_back({world.bodies[body].rest->options.place, text});
  }
  return problems;
}

}  // namespace coracle
