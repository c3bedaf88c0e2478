// Defines every option once: name, unit, range, doc. The TOML reader, the checker of scenes built in code, the writer
// and the JSON schema visit these tables. Sub-tables come last in each table, as TOML requires.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/expect.h"
#include "coracle/scene/fields.h"
#include "coracle/scene/shape_tables.h"

namespace coracle {

// The words of an enum, in the order of its values.
inline Words words(ProbeKind) {
  static constexpr const char* w[] = {"pressure", "height", "force", "displacement", "outside", "velocity", "volume"};
  return w;
}
inline Words words(Advection) {
  static constexpr const char* w[] = {"apic", "flip", "semi_lagrangian"};
  return w;
}
inline Words words(CoupledForm) {
  static const char* const names[] = {"schur", "spd", "indefinite"};
  return names;
}
inline Words words(CouplingStrength) {
  static const char* const names[] = {"strong", "damping_only", "weak"};
  return names;
}
inline Words words(StopAt) {
  static const char* const names[] = {"volume_error", "own_residual"};
  return names;
}
inline Words words(Backend) {
  static constexpr const char* w[] = {"cpu", "cuda"};
  return w;
}
inline Words words(Preconditioner) {
  static constexpr const char* w[] = {"multigrid", "incomplete_cholesky"};
  return w;
}

inline Words words(SkinTransport) {
  static constexpr const char* w[] = {"flux", "samples"};
  return w;
}
inline Words words(SkinPreserve) {
  static constexpr const char* w[] = {"paper", "poisson", "poisson_pushout"};
  return w;
}
inline Words words(BodyKind) {
  static constexpr const char* w[] = {"solid", "shell", "rod", "rigid"};
  return w;
}
inline Words words(BodyMesh) {
  static constexpr const char* w[] = {"stuffed", "grid5", "grid6"};
  return w;
}
inline Words words(ElementOrder) {
  static constexpr const char* w[] = {"linear", "quadratic"};
  return w;
}
inline Words words(MaterialModel) {
  static constexpr const char* w[] = {"corotational", "st_venant_kirchhoff", "fixed_corotated", "stable_neo_hookean",
                                      "neo_hookean"};
  return w;
}
inline Words words(BodySide) {
  static constexpr const char* w[] = {"none", "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  return w;
}
inline Words words(HoldKind) {
  static constexpr const char* w[] = {"pin", "roller"};
  return w;
}
inline Words words(ContactKind) {
  static constexpr const char* w[] = {"barrier", "penalty", "none"};
  return w;
}
inline Words words(Integrator) {
  static constexpr const char* w[] = {"backward_euler", "trapezoidal", "midpoint"};
  return w;
}

inline Words words(Side) {
  static constexpr const char* w[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  return w;
}
inline Words words(GasAdvection) {
  static constexpr const char* w[] = {"maccormack", "semi_lagrangian"};
  return w;
}
inline Words words(Method) {
  static constexpr const char* w[] = {"cutcell", "simultaneous", "proxy", "skinned"};
  return w;
}
inline Words words(Splitting) {
  static constexpr const char* w[] = {"delta", "joint", "baseline", "two_phase", "three_phase", "baseline_three"};
  return w;
}

inline Words words(ParticlePreconditioner) {
  static constexpr const char* w[] = {"block", "uniform"};
  return w;
}

inline Words words(TankLook) {
  static constexpr const char* w[] = {"glass", "floor", "none"};
  return w;
}

inline Words words(Take) {
  static constexpr const char* w[] = {"max", "min", "mean", "first", "last", "range", "change", "ratio", "count_above"};
  return w;
}

template <class V>
void fields(V& v, DomainOptions& o) {
  v.here(o.place);
  v.field("min", o.min, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "low corner"});
  v.field("max", o.max, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "high corner"});
  v.field("resolution", o.resolution,
          {.unit = "cells", .min = 4, .max = 65536, .doc = "along the longest side (z of a slab does not count)"});
  v.field("slab", o.slab,
          {.unit = "cells",
           .min = 0,
           .max = 1024,
           .doc = "above 0: a 2-D case, this many cells deep in z with slip sides; max z follows"});
  v.field("open", o.open, {.doc = "sides that gas passes freely; the others are walls"});
}

template <class V>
void fields(V& v, TimeOptions& o) {
  v.here(o.place);
  v.field("frames", o.frames, {.min = 0, .max = 1e7, .doc = "how many to run"});
  v.field("fps", o.fps, {.unit = "1/s", .min = 0, .above = true, .max = 1e6, .doc = "frames per second"});
  v.field("cfl", o.cfl,
          {.unit = "cells", .min = 0, .above = true, .max = 100, .doc = "that anything may cross per step"});
  v.field("max_dt", o.max_dt, {.unit = "s", .min = 0, .above = true, .doc = "longest step; never longer than a frame"});
  v.field("min_dt", o.min_dt,
          {.unit = "s", .min = 0, .above = true, .doc = "shortest step; the run fails if a step must be shorter"});
}

template <class V>
void fields(V& v, RegionOptions& o) {
  v.here(o.place);
  fields(v, o.shape);
  v.field("velocity", o.velocity, {.unit = "m/s", .doc = "at the start"});
  v.field("kind", o.kind, {.name = true, .doc = "the name of a [[liquid.kind]]; none: the liquid of [liquid]"});
}

template <class V>
void fields(V& v, LiquidKindOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .required = every_kind, .doc = "for regions and inflows"});
  v.field("density", o.density, {.unit = "kg/m³", .min = 0, .above = true, .max = 1e6, .doc = "of this liquid"});
  v.field("viscosity", o.viscosity, {.unit = "Pa s", .min = 0, .max = 1e6, .doc = "dynamic viscosity"});
  v.field("stiffness", o.stiffness, {.unit = "Pa", .min = 0, .max = 1e10, .doc = "0: proxy.stiffness"});
  v.field("color", o.color, {.min = 0, .max = 1, .doc = "red, green, blue in pictures; none: look.liquid_color"});
}

