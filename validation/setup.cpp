#include "validation/setup.h"

#include "coracle/world/build.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

namespace coracle::validation {

TriMesh random_mesh(std::uint64_t key, const Vec3& center, double radius, double edge) {
  TriMesh mesh = sphere_mesh(Vec3::Zero(), 1, edge / radius);
  for (Vec3& x : mesh.x) {
    double bump = 1;
    for (int m = 0; m < 4; ++m)
      bump += 0.12 * std::sin((2 + m) * 2 * x.dot(random_unit(key + 10 + m)) + 6 * uniform(key, 20 + m));
    x *= radius * bump;
  }
  transform(mesh, 1, rotation_xyz(360 * Vec3(uniform(key, 1), uniform(key, 2), uniform(key, 3))), center);
  return mesh;
}

std::string rollers(const std::vector<std::string>& sides) {
  std::string text;
  for (const std::string& side : sides)
    text += fmt::format("[[body.hold]]\ntype = \"roller\"\nside = \"{}\"\nnormal = {}\n", side,
                        side[0] == 'x' ? "[1, 0, 0]" : "[0, 0, 1]");
  return text;
}

std::string without_contact(int frames, double fps, double dt, const char* integrator) {
  return fmt::format(R"(
[domain]
min = [-2, -10, -2]
max = [3, 2, 2]
resolution = 16
[time]
fps = {}
frames = {}
max_dt = {}
[contact]
kind = "none"
[elastic]
integrator = "{}"
newton = true
)",
                     fps, frames, dt, integrator);
}

void run_text(const std::string& toml, const std::string& name, const OnStep& on_step) {
  Scene scene = parse_scene(toml, name + ".toml");
  scene.solver.backend = chosen_backend;
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  while (world.clock.frame < scene.time.frames)
    advance_frame(scene, world, work, [&](const StepReport& r) {
      bring_home(world, work);
      on_step(r, world, work);
    });
}

bool run_to_the_end(const std::string& toml, const std::string& name, const OnStep& on_step) {
  try {
    run_text(toml, name, on_step);
  } catch (const Stop&) {
    return false;
  } catch (const RunError&) {
    return false;
  }
  return true;
}

Vec3 displacement(const Body& body, const std::function<bool(const Vec3&)>& where) {
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t i = 0; i < body.x.size(); ++i)
    if (where(body.rest->x[i])) sum += body.x[i] - body.rest->x[i], ++count;
  return sum / count;
}

Momenta momenta(const std::vector<Body>& bodies) {
  Momenta sum;
  for (const Body& body : bodies)
    for (std::size_t i = 0; i < body.x.size(); ++i) {
      const double mass = body.rest->mass[i];
      sum.mass += mass;
      sum.center += mass * body.x[i];
      sum.linear += mass * body.v[i];
      sum.angular += mass * body.x[i].cross(body.v[i]);
      sum.energy += 0.5 * mass * body.v[i].squaredNorm();
    }
  sum.center /= sum.mass;
  return sum;
}

}  // namespace coracle::validation
