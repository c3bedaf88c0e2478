#include "coracle/step/skinned/skin_stage.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/character.h"
#include "coracle/world/motion.h"
#include "coracle/world/skin_shell.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// s: kinks of linear keys would shed spuriously. Keys that are farther apart than the second do not sample a smooth
// motion: their kinks are meant.
constexpr double shortest_smoothing = 0.01, longest_keys = 0.05;
constexpr double film_height = 0.25;  // of a tet: what is thicker belongs to the tet
constexpr double wet_film = 0.2;      // of that: what is above such a film is part of a sheet

const SkinOptions& options_of(const Scene& scene, const WetSkin& skin) { return scene.solids[skin.solid].skin; }

FilmLaw law_of(const Scene& scene, const SkinOptions& o) {
  return {.viscosity = o.viscosity,
          .friction = o.friction,
          .hold = o.hold,
          .tension = o.tension,
          .density = scene.liquid.density};
}

Fur fur_of(const SkinOptions& o) {
  return {.porosity = o.fur.porosity, .along = o.fur.along, .across = o.fur.across, .residual = o.fur.residual};
}

// The mean around the present time, over three steps and at least from key to key; solids move as functions of time.
void find_acceleration(const Solid& solid, double time, double dt, SkinWork& work) {
  const double keys = solid.character ? std::min(key_spacing(*solid.character, solid.playback), longest_keys) : 0;
  const double smoothing = std::max({shortest_smoothing, 3 * dt, keys});
  const double from = std::max(time - 0.5 * smoothing, 0.0), to = from + smoothing;
  solid_at(solid, from, work.pose_x, work.pose_v);
  solid_at(solid, to, work.pose_x, work.pose_later);
  work.a.resize(work.pose_v.size());
  for_each_index(work.a.size(), [&](std::size_t i) { work.a[i] = (work.pose_later[i] - work.pose_v[i]) / smoothing; });
}

// The tet that is closest to each triangle: of those that name it, or its neighbours', as their own the lowest.
std::vector<int> closest_tets(const SkinShell& shell, const SkinEdges& edges, std::size_t tris) {
  std::vector<int> tet(tris, -1);
  for (const int t : shell.order)
    if (tet[shell.tri[t]] < 0) tet[shell.tri[t]] = t;
  for (bool again = true; again;) {  // triangles smaller than tets are named by none
    again = false;
    std::vector<int> next = tet;
    for (const SkinEdges::Edge& e : edges.edges)
      for (const int side : {0, 1})
        if (e.tri[1] >= 0 && tet[e.tri[side]] < 0 && tet[e.tri[1 - side]] >= 0)
          next[e.tri[side]] = tet[e.tri[1 - side]], again = true;
    tet = next;
  }
  for (int& t : tet) t = std::max(t, 0);
  return tet;
}

// The nodes of the shell at a time.
void follow(const Solid& solid, double time, const SkinShell& shell, SkinWork& work, std::vector<Vec3>& nodes) {
  solid_at(solid, time, work.pose_x, work.pose_v, work.pose_frames);
  deform_shell(shell, solid.rest->tris, work.pose_x, work.pose_frames, nodes);
}

SkinMotion motion_of(const Solid& solid, const SkinWork& work) {
  return {.tris = solid.rest->tris, .x = solid.x, .v = solid.v, .a = work.a};
}

// Between film and tets: what moves onto the skin joins the film until that is as high as a part of a tet; what is
// higher goes back as far as there is room.
void exchange_with_film(const SkinShell& shell, SkinWork& work, TetLiquid& tets, Film& film) {
  const double height = film_height * shell.edge;
  const auto is_low = [&](std::size_t k) { return tets.volume[shell.order[k]] > 0; };
  work.low.set_where(work.low_tets, is_low);
  work.low.sweep([&](std::size_t k) {
    const int t = shell.order[k], tri = shell.tri[t];
    if ((tets.v[t] - work.frame.v[tri]).dot(work.frame.normal[tri]) > 0) return;
    const double amount = std::min(tets.volume[t], lacking(work.frame, tri, height, film));
    if (amount == 0) return;
    settle(work.frame, tri, {.volume = amount, .v = tets.v[t]}, film);
    tets.volume[t] -= amount;
    if (tets.volume[t] == 0) tets.v[t] = Vec3::Zero();
  });
  for (std::size_t tri = 0; tri < film.volume.size(); ++tri) {
    if (!(film.volume[tri] > height * work.frame.area[tri])) continue;
    const int t = work.tet_of[tri];
    const double room = work.moving.capacity[t] - tets.volume[t];
    if (!(room > 0)) continue;
    const Portion over = skim(work.frame, tri, height, film);
    const double up = std::min(over.volume, room);
    if (up > 0) take_up(tets, t, up, over.v);
    if (over.volume > up) settle(work.frame, tri, {.volume = over.volume - up, .v = over.v}, film);
  }
}

}  // namespace