template <class V>
void fields(V& v, LiquidOptions& o) {
  v.here(o.place);
  v.field("density", o.density, {.unit = "kg/m³", .min = 0, .above = true, .max = 1e6, .doc = "of the liquid"});
  v.field("viscosity", o.viscosity,
          {.unit = "Pa s", .min = 0, .max = 1e6, .doc = "dynamic viscosity, 0.001 for water; only with method proxy"});
  v.field("advection", o.advection, {.doc = "how velocity is advected"});
  v.field("flip_blend", o.flip_blend, {.min = 0, .max = 1, .doc = "flip: share of FLIP, the rest is PIC"});
  v.field("runge_kutta", o.runge_kutta, {.min = 2, .max = 3, .doc = "order of the particles' paths"});
  v.field("volume_correction", o.volume_correction, {.doc = "correct the drift of volume"});
  v.field("seed", o.seed, {.min = 0, .max = 2147483647, .doc = "of the particles' jitter"});
  v.tables("kind", o.kinds, "further liquids of the scene, by name; only with method proxy");
  v.tables("region", o.regions, "liquid at the start");
}

template <class V>
void fields(V& v, GasRegionOptions& o) {
  v.here(o.place);
  fields(v, o.shape);
  v.field("smoke", o.smoke, {.min = 0, .doc = "density at the start; 1 is usual"});
  v.field("temperature", o.temperature, {.unit = "K", .doc = "above the surroundings"});
  v.field("velocity", o.velocity, {.unit = "m/s", .doc = "at the start"});
}

