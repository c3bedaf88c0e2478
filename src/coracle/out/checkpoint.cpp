// Root attributes: format, frame, step, time, last_dt, expected_volume, origin, dx, cells, bodies (how many). Datasets,
// plain and in memory order: u0 u1 u2 pressure (z, y, x), particle_x (n, 3), particle_v (n, 3), particle_c (n, 9; a
// matrix by columns), and of the deformable bodies, in the scene's order, body0_x (n, 3), body0_v (n, 3), body1_x, ...
// Of the pockets that bodies enclose: pocket_volume (n, 3: volume, aimed, last_dt), pocket_size (n), pocket_cells (all
// of them, one after another). Of gas, where there is any: smoke, temperature, carried0 carried1 carried2,
// expected_smoke (1).
// Solids are functions of time and not stored.
#include "coracle/out/checkpoint.h"

#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace coracle {
namespace {

namespace fs = std::filesystem;

constexpr std::int32_t format_version = 3;  // 2: with bodies; 3: with pockets
static_assert(sizeof(Vec3) == 24 && sizeof(Vec3f) == 12 && sizeof(Mat3f) == 36, "written as plain numbers");

// HDF5's own account of its last failure.
std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        if (error->desc && static_cast<std::string*>(out)->empty()) *static_cast<std::string*>(out) = error->desc;
        return 0;
      },
      &reason);
  return reason.empty() ? "unknown" : reason;
}

// Failures are ours to report. And no clean-up at exit: it touches again what a full disk has left broken, and crashes.
void quiet_hdf5() {
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// An HDF5 object that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id_ < 0) throw RunError(what + ": " + hdf5_reason());
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  herr_t close() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void must(herr_t status, const std::string& what) {
  if (status < 0) throw RunError(what + ": " + hdf5_reason());
}

template <class T>
hid_t hdf5_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
}

using Sizes = std::vector<hsize_t>;

struct Writer {
  hid_t file;

