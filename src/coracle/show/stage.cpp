#include "coracle/show/stage.h"

#include "coracle/base/check.h"
#include "coracle/error.h"
#include "coracle/show/optics.h"

#include <embree3/rtcore.h>
#include <tbb/task_arena.h>
#include <Eigen/Geometry>

#include <limits>

namespace coracle {
namespace {

// A corner's smooth normal is used only if it is this close to the triangle's own, so that edges stay sharp.
constexpr float crease_cosine = 0.8f;  // 37°

constexpr unsigned matte_mask = 1, clear_mask = 2, line_mask = 4;
constexpr float infinity = std::numeric_limits<float>::infinity();

// What an occlusion ray collects from clear things on its way. The length in water is the sum of exit distances minus
// the sum of entry distances, so hits may come in any order.
struct Passage {
  RTCIntersectContext context;  // first: Embree returns a pointer to it
  const std::vector<Prop>* props;
  float share = 1;
  Vec3f depth = Vec3f::Zero();  // ∫ absorption
};

void pass_through(const RTCFilterFunctionNArguments* a) {
  CHECK(a->N == 1);
  a->valid[0] = 0;  // not blocked
  Passage& passage = *reinterpret_cast<Passage*>(a->context);
  RTCRayN* ray = a->ray;
  const Vec3f d(RTCRayN_dir_x(ray, 1, 0), RTCRayN_dir_y(ray, 1, 0), RTCRayN_dir_z(ray, 1, 0));
  const Vec3f n(RTCHitN_Ng_x(a->hit, 1, 0), RTCHitN_Ng_y(a->hit, 1, 0), RTCHitN_Ng_z(a->hit, 1, 0));
  const float c = d.dot(n) / n.norm(), cosine = std::min(std::abs(c), 1.0f);
  const Material& material = (*passage.props)[RTCHitN_geomID(a->hit, 1, 0)].material;
  if (material.finish == Finish::pane) {
    passage.share *= 1 - pane_reflectance(cosine);
  } else if (material.finish == Finish::matte) {
    passage.share *= 1 - material.opacity;
  } else {
    passage.share *= 1 - fresnel(cosine, water_index);
    passage.depth += material.absorption * (c > 0 ? 1.0f : -1.0f) * RTCRayN_tfar(ray, 1, 0);
  }
}

void add_mesh(RTCDevice device, RTCScene scene, const Prop& prop) {
  RTCGeometry g =
      rtcNewGeometry(device, prop.tris.empty() ? RTC_GEOMETRY_TYPE_SPHERE_POINT : RTC_GEOMETRY_TYPE_TRIANGLE);
  if (prop.tris.empty()) {
    auto* balls = static_cast<float*>(
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float), prop.x.size()));
    for (std::size_t i = 0; i < prop.x.size(); ++i) {
      for (int a = 0; a < 3; ++a) *balls++ = prop.x[i][a];
      *balls++ = prop.radii.empty() ? prop.radius : prop.radii[i];
    }
  } else {
    auto* points = static_cast<Vec3f*>(
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), prop.x.size()));
    std::copy(prop.x.begin(), prop.x.end(), points);
    auto* tris = static_cast<Vec3i*>(
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Vec3i), prop.tris.size()));
    std::copy(prop.tris.begin(), prop.tris.end(), tris);
  }
  const Finish finish = prop.material.finish;
  const bool clear = finish == Finish::water || finish == Finish::pane || prop.material.opacity < 1;
  rtcSetGeometryMask(g, clear ? clear_mask : finish == Finish::line ? line_mask : matte_mask);
  if (clear) rtcSetGeometryOccludedFilterFunction(g, pass_through);
  rtcCommitGeometry(g);
  rtcAttachGeometry(scene, g);  // numbered in the order of the props
  rtcReleaseGeometry(g);
}

RTCRay embree_ray(const Ray& ray, float most, unsigned mask) {
  RTCRay r{};
  r.org_x = ray.origin.x(), r.org_y = ray.origin.y(), r.org_z = ray.origin.z();
  r.dir_x = ray.direction.x(), r.dir_y = ray.direction.y(), r.dir_z = ray.direction.z();
  r.tfar = most;
  r.mask = mask;
  return r;
}

