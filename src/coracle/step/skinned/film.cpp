#include "coracle/step/skinned/film.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// m: thinner films rest. Otherwise what a slug without drag leaves behind would shrink until it is denormal, and fall
// for ever.
constexpr double thinnest = 1e-18;

constexpr double most_given = 0.8;  // of its volume, that a triangle gives in a substep

// The share of its volume that a triangle may give in a substep h. Waves of the thickness run at c, and substeps at the
// middle of their time are stable while c h/l < 1 on triangles of length l: the share, 2 w h/l in a strip, must stay
// below 2 w/c; a quarter less is safe. Where drag rules w ∝ δ² and c = 3 w; where inertia does c = w. Which of both:
// whether drag ends a motion, at 3ν/δ² a second, before it has passed the triangle, at w/l. Here, `rate` = 2 w/l is the
// share given in a second, `inertia` = δ² and `drag` = 3ν. Returns the number of substeps that are needed in a second.
double substeps_needed(double rate, double inertia, double drag) {
  const double way = rate * inertia;
  return rate * std::max(1 / most_given, (way + 6 * drag) / (1.5 * (way + 2 * drag)));
}

// How the mean flux over a substep h differs from that at its start: it is that of the thickness in the middle of the
// substep, when half of the share `gained` has come. Flux ∝ δ w, and w of the end of a substep ∝ δ²/(δ² + 3νh).
double mid_time(double gained, double inertia, double drag, double h) {
  constexpr double most = 0.5;  // where a front arrives, nothing is linear
  const double power = 1 + 2 * drag * h / (inertia + drag * h);
  return 1 + std::clamp(0.5 * power * gained, -most, most);
}

// More substeps than this only where a triangle is a sliver; what it gives is limited instead.
constexpr int most_substeps = 64;

// The number of substeps, from how many would be needed.
int pieces(double wanted, int at_most) { return wanted < at_most ? std::max(1, int(std::ceil(wanted))) : at_most; }

// m³/s over an edge, from its first triangle a to its second, b: δ² w/δ, with the giver's thickness δ.
//
// The shear w/δ is interpolated between the centroids. With the giver's shear alone a film on a sphere's top would
// spread by a third too slowly; with interpolated velocities instead a viscous film's waves would be damped half as
// much. Where the receiver's film is thinner its weight falls with the square of its thickness, and a front moves as
// fast as the film behind it.
double edge_flux(const SkinEdges::Edge& edge, const SkinFrame::Bend& bend, const FilmWork& work) {
  const auto [a, b] = edge.tri;
  const double thick_a = work.thickness[a], thick_b = b < 0 ? 0 : work.thickness[b];
  const bool wet_a = thick_a > thinnest, wet_b = thick_b > thinnest;
  if (!wet_a && !wet_b) return 0;
  const double out_a = wet_a ? work.w[a].dot(bend.out[0]) : 0, out_b = wet_b ? work.w[b].dot(bend.out[1]) : 0;
  double from_a = out_a, from_b = out_b;  // m/s
  if (wet_a && wet_b) {
    // The weights β and α of the receivers b and a; their velocities count as β δ_a/δ_b and α δ_b/δ_a.
    const bool a_thicker = thick_a > thick_b;
    const double ratio = a_thicker ? thick_b / thick_a : thick_a / thick_b;
    const double beta = bend.near[0] * (a_thicker ? ratio * ratio : 1);
    const double alpha = bend.near[1] * (a_thicker ? 1 : ratio * ratio);
    from_a = (1 - beta) * out_a - bend.near[0] * ratio * out_b;
    from_b = (1 - alpha) * out_b - bend.near[1] * ratio * out_a;
  }
  return (std::max(from_a, 0.0) * thick_a - std::max(from_b, 0.0) * thick_b) * bend.length;
}

// What flows over side `code` out of its triangle.
double outward(const std::vector<double>& flux, int code) { return code % 2 ? -flux[code / 2] : flux[code / 2]; }

// The velocities at the end of a substep h, and the fluxes with them. Returns the number of substeps that are needed
// each second.
double find_fluxes(const SkinEdges& edges, const SkinFrame& frame, const FilmLaw& law, const Vec3& gravity, double h,
                   const Film& film, FilmWork& work) {
  for_each_index(film.volume.size(), [&](std::size_t i) {
    if (!(work.thickness[i] > thinnest)) {
      work.w[i] = Vec3::Zero();
      return;
    }
    // w = (w + h g_t) / (1 + 3νh/δ² + c_f|w|h/δ), multiplied by δ² so that it holds for any δ.
    const Vec3& w = work.carried[i];
    const double thickness = work.thickness[i], inertia = thickness * thickness;
    const double drag = (3 * law.viscosity + law.friction * w.norm() * thickness) * h;
    work.w[i] = inertia / (inertia + drag) * (w + h * along_skin(frame, i, gravity));
  });
  for_each_index(edges.edges.size(), [&](std::size_t e) {
    const auto [a, b] = edges.edges[e].tri;
    const bool blocked = frame.is_covered(a) || (b >= 0 && frame.is_covered(b));
    work.flux[e] = blocked ? 0 : edge_flux(edges.edges[e], frame.bends[e], work);
  });
  return largest(film.volume.size(), [&](std::size_t i) {
    double out = 0, in = 0;  // m³/s
    for (int code : edges.of_tri[i]) {
      const double through = outward(work.flux, code);
      (through > 0 ? out : in) += std::abs(through);
    }
    if (!(out > 0)) return 0.0;
    const double per_volume = 1 / film.volume[i], rate = out * per_volume;
    const double inertia = work.thickness[i] * work.thickness[i], drag = 3 * law.viscosity;
    const double time = h * mid_time(h * (in - out) * per_volume, inertia, drag, h);
    work.time[i] = rate * time > most_given ? most_given / rate : time;
    return substeps_needed(rate, inertia, drag);
  });
}

