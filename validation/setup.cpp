#include "validation/setup.h"

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

void run_text(const std::string& toml, const std::string& name,
              const std::function<void(const StepReport&, const World&, const Workspace&)>& on_step) {
  const Scene scene = parse_scene(toml, name + ".toml");
  World world = build_world(scene);
  Workspace work;
  prepare(scene, world, work);
  while (world.clock.frame < scene.time.frames)
    advance_frame(scene, world, work, [&](const StepReport& r) { on_step(r, world, work); });
}

}  // namespace coracle::validation
