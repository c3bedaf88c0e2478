// 1 ASKED: the content of a scene file as plain structs with their defaults. SI units, y up.
// The name, unit, range and one-line doc of every field are defined once, in scene/tables.h.
#pragma once

#include "coracle/backend.h"
#include "coracle/error.h"
#include "coracle/shapes.h"
#include "coracle/types.h"

#include <optional>
#include <string>
#include <vector>

namespace coracle {

enum class MotionKind { velocity, rotation, oscillation, keyframes };

// One scripted motion of a solid; several are applied one after another.
struct MotionOptions {
  Place place;
  MotionKind kind = MotionKind::velocity;
  Vec3 velocity = Vec3::Zero();  // velocity: m/s
  Vec3 axis = Vec3::UnitY();     // rotation
  Vec3 pivot = Vec3::Zero();     // rotation, keyframes (for their angles): a point of the axis
  double rate = 0;               // rotation: rad/s
  Vec3 amplitude =
      Vec3::Zero();      // oscillation: m, x += amplitude (sin(2πf(t−start) + phase) − sin phase): starts in place
  double frequency = 1;  // oscillation: Hz
  double phase = 0;      // oscillation: rad
  double start = 0;      // s: at rest before
  double end = 1e30;     // s: at rest after
  std::vector<double> times;   // keyframes: s, increasing
  std::vector<Vec3> offsets;   // keyframes: m, one per time, linear in between
  std::vector<double> angles;  // keyframes: rad about axis through pivot, one per time; may be empty
};

enum class Side { x_min, x_max, y_min, y_max, z_min, z_max };

struct DomainOptions {
  Place place;
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Ones();
  int resolution = 64;     // cells along the longest side (z of a slab does not count)
  int slab = 0;            // > 0: a 2-D case, this many cells deep in z, with slip sides; max.z then follows from min.z
  std::vector<Side> open;  // sides that gas passes freely; the others are walls
};

struct TimeOptions {
  Place place;
  int frames = 120;
  double fps = 24;
  double cfl = 1.0;      // most cells that anything may cross per step
  double max_dt = 1.0;   // s; a step is never longer than a frame
  double min_dt = 1e-7;  // s; the run fails if a step must be shorter
};

enum class Advection { apic, flip, semi_lagrangian };

struct RegionOptions {
  Place place;
  ShapeOptions shape;
  Vec3 velocity = Vec3::Zero();  // m/s, at the start
  std::string kind;              // the name of a kind of liquid; empty: that of [liquid]
};

// A liquid besides that of [liquid], which the same scene holds.
struct LiquidKindOptions {
  Place place;
  std::string name;
  double density = 1000;      // kg/m³
  double viscosity = 0;       // Pa s
  double stiffness = 0;       // Pa; 0: proxy.stiffness
  std::optional<Vec3> color;  // sRGB, in pictures; none: look.liquid_color
};

struct LiquidOptions {
  Place place;
  double density = 1000;  // kg/m³
  double viscosity = 0;   // Pa s; method proxy
  Advection advection = Advection::apic;
  double flip_blend = 0.97;  // flip: share of FLIP, the rest PIC
  int runge_kutta = 2;       // order of particle paths, 2 or 3
  bool volume_correction = true;
  int seed = 1;  // of the particles' jitter
  std::vector<LiquidKindOptions> kinds;
  std::vector<RegionOptions> regions;
};

enum class GasAdvection { maccormack, semi_lagrangian };

struct GasRegionOptions {
  Place place;
  ShapeOptions shape;
  double smoke = 0;              // 1: dense
  double temperature = 0;        // K above the surroundings
  Vec3 velocity = Vec3::Zero();  // m/s, at the start
};

// Gas that fills the domain, and the smoke and heat that it carries.
struct GasOptions {
  Place place;
  double density = 1.2;  // kg/m³
  GasAdvection advection = GasAdvection::maccormack;
  double expansion = 0.0034;  // 1/K: relative loss of density per kelvin; an ideal gas at 20 °C
  double smoke_weight = 0;    // relative gain of weight in smoke of density 1
  double confinement = 0;     // ε of vorticity confinement
  double smoke_decay = 0;     // 1/s
  double cooling = 0;         // 1/s
  bool conserve = true;       // restore the smoke that advection loses
  int seed = 1;               // of the noise of jets
  std::vector<GasRegionOptions> regions;
};

// An inlet of gas. With zero velocity it is only a source of smoke and heat.
struct JetOptions {
  Place place;
  std::string name;
  ShapeOptions shape;
  Vec3 velocity = Vec3::Zero();  // m/s
  double smoke = 1;
  double temperature = 0;  // K above the surroundings
  double noise = 0;        // relative, of velocity and smoke
  double start = 0;
  double end = 1e30;
};

// Whether a jet blows gas; if not, it is only a source of smoke and heat.
inline bool blows(const JetOptions& jet) { return jet.velocity.norm() > 0; }

struct InflowOptions {
  Place place;
  std::string name;
  ShapeOptions shape;
  Vec3 velocity = Vec3::Zero();
  std::string kind;  // as of a region
  double start = 0;
  double end = 1e30;
};

struct OutflowOptions {
  Place place;
  std::string name;
  ShapeOptions shape;
};

// ---- Liquid on a skin, method skinned

enum class SkinTransport { flux, samples };                   // through faces; by points of quadrature [Lee19]
enum class SkinPreserve { paper, poisson, poisson_pushout };  // the method of the paper, and its two comparisons

// Fibres on a skin: a porous shell.
struct FurOptions {
  Place place;
  double porosity = 1;  // share of the shell that is not fibre
  double along = 0;     // m², permeability along the fibres; 0: there is no fur
  double across = 0;    // m²
  double residual = 0;  // share of the pores that liquid does not leave
};

struct SkinOptions {
  Place place;
  bool on = false;
  double edge = 0;          // m, of the tets of the shell; 0: half a cell
  double thickness = 0;     // m, of the shell; 0: three edges
  double hold = 1e-3;       // m: the thickest film below a ceiling at rest
  double viscosity = 1e-6;  // m²/s
  double friction = 0;      // of turbulent films
  double tension = 0.07;    // N/m
  double entrain = -1;      // m: the film that leaves the bulk with the skin; < 0: by Landau and Levich's law
  bool adhesion = true;     // sheets follow a convex skin
  double film = 0;          // m, at the start
  double fill = 0;          // share of the shell's room that liquid fills at the start
  SkinTransport transport = SkinTransport::flux;
  SkinPreserve preserve = SkinPreserve::paper;
  FurOptions fur;
};

struct SolidOptions {
  Place place;
  std::string name;
  ShapeOptions shape;
  bool container = false;  // true: the solid is all that lies outside the shape
  // A mesh that is animated: a glTF file with a skin, or a sequence of OBJ files (scene/animation.h).
  std::string clip;                    // of a skin; once loaded, empty only if the file has none
  double clip_start = 0;               // s of the clip at time zero; negative: it waits in its first pose
  double speed = 1;                    // s of the clip per second
  bool loop = false;                   // false: it stays in its last pose
  double fps = 24;                     // files of a sequence per second
  std::vector<MotionOptions> motions;  // come after the animation
  SkinOptions skin;
  std::optional<Vec3> color;  // sRGB, in pictures; none: grey
};

enum class BodyKind { solid, shell, rod, rigid };
enum class BodyMesh { stuffed, grid5, grid6 };
enum class ElementOrder { linear, quadratic };
enum class MaterialModel { corotational, st_venant_kirchhoff, fixed_corotated, stable_neo_hookean, neo_hookean };

// A hold constrains all nodes of a body in a region, or on one side of the body's bounding box at rest.
enum class BodySide { none, x_min, x_max, y_min, y_max, z_min, z_max };
enum class HoldKind { pin, roller };

struct HoldOptions {
  Place place;
  HoldKind kind = HoldKind::pin;  // a roller is held along `normal` only
  BodySide side = BodySide::none;
  Vec3 normal = Vec3::UnitY();         // roller
  std::vector<ShapeOptions> regions;   // instead of `side`: nodes in any of these
  std::vector<MotionOptions> motions;  // prescribed motion of the held nodes; none: at rest
};

// A region of a body that pulls along its fibres: the stress S = stress · activation along them (step/body/muscles.h).
struct MuscleOptions {
  Place place;
  std::string name;
  std::vector<ShapeOptions> regions;  // elements whose centres lie in any of these; none: the whole body
  Vec3 fibre = Vec3::UnitX();         // direction at rest
  double stress = 1e4;                // Pa at activation 1
  // Activation: level + swing sin(2π (frequency (t − start) − s / wavelength) + phase), cut to [0, 1], with s the place
  // at rest along `along`.
  double level = 0;
  double swing = 1;
  double frequency = 1;          // Hz
  double phase = 0;              // rad
  double wavelength = 0;         // m; 0: all acts at once
  Vec3 along = Vec3::UnitX();    // where the wave travels
  double start = 0, end = 1e30;  // s: it acts in between
  double ramp = 0;               // s: activation grows from zero over this time
};

struct BodyOptions {
  Place place;
  std::string name;
  BodyKind kind = BodyKind::solid;
  BodyMesh mesh = BodyMesh::stuffed;
  ShapeOptions shape;           // stuffed: any shape, or a file of tets; grid5, grid6: a box
  double edge = 0.05;           // m: target edge length, except of grid5 and grid6
  Vec3i cells = Vec3i::Ones();  // grid5, grid6: cubes along each side
  ElementOrder element = ElementOrder::linear;
  MaterialModel material = MaterialModel::corotational;
  double young = 1e5;  // Pa
  double poisson = 0.3;
  double density = 1000;         // kg/m³
  double shell_thickness = 0;    // m, shells
  double rod_radius = 0;         // m, rods: of the round section
  double damping_mass = 0;       // 1/s, τ_m
  double damping_stiffness = 0;  // s, τ_k
  double friction = 0.3;
  Vec3 velocity = Vec3::Zero();  // m/s, at the start
  Vec3 spin = Vec3::Zero();      // rad/s about the centre of mass, at the start
  Vec3 stretch = Vec3::Ones();   // pre-strain at the start, about the centre of mass
  // Fields at the start, added to the above: three formulas (scene/formula.h) of x, y, z, the place at rest, or none.
  std::vector<std::string> start_displacement;  // m
  std::vector<std::string> start_velocity;      // m/s
  std::string start_file;     // the same as numbers per node (world/body_start.h); absolute once loaded
  std::string render;         // a finer surface to show; absolute once loaded
  std::optional<Vec3> color;  // sRGB, in pictures; none: one of a palette
  double opacity = 1;         // in pictures
  std::vector<HoldOptions> holds;
  std::vector<MuscleOptions> muscles;
};

// Nodes of one body that move with another body: a rope on a ball, a hinge.
struct AttachmentOptions {
  Place place;
  std::string body, to;
  std::vector<Vec3> points;  // m, at rest: the node of `body` nearest to each is tied to `to`
};

enum class Integrator { backward_euler, trapezoidal, midpoint };

// How bodies move.
struct ElasticOptions {
  Place place;
  Integrator integrator = Integrator::backward_euler;
  bool newton = false;      // iterate to the nonlinear solution; else one linear solve per step
  int max_iterations = 30;  // of Newton's method
  double tolerance = 1e-8;  // of the change in velocity, relative
};

enum class ContactKind { barrier, penalty, none };

// How bodies touch walls, solids, each other and themselves.
struct ContactOptions {
  Place place;
  ContactKind kind = ContactKind::penalty;
  double distance = 0;    // m: barrier: from here on surfaces repel each other; penalty: rest distance. 0: a tenth of
                          // the mean edge of the body's surface
  double stiffness = 0;   // Pa; 0: by the body's modulus and weight
  double friction = 0.3;  // of bodies that do not give their own
  double slip = 1e-3;     // m/s: slower surfaces stick to each other
};

enum class ProbeKind { pressure, height, force, displacement, outside, velocity, volume };

struct ProbeOptions {
  Place place;
  std::string name;
  ProbeKind kind = ProbeKind::pressure;
  Vec3 point = Vec3::Zero();  // pressure, velocity; displacement: of the body at rest
  Vec3 from = Vec3::Zero();   // height: ends of a line; the height is the length of its wet part that starts at `from`
  Vec3 to = Vec3::UnitY();
  Vec3 min = Vec3::Zero();  // volume: corners of a box; the liquid in it is measured
  Vec3 max = Vec3::Ones();
  std::string solid;       // force: on this solid or body
  std::string body;        // displacement: of this body; outside: number of particles outside its outer surface
  std::string moves_with;  // pressure, height, velocity, volume: the places follow the motion of this solid
};

enum class Preconditioner { multigrid, incomplete_cholesky };

enum class CoupledForm { schur, spd, indefinite };           // of the same system
enum class CouplingStrength { strong, damping_only, weak };  // how liquid and bodies are coupled within a step
enum class StopAt { volume_error, own_residual };            // which residual the tolerance is for

struct SolverOptions {
  Place place;
  Backend backend = Backend::cpu;
  Preconditioner preconditioner = Preconditioner::multigrid;
  CoupledForm form = CoupledForm::schur;
  CouplingStrength coupling = CouplingStrength::strong;
  double tolerance = 1e-8;  // of the volume error, relative
  int max_iterations = 500;
  StopAt stop_at = StopAt::volume_error;
  double alpha = 0.001;       // spd: scale of the bodies' rows; 0: by the norms of the right-hand side
  bool pocket_volume = true;  // enclosed liquid regains the volume that integration error removes
  bool dump = false;          // write the system of a step that fails
};

// How fluid and solids meet.
enum class Method {
  cutcell,       // cells are cut exactly; pressure and flux act on the same surface pieces [ZarifiBatty17]
  simultaneous,  // whole cell faces are open or closed; pressure acts at samples on the surface [Chentanez06]
  proxy,         // liquid of smoothed particles, kept apart from solids by a barrier; no grid [Xie23]
  skinned,       // as cutcell, and liquid on the skin of solids in a shell that follows them [Lee19]
};

// How a step of method proxy is split between liquid and solids.
enum class Splitting {
  delta,           // contact in both phases, what the first took is taken out of the second
  joint,           // no splitting
  baseline,        // contact in the phase of the solids alone
  two_phase,       // half of the contact in each phase
  three_phase,     // a third of the contact each for liquid, elasticity and contact
  baseline_three,  // as baseline, with elasticity in a phase of its own
};

// Of conjugate gradients of method proxy, per particle.
enum class ParticlePreconditioner {
  block,    // its 3×3 block of the matrix
  uniform,  // the same, but resistance to compression as in the mean over all particles; for stiff liquids
};

struct ProxyOptions {
  Place place;
  Splitting splitting = Splitting::delta;
  double stiffness = 1e5;  // Pa, k_I: pressure over relative loss of volume
  bool clamp = true;       // no tension where kernels are not full
  bool release = true;     // particles that would only expand do not resist it
  ParticlePreconditioner preconditioner = ParticlePreconditioner::block;
  double gradient_scale = 1.0457;  // of kernels: on a lattice, linear fields then have the right gradient
  double ghost = 0.8;              // share of a kernel beyond a wall that counts as liquid; 0: none
  double viscosity_scale = 1.25;   // what the discrete Laplacian misses
  double tolerance = 1e-4;         // of conjugate gradients
  double newton_tolerance = 1e-2;  // m/s, of the phase of the solids
  double reach = 0;                // particle diameters: nearer surfaces repel particles; 0: 0.6 with ghost, else 0.5
  double contact_stiffness = 0.1;  // of the liquid's stiffness
  double friction = 0;             // of the liquid with bodies, solids and the domain's sides
};

struct OutputOptions {
  Place place;
  bool surface = true;        // PLY and VTP of the liquid's surface; PLY of its lone drops
  bool volume = true;         // VDB of its distance field and velocity
  bool smoke = true;          // VDB of smoke, temperature and velocity of gas; NRRD of its smoke
  bool solids = true;         // PLY and VTP of the solids; PLY and VTU of the bodies
  bool particles = false;     // PLY and VTP of the particles: about 30 bytes each
  bool paraview = true;       // VTP and VTU of all this, beside the PLY
  int every = 1;              // frames
  int checkpoint_every = 10;  // frames
};

// The camera of pictures. Values that are not given follow from the domain.
struct CameraOptions {
  Place place;
  std::optional<Vec3> position;  // m
  std::optional<Vec3> target;    // m
  double fov = 32;               // degrees, of the picture's height
  Vec3 up = Vec3::UnitY();
};

enum class TankLook { glass, floor, none };

// How pictures look. Colours are sRGB, 0 to 1.
struct LookOptions {
  Place place;
  Vec3 smoke_color = Vec3(0.75, 0.76, 0.78);  // of smoke in white light
  double smoke_depth = 0;  // m of smoke of density 1 that stop 63 % of the light; 0: 1/20 of the longest side
  Vec3 liquid_color = Vec3(0.30, 0.68, 0.86);  // of white light behind liquid_depth of liquid
  double liquid_depth = 0;                     // m; 0: the domain's longest side, or twice a slab's depth
  Vec3 background = Vec3(0.86, 0.88, 0.91);
  Vec3 light = Vec3(-0.45, 0.8, 0.4);  // towards the light
  TankLook tank = TankLook::glass;     // glass: the domain's sides, on a floor
  std::optional<double> floor;         // m, its height; none: the domain's bottom
};

struct Scene {
  Place place;
  std::string title;
  std::string preset;  // name of the preset in use; empty if the file has none
  Method method = Method::cutcell;
  Vec3 gravity = Vec3(0, -9.81, 0);
  DomainOptions domain;
  TimeOptions time;
  LiquidOptions liquid;
  std::vector<InflowOptions> inflows;
  std::vector<OutflowOptions> outflows;
  GasOptions gas;
  std::vector<JetOptions> jets;
  std::vector<SolidOptions> solids;
  std::vector<BodyOptions> bodies;
  std::vector<AttachmentOptions> attachments;
  ElasticOptions elastic;
  ContactOptions contact;
  std::vector<ProbeOptions> probes;
  SolverOptions solver;
  ProxyOptions proxy;
  OutputOptions output;
  CameraOptions camera;
  LookOptions look;
};

// Whether there is any, at the start or later.
inline bool has_liquid(const Scene& scene) { return !scene.liquid.regions.empty() || !scene.inflows.empty(); }
inline bool has_three_phases(const Scene& scene) {
  return scene.method == Method::proxy &&
         (scene.proxy.splitting == Splitting::three_phase || scene.proxy.splitting == Splitting::baseline_three);
}
inline bool has_gas(const Scene& scene) { return !scene.gas.regions.empty() || !scene.jets.empty(); }

// Changes from the command line, made before the scene is read.
struct Override {
  std::string path;   // "liquid.density"
  std::string value;  // TOML; a bare word is taken as a string
};

// Read and validate; throws SceneError with every problem of every preset. No preset: the scene as written.
Scene load_scene(const std::string& file, const std::vector<Override>& overrides = {}, const std::string& preset = "");
// The same from text. `name` is the file name in messages; other files are found relative to it.
Scene parse_scene(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {},
                  const std::string& preset = "");
// The presets that a scene file offers.
std::vector<std::string> scene_presets(const std::string& file);
// All options, including defaults.
std::string to_toml(const Scene& scene);
// JSON schema of scene files.
std::string scene_schema();
// All problems of a scene built in code, by the same rules as for files; empty if there are none.
// The place of a problem is the path of its option, "body[0].young". Relative paths start at the working directory.
std::vector<Problem> validate(const Scene& scene);

}  // namespace coracle
