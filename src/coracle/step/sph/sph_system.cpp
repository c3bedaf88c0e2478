#include "coracle/step/sph/sph_system.h"

#include "coracle/base/parallel.h"
#include "coracle/step/sph/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace coracle {
namespace {

constexpr std::size_t block = 512;
using Float4 = float __attribute__((vector_size(16)));

Double4 gradient(const SphPairs& pairs, std::size_t k) {
  Float4 g;
  std::memcpy(&g, &pairs.gradient[3 * k], sizeof g);  // the fourth lane is the next pair's
  return __builtin_convertvector(g, Double4);
}
double dot3(Double4 a, Double4 b) {
  const Double4 c = a * b;
  return c[0] + c[1] + c[2];
}
Double4 only3(Double4 a) {
  a[3] = 0;
  return a;
}

double harmonic(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

// ν_ij of two liquids, m²/s.
double pair_viscosity(const SphMaterial& a, const SphMaterial& b) {
  return harmonic(a.viscosity, b.viscosity) * (a.density + b.density) / (2 * a.density * b.density);
}

// The sides of the domain that cut a kernel. Where two meet, the parts beyond them overlap: of a kernel that is a
// product along the axes, Π (1 − S_a) would be inside, and of this one nearly so. A plain sum would be 5 % too much in
// a corner.
struct Sides {
  struct Side {
    double distance;
    Vec3 normal;  // into the domain
    double inside;
  };
  std::array<Side, 6> list;
  int count = 0;

  Sides(const Bounds& domain, const Vec3& x, double support, double ghost) {
    for (int a = 0; a < 3; ++a)
      for (const bool high : {false, true}) {
        const double d = std::max(high ? domain.hi[a] - x[a] : x[a] - domain.lo[a], 0.0);
        if (d < support && ghost > 0)
          list[count++] = {d, (high ? -1.0 : 1.0) * Vec3::Unit(a), 1 - ghost * cubic_share(d, support)};
      }
  }
  // Π (1 − γ S_b) over all sides but one.
  double inside_others(int but) const {
    double product = 1;
    for (int s = 0; s < count; ++s)
      if (s != but) product *= list[s].inside;
    return product;
  }
};

void add_viscosity(const std::vector<Vec3>& x, const std::vector<std::uint8_t>& kind,
                   const std::vector<SphMaterial>& materials, double support, SphSystem& system) {
  double most = 0;
  for (const SphMaterial& m : materials) most = std::max(most, m.viscosity);
  if (most == 0) return;
  const double unit = system.pairs.unit;
  // 20 ν m²/(2ρ) |g| r/(r² + …) = 10 μ V0² ℏ⁻⁴ …
  system.viscous_unit = 10 * most * system.volume * system.volume * unit / support;
  system.viscous.resize(system.pairs.other.size());
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = system.pairs.start[i]; k < system.pairs.start[i + 1]; ++k) {
        const std::size_t j = system.pairs.other[k];
        const double square = (x[i] - x[j]).squaredNorm(), r = std::sqrt(square);
        const double g = std::sqrt(dot3(gradient(system.pairs, k), gradient(system.pairs, k)));
        if (!(g > 0)) continue;
        const double dense_i = system.mass[i] / system.share(i), dense_j = system.mass[j] / system.share(j);
        const double nu = pair_viscosity(materials[kind[i]], materials[kind[j]]);
        const double size = 20 * nu * (system.mass[i] * system.mass[j]) / (dense_i + dense_j) * unit * r /
                            (square + 0.01 * support * support);
        system.viscous[k] = float(size / (g * system.viscous_unit));
      }
  });
}

}  // namespace

double volume_ratio(const Bounds& domain, const Vec3& x, double number_density, double spacing, const SphForm& form) {
  const Sides sides(domain, x, 2 * spacing, form.ghost);
  const double full = spacing * spacing * spacing * number_density + 1 - sides.inside_others(-1);
  return form.clamp ? std::min(1 / full, 1.0) : 1 / full;
}

SphSystem make_sph_system(SphPairs pairs, const Bounds& domain, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                          const std::vector<std::uint8_t>& kind, const std::vector<SphMaterial>& materials,
                          double spacing, const SphForm& form, double dt) {
  const double support = 2 * spacing;
  SphSystem s;
  s.dt = dt;
  s.volume = spacing * spacing * spacing;
  s.pairs = std::move(pairs);
  s.mass.resize(x.size()), s.ratio.resize(x.size()), s.stiffness.resize(x.size()), s.closing.resize(x.size());
  for_each_index(x.size(), [&](std::size_t i) {
    s.ratio[i] = volume_ratio(domain, x[i], s.pairs.number_density[i], spacing, form);
    s.mass[i] = materials[kind[i]].density * s.volume;
    s.stiffness[i] = materials[kind[i]].stiffness;
  });
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Double4 sum{};
      for (std::size_t k = s.pairs.start[i]; k < s.pairs.start[i + 1]; ++k)
        sum += s.share(s.pairs.other[k]) * gradient(s.pairs, k);
      s.closing[i] = only3(s.pairs.unit * sum);
      const Sides sides(domain, x[i], support, form.ghost);
      for (int a = 0; a < sides.count; ++a) {
        const double slope = form.ghost * spiky_share_slope(sides.list[a].distance, support) * sides.inside_others(a);
        s.closing[i] -= wide(slope * sides.list[a].normal);
      }
    }
  });
  add_viscosity(x, kind, materials, support, s);
  if (form.clamp && form.release) {
    WideField u(x.size());
    for_each_index(x.size(), [&](std::size_t i) { u[i] = wide(v[i]); });
    const std::vector<double> rate = divergence(s, u);
    for_each_index(x.size(), [&](std::size_t i) {
      if (s.ratio[i] >= 1 && rate[i] > 0) s.stiffness[i] = 0;
    });
  }
  return s;
}

