#include "coracle/show/camera.h"

#include "coracle/world/build.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Camera, all_of_the_domain_is_in_the_picture_whatever_its_shape) {
  for (const Vec3& size : {Vec3(1, 1, 1), Vec3(4, 1, 0.5), Vec3(0.3, 2, 0.3), Vec3(1, 0.2, 5), Vec3(100, 60, 80)})
    for (const auto& [width, height] : {std::pair(640, 360), std::pair(360, 640), std::pair(500, 500)})
      for (const int slab : {0, 3}) {
        Scene scene;
        scene.domain.min = Vec3(-2, 1, 3);
        scene.domain.max = scene.domain.min + size;
        scene.domain.slab = slab;
        const Camera camera = scene_camera(scene, width, height);
        const Grid grid = scene_grid(scene.domain);
        Vec3 low = Vec3::Constant(1e9), high = -low;
        for (int corner = 0; corner < 8; ++corner) {
          Vec3 x;
          for (int a = 0; a < 3; ++a) x[a] = corner >> a & 1 ? grid.upper()[a] : grid.origin[a];
          const Vec3 at = camera.project(x);
          EXPECT_GT(at.z(), 0);
          low = low.cwiseMin(at), high = high.cwiseMax(at);
        }
        EXPECT_GT(low.x(), 0);
        EXPECT_GT(low.y(), 0);
        EXPECT_LT(high.x(), width);
        EXPECT_LT(high.y(), height);
        EXPECT_GT(std::max((high.x() - low.x()) / width, (high.y() - low.y()) / height), 0.8) << "and fills it";
      }
}

TEST(Camera, the_ray_through_a_pixel_meets_what_the_pixel_shows) {
  Scene scene;
  scene.camera.position = Vec3(2, 3, 4);
  scene.camera.target = Vec3(0.5, 0, -1);
  const Camera camera = scene_camera(scene, 320, 200);
  const Vec3 x(0.3, 0.6, 0.2), at = camera.project(x);
  const Ray ray = camera.ray(float(at.x()), float(at.y()));
  EXPECT_LT((ray.direction - (x - *scene.camera.position).normalized().cast<float>()).norm(), 1e-5f);
  const Vec3 middle = camera.project(*scene.camera.target);
  EXPECT_NEAR(middle.x(), 160, 1e-9);
  EXPECT_NEAR(middle.y(), 100, 1e-9);
}

}  // namespace
}  // namespace coracle
