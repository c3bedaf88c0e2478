// The film on the skin of an animated solid: thin liquid that gravity, friction and its own inertia move along the
// triangles of the skin.
//
// Per triangle of area A: a volume q and a velocity v, one over the thickness δ = q/A. With w = v − v_s, the velocity
// relative to the skin, and the parabolic profile of a laminar film,
//   ∂δ/∂t + ∇·(δ w) = 0
//   dv/dt = g_t − 3 ν w / δ² − c_f |w| w / δ              along the skin; normal to it, v follows v_s
// so that a steady film runs at g_t δ²/3ν. v is the velocity in the world: no fictitious forces appear where the skin
// accelerates or turns. Finite volumes; an edge carries volume and momentum of the triangle that gives.
//
// Without: the film's own weight across it and its surface tension, which level it. What is thick enough for that to
// matter goes to the tets above.
#pragma once

#include "coracle/skinned.h"
#include "coracle/step/skinned/skin_frame.h"

namespace coracle {

struct FilmLaw {
  double viscosity = 1e-6;  // m²/s, ν
  double friction = 0;      // c_f, of turbulent films
  double hold = 1e-3;       // m: what hangs on below a ceiling at rest
  double tension = 0.07;    // N/m
  double density = 1000;    // kg/m³
};

struct Portion {
  double volume = 0;      // m³
  Vec3 v = Vec3::Zero();  // m/s
};

// Kept between steps only to save allocations.
struct FilmWork {
  std::vector<Vec3> carried, w;   // m/s, relative to the skin: before and after forces act
  std::vector<double> thickness;  // m
  std::vector<double> time;       // s, per triangle that gives: its flux times this leaves in the substep
  std::vector<double> flux;       // per edge, from its first triangle to its second: m³/s
  std::vector<Portion> over;      // per border: what has passed it, with its momentum in place of v
};

void dry_film(std::size_t tris, Film& film);

// Moves the film through a step, with the skin at its end. What passes a border leaves as drops, one per edge. Returns
// the number of substeps.
int advance_film(const SkinEdges& edges, const SkinMotion& skin, const SkinFrame& frame, const FilmLaw& law,
                 const Vec3& gravity, double dt, Film& film, FilmWork& work, Drops& drops);

// ---- What the film gives and takes. Volume, and momentum along the skin, are kept; the skin takes the rest.

// The liquid joins the film.
void settle(const SkinFrame& frame, std::size_t tri, const Portion& liquid, Film& film);
// Takes away what is thicker than `height`.
Portion skim(const SkinFrame& frame, std::size_t tri, double height, Film& film);
// m³ that would make the film as thick as `height`; 0 if it is so already, or if another solid covers the triangle.
double lacking(const SkinFrame& frame, std::size_t tri, double height, const Film& film);

}  // namespace coracle
