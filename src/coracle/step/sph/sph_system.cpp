#include "coracle/step/sph/sph_system.h"

#include "coracle/base/parallel.h"
#include "coracle/step/sph/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

constexpr std::size_t block = 512;

double dot(Double4 a, Double4 b) {
  const Double4 c = a * b;
  return (c[0] + c[1]) + (c[2] + c[3]);
}

// Σ_j slope_ij f_j
Double4 neighbour_sum(const SphPairs& pairs, const WideField& f, std::size_t i) {
  Double4 sum[4] = {};
  const std::uint32_t* other = pairs.other.data();
  const float* slope = pairs.slope.data();
  std::size_t k = pairs.start[i];
  const std::size_t last = pairs.start[i + 1];
  for (; k + 3 < last; k += 4)
    for (std::size_t l = 0; l < 4; ++l) sum[l] += double(slope[k + l]) * f[other[k + l]];
  for (; k < last; ++k) sum[0] += double(slope[k]) * f[other[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Σ_j c_j g_ij, with the terms c_j (x_j, 1): a sum over slopes, as all of g_ij but the slope is known per particle.
Double4 gradient_sum(const SphSystem& s, const WideField& terms, std::size_t i) {
  const Double4 sum = neighbour_sum(s.pairs, terms, i);
  return s.pairs.unit * (sum[3] * s.place[i] - sum);
}
// f·(x_i − x_j) as a product with (x_i, 1).
Double4 along_pairs(Double4 f, Double4 place) {
  f[3] = -dot(f, place);
  return f;
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
    int number;
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
          list[count++] = {2 * a + high, d, (high ? -1.0 : 1.0) * Vec3::Unit(a), 1 - ghost * cubic_share(d, support)};
      }
  }
  // Π (1 − γ S_b) over all sides but one.
  double inside_others(int but) const {
    double product = 1;
    for (int s = 0; s < count; ++s)
      if (s != but) product *= list[s].inside;
    return product;
  }
  // −∂B/∂d of one of them, 1/m.
  double slope(int s, double support, double ghost) const {
    return ghost * spiky_share_slope(list[s].distance, support) * inside_others(s);
  }
};

void add_viscosity(const std::vector<Vec3>& x, const std::vector<std::uint8_t>& kind,
                   const std::vector<SphMaterial>& materials, double support, SphSystem& system) {
  double most = 0;
  for (const SphMaterial& m : materials) most = std::max(most, m.viscosity);
  if (most == 0) return;
  // 20 ν m²/(2ρ) slope/(r² + …) = 10 μ V0² ℏ⁻⁷ …
  system.viscous_unit = 10 * most * system.volume * system.volume * system.pairs.unit / (support * support);
  system.viscous.resize(system.pairs.other.size());
  const double scale = 20 * system.pairs.unit / system.viscous_unit;
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = system.pairs.start[i]; k < system.pairs.start[i + 1]; ++k) {
        const std::size_t j = system.pairs.other[k];
        const double dense_i = system.mass[i] / system.share(i), dense_j = system.mass[j] / system.share(j);
        const double nu = pair_viscosity(materials[kind[i]], materials[kind[j]]);
        system.viscous[k] =
            float(scale * nu * (system.mass[i] * system.mass[j]) / (dense_i + dense_j) *
                  -double(system.pairs.slope[k]) / ((x[i] - x[j]).squaredNorm() + 0.01 * support * support));
      }
  });
}

}  // namespace

double volume_ratio(const Bounds& domain, const Vec3& x, double number_density, double spacing, const SphForm& form) {
  const Sides sides(domain, x, 2 * spacing, form.ghost);
  const double full = spacing * spacing * spacing * number_density + 1 - sides.inside_others(-1);
  return form.clamp ? std::min(1 / full, 1.0) : 1 / full;
}

double ghost_force(const SphSystem& s, const Bounds& domain, const Vec3& x, std::size_t i, const SphForm& form,
                   int side) {
  const double support = 2 * std::cbrt(s.volume);
  const Sides sides(domain, x, support, form.ghost);
  for (int a = 0; a < sides.count; ++a)
    if (sides.list[a].number == side)
      return s.stiffness[i] * s.volume * (1 - s.ratio[i]) * s.ratio[i] * sides.slope(a, support, form.ghost);
  return 0;
}

SphSystem make_sph_system(SphPairs pairs, const Bounds& domain, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                          const std::vector<std::uint8_t>& kind, const std::vector<SphMaterial>& materials,
                          double spacing, const SphForm& form, double dt) {
  const double support = 2 * spacing;
  SphSystem s;
  s.dt = dt;
  s.uniform = form.uniform;
  s.volume = spacing * spacing * spacing;
  s.pairs = std::move(pairs);
  s.mass.resize(x.size()), s.ratio.resize(x.size()), s.stiffness.resize(x.size()), s.closing.resize(x.size());
  for_each_index(x.size(), [&](std::size_t i) {
    s.ratio[i] = volume_ratio(domain, x[i], s.pairs.number_density[i], spacing, form);
    s.mass[i] = materials[kind[i]].density * s.volume;
    s.stiffness[i] = materials[kind[i]].stiffness;
  });
  add_viscosity(x, kind, materials, support, s);
  s.pairs.unit *= form.gradient;
  const Vec3 middle = 0.5 * (domain.lo + domain.hi);
  WideField shares(x.size());
  s.place.resize(x.size());
  for_each_index(x.size(), [&](std::size_t i) {
    s.place[i] = wide(x[i] - middle);
    s.place[i][3] = 1;
    shares[i] = s.share(i) * s.place[i];
  });
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      s.closing[i] = gradient_sum(s, shares, i);
      const Sides sides(domain, x[i], support, form.ghost);
      for (int a = 0; a < sides.count; ++a)
        s.closing[i] -= wide(sides.slope(a, support, form.ghost) * sides.list[a].normal);
    }
  });
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