// Distance from a point of a triangle to its nearest side, m.
float to_nearest_side(const Vec3f x[3], const Vec3f& bary) {
  const float twice_area = (x[1] - x[0]).cross(x[2] - x[0]).norm();
  float nearest = infinity;
  for (int i = 0; i < 3; ++i)
    nearest = std::min(nearest, bary[i] * twice_area / (x[(i + 2) % 3] - x[(i + 1) % 3]).norm());
  return nearest;
}

}  // namespace

struct Stage::Trees {
  RTCDevice device;
  RTCScene scene;
};

Stage::Stage(std::vector<Prop> props, float size)
    : props_(std::move(props)), size_(size), trees_(new Trees{rtcNewDevice(nullptr), nullptr}) {
  CHECK(trees_->device);
  trees_->scene = rtcNewScene(trees_->device);
  rtcSetSceneFlags(trees_->scene, RTC_SCENE_FLAG_ROBUST);
  // One thread builds the trees: then the trees are the same every time, and so is the choice between two triangles
  // that a ray hits on their common side.
  tbb::task_arena one(1);
  one.execute([&] {
    for (const Prop& prop : props_) add_mesh(trees_->device, trees_->scene, prop);
    rtcJoinCommitScene(trees_->scene);
  });
  CHECK(rtcGetDeviceError(trees_->device) == RTC_ERROR_NONE);
}

Stage::~Stage() {
  rtcReleaseScene(trees_->scene);
  rtcReleaseDevice(trees_->device);
}

bool Stage::hit(const Ray& ray, bool lines, Hit& hit) const {
  RTCRayHit r{embree_ray(ray, infinity, matte_mask | clear_mask | (lines ? line_mask : 0)), {}};
  r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(trees_->scene, &context, &r);
  if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;

  const Prop& prop = props_[r.hit.geomID];
  hit.t = r.ray.tfar;
  hit.material = &prop.material;
  hit.face = hit.n = Vec3f(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z).normalized();
  hit.color = prop.material.color;
  hit.wet.reset();
  if (prop.tris.empty()) {
    hit.x = ray.origin + hit.t * ray.direction;
    if (!prop.colors.empty()) hit.color = prop.colors[r.hit.primID];
    return true;
  }
  const Vec3i& tri = prop.tris[r.hit.primID];
  const Vec3f bary(1 - r.hit.u - r.hit.v, r.hit.u, r.hit.v);
  const Vec3f corners[] = {prop.x[tri[0]], prop.x[tri[1]], prop.x[tri[2]]};
  hit.x = bary[0] * corners[0] + bary[1] * corners[1] + bary[2] * corners[2];
  if (!prop.normals.empty()) {
    Vec3f n = Vec3f::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vec3f& smooth = prop.normals[tri[i]];
      n += bary[i] * (smooth.dot(hit.face) > crease_cosine ? smooth : hit.face);
    }
    hit.n = n.normalized();
  }
  if (!prop.colors.empty())
    hit.color = bary[0] * prop.colors[tri[0]] + bary[1] * prop.colors[tri[1]] + bary[2] * prop.colors[tri[2]];
  if (!prop.wet.empty()) hit.wet = bary[0] * prop.wet[tri[0]] + bary[1] * prop.wet[tri[1]] + bary[2] * prop.wet[tri[2]];
  if (prop.material.line > 0 && to_nearest_side(corners, bary) < prop.material.line) hit.color *= 0.15f;
  return true;
}

bool Stage::blocked(const Ray& ray, float most) const {
  RTCRay r = embree_ray(ray, most, matte_mask);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(trees_->scene, &context, &r);
  return r.tfar < 0;
}

Vec3f Stage::light_through(const Ray& ray) const {
  RTCRay r = embree_ray(ray, infinity, matte_mask | clear_mask);
  Passage passage{{}, &props_};
  rtcInitIntersectContext(&passage.context);
  rtcOccluded1(trees_->scene, &passage.context, &r);
  if (r.tfar < 0) return Vec3f::Zero();
  return passage.share * attenuated(passage.depth.cwiseMax(0.0f), 1);
}

}  // namespace coracle