template <class V>
void fields(V& v, GasOptions& o) {
  v.here(o.place);
  v.field("density", o.density,
          {.unit = "kg/m³",
           .min = 0,
           .above = true,
           .max = 1e6,
           .doc = "of the gas without smoke, at the temperature of the surroundings"});
  v.field("advection", o.advection, {.doc = "how velocity, smoke and heat are advected"});
  v.field("expansion", o.expansion, {.unit = "1/K", .min = 0, .max = 1, .doc = "relative loss of density per kelvin"});
  v.field("smoke_weight", o.smoke_weight,
          {.min = -1e3, .max = 1e3, .doc = "relative gain of weight in smoke of density 1"});
  v.field("confinement", o.confinement, {.min = 0, .max = 100, .doc = "strength of vorticity confinement"});
  v.field("smoke_decay", o.smoke_decay, {.unit = "1/s", .min = 0, .doc = "decay rate of the smoke"});
  v.field("cooling", o.cooling, {.unit = "1/s", .min = 0, .doc = "decay rate of the temperature"});
  v.field("conserve", o.conserve, {.doc = "restore the smoke that advection loses"});
  v.field("seed", o.seed, {.min = 0, .max = 2147483647, .doc = "of the jets' noise"});
  v.tables("region", o.regions, "gas that has smoke, heat or velocity at the start");
}

template <class V>
void fields(V& v, JetOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .doc = "in messages, and for --set"});
  fields(v, o.shape);
  v.field("velocity", o.velocity, {.unit = "m/s", .doc = "zero: only a source of smoke and heat"});
  v.field("smoke", o.smoke, {.min = 0, .doc = "density; 1 is usual"});
  v.field("temperature", o.temperature, {.unit = "K", .doc = "above the surroundings"});
  v.field("noise", o.noise, {.min = 0, .max = 1, .doc = "of velocity and smoke, relative"});
  v.field("start", o.start, {.unit = "s", .min = 0, .max = 1e30, .doc = "nothing enters before"});
  v.field("end", o.end, {.unit = "s", .min = 0, .max = 1e30, .doc = "nothing enters after"});
}

template <class V>
void fields(V& v, InflowOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .doc = "in messages, and for --set"});
  fields(v, o.shape);
  v.field("velocity", o.velocity, {.unit = "m/s", .nonzero = true, .required = every_kind, .doc = "of the liquid"});
  v.field("kind", o.kind, {.name = true, .doc = "the name of a [[liquid.kind]]; none: the liquid of [liquid]"});
  v.field("start", o.start, {.unit = "s", .min = 0, .max = 1e30, .doc = "nothing enters before"});
  v.field("end", o.end, {.unit = "s", .min = 0, .max = 1e30, .doc = "nothing enters after"});
}

template <class V>
void fields(V& v, OutflowOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .doc = "in messages, and for --set"});
  fields(v, o.shape);
}

template <class V>
void fields(V& v, FurOptions& o) {
  v.here(o.place);
  v.field("porosity", o.porosity, {.min = 0, .above = true, .max = 1, .doc = "share of the shell that is not fibre"});
  v.field("along", o.along, {.unit = "m²", .min = 0, .max = 1, .doc = "permeability along the fibres"});
  v.field("across", o.across, {.unit = "m²", .min = 0, .max = 1, .doc = "permeability across the fibres"});
  v.field("residual", o.residual, {.min = 0, .max = 0.99, .doc = "share of the pores that liquid does not leave"});
}

template <class V>
void fields(V& v, SkinOptions& o) {
  v.here(o.place);
  v.field("on", o.on, {.doc = "liquid runs along this solid, drips and is shaken off; true if the table is there"});
  v.field("edge", o.edge,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "of the tets of the shell around the skin; 0: half a cell"});
  v.field("thickness", o.thickness,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "of that shell: how long fur is; 0: three edges"});
  v.field("hold", o.hold, {.unit = "m", .min = 0, .max = 1, .doc = "the thickest film that hangs on below a ceiling"});
  v.field("viscosity", o.viscosity, {.unit = "m²/s", .min = 0, .max = 1e3, .doc = "kinematic, of the film"});
  v.field("friction", o.friction, {.min = 0, .max = 10, .doc = "of turbulent films: c_f of c_f |w| w / thickness"});
  v.field("tension", o.tension, {.unit = "N/m", .min = 0, .max = 1e3, .doc = "of the surface: how large drops become"});
  v.field("entrain", o.entrain,
          {.unit = "m",
           .min = -1,
           .max = 1,
           .doc = "the film that the skin takes along when it leaves the liquid; below 0: by Landau and Levich's law"});
  v.field("adhesion", o.adhesion, {.doc = "sheets follow a convex skin; false: they fly off where it curves away"});
  v.field("film", o.film,
          {.unit = "m", .min = 0, .max = 1, .doc = "at the start, over the whole skin above the liquid"});
  v.field("fill", o.fill,
          {.min = 0, .max = 1, .doc = "share of the shell, or of the pores of its fur, that is full at the start"});
  v.field("transport", o.transport, {.doc = "of liquid in the shell: flux through faces, or the paper's samples"});
  v.field("preserve", o.preserve, {.doc = "how tets are kept from overflowing; poisson loses volume"});
  v.table("fur", o.fur, "fibres on the skin: a porous shell");
}