void derive_skins(const Scene& scene, const World& world, const Liquid& liquid, std::vector<SkinWork>& work) {
  work.resize(liquid.skins.size());
  for (std::size_t k = 0; k < work.size(); ++k) {
    const WetSkin& skin = liquid.skins[k];
    const Solid& solid = world.solids[skin.solid];
    SkinWork& w = work[k];
    w.edges = find_skin_edges(solid.rest->tris);
    w.tet_of = closest_tets(*skin.shell, w.edges, solid.rest->tris.size());
    const SkinShell& shell = *skin.shell;
    w.low_tets = std::size_t(std::partition_point(shell.order.begin(), shell.order.end(),
                                                  [&](int t) { return shell.rank[t] <= shell.edge; }) -
                             shell.order.begin());
    // Patches are those of the skin at rest, whenever they are found.
    const std::vector<Vec3> still(solid.rest->x.size(), Vec3::Zero());
    update_skin_frame(w.edges, {.tris = solid.rest->tris, .x = solid.rest->x, .v = still, .a = still}, w.frame);
    w.patches = find_drip_patches(w.edges, w.frame, law_of(scene, options_of(scene, skin)));
    if (fur_of(options_of(scene, skin)).grows()) w.fibres = upright_fibres(shell);
    follow(solid, world.clock.time, shell, w, w.nodes);
  }
}

void step_skins(const Scene& scene, const World& world, const Surroundings& around, double dt, Liquid& liquid,
                std::vector<SkinWork>& work) {
  move_drops(around, scene.gravity, dt, liquid.drops);
  for (std::size_t k = 0; k < work.size(); ++k) {
    WetSkin& skin = liquid.skins[k];
    const Solid& solid = world.solids[skin.solid];
    const SkinShell& shell = *skin.shell;
    const SkinOptions& o = options_of(scene, skin);
    SkinWork& w = work[k];

    w.times = {};
    const std::size_t old_drops = liquid.drops.size();

    // 1. The shell follows the skin.
    const SkinMotion motion = w.times("shell", [&] {
      w.before.swap(w.nodes);
      follow(solid, world.clock.time, shell, w, w.nodes);
      const InSolid in_solid = [&](const Vec3& x) { return around.in_solid(x); };
      move_shell(shell, w.before, w.nodes, dt, 1 - fur_of(o).porosity, in_solid, w.moving);
      find_acceleration(solid, world.clock.time, dt, w);
      if (!w.fibres.empty()) deform_fibres(shell, w.fibres, w.moving.x, w.fibres_now);
      const SkinMotion now = motion_of(solid, w);
      update_skin_frame(w.edges, now, w.frame);
      find_covered(around, std::size_t(skin.solid), now, w.frame);
      release_covered(now, w.frame, skin.film, liquid.drops);
      return now;
    });

    // 2. Tets: forces, transport, volume.
    w.times("tets", [&] {
      const TetOptions options{.transport = o.transport,
                               .preserve = o.preserve,
                               .gravity = scene.gravity,
                               .viscosity = o.viscosity,
                               .fur = fur_of(o)};
      if (o.adhesion) {
        update_curvature(motion, w.frame, w.curvature);
        adhere(shell, w.frame, w.curvature, skin.film, wet_film * film_height * shell.edge, dt, skin.tets);
      }
      const TetReport report =
          step_tets(options, shell, w.before, w.moving, w.fibres_now, dt, {}, skin.tets, liquid.drops, w.tets);
      liquid.ledger.lost += report.lost;
    });

    // 3. Film: flow, and what it cannot hold.
    const FilmLaw law = law_of(scene, o);
    w.times("film", [&] {
      advance_film(w.edges, motion, w.frame, law, scene.gravity, dt, skin.film, w.film, liquid.drops);
      exchange_with_film(shell, w, skin.tets, skin.film);
      shed(w.patches, motion, w.frame, law, scene.gravity, around.particle_volume, skin.film, liquid.drops);
    });
    put_outside(around, dt, old_drops, liquid.drops);

    // 4. Exchange with the bulk.
    w.times("bulk", [&] {
      w.finder.set(shell, w.moving.x);
      const SkinNow now{.surface = std::size_t(skin.solid),
                        .shell = shell,
                        .moving = w.moving,
                        .frame = w.frame,
                        .motion = motion,
                        .tet_of = w.tet_of,
                        .finder = w.finder};
      take_in_particles(around, now, skin.tets, liquid.drops, liquid.particles, w.exchange);
      take_in_drops(around, now, skin.tets, liquid.drops, w.exchange);
      entrain(around, now, law, scene.gravity, o.entrain, skin.submerged, skin.film, liquid.particles, w.exchange);
      if (!skin.soaked.empty()) soak(around, now, skin.soaked, skin.tets, liquid.drops, liquid.particles, w.exchange);
      release_submerged(around, now, skin.tets, skin.film, liquid.drops, w.exchange);
    });
  }
  merge_drops(around, liquid.drops, liquid.particles);
}

void undo_skins(std::vector<SkinWork>& work) {
  for (SkinWork& w : work) w.nodes.swap(w.before);
}

}  // namespace coracle
