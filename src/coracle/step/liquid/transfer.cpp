#include "coracle/step/liquid/transfer.h"

#include "coracle/base/interpolate.h"

namespace coracle {
namespace {

constexpr double least_weight = 1e-6;  // of particles at a face: below it their mean is round-off

Vec3 face_coordinates(const Vec3& q, int axis) {
  Vec3 s = q.array() - 0.5;
  s[axis] += 0.5;
  return s;
}

// f(index of the sample, weight, offset of the sample from the position in cells) for the samples around it.
template <class F>
void for_corners(const Array3<double>& samples, const Vec3& q, F&& f) {
  const Corner8 c(q, samples.n);
  for (int k = 0; k <= c.upper.z(); ++k)
    for (int j = 0; j <= c.upper.y(); ++j)
      for (int i = 0; i <= c.upper.x(); ++i) {
        const double w =
            (i ? c.frac.x() : 1 - c.frac.x()) * (j ? c.frac.y() : 1 - c.frac.y()) * (k ? c.frac.z() : 1 - c.frac.z());
        const Vec3i at = c.base + Vec3i(i, j, k);
        f(samples.index(at), w, Vec3(at.cast<double>() - q));
      }
}

}  // namespace

void particles_to_grid(const Grid& grid, const Particles& particles, const CellStart& start,
                       const std::vector<std::uint8_t>& spray, FaceField<double>& u, FaceField<std::uint8_t>& touched) {
  const bool affine = !particles.c.empty();
  FaceField<double> weight;
  for (int a = 0; a < 3; ++a) {
    u[a].assign(grid.faces(a), 0);
    weight[a].assign(grid.faces(a), 0);
    touched[a].assign(grid.faces(a), 0);
  }
  scatter_particles(grid, start, [&](std::size_t p) {
    if (spray[p]) return;
    const Vec3 q = grid.to_cells(particles.x[p]);
    for (int a = 0; a < 3; ++a) {
      const double v = particles.v[p][a];
      const Vec3 c = affine ? Vec3(grid.dx * particles.c[p].row(a).transpose().cast<double>()) : Vec3(Vec3::Zero());
      for_corners(u[a], face_coordinates(q, a), [&](std::size_t i, double w, const Vec3& offset) {
        u[a].data[i] += w * (v + c.dot(offset));
        weight[a].data[i] += w;
      });
    }
  });
  for (int a = 0; a < 3; ++a)
    for_each_index(u[a].size(), [&](std::size_t i) {
      const double w = weight[a].data[i];
      touched[a].data[i] = w > least_weight;
      u[a].data[i] = w > least_weight ? u[a].data[i] / w : 0;
    });
}

void grid_to_particles(const Grid& grid, const LiquidOptions& options, const FaceField<double>& u,
                       const FaceField<double>& u_before, const std::vector<std::uint8_t>& spray,
                       Particles& particles) {
  for_each_index(
      particles.size(),
      [&](std::size_t p) {
        if (spray[p]) return;
        const Vec3 q = grid.to_cells(particles.x[p]);
        if (options.advection == Advection::apic) {
          for (int a = 0; a < 3; ++a) {
            const Vec3 s = face_coordinates(q, a);
            const Corner8 c(s, u[a].n);
            double v = 0;
            Vec3 slope = Vec3::Zero();
            for (int k = 0; k <= c.upper.z(); ++k)
              for (int j = 0; j <= c.upper.y(); ++j)
                for (int i = 0; i <= c.upper.x(); ++i) {
                  const double wx = i ? c.frac.x() : 1 - c.frac.x(), wy = j ? c.frac.y() : 1 - c.frac.y(),
                               wz = k ? c.frac.z() : 1 - c.frac.z();
                  const double value = u[a][c.base + Vec3i(i, j, k)];
                  v += wx * wy * wz * value;
                  slope += value * Vec3((i ? 1 : -1) * wy * wz, (j ? 1 : -1) * wx * wz, (k ? 1 : -1) * wx * wy);
                }
            for (int b = 0; b < 3; ++b)  // beyond the outermost samples the interpolant is constant
              if (s[b] < 0 || s[b] > u[a].n[b] - 1) slope[b] = 0;
            particles.v[p][a] = float(v);
            particles.c[p].row(a) = (slope / grid.dx).transpose().cast<float>();
          }
          return;
        }
        const Vec3 now = sample_faces(u, q);
        if (options.advection == Advection::semi_lagrangian) {
          particles.v[p] = now.cast<float>();
          return;
        }
        const Vec3 v = particles.v[p].cast<double>();
        particles.v[p] =
            (options.flip_blend * (v + now - sample_faces(u_before, q)) + (1 - options.flip_blend) * now).cast<float>();
      },
      1024);
}

void add_gravity(const Vec3& fall, FaceField<double>& u) {
  for (int a = 0; a < 3; ++a) for_each_index(u[a].size(), [&](std::size_t i) { u[a].data[i] += fall[a]; });
}

void advect_velocity(const Grid& grid, double dt, FaceField<double>& u) {
  const FaceField<double> before = u;
  for (int a = 0; a < 3; ++a)
    for_each_index(u[a].size(), [&](std::size_t i) {
      const Vec3 q = grid.to_cells(grid.face_center(a, u[a].cell(i)));
      const Vec3 middle = q - 0.5 * dt / grid.dx * sample_faces(before, q);
      u[a].data[i] = sample_face(before[a], a, q - dt / grid.dx * sample_faces(before, middle));
    });
}

}  // namespace coracle
