#include "coracle/step/contact/contact_start.h"

#include "coracle/shape/thickness.h"
#include "coracle/step/contact/contact_mesh.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

// The first free node of a body that lies on a side of the domain or beyond it.
std::string touched_side(const World& world, const Body& body) {
  constexpr const char* sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  for (const int n : body.rest->skin.nodes)
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) {
        const double distance = end ? world.domain.hi[a] - body.x[n][a] : body.x[n][a] - world.domain.lo[a];
        if (distance > 0) continue;
        const auto hold =
            std::find_if(body.rest->holds.begin(), body.rest->holds.end(), [n](const Hold& h) { return h.node == n; });
        if (hold == body.rest->holds.end() || hold->free.col(a).norm() > 1e-9) return sides[2 * a + end];
      }
  return "";
}

}  // namespace

std::vector<Problem> barrier_problems(const Scene& scene, const World& world) {
  std::vector<Problem> problems;
  if (scene.contact.kind != ContactKind::barrier || world.bodies.empty()) return problems;
  ContactMesh mesh = make_contact_mesh(world, scene.contact.distance);
  std::vector<Vec3> x;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    x.insert(x.end(), body.x.begin(), body.x.end());
    const double thickness = median_thickness(body.rest->x, body.rest->skin.tris);
    if (2 * scene.contact.distance > thickness)
      problems.push_back(
          {scene.contact.place,
           fmt::format("'distance' = {:.4g} m is more than half of the thickness of the body '{}', {:.4g} "
                       "m: its sides would repel each other; take less, or leave it out",
                       scene.contact.distance, body.name, thickness)});
    if (const std::string side = touched_side(world, body); !side.empty())
      problems.push_back({body.rest->options.place,
                          fmt::format("the body '{}' touches the side {} of the domain at the start: barrier contact "
                                      "needs a gap of {:.2g} m or so, or a [[body.hold]] there",
                                      body.name, side, mesh.parts[b].reach)});
  }
  const Meeting meeting = find_meeting(mesh, contact_positions(mesh, world, x));
  if (meeting.first < 0) return problems;
  const std::string &first = mesh.parts[meeting.first].name, &second = mesh.parts[meeting.second].name;
  const std::size_t body = std::size_t(std::min(meeting.first, meeting.second));
  problems.push_back(
      {world.bodies[body].rest->options.place,
       fmt::format(
           "'{}' {} at the start, at ({:.4g}, {:.4g}, {:.4g}): barrier contact needs a gap between surfaces, of "
           "{:.2g} m or so",
           first, first == second ? "crosses itself" : fmt::format("and '{}' cross or touch each other", second),
           meeting.place.x(), meeting.place.y(), meeting.place.z(), mesh.parts[body].reach)});
  return problems;
}

}  // namespace coracle
