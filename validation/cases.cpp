#include "validation/case.h"

namespace coracle::validation {
namespace {

std::vector<Case> with_scenes(std::vector<Case> list) {
  for (Case& c : scene_cases()) list.push_back(std::move(c));
  return list;
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all = with_scenes({
      {"closure", "open faces and patches of every cell add up to nothing, after slivers are gone", true, closure},
      {"free_stream", "container, solids and water that move as one go on undisturbed", true, free_stream},
      {"balance", "still water under a tilted flat surface in a curved container stays still", true, balance},
      {"poisson_star", "Neumann problem around a star: second order", true, poisson_star},
      {"poisson_sphere", "Neumann problem inside a sphere: second order", true, poisson_sphere},
      {"solver_iterations", "multigrid iterations do not grow with resolution", true, solver_iterations},
      {"tilted_momentum", "water on a tilted plane gains m g sin θ Δt along it in a projection", true, tilted_momentum},
      {"tilted_slide", "water slides down a tilted plane as a frictionless block does", true, tilted_slide},
      {"piston_flux", "what a moving wall sweeps goes through the free surface", true, piston_flux},
      {"piston_level", "a stroke of a wall lifts the level by the volume that it displaces", true, piston_level},
      {"elastic_patch", "uniform strain leaves inner nodes at rest, rigid motion costs nothing", true, elastic_patch},
      {"free_flight", "momentum of a spinning, ringing body", true, free_flight},
      {"elastic_energy", "energy does not grow under backward Euler", true, elastic_energy_decay},
      {"squeezed_cube", "a cube squeezed to an eighth of its volume recovers", true, squeezed_cube},
      {"scrambled_body", "a body whose vertices are scrambled recovers its shape", true, scrambled_body},
      {"pressed_block", "a block of quadratic tets under pressure loses the volume that theory says", true,
       pressed_block},
      {"squeezed_block", "a nearly incompressible cube between plates is as stiff as it is with a fine mesh", false,
       squeezed_block},
      {"free_fall", "liquid falls as Galilei says, with or without a body", true, free_fall},
      {"flush_block", "a body flush with walls off the grid does not leak", true, flush_block},
      {"bouncing_ball", "a thrown ball bounces, rolls and comes to rest", true, bouncing_ball},
      {"coupled_momentum", "what liquid loses, bodies, walls, solids and holds gain", true, coupled_momentum},
      {"coupled_rotation", "angular momentum of liquid and body: conserved in the limit", true, coupled_rotation},
      {"coupled_energy", "no coupled projection raises the energy", true, coupled_energy},
      {"coupled_free_stream", "container, solids, bodies and water that move as one go on undisturbed", true,
       coupled_free_stream},
      {"coupled_balance", "a body whose elasticity balances weight and water stays at rest", true, coupled_balance},
      {"coupled_buoyancy", "buoyancy is the weight of the discrete volume, which tends to the body's", true,
       coupled_buoyancy},
      {"released_sphere", "added mass of a sphere in a full spherical container", true, released_sphere},
      {"whole_faces", "solids by whole faces and pressure samples: what is exact, and what is off by a cell", true,
       whole_faces},
      {"two_methods", "released spheres and buoyancy by both methods, aligned with the grid and turned", true,
       two_methods},
      {"plume", "hot gas rises and carries its smoke; what is lost is known, or made up for", true, plume},
      {"narrowing", "gas keeps its flux through a narrowing, by both methods", true, narrowing},
      {"taylor_green", "how much of a vortex each way of carrying it loses", true, taylor_green},
      {"hydrostatic_plate", "a clamped plate under two metres of water", true, hydrostatic_plate},
      {"added_mass_column", "water on an elastic block swings and sags as theory says; weak coupling fails", false,
       added_mass_column},
      {"two_columns", "water on an elastic block in a tube, by both methods, aligned and turned", false, two_columns},
      {"jet_on_sheet", "a jet bends a pinned sheet by its momentum flux", false, jet_on_sheet},
      {"floating_sphere", "draft of floating spheres", false, floating_sphere},
      {"tilted_prism", "a prism let go tilted rights itself and floats at its draft", false, tilted_prism},
      {"stability", "a light stiff beam in a dam break: strong holds, damping only surfaces, weak fails", false,
       stability},
      {"full_shell", "a hollow sphere full of water, dropped and spinning, keeps what it holds", false, full_shell},
      {"coupled_convergence", "errors of coupled motion fall as grid, mesh and step are refined together", false,
       coupled_convergence},
      {"walhorn", "a dam breaks on an elastic plate: when and how far its tip moves, against six codes", false,
       walhorn},
      {"cantilever", "a plate in plane strain sags and swings as theory says", false, cantilever},
      {"incline", "blocks slide down a slope as Coulomb says, or stick", true, incline},
      {"resting_gap", "bodies rest where the barrier balances their weight", true, resting_gap},
      {"contact_sizes", "the defaults of contact hold from 1 mm to 10 m and from 1e3 to 1e10 Pa", true, contact_sizes},
      {"contact_laws", "a collision keeps momentum; friction only takes energy", true, contact_laws},
      {"hertz", "a ball pressed on a floor pushes back as Hertz says", false, hertz},
      {"shot_at_sheet", "a block shot at a sheet of a millimetre does not pass", false, shot_at_sheet},
      {"pile_on_cloth", "ten bodies fall on a cloth and come to rest; nothing ever meets", false, pile_on_cloth},
      {"shell_strip", "a strip of a shell sags and swings as a plate does", true, shell_strip},
      {"rod_cantilever", "a rod sags and swings as a beam does", true, rod_cantilever},
      {"catenary", "a hanging chain is a catenary", true, catenary},
      {"rigid_motion", "rigid bodies fall, spin and flip as Euler says", true, rigid_motion},
      {"rigid_in_water", "added mass of a rigid sphere in a full spherical container", true, rigid_in_water},
      {"pile", "ten bodies piled up stay apart", false, pile},
      {"still_water", "particles in a spherical container stay at rest", false, still_water},
      {"sloshing", "period of the first sloshing mode", false, sloshing},
      {"dam_break_energy", "a dam break keeps its energy", false, dam_break_energy},
      {"dam_break_front", "front of a collapsing column", false, dam_break_front},
      {"sph_particle", "a particle rests on the floor where the barrier carries it", true, sph_particle},
      {"sph_column", "a column of particles comes to rest as hydrostatics says", false, sph_column},
      {"sph_incline", "a block of viscous particles slides down a slope as Coulomb says", false, sph_incline},
      {"sph_archimedes", "bodies float among particles at their draft", false, sph_archimedes},
      {"sph_floating_cube", "draft and unrest of a floating cube, by all splittings and steps", false,
       sph_floating_cube},
      {"sph_drop", "a viscous drop spreads, by all splittings", false, sph_drop},
      {"sph_poiseuille", "viscous liquid flows through a square duct", false, sph_poiseuille},
      {"sph_two_liquids", "oil rests on water", false, sph_two_liquids},
      {"dam_break_volume", "volume of a dam break over five seconds", false, dam_break_volume},
  });
  return all;
}

}  // namespace coracle::validation