template <class V>
void fields(V& v, SolidOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .required = every_kind, .doc = "in files, figures and force probes"});
  fields(v, o.shape);
  v.field("container", o.container, {.doc = "the solid is all that lies outside the shape"});
  v.field("color", o.color, {.min = 0, .max = 1, .doc = "red, green, blue in pictures; none: grey; not of containers"});
  constexpr unsigned mesh = only(ShapeKind::mesh);
  v.field("clip", o.clip,
          {.kinds = mesh, .doc = "of a glTF file with a skin; none: the only one; see Animated meshes"});
  v.field("clip_start", o.clip_start,
          {.unit = "s", .kinds = mesh, .doc = "where in the clip the run begins; negative: the first pose waits"});
  v.field("speed", o.speed, {.min = 0, .max = 1e3, .kinds = mesh, .doc = "of the clip; 0: it stays where it begins"});
  v.field("loop", o.loop, {.kinds = mesh, .doc = "the clip begins again; else its last pose stays"});
  v.field("fps", o.fps,
          {.unit = "1/s", .min = 0, .above = true, .max = 1e5, .kinds = mesh, .doc = "files of a sequence a second"});
  v.tables("motion", o.motions, "scripted motions, applied one after another, after the animation");
  v.table("skin", o.skin, "liquid on this solid, method skinned");
}

template <class V>
void fields(V& v, HoldOptions& o) {
  v.here(o.place);
  v.kind("type", o.kind,
         {.required = every_kind, .doc = "a pin fixes nodes, a roller fixes them along its normal only"});
  v.field("normal", o.normal,
          {.nonzero = true,
           .kinds = only(HoldKind::roller),
           .required = only(HoldKind::roller),
           .doc = "the direction in which nodes are held, of any length"});
  v.field("side", o.side, {.doc = "hold the nodes on this side of the body's bounding box at rest; or give regions"});
  v.tables("region", o.regions, "the held nodes lie in any of these");
  v.tables("motion", o.motions, "prescribed motion of the held nodes; none: at rest");
}

template <class V>
void fields(V& v, MuscleOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .required = every_kind, .doc = "for programs that set its activation"});
  v.tables("region", o.regions, "elements whose centres at rest lie in any of these; none: the whole body");
  v.field("fibre", o.fibre, {.nonzero = true, .doc = "the direction at rest in which it pulls, of any length"});
  v.field("stress", o.stress, {.unit = "Pa", .min = 0, .max = 1e12, .doc = "how it pulls at activation 1"});
  v.field("level", o.level, {.min = -10, .max = 10, .doc = "mean of the activation, before it is cut to 0 to 1"});
  v.field("swing", o.swing, {.min = 0, .max = 10, .doc = "amplitude of the activation"});
  v.field("frequency", o.frequency, {.unit = "Hz", .min = 0, .max = 1e6, .doc = "of the activation"});
  v.field("phase", o.phase, {.unit = "rad", .doc = "of the activation at the start"});
  v.field("wavelength", o.wavelength, {.unit = "m", .min = 0, .doc = "of a travelling wave; 0: all acts at once"});
  v.field("along", o.along, {.nonzero = true, .doc = "where the wave travels, of any length"});
  v.field("start", o.start, {.unit = "s", .min = 0, .doc = "it does not act before"});
  v.field("end", o.end, {.unit = "s", .min = 0, .max = 1e30, .doc = "nor after"});
  v.field("ramp", o.ramp, {.unit = "s", .min = 0, .doc = "activation grows from zero over this time"});
}