// m³ that flow over an edge in the substep, from its first triangle to its second. Both sides find the same double.
double moved(const SkinEdges& edges, const FilmWork& work, int e) {
  return work.flux[e] == 0 ? 0 : work.flux[e] * work.time[edges.edges[e].tri[work.flux[e] < 0]];
}

// The triangle's own rest and what comes in, turned about the edges into its plane: lengths of velocities are kept, and
// mixing only loses energy.
void gather(const SkinEdges& edges, const SkinFrame& frame, std::size_t i, Film& film, FilmWork& work) {
  work.carried[i] = work.w[i];
  const auto passes = [&](int code) { return work.flux[code / 2] != 0; };
  if (std::none_of(edges.of_tri[i].begin(), edges.of_tri[i].end(), passes)) return;
  double kept = film.volume[i], in = 0;
  Vec3 momentum = Vec3::Zero();
  for (int code : edges.of_tri[i]) {
    const double through = moved(edges, work, code / 2), out = code % 2 ? -through : through;
    if (out >= 0) {
      kept -= out;
      continue;
    }
    const SkinFrame::Bend& bend = frame.bends[code / 2];
    const int side = code % 2, from = edges.edges[code / 2].tri[1 - side];
    const Vec3 u = work.w[from] + (frame.v[from] - frame.v[i]);  // relative to this triangle
    momentum -= out * (u.dot(bend.along) * bend.along - u.dot(bend.out[1 - side]) * bend.out[side]);
    in -= out;
  }
  film.volume[i] = kept + in;
  work.thickness[i] = film.volume[i] / frame.area[i];
  if (in > 0) work.carried[i] = (kept * work.w[i] + momentum) / film.volume[i];
}

// Moves what flows in a substep. The same double leaves one triangle and enters the other.
void carry(const SkinEdges& edges, const SkinFrame& frame, Film& film, FilmWork& work) {
  for_each_index(edges.borders.size(), [&](std::size_t k) {
    const int e = edges.borders[k], from = edges.edges[e].tri[0];
    const double out = moved(edges, work, e);
    work.over[k].volume += out;
    work.over[k].v += out * (frame.v[from] + work.w[from]);
  });
  for_each_index(film.volume.size(), [&](std::size_t i) { gather(edges, frame, i, film, work); });
}

}  // namespace

void dry_film(std::size_t tris, Film& film) {
  film = {.volume = std::vector<double>(tris),
          .pendant = std::vector<double>(tris),
          .v = std::vector<Vec3>(tris, Vec3::Zero())};
}

int advance_film(const SkinEdges& edges, const SkinMotion& skin, const SkinFrame& frame, const FilmLaw& law,
                 const Vec3& gravity, double dt, Film& film, FilmWork& work, Drops& drops) {
  const std::size_t tris = film.volume.size();
  work.w.resize(tris), work.carried.resize(tris), work.thickness.resize(tris), work.time.resize(tris);
  work.flux.resize(edges.edges.size());
  work.over.assign(edges.borders.size(), {});
  for_each_index(tris, [&](std::size_t i) {
    work.carried[i] = along_skin(frame, i, film.v[i] - frame.v[i]);
    work.thickness[i] = film.volume[i] / frame.area[i];
  });

  // At first those at the end of the whole step.
  double rate = find_fluxes(edges, frame, law, gravity, dt, film, work);
  int substeps = 0;
  for (double left = dt; left > 0; ++substeps) {
    const double h = left / pieces(left * rate, most_substeps - substeps);
    if (substeps > 0 || h < left) rate = find_fluxes(edges, frame, law, gravity, h, film, work);
    carry(edges, frame, film, work);
    left -= h;
  }
  for_each_index(tris, [&](std::size_t i) { film.v[i] = frame.v[i] + work.carried[i]; });
  for (std::size_t k = 0; k < edges.borders.size(); ++k) {
    const auto& [volume, momentum] = work.over[k];
    if (volume == 0) continue;
    const auto& [p, q] = edges.edges[edges.borders[k]].vertex;
    drops.add((skin.x[p] + skin.x[q]) / 2, momentum / volume, volume);
  }
  return substeps;
}

void settle(const SkinFrame& frame, std::size_t tri, const Portion& liquid, Film& film) {
  const double total = film.volume[tri] + liquid.volume;
  if (total <= 0) return;
  // Relative to the skin, so that large velocities of it cost no digits.
  const Vec3 w = along_skin(frame, tri, film.v[tri] - frame.v[tri]);
  const Vec3 joining = along_skin(frame, tri, liquid.v - frame.v[tri]);
  film.v[tri] = frame.v[tri] + (film.volume[tri] * w + liquid.volume * joining) / total;
  film.volume[tri] = total;
}

Portion skim(const SkinFrame& frame, std::size_t tri, double height, Film& film) {
  const double more = film.volume[tri] - height * frame.area[tri];
  if (more <= 0) return {};
  film.volume[tri] -= more;
  return {.volume = more, .v = film.v[tri]};
}

double lacking(const SkinFrame& frame, std::size_t tri, double height, const Film& film) {
  return frame.is_covered(tri) ? 0 : std::max(0.0, height * frame.area[tri] - film.volume[tri]);
}

}  // namespace coracle