namespace {

// f(i, (D u)_i) for all i.
template <class F>
void for_divergence(const SphSystem& s, const WideField& u, F&& f) {
  WideField& terms = s.scratch[0];
  terms.resize(s.size());
  for_each_index(s.size(), [&](std::size_t i) { terms[i] = s.share(i) * along_pairs(u[i], s.place[i]); });
  for_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      f(i, s.pairs.unit * dot(s.place[i], neighbour_sum(s.pairs, terms, i)) - dot(s.closing[i], u[i]));
  });
}

// y ← y + Dᵀ c + h V u, with c_i (x_i, 1) in `terms`; V only if there is a velocity.
void add_forces(const SphSystem& s, const WideField& terms, const WideField* u, WideField& y) {
  const bool viscous = u && !s.viscous.empty();
  const double scale = s.dt * s.viscous_unit;
  for_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Double4 sum = -s.share(i) * gradient_sum(s, terms, i) - terms[i][3] * s.closing[i];
      if (viscous) {
        Double4 drag{};
        for (std::size_t k = s.pairs.start[i]; k < s.pairs.start[i + 1]; ++k) {
          const std::size_t j = s.pairs.other[k];
          const Double4 d = s.place[i] - s.place[j];
          drag += double(s.viscous[k]) * dot(d, (*u)[i] - (*u)[j]) * d;
        }
        sum += scale * drag;
      }
      y[i] += sum;
    }
  });
}

}  // namespace

std::vector<double> divergence(const SphSystem& s, const WideField& u) {
  std::vector<double> rate(s.size());
  for_divergence(s, u, [&](std::size_t i, double d) { rate[i] = d; });
  return rate;
}

void multiply(const SphSystem& s, const WideField& p, WideField& y) {
  WideField& terms = s.scratch[1];
  terms.resize(s.size());
  for_divergence(s, p, [&](std::size_t i, double rate) {
    terms[i] = s.dt * s.dt * s.stiffness[i] * s.volume * s.ratio[i] * s.ratio[i] * rate * s.place[i];
    y[i] = s.mass[i] * p[i];
  });
  add_forces(s, terms, &p, y);
}

WideField right_side(const SphSystem& s, const WideField& free) {
  WideField terms(s.size()), b(s.size());
  for_each_index(s.size(), [&](std::size_t i) {
    terms[i] = -s.dt * s.stiffness[i] * s.volume * s.ratio[i] * (s.ratio[i] - 1) * s.place[i];
    b[i] = s.mass[i] * free[i];
  });
  add_forces(s, terms, nullptr, b);
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
      Double4 column[3] = {};
      for (std::size_t n = s.pairs.start[i]; n < s.pairs.start[i + 1]; ++n) {
        const std::size_t j = s.pairs.other[n];
        const Double4 d = s.place[i] - s.place[j];
        const double slope = s.pairs.slope[n], drag = s.viscous.empty() ? 0 : s.dt * s.viscous_unit * s.viscous[n];
        const Double4 e = (own * k[j] * slope * slope + drag) * d;
        for (int a = 0; a < 3; ++a) column[a] += d[a] * e;
      }
      for (int a = 0; a < 3; ++a) {
        column[a] += k[i] * s.closing[i][a] * s.closing[i];
        blocks[i].col(a) = vec3(column[a]) + s.mass[i] * Vec3::Unit(a);
      }
    }
  });
  return blocks;
}

std::vector<Mat3> preconditioner(const SphSystem& s) {
  std::vector<Mat3> blocks = diagonal(s);
  if (!s.uniform || s.size() == 0) return blocks;
  std::vector<Mat3> drag(s.size(), Mat3::Zero());  // h V_ii
  if (!s.viscous.empty())
    for_each_index(s.size(), [&](std::size_t i) {
      for (std::size_t k = s.pairs.start[i]; k < s.pairs.start[i + 1]; ++k) {
        const Vec3 d = vec3(s.place[i] - s.place[s.pairs.other[k]]);
        drag[i] += s.dt * s.viscous_unit * double(s.viscous[k]) * d * d.transpose();
      }
    });
  const double mean = sum_blocks(s.size(),
                                 [&](std::size_t begin, std::size_t end) {
                                   double sum = 0;
                                   for (std::size_t i = begin; i < end; ++i)
                                     sum += (blocks[i] - drag[i]).trace() / (3 * s.mass[i]);
                                   return sum;
                                 }) /
                      double(s.size());  // 1 + c
  for_each_index(s.size(), [&](std::size_t i) { blocks[i] = mean * s.mass[i] * Mat3::Identity() + drag[i]; });
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
            const std::size_t j = s.pairs.other[k];
            const double along = dot(s.place[i] - s.place[j], u[i] - u[j]);
            sum += 0.25 * s.dt * s.viscous_unit * s.viscous[k] * along * along;
          }
        }
        return sum;
      },
      block);
}

}  // namespace coracle