std::vector<double> divergence(const SphSystem& s, const WideField& u) {
  WideField shared(s.size());
  for_each_index(s.size(), [&](std::size_t i) { shared[i] = s.share(i) * s.pairs.unit * u[i]; });
  std::vector<double> rate(s.size());
  for_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Double4 even{}, odd{};
      std::size_t k = s.pairs.start[i];
      const std::size_t last = s.pairs.start[i + 1];
      for (; k + 1 < last; k += 2) {
        even += shared[s.pairs.other[k]] * gradient(s.pairs, k);
        odd += shared[s.pairs.other[k + 1]] * gradient(s.pairs, k + 1);
      }
      if (k < last) even += shared[s.pairs.other[k]] * gradient(s.pairs, k);
      even += odd;
      rate[i] = even[0] + even[1] + even[2] - dot3(s.closing[i], u[i]);
    }
  });
  return rate;
}

namespace {

// y ← y + Dᵀ c + h V u; V only if there is a velocity.
void add_forces(const SphSystem& s, const std::vector<double>& c, const WideField* u, WideField& y) {
  const bool viscous = u && !s.viscous.empty();
  const double scale = s.dt * s.viscous_unit;
  for_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Double4 even{}, odd{};
      std::size_t k = s.pairs.start[i];
      const std::size_t last = s.pairs.start[i + 1];
      for (; k + 1 < last; k += 2) {
        even += c[s.pairs.other[k]] * gradient(s.pairs, k);
        odd += c[s.pairs.other[k + 1]] * gradient(s.pairs, k + 1);
      }
      if (k < last) even += c[s.pairs.other[k]] * gradient(s.pairs, k);
      Double4 sum = -s.share(i) * s.pairs.unit * (even + odd) - c[i] * s.closing[i];
      if (viscous) {
        Double4 drag{};
        for (k = s.pairs.start[i]; k < last; ++k) {
          const Double4 g = gradient(s.pairs, k);
          drag += double(s.viscous[k]) * dot3(g, (*u)[i] - (*u)[s.pairs.other[k]]) * g;
        }
        sum += scale * drag;
      }
      y[i] += only3(sum);
    }
  });
}

}  // namespace

void multiply(const SphSystem& s, const WideField& p, WideField& y) {
  std::vector<double> c = divergence(s, p);
  for_each_index(s.size(), [&](std::size_t i) {
    c[i] *= s.dt * s.dt * s.stiffness[i] * s.volume * s.ratio[i] * s.ratio[i];
    y[i] = s.mass[i] * p[i];
  });
  add_forces(s, c, &p, y);
}

WideField right_side(const SphSystem& s, const WideField& free) {
  std::vector<double> c(s.size());
  WideField b(s.size());
  for_each_index(s.size(), [&](std::size_t i) {
    c[i] = -s.dt * s.stiffness[i] * s.volume * s.ratio[i] * (s.ratio[i] - 1);
    b[i] = s.mass[i] * free[i];
  });
  add_forces(s, c, nullptr, b);
  return b;
}

std::vector<Mat3> diagonal(const SphSystem& s) {
  std::vector<Mat3> blocks(s.size());
  std::vector<double> k(s.size());
  for_each_index(s.size(),
                 [&](std::size_t i) { k[i] = s.dt * s.dt * s.stiffness[i] * s.volume * s.ratio[i] * s.ratio[i]; });
  for_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double own = s.share(i) * s.share(i) * s.pairs.unit * s.pairs.unit;
      const Vec3 a = vec3(s.closing[i]);
      Mat3 sum = s.mass[i] * Mat3::Identity() + k[i] * a * a.transpose();
      for (std::size_t n = s.pairs.start[i]; n < s.pairs.start[i + 1]; ++n) {
        const Vec3 g = vec3(gradient(s.pairs, n));
        const double drag = s.viscous.empty() ? 0 : s.dt * s.viscous_unit * s.viscous[n];
        sum += (own * k[s.pairs.other[n]] + drag) * g * g.transpose();
      }
      blocks[i] = sum;
    }
  });
  return blocks;
}

double energy(const SphSystem& s, const WideField& u) {
  const std::vector<double> rate = divergence(s, u);
  return sum_blocks(
      s.size(),
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const double strain = s.ratio[i] * (1 + s.dt * rate[i]) - 1;
          sum += 0.5 * s.stiffness[i] * s.volume * strain * strain;
          if (s.viscous.empty()) continue;
          for (std::size_t k = s.pairs.start[i]; k < s.pairs.start[i + 1]; ++k) {
            const double along = dot3(gradient(s.pairs, k), u[i] - u[s.pairs.other[k]]);
            sum += 0.25 * s.dt * s.viscous_unit * s.viscous[k] * along * along;
          }
        }
        return sum;
      },
      block);
}

}  // namespace coracle