template <class V>
void fields(V& v, BodyOptions& o) {
  v.here(o.place);
  v.field("name", o.name, {.name = true, .required = every_kind, .doc = "in files and figures"});
  v.field(
      "kind", o.kind,
      {.doc = "solid: tets; shell: triangles with a thickness; rod: segments with a radius; rigid: it moves as one"});
  fields(v, o.shape);
  v.field("mesh", o.mesh, {.doc = "how it is meshed: stuffed tets, or cubes of five or six tets for a box"});
  v.field("edge", o.edge,
          {.unit = "m", .min = 0, .above = true, .doc = "target edge length of tets, triangles and segments"});
  v.field("cells", o.cells, {.min = 1, .max = 4096, .doc = "grid5, grid6: cubes along each side"});
  v.field(
      "element", o.element,
      {.doc =
           "linear: nodes at the corners of the tets; quadratic: also in the middle of their edges, which bends right "
           "with few cells; default for grid5 and grid6: quadratic"});
  v.field("material", o.material, {.doc = "elastic energy; default for method simultaneous: st_venant_kirchhoff"});
  v.field("young", o.young, {.unit = "Pa", .min = 0, .above = true, .max = 1e13, .doc = "Young's modulus"});
  v.field("poisson", o.poisson, {.min = -0.95, .max = 0.4999, .doc = "Poisson's ratio; near 0.5: hardly compressible"});
  v.field("density", o.density, {.unit = "kg/m³", .min = 0, .above = true, .max = 1e6, .doc = "of the body"});
  v.field("shell_thickness", o.shell_thickness, {.unit = "m", .min = 0, .doc = "of a shell; it has no default"});
  v.field("rod_radius", o.rod_radius, {.unit = "m", .min = 0, .doc = "of a rod's round section; it has no default"});
  v.field("damping_mass", o.damping_mass, {.unit = "1/s", .min = 0, .doc = "Rayleigh damping, of the mass"});
  v.field("damping_stiffness", o.damping_stiffness,
          {.unit = "s", .min = 0, .doc = "Rayleigh damping, of the stiffness"});
  v.field("friction", o.friction, {.min = 0, .max = 10, .doc = "Coulomb's coefficient; default: contact.friction"});
  v.field("velocity", o.velocity, {.unit = "m/s", .doc = "at the start"});
  v.field("spin", o.spin, {.unit = "rad/s", .doc = "about the centre of mass, at the start"});
  v.field("stretch", o.stretch,
          {.min = 0, .above = true, .max = 1e3, .doc = "pre-strain at the start, along each axis"});
  v.field(
      "start_displacement", o.start_displacement,
      {.unit = "m", .formulas = true, .doc = "at the start, a field of the place at rest; held nodes stay in place"});
  v.field("start_velocity", o.start_velocity,
          {.unit = "m/s", .formulas = true, .doc = "at the start, a field of the place at rest"});
  v.field("start_file", o.start_file,
          {.file = true,
           .doc = "a line per node: its displacement in m, and its velocity in m/s if there are six numbers"});
  v.field("render", o.render, {.file = true, .doc = "a finer closed surface that follows the tets"});
  v.field("color", o.color, {.min = 0, .max = 1, .doc = "red, green, blue in pictures; none: one of a palette"});
  v.field("opacity", o.opacity, {.min = 0, .max = 1, .doc = "in pictures; below 1 the inside is visible"});
  v.tables("hold", o.holds, "where it is held");
  v.tables("muscle", o.muscles, "where it pulls by itself");
}

template <class V>
void fields(V& v, AttachmentOptions& o) {
  v.here(o.place);
  v.field("body", o.body, {.required = every_kind, .doc = "whose nodes are tied"});
  v.field("to", o.to, {.required = every_kind, .doc = "the body that they follow"});
  v.field("points", o.points,
          {.unit = "m", .required = every_kind, .doc = "at rest: the node of `body` nearest to each is tied"});
}

