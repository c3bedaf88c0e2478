// world/archive.h lists the contents. Numbers and short vectors are attributes of the file's root; arrays are datasets
// under their names, uncompressed and in memory order: fields (z, y, x), vectors per node or particle (n, 3), matrices
// (n, 9; column by column). Also: the attributes format, fluid (its kind) and bodies (their number), and the dataset
// scene, the scene as TOML, if it was given. HDF5 leaves the first 512 bytes to us: they hold, as text, the hash of all
// bytes after them.
#include "coracle/out/checkpoint.h"

#include "coracle/base/files.h"
#include "coracle/base/hash.h"
#include "coracle/error.h"
#include "coracle/world/archive.h"
#include "coracle/world/build.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// 2: with bodies; 3: with pockets; 4: the list of world/archive.h; 5: with a hash, velocities half a step behind;
// 6: without what only the time scheme of 5 kept
constexpr std::int32_t format_version = 6;
constexpr std::size_t seal_bytes = 512;
constexpr std::string_view seal_words = "coracle checkpoint; FNV-1a of the bytes after the first 512: ";
static_assert(sizeof(Vec3) == 24 && sizeof(Vec3f) == 12 && sizeof(Mat3f) == 36, "written as plain numbers");

// The reason that HDF5 gives for its last failure.
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

// We report failures ourselves. No clean-up at exit: after a full disk it accesses broken objects and crashes.
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
  if constexpr (std::is_same_v<T, char>) return H5T_NATIVE_CHAR;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

using Sizes = std::vector<hsize_t>;

struct Writer {
  hid_t file;

