#include "coracle/show/camera.h"
#include "coracle/world/build.h"

#include "coracle/world.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

constexpr double filled = 0.92;  // share of the picture that the domain fills

std::array<Vec3, 8> corners(const Grid& grid) {
  std::array<Vec3, 8> all;
  for (int i = 0; i < 8; ++i)
    for (int a = 0; a < 3; ++a) all[i][a] = i >> a & 1 ? grid.upper()[a] : grid.origin[a];
  return all;
}

void aim(Camera& camera, const Vec3& forward, const Vec3& up) {
  camera.forward = forward.normalized();
  camera.right = camera.forward.cross(up).normalized();
  camera.up = camera.right.cross(camera.forward);
}

// Move away from the target until every point is in the picture.
void back_off(Camera& camera, const Vec3& target, const std::array<Vec3, 8>& points) {
  double distance = 0;
  for (const Vec3& x : points) {
    const Vec3 r = x - target;
    const double side =
        std::max(std::abs(r.dot(camera.right)) / camera.half_width, std::abs(r.dot(camera.up)) / camera.half_height);
    distance = std::max(distance, side / filled - r.dot(camera.forward));
  }
  camera.eye = target - distance * camera.forward;
}

}  // namespace

Vec3 Camera::project(const Vec3& x) const {
  const Vec3 r = x - eye;
  const double z = r.dot(forward);
  return {width * (0.5 + 0.5 * r.dot(right) / (z * half_width)), height * (0.5 - 0.5 * r.dot(up) / (z * half_height)),
          z};
}

Ray Camera::ray(float px, float py) const {
  const Vec3 d = forward + (2 * px / width - 1) * half_width * right + (1 - 2 * py / height) * half_height * up;
  return {eye.cast<float>(), d.normalized().cast<float>()};
}

Camera scene_camera(const Scene& scene, int width, int height) {
  const CameraOptions& o = scene.camera;
  const Grid grid = scene_grid(scene.domain);
  const Vec3 center = 0.5 * (grid.origin + grid.upper());
  Camera camera{};
  camera.width = width, camera.height = height;
  camera.half_height = std::tan(0.5 * o.fov * std::numbers::pi / 180);
  camera.half_width = camera.half_height * width / height;
  if (o.position) {
    camera.eye = *o.position;
    aim(camera, o.target.value_or(center) - camera.eye, o.up);
    return camera;
  }
  const Vec3 from = scene.domain.slab > 0 ? Vec3(0, 0.1, 1) : Vec3(0.5, 0.42, 1);
  aim(camera, -from, o.up);
  const std::array<Vec3, 8> all = corners(grid);
  Vec3 target = o.target.value_or(center);
  back_off(camera, target, all);
  for (int i = 0; i < 8 && !o.target; ++i) {  // make the margins equal on both sides
    Vec3 low = Vec3::Constant(1e30), high = -low;
    for (const Vec3& x : all) low = low.cwiseMin(camera.project(x)), high = high.cwiseMax(camera.project(x));
    const Vec3 off = 0.5 * (low + high) - 0.5 * Vec3(width, height, 0);
    const double distance = (target - camera.eye).norm(), pixel = 2 * camera.half_height * distance / height;
    target += pixel * (off.x() * camera.right - off.y() * camera.up);
    back_off(camera, target, all);
  }
  return camera;
}

}  // namespace coracle