template <class V>
void fields(V& v, ElasticOptions& o) {
  v.here(o.place);
  v.field("integrator", o.integrator, {.doc = "in time; default for method simultaneous: trapezoidal"});
  v.field("newton", o.newton,
          {.doc = "iterate to the nonlinear solution; else one linear solve per step; default for midpoint: true"});
  v.field("max_iterations", o.max_iterations, {.min = 1, .max = 1e6, .doc = "of Newton's method"});
  v.field("tolerance", o.tolerance,
          {.min = 0,
           .above = true,
           .max = 0.1,
           .doc = "of the change in velocity, relative; default with barrier contact: 1e-3"});
}

template <class V>
void fields(V& v, ContactOptions& o) {
  v.here(o.place);
  v.field(
      "kind", o.kind,
      {.doc = "barrier: surfaces never meet, at the price of Newton's method; penalty: they are pushed apart; none: "
              "no contact"});
  v.field("distance", o.distance,
          {.unit = "m",
           .min = 0,
           .max = 1e3,
           .doc = "from which on surfaces repel each other; 0: a tenth of the mean edge of the body's surface"});
  v.field("stiffness", o.stiffness,
          {.unit = "Pa", .min = 0, .max = 1e15, .doc = "of the barrier; 0: by the body's modulus, weight and speed"});
  v.field("friction", o.friction, {.min = 0, .max = 10, .doc = "Coulomb's coefficient of bodies that give none"});
  v.field("slip", o.slip, {.unit = "m/s", .min = 0, .above = true, .max = 1e3, .doc = "slower surfaces stick"});
}

template <class V>
void fields(V& v, ProbeOptions& o) {
  using enum ProbeKind;
  v.here(o.place);
  v.field("name", o.name, {.name = true, .required = every_kind, .doc = "title of its column"});
  v.kind("type", o.kind, {.required = every_kind, .doc = "what is measured"});
  v.field("point", o.point,
          {.unit = "m",
           .kinds = only(pressure, velocity, displacement),
           .required = only(pressure, velocity, displacement),
           .doc = "where; on a body: at rest"});
  v.field("from", o.from,
          {.unit = "m", .kinds = only(height), .required = only(height), .doc = "the wet end of the line"});
  v.field("to", o.to, {.unit = "m", .kinds = only(height), .required = only(height), .doc = "its other end"});
  v.field("min", o.min, {.unit = "m", .kinds = only(volume), .required = only(volume), .doc = "low corner of the box"});
  v.field("max", o.max,
          {.unit = "m", .kinds = only(volume), .required = only(volume), .doc = "high corner of the box"});
  v.field("solid", o.solid, {.kinds = only(force), .required = only(force), .doc = "its name, or a body's"});
  v.field("body", o.body,
          {.kinds = only(displacement, outside), .required = only(displacement, outside), .doc = "its name"});
  v.field("moves_with", o.moves_with,
          {.name = true,
           .kinds = only(pressure, height, velocity, volume),
           .doc = "the name of a solid: the place is given where the solid has not moved yet, and follows it"});
}

template <class V>
void fields(V& v, SolverOptions& o) {
  v.here(o.place);
  v.field(
      "backend", o.backend,
      {.doc = "where liquid on a grid is simulated; cuda: on a GPU, if the program was built for it. Of gas and of the "
              "method simultaneous, the pressure is solved there"});
  v.field("preconditioner", o.preconditioner, {.doc = "of the pressure solve"});
  v.field("form", o.form, {.doc = "of the system of pressures and bodies"});
  v.field("coupling", o.coupling, {.doc = "of liquid and bodies within a step; all but strong are for comparison"});
  v.field("tolerance", o.tolerance, {.min = 0, .above = true, .max = 0.1, .doc = "of the volume error, relative"});
  v.field("max_iterations", o.max_iterations, {.min = 1, .max = 1e6, .doc = "of the pressure solve"});
  v.field("stop_at", o.stop_at, {.doc = "what the tolerance is for: the volume error, or the form's own residual"});
  v.field("alpha", o.alpha, {.min = 0, .max = 1e6, .doc = "spd: scale of the bodies' rows; 0: by the right-hand side"});
  v.field("pocket_volume", o.pocket_volume, {.doc = "keep the volume of liquid that bodies enclose"});
  v.field("dump", o.dump, {.doc = "write the system of a step that fails, in Matrix Market form"});
}