  template <class T>
  void attribute(const char* name, const T* values, hsize_t count) {
    Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, name);
    Handle a(H5Acreate2(file, name, hdf5_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    must(H5Awrite(a, hdf5_type<T>(), values), name);
  }

  template <class T>
  void dataset(const char* name, const Sizes& sizes, const T* values) {
    Handle space(H5Screate_simple(int(sizes.size()), sizes.data(), nullptr), H5Sclose, name);
    Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
    must(H5Pset_obj_track_times(options, false), name);  // equal states, equal bytes
    must(H5Pset_fill_time(options, H5D_FILL_TIME_NEVER), name);
    Handle d(H5Dcreate2(file, name, hdf5_type<T>(), space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose, name);
    if (H5Sget_simple_extent_npoints(space) > 0)
      must(H5Dwrite(d, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
    must(d.close(), name);
  }
};

struct Reader {
  hid_t file;

  template <class T>
  void attribute(const char* name, T* values, hsize_t count) {
    Handle a(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, name);
    Handle space(H5Aget_space(a), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space) != hssize_t(count)) throw RunError(fmt::format("{}: wrong size", name));
    must(H5Aread(a, hdf5_type<T>(), values), name);
  }

  Sizes sizes(const char* name) {
    Handle d(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name);
    Handle space(H5Dget_space(d), H5Sclose, name);
    Sizes found(std::max(0, H5Sget_simple_extent_ndims(space)));
    must(H5Sget_simple_extent_dims(space, found.data(), nullptr), name);
    return found;
  }

  template <class T>
  void dataset(const char* name, const Sizes& expected, T* values) {
    if (sizes(name) != expected) throw RunError(fmt::format("{}: wrong size", name));
    Handle d(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name);
    if (std::find(expected.begin(), expected.end(), hsize_t(0)) == expected.end())
      must(H5Dread(d, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
  }
};

template <class T>
Sizes sizes_of(const Array3<T>& a) {
  return {hsize_t(a.n.z()), hsize_t(a.n.y()), hsize_t(a.n.x())};
}

std::string body_set(std::size_t body, const char* what) { return fmt::format("body{}_{}", body, what); }

// The clock, the grid, the ledger and a count; the same list written and read.
struct Header {
  std::int32_t format = format_version;
  Clock clock;
  Ledger ledger;
  Grid grid;
  std::int32_t bodies = 0;
};

template <class Archive, class H>
void transfer(Archive archive, H& header) {
  archive.attribute("format", &header.format, 1);
  archive.attribute("frame", &header.clock.frame, 1);
  archive.attribute("step", &header.clock.step, 1);
  archive.attribute("time", &header.clock.time, 1);
  archive.attribute("last_dt", &header.clock.last_dt, 1);
  archive.attribute("expected_volume", &header.ledger.expected_volume, 1);
  archive.attribute("origin", header.grid.origin.data(), 3);
  archive.attribute("dx", &header.grid.dx, 1);
  archive.attribute("cells", header.grid.n.data(), 3);
  archive.attribute("bodies", &header.bodies, 1);
}

constexpr const char* face_names[3] = {"u0", "u1", "u2"};
constexpr const char* carried_names[3] = {"carried0", "carried1", "carried2"};

Handle open_for_reading(const std::string& path) {
  quiet_hdf5();
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "not a whole HDF5 file");
}

Header read_header(hid_t file) {
  Header header;
  Reader{file}.attribute("format", &header.format, 1);
  if (header.format != format_version)
    throw RunError(fmt::format("its format is {}, this program reads {}", header.format, format_version));
  transfer(Reader{file}, header);
  return header;
}

// f(file), its errors told with the file's name.
template <class F>
auto reading(const std::string& path, F&& f) {
  try {
    const Handle file = open_for_reading(path);
    return f(hid_t(file));
  } catch (const RunError& error) {
    throw RunError(
        fmt::format("cannot read checkpoint {}: {}; delete the file to resume from an older one, or start "
                    "again with --overwrite",
                    path, error.what()));
  }
}

std::string grid_text(const Grid& g) {
  return fmt::format("{} × {} × {} cells of {} m from ({}, {}, {})", g.n.x(), g.n.y(), g.n.z(), g.dx, g.origin.x(),
                     g.origin.y(), g.origin.z());
}

// The pockets as plain lists.
struct PocketLists {
  std::vector<double> volume;
  std::vector<std::int32_t> size, cells;

  PocketLists() = default;
  explicit PocketLists(const std::vector<Pocket>& pockets) {
    for (const Pocket& p : pockets) {
      volume.insert(volume.end(), {p.volume, p.aimed, p.last_dt});
      size.push_back(std::int32_t(p.cells.size()));
      cells.insert(cells.end(), p.cells.begin(), p.cells.end());
    }
  }
  std::vector<Pocket> pockets(std::size_t grid_cells) const {
    std::vector<Pocket> all;
    std::size_t next = 0;
    for (std::size_t i = 0; i < size.size(); ++i) {
      if (size[i] < 0 || next + std::size_t(size[i]) > cells.size()) throw RunError("pocket_size: wrong sum");
      all.push_back({volume[3 * i],
                     volume[3 * i + 1],
                     volume[3 * i + 2],
                     {cells.begin() + std::ptrdiff_t(next), cells.begin() + std::ptrdiff_t(next + size[i])}});
      next += std::size_t(size[i]);
    }
    for (const std::int32_t c : cells)
      if (c < 0 || std::size_t(c) >= grid_cells) throw RunError("pocket_cells: outside the grid");
    return all;
  }
};

// As many bodies as the scene has, with as many nodes.
void check_bodies(Reader& reader, int stored, const std::vector<Body>& bodies) {
  if (stored != int(bodies.size()))
    throw RunError(fmt::format("it holds {} deformable bodies, but the scene has {}", stored, bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Sizes sizes = reader.sizes(body_set(b, "x").c_str());
    if (!sizes.empty() && sizes[0] != bodies[b].x.size())
      throw RunError(fmt::format("its body '{}' has {} nodes, but the scene's has {}", bodies[b].name, sizes[0],
                                 bodies[b].x.size()));
  }
}

// Frame → path of every checkpoint in a run directory.
std::map<int, std::string> checkpoints(const std::string& dir) {
  std::map<int, std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir + "/checkpoints", none)) {
    const std::string name = entry.path().filename().string();
    int frame = 0, used = 0;
    if (std::sscanf(name.c_str(), "checkpoint.%d.h5%n", &frame, &used) == 1 && used == int(name.size()))
      found[frame] = entry.path().string();
  }
  return found;
}

}  // namespace

void write_checkpoint_file(const std::string& path, const World& world) {
  quiet_hdf5();
  PendingFile pending(path);
  try {
    Handle file(H5Fcreate(pending.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create");
    const Header header{format_version, world.clock, world.ledger, world.grid, std::int32_t(world.bodies.size())};
    Writer writer{file};
    transfer(writer, header);
    for (int a = 0; a < 3; ++a) writer.dataset(face_names[a], sizes_of(world.u[a]), world.u[a].data.data());
    writer.dataset("pressure", sizes_of(world.pressure), world.pressure.data.data());
    const Particles& p = world.particles;
    writer.dataset("particle_x", {p.x.size(), 3}, reinterpret_cast<const double*>(p.x.data()));
    writer.dataset("particle_v", {p.v.size(), 3}, reinterpret_cast<const float*>(p.v.data()));
    writer.dataset("particle_c", {p.c.size(), 9}, reinterpret_cast<const float*>(p.c.data()));
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const Body& body = world.bodies[b];
      writer.dataset(body_set(b, "x").c_str(), {body.x.size(), 3}, reinterpret_cast<const double*>(body.x.data()));
      writer.dataset(body_set(b, "v").c_str(), {body.v.size(), 3}, reinterpret_cast<const double*>(body.v.data()));
    }
    const PocketLists pockets(world.pockets);
    writer.dataset("pocket_volume", {pockets.size.size(), 3}, pockets.volume.data());
    writer.dataset("pocket_size", {pockets.size.size()}, pockets.size.data());
    writer.dataset("pocket_cells", {pockets.cells.size()}, pockets.cells.data());
    if (world.gas.present()) {
      const Gas& gas = world.gas;
      writer.dataset("smoke", sizes_of(gas.smoke), gas.smoke.data.data());
      writer.dataset("temperature", sizes_of(gas.temperature), gas.temperature.data.data());
      for (int a = 0; a < 3; ++a)
        writer.dataset(carried_names[a], sizes_of(gas.carried[a]), gas.carried[a].data.data());
      writer.dataset("expected_smoke", {1}, &gas.expected_smoke);
    }
    must(H5Fflush(file, H5F_SCOPE_LOCAL), "flush");
    must(file.close(), "close");
  } catch (const RunError& error) {
    throw RunError(fmt::format("cannot write checkpoint {}: {}; free some space there, or write to another disk", path,
                               error.what()));
  }
  pending.commit(Durable::yes);
}

void write_checkpoint(const std::string& dir, const World& world) {
  make_directories(dir + "/checkpoints");
  write_checkpoint_file(fmt::format("{}/checkpoints/checkpoint.{:04}.h5", dir, world.clock.frame), world);
  // Keep this one and the last before it. Later ones could not be read, or this run would have started from them.
  std::map<int, std::string> old = checkpoints(dir);
  const auto here = old.find(world.clock.frame);
  for (auto c = old.begin(); c != old.end(); ++c)
    if (c != here && std::next(c) != here) remove_all(c->second);
}

void read_checkpoint(const std::string& path, World& world) {
  reading(path, [&](hid_t file) {
    const Header header = read_header(file);
    if (header.grid.n != world.grid.n || header.grid.dx != world.grid.dx || header.grid.origin != world.grid.origin)
      throw RunError(
          fmt::format("it holds {}, but the scene asks for {}", grid_text(header.grid), grid_text(world.grid)));
    Reader reader{file};
    check_bodies(reader, header.bodies, world.bodies);
    for (int a = 0; a < 3; ++a) reader.dataset(face_names[a], sizes_of(world.u[a]), world.u[a].data.data());
    reader.dataset("pressure", sizes_of(world.pressure), world.pressure.data.data());
    Particles& p = world.particles;
    p.x.resize(reader.sizes("particle_x").at(0));
    p.v.resize(reader.sizes("particle_v").at(0));
    p.c.resize(reader.sizes("particle_c").at(0));
    reader.dataset("particle_x", {p.x.size(), 3}, reinterpret_cast<double*>(p.x.data()));
    reader.dataset("particle_v", {p.v.size(), 3}, reinterpret_cast<float*>(p.v.data()));
    reader.dataset("particle_c", {p.c.size(), 9}, reinterpret_cast<float*>(p.c.data()));
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      Body& body = world.bodies[b];
      reader.dataset(body_set(b, "x").c_str(), {body.x.size(), 3}, reinterpret_cast<double*>(body.x.data()));
      reader.dataset(body_set(b, "v").c_str(), {body.v.size(), 3}, reinterpret_cast<double*>(body.v.data()));
    }
    PocketLists pockets;
    pockets.size.resize(reader.sizes("pocket_size").at(0));
    pockets.volume.resize(3 * pockets.size.size());
    pockets.cells.resize(reader.sizes("pocket_cells").at(0));
    reader.dataset("pocket_volume", {pockets.size.size(), 3}, pockets.volume.data());
    reader.dataset("pocket_size", {pockets.size.size()}, pockets.size.data());
    reader.dataset("pocket_cells", {pockets.cells.size()}, pockets.cells.data());
    world.pockets = pockets.pockets(world.pressure.size());
    if (world.gas.present()) {
      Gas& gas = world.gas;
      reader.dataset("smoke", sizes_of(gas.smoke), gas.smoke.data.data());
      reader.dataset("temperature", sizes_of(gas.temperature), gas.temperature.data.data());
      for (int a = 0; a < 3; ++a)
        reader.dataset(carried_names[a], sizes_of(gas.carried[a]), gas.carried[a].data.data());
      reader.dataset("expected_smoke", {1}, &gas.expected_smoke);
    }
    world.clock = header.clock;
    world.ledger = header.ledger;
  });
  move_solids(world.solids, world.clock.time);
}

Clock read_checkpoint_clock(const std::string& path) {
  return reading(path, [](hid_t file) {
    const Header header = read_header(file);
    Reader reader{file};
    for (const char* name : {"u0", "u1", "u2", "pressure", "particle_x", "particle_v", "particle_c", "pocket_volume",
                             "pocket_size", "pocket_cells"})
      reader.sizes(name);
    for (int b = 0; b < header.bodies; ++b)
      for (const char* what : {"x", "v"}) reader.sizes(body_set(b, what).c_str());
    return header.clock;
  });
}

std::optional<std::string> newest_checkpoint(const std::string& dir) {
  const std::map<int, std::string> all = checkpoints(dir);
  for (auto c = all.rbegin(); c != all.rend(); ++c) {
    try {
      read_checkpoint_clock(c->second);
      return c->second;
    } catch (const RunError& error) {
      fmt::print(stderr, "coracle: warning: passed over: {}\n", error.what());
    }
  }
  return std::nullopt;
}

}  // namespace coracle