  template <class T>
  void attribute(const std::string& name, const T* values, hsize_t count) {
    Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, name);
    Handle a(H5Acreate2(file, name.c_str(), hdf5_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    must(H5Awrite(a, hdf5_type<T>(), values), name);
  }

  template <class T>
  void dataset(const std::string& name, const Sizes& sizes, const T* values) {
    Handle space(H5Screate_simple(int(sizes.size()), sizes.data(), nullptr), H5Sclose, name);
    Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
    must(H5Pset_obj_track_times(options, false), name);  // equal states, equal bytes
    must(H5Pset_fill_time(options, H5D_FILL_TIME_NEVER), name);
    Handle d(H5Dcreate2(file, name.c_str(), hdf5_type<T>(), space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose, name);
    if (H5Sget_simple_extent_npoints(space) > 0)
      must(H5Dwrite(d, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
    must(d.close(), name);
  }
};

struct Reader {
  hid_t file;

  template <class T>
  void attribute(const std::string& name, T* values, hsize_t count) {
    Handle a(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    Handle space(H5Aget_space(a), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space) != hssize_t(count)) throw RunError(fmt::format("{}: wrong size", name));
    must(H5Aread(a, hdf5_type<T>(), values), name);
  }

  // An attribute of characters.
  std::string text(const std::string& name) {
    Handle a(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    Handle space(H5Aget_space(a), H5Sclose, name);
    std::string value(std::size_t(H5Sget_simple_extent_npoints(space)), ' ');
    must(H5Aread(a, hdf5_type<char>(), value.data()), name);
    return value;
  }

  Sizes sizes(const std::string& name) {
    Handle d(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    Handle space(H5Dget_space(d), H5Sclose, name);
    Sizes found(std::max(0, H5Sget_simple_extent_ndims(space)));
    must(H5Sget_simple_extent_dims(space, found.data(), nullptr), name);
    return found;
  }

  template <class T>
  void dataset(const std::string& name, const Sizes& expected, T* values) {
    if (sizes(name) != expected) throw RunError(fmt::format("{}: wrong size", name));
    Handle d(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    if (std::find(expected.begin(), expected.end(), hsize_t(0)) == expected.end())
      must(H5Dread(d, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
  }
};

template <class T>
Sizes sizes_of(const Array3<T>& a) {
  return {hsize_t(a.n.z()), hsize_t(a.n.y()), hsize_t(a.n.x())};
}

// Type and number of the scalars in one array element.
template <class T>
struct Numbers {
  using Type = T;
  static constexpr hsize_t count = 1;
};
template <class S, int Rows, int Columns>
struct Numbers<Eigen::Matrix<S, Rows, Columns>> {
  using Type = S;
  static constexpr hsize_t count = Rows * Columns;
};

template <class T>
Sizes sizes_of(const std::vector<T>& values) {
  return Numbers<T>::count == 1 ? Sizes{values.size()} : Sizes{values.size(), Numbers<T>::count};
}

// The number of datasets in a file; each must be readable.
std::int64_t count_datasets(hid_t file) {
  std::int64_t count = 0;
  const auto open_and_count = [](hid_t parent, const char* name, const H5L_info_t*, void* total) -> herr_t {
    const hid_t dataset = H5Dopen2(parent, name, H5P_DEFAULT);
    if (dataset < 0) return -1;
    H5Dclose(dataset);
    ++*static_cast<std::int64_t*>(total);
    return 0;
  };
  hsize_t next = 0;
  must(H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, &next, open_and_count, &count), "datasets");
  return count;
}

std::string fluid_name(const World& world) {
  return std::visit([](const auto& fluid) { return std::string(fluid.name); }, world.fluid);
}

// HDF5 serves one thread at a time.
std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Visitors for visit_kept().
struct WriteKept {
  Writer to;

  template <class T>
  void value(const std::string& name, const T& x) {
    to.attribute(name, reinterpret_cast<const typename Numbers<T>::Type*>(&x), Numbers<T>::count);
  }
  template <class T>
  void array(const std::string& name, const std::vector<T>& x) {
    to.dataset(name, sizes_of(x), reinterpret_cast<const typename Numbers<T>::Type*>(x.data()));
  }
  template <class T>
  void bulky(const std::string& name, const std::vector<T>& x) {
    array(name, x);
  }
  template <class T>
  void grid(const std::string& name, const Array3<T>& x) {
    to.dataset(name, sizes_of(x), x.data.data());
  }
  template <class T>
  void list(const std::string& name, const std::vector<T>& x) {
    const std::int64_t count = std::int64_t(x.size());
    to.attribute(name, &count, 1);
  }
};

struct ReadKept {
  Reader from;

  template <class T>
  void value(const std::string& name, T& x) {
    from.attribute(name, reinterpret_cast<typename Numbers<T>::Type*>(&x), Numbers<T>::count);
  }
  template <class T>
  void array(const std::string& name, std::vector<T>& x) {
    x.resize(from.sizes(name).at(0));
    from.dataset(name, sizes_of(x), reinterpret_cast<typename Numbers<T>::Type*>(x.data()));
  }
  template <class T>
  void bulky(const std::string& name, std::vector<T>& x) {
    array(name, x);
  }
  template <class T>
  void grid(const std::string& name, Array3<T>& x) {
    from.dataset(name, sizes_of(x), x.data.data());
  }
  template <class T>
  void list(const std::string& name, std::vector<T>& x) {
    std::int64_t count = 0;
    from.attribute(name, &count, 1);
    if (count < 0) throw RunError(name + ": negative");
    x.resize(std::size_t(count));
  }
};

std::string seal_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(seal_bytes);
  Hash hash;
  std::vector<char> block(1 << 20);
  while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
    hash.add({block.data(), std::size_t(file.gcount())});
  if (!file.eof()) throw RunError("it cannot be read");
  return std::string(seal_words) + hash.hex() + "\n";
}

void write_seal(const std::string& path) {
  const std::string seal = seal_of(path);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(seal.data(), std::streamsize(seal.size()));
  file.close();
  if (!file) throw RunError("its checksum");
}

void check_seal(const std::string& path) {
  std::string found(seal_words.size() + 17, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) throw RunError("it cannot be opened");
  file.read(found.data(), std::streamsize(found.size()));
  if (!found.starts_with(seal_words)) throw RunError("it has no checksum: it is damaged, or an older version wrote it");
  if (found != seal_of(path)) throw RunError("it is damaged: its bytes do not match its checksum");
}

Handle open_for_reading(const std::string& path) {
  quiet_hdf5();
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "not a complete HDF5 file");
}

void check_format(Reader reader) {
  std::int32_t format = 0;
  reader.attribute("format", &format, 1);
  if (format != format_version)
    throw RunError(fmt::format("its format is version {}, this program reads version {}", format, format_version));
}

// Calls f(file).
template <class F>
auto with_file(const std::string& path, F&& f) {
  check_seal(path);
  const std::lock_guard<std::mutex> lock(hdf5_mutex());
  const Handle file = open_for_reading(path);
  return f(hid_t(file));
}

// The same, and adds the file's name and a remedy to its errors.
template <class F>
auto reading(const std::string& path, F&& f) {
  try {
    return with_file(path, f);
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

// The file must have the scene's kind of fluid, grid, number of bodies, and number of nodes per body.
void check_same_scene(Reader reader, const World& world) {
  std::int32_t bodies = 0;
  reader.attribute("bodies", &bodies, 1);
  const std::string in_scene = fluid_name(world), in_file = reader.text("fluid");
  if (in_file != in_scene) throw RunError(fmt::format("its fluid is '{}', but the scene's is '{}'", in_file, in_scene));
  if (bodies != int(world.bodies.size()))
    throw RunError(fmt::format("it holds {} deformable bodies, but the scene has {}", bodies, world.bodies.size()));
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    const Sizes sizes = reader.sizes(fmt::format("body{}_x", b));
    if (!sizes.empty() && sizes[0] != body.x.size())
      throw RunError(
          fmt::format("its body '{}' has {} nodes, but the scene's has {}", body.name, sizes[0], body.x.size()));
  }
  std::visit(
      [&]<class F>(const F&) {
        if constexpr (std::is_base_of_v<GridFlow, F>) {
          const Grid& in_scene = std::get<F>(world.fluid).grid;
          Grid in_file;
          ReadKept read{reader};
          read.value("origin", in_file.origin);
          read.value("dx", in_file.dx);
          read.value("cells", in_file.n);
          if (in_file.n != in_scene.n || in_file.dx != in_scene.dx || in_file.origin != in_scene.origin)
            throw RunError(
                fmt::format("it holds {}, but the scene asks for {}", grid_text(in_file), grid_text(in_scene)));
        }
      },
      world.fluid);
}

void check_pockets(const World& world) {
  std::visit(
      []<class F>(const F& fluid) {
        if constexpr (std::is_base_of_v<GridFlow, F>)
          for (const Pocket& pocket : fluid.pockets)
            for (const int cell : pocket.cells)
              if (cell < 0 || std::size_t(cell) >= fluid.pressure.size())
                throw RunError("a pocket has cells outside the grid");
      },
      world.fluid);
}

// Path of every checkpoint in a run directory by frame and step; the step is 0 at the end of a frame.
std::map<std::pair<int, long>, std::string> checkpoints(const std::string& dir) {
  std::map<std::pair<int, long>, std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir + "/checkpoints", none)) {
    const std::string name = entry.path().filename().string();
    int frame = 0, used = 0;
    long step = 0;
    if (std::sscanf(name.c_str(), "checkpoint.%d.h5%n", &frame, &used) == 1 && used == int(name.size()))
      found[{frame, 0}] = entry.path().string();
    if (std::sscanf(name.c_str(), "checkpoint.%d.step%ld.h5%n", &frame, &step, &used) == 2 && used == int(name.size()))
      found[{frame, step}] = entry.path().string();
  }
  return found;
}

// checkpoints/checkpoint.0010.h5 at the end of frame 10, checkpoint.0010.step57.h5 after step 57, in the next frame.
std::string checkpoint_path(const std::string& dir, const Clock& clock, bool frame_done) {
  return frame_done ? fmt::format("{}/checkpoints/checkpoint.{:04}.h5", dir, clock.frame)
                    : fmt::format("{}/checkpoints/checkpoint.{:04}.step{}.h5", dir, clock.frame, clock.step);
}

Clock clock_in(hid_t file) {
  const Reader reader{file};
  check_format(reader);
  Clock clock;
  ReadKept read{reader};
  visit_clock(read, clock);
  std::int64_t datasets = 0;
  read.value("datasets", datasets);
  if (count_datasets(file) != datasets) throw RunError("not all datasets are there");
  return clock;
}

}  // namespace

void write_checkpoint_file(const std::string& path, const World& world, const std::string& scene) {
  const std::lock_guard<std::mutex> lock(hdf5_mutex());
  quiet_hdf5();
  PendingFile pending(path);
  try {
    Handle options(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create");
    must(H5Pset_userblock(options, seal_bytes), "create");
    Handle file(H5Fcreate(pending.temporary().c_str(), H5F_ACC_TRUNC, options, H5P_DEFAULT), H5Fclose, "create");
    Writer writer{file};
    const std::int32_t bodies = std::int32_t(world.bodies.size());
    const std::string fluid = fluid_name(world);
    writer.attribute("format", &format_version, 1);
    writer.attribute("fluid", fluid.data(), fluid.size());
    writer.attribute("bodies", &bodies, 1);
    WriteKept write{writer};
    visit_kept(write, world);
    if (!scene.empty()) writer.dataset("scene", {scene.size()}, scene.data());
    const std::int64_t datasets = count_datasets(file);
    writer.attribute("datasets", &datasets, 1);
    must(H5Fflush(file, H5F_SCOPE_LOCAL), "flush");
    must(file.close(), "close");
    write_seal(pending.temporary());
  } catch (const RunError& error) {
    throw RunError(fmt::format("cannot write checkpoint {}: {}; free some space there, or write to another disk", path,
                               error.what()));
  }
  pending.commit(Durable::yes);
}

std::string write_checkpoint(const std::string& dir, const World& world, const std::string& scene, FrameDone frame_done,
                             const std::string& before) {
  make_directories(dir + "/checkpoints");
  const std::string path = checkpoint_path(dir, world.clock, frame_done == FrameDone::yes);
  write_checkpoint_file(path, world, scene);
  for (const auto& [key, old] : checkpoints(dir))
    if (old != path && old != before) remove_all(old);
  std::vector<std::string> unfinished;  // left by a process that was killed
  for (const fs::directory_entry& entry : fs::directory_iterator(dir + "/checkpoints"))
    if (entry.path().extension() == ".part") unfinished.push_back(entry.path().string());
  for (const std::string& file : unfinished) remove_all(file);
  return path;
}

void read_checkpoint(const std::string& path, World& world) {
  World found = world;
  reading(path, [&](hid_t file) {
    const Reader reader{file};
    check_format(reader);
    check_same_scene(reader, world);
    ReadKept read{reader};
    visit_kept(read, found);
    check_pockets(found);
  });
  world = std::move(found);
  move_solids(world.solids, world.clock.time);
}

Clock read_checkpoint_clock(const std::string& path) {
  return reading(path, [](hid_t file) { return clock_in(file); });
}

std::string read_checkpoint_scene(const std::string& path) {
  return reading(path, [](hid_t file) {
    Reader reader{file};
    check_format(reader);
    std::string scene;
    scene.resize(reader.sizes("scene").at(0));
    reader.dataset("scene", {scene.size()}, scene.data());
    return scene;
  });
}

CheckpointState inspect_checkpoint(const std::string& path) {
  CheckpointState state{path, {}, ""};
  try {
    state.clock = with_file(path, [](hid_t file) { return clock_in(file); });
  } catch (const RunError& error) {
    state.damage = error.what();
  }
  return state;
}

std::vector<std::string> checkpoint_files(const std::string& dir) {
  std::vector<std::string> files;
  for (const auto& [key, path] : checkpoints(dir)) files.push_back(path);
  return files;
}

std::optional<CheckpointState> newest_checkpoint(const std::string& dir,
                                                 const std::function<void(const std::string&)>& warn) {
  std::vector<std::string> files = checkpoint_files(dir);
  for (; !files.empty(); files.pop_back()) {
    CheckpointState state = inspect_checkpoint(files.back());
    if (state.damage.empty()) return state;
    if (warn)
      warn(fmt::format("checkpoint {} is left out: {}; {}", state.path, state.damage,
                       files.size() > 1 ? "the one before it is tried" : "there is no older one"));
  }
  return std::nullopt;
}

}  // namespace coracle