template <class V>
void fields(V& v, ProxyOptions& o) {
  v.here(o.place);
  v.field("splitting", o.splitting,
          {.doc = "of a step between liquid and solids; delta is the most accurate but joint, the others are for "
                  "comparison"});
  v.field("stiffness", o.stiffness,
          {.unit = "Pa",
           .min = 0,
           .above = true,
           .max = 1e10,
           .doc = "pressure over relative loss of volume: a column of height H loses density * g * H / 2 of it"});
  v.field("clamp", o.clamp, {.doc = "no tension where a particle has too few neighbours"});
  v.field("release", o.release, {.doc = "with clamp: particles that would only expand do not resist it"});
  v.field("ghost", o.ghost,
          {.min = 0, .max = 1, .doc = "share of a particle's kernel beyond a wall that counts as liquid"});
  v.field("gradient_scale", o.gradient_scale,
          {.min = 0,
           .above = true,
           .max = 10,
           .doc = "by which gradients of kernels are multiplied, so that those of linear fields are right"});
  v.field("viscosity_scale", o.viscosity_scale,
          {.min = 0, .above = true, .max = 100, .doc = "by which viscosity is multiplied: what particles miss of it"});
  v.field("tolerance", o.tolerance, {.min = 0, .above = true, .max = 0.1, .doc = "of conjugate gradients, relative"});
  v.field("preconditioner", o.preconditioner,
          {.doc = "of conjugate gradients; uniform takes fewer iterations where sound passes several particles in a "
                  "step"});
  v.field("newton_tolerance", o.newton_tolerance,
          {.unit = "m/s", .min = 0, .above = true, .max = 1e3, .doc = "of the phase of the solids"});
  v.field("reach", o.reach,
          {.unit = "diameters",
           .min = 0,
           .max = 1,
           .doc = "of a particle, half a cell: nearer surfaces repel it; 0: 0.6 with ghost, 0.5 without"});
  v.field("contact_stiffness", o.contact_stiffness,
          {.min = 0, .above = true, .max = 1e3, .doc = "of the contact of liquid and solids, over that of the liquid"});
  v.field("friction", o.friction,
          {.min = 0, .max = 10, .doc = "of the liquid with bodies, solids and the domain's sides"});
}

template <class V>
void fields(V& v, OutputOptions& o) {
  v.here(o.place);
  v.field("surface", o.surface, {.doc = "PLY and VTP of the liquid's surface; PLY of its lone drops"});
  v.field("volume", o.volume, {.doc = "VDB of its distance field and velocity"});
  v.field("smoke", o.smoke, {.doc = "VDB of smoke, temperature and velocity of gas; NRRD of its smoke"});
  v.field("solids", o.solids, {.doc = "PLY and VTP of the solids; PLY and VTU of the bodies"});
  v.field("particles", o.particles, {.doc = "PLY and VTP of the particles"});
  v.field(
      "paraview", o.paraview,
      {.doc = "VTP and VTU files, and PVD files that list them; without them PLY remains, but no tets for pictures"});
  v.field("every", o.every, {.unit = "frames", .min = 1, .max = 1e7, .doc = "between files"});
  v.field("checkpoint_every", o.checkpoint_every,
          {.unit = "frames", .min = 1, .max = 1e7, .doc = "between checkpoints"});
}

template <class V>
void fields(V& v, CameraOptions& o) {
  v.here(o.place);
  v.field("position", o.position, {.unit = "m", .doc = "of the eye; none: chosen to show the whole domain"});
  v.field("target", o.target, {.unit = "m", .doc = "centre of the picture; none: centre of the domain"});
  v.field("fov", o.fov, {.unit = "degrees", .min = 1, .max = 150, .doc = "angle that the picture's height spans"});
  v.field("up", o.up, {.nonzero = true, .doc = "direction, of any length"});
}

template <class V>
void fields(V& v, LookOptions& o) {
  v.here(o.place);
  v.field("smoke_color", o.smoke_color, {.min = 0, .max = 1, .doc = "of smoke in white light"});
  v.field("smoke_depth", o.smoke_depth,
          {.unit = "m",
           .min = 0,
           .doc = "of smoke of density 1 that stops 63 % of the light; 0: 1/20 of the longest side"});
  v.field("liquid_color", o.liquid_color,
          {.min = 0, .above = true, .max = 1, .doc = "of white light behind liquid_depth of liquid"});
  v.field("liquid_depth", o.liquid_depth,
          {.unit = "m", .min = 0, .doc = "0: longest side, or twice the depth of a slab"});
  v.field("background", o.background, {.min = 0, .max = 1, .doc = "red, green, blue; also of the floor"});
  v.field("light", o.light, {.nonzero = true, .doc = "direction towards the light, of any length"});
  v.field("tank", o.tank, {.doc = "sides of the domain: glass on a floor, only a floor, or nothing"});
  v.field("floor", o.floor, {.unit = "m", .doc = "its height; none: the domain's bottom"});
}

template <class V>
void fields(V& v, Scene& o) {
  v.here(o.place);
  v.field("title", o.title, {.doc = "one line for people"});
  v.field("preset", o.preset, {.name = true, .doc = "which preset this is; set by --preset"});
  v.field("method", o.method,
          {.doc = "how fluid and solids meet: exact cut cells, whole cell faces, or particles with a barrier"});
  v.field("gravity", o.gravity, {.unit = "m/s²", .doc = "of fluids and bodies"});
  v.table("domain", o.domain, "the box that is simulated");
  v.table("time", o.time, "frames and steps");
  v.table("liquid", o.liquid, "the liquid and its advection");
  v.tables("inflow", o.inflows, "where liquid enters");
  v.tables("outflow", o.outflows, "where liquid is removed");
  v.table("gas", o.gas, "gas that fills the domain instead of liquid, with smoke and heat in it");
  v.tables("jet", o.jets, "where gas, smoke and heat enter");
  v.tables("solid", o.solids, "static or moving solids and containers");
  v.tables("body", o.bodies, "bodies that move by forces: deformable or rigid");
  v.tables("attachment", o.attachments, "nodes of one body that move with another: a rope on a ball, a hinge");
  v.table("elastic", o.elastic, "how deformable bodies move");
  v.table("contact", o.contact, "how bodies touch walls, solids, each other and themselves");
  v.tables("probe", o.probes, "what is measured each step");
  v.table("solver", o.solver, "the pressure solve");
  v.table("proxy", o.proxy, "liquid of smoothed particles, method proxy");
  v.table("output", o.output, "what is written");
  v.table("camera", o.camera, "the camera of pictures");
  v.table("look", o.look, "how pictures look");
}

template <class V>
void fields(V& v, Expectation& o) {
  const FieldInfo bound{.min = -1e300, .max = 1e300};
  v.here(o.place);
  v.field("claim", o.claim, {.required = every_kind, .doc = "what holds, in a few words"});
  v.field("of", o.of, {.required = every_kind, .doc = "paths into a line of stats.jsonl: a, a / b or a - b"});
  v.kind("take", o.take, {.required = every_kind, .doc = "which number of the series in time"});
  FieldInfo above = bound;
  above.kinds = above.required = only(Take::count_above);
  above.doc = "steps with a larger value are counted";
  v.field("above", o.above, above);
  v.field("from", o.from, {.unit = "s", .min = 0, .max = no_end, .doc = "first time that counts"});
  v.field("to", o.to, {.unit = "s", .min = 0, .max = no_end, .doc = "last time that counts"});
  FieldInfo least = bound, most = bound;
  least.doc = "the number must not be below; or give at_most, or both";
  most.doc = "the number must not be above";
  v.field("at_least", o.at_least, least);
  v.field("at_most", o.at_most, most);
  v.field("presets", o.presets, {.doc = "to which it applies; none: all"});
  v.field("methods", o.methods, {.doc = "to which it applies; none: all"});
  v.field("reason", o.reason, {.required = every_kind, .doc = "why it must hold, with its source"});
}

template <class V>
void fields(V& v, ExpectFile& o) {
  v.here(o.place);
  v.tables("expect", o.all, "claims that a run must meet");
}

}  // namespace coracle
