// The pressure solve on a GPU: conjugate gradients preconditioned by the multigrid cycle, as on the CPU
// (cpu_pressure_solver.cpp), with vectors, matrix and the numbers of the iteration on the device.
//
// The bodies' term W stays on the CPU: in each iteration the values of the wet cells go there and back. Without bodies
// the host only looks, one iteration late, whether it may stop; kernels after the last iteration do nothing. Systems
// that are not symmetric, and incomplete Cholesky, which is sequential, are left to the CPU.
#include "coracle/base/place/device.h"
#include "coracle/base/place/staging.h"
#include "coracle/solve/cuda/kernels.h"
#include "coracle/solve/multigrid.h"
#include "coracle/solve/placed_solver.h"
#include "coracle/solve/pressure_solver.h"
#include "coracle/timer.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace coracle {

std::unique_ptr<PressureSolver> make_cpu_pressure_solver();

namespace {

using cuda::Array;
using cuda::check;
using cuda::Event;
using cuda::Pinned;
using cuda::Stream;

constexpr std::size_t pad = 32;  // values; one is needed, 32 keep the alignment
// As on the CPU: how exact products with W must be.
constexpr double inner_share = 0.02, tightest_product = 1e-10;

// ---- The hierarchy of grids

class DeviceMultigrid {
 public:
  void set_up(const StencilView<double>& a, const std::vector<std::pair<int, double>>& extra, cudaStream_t stream) {
    lay_out(a.nx, a.ny, a.nz);
    cuda::make_finest(a, cycle_.level[0], stream);
    cells_.clear(), values_.clear();
    for (const auto& [cell, value] : extra) cells_.push_back(cell), values_.push_back(float(value));
    extra_cells_.upload(cells_, stream), extra_values_.upload(values_, stream);
    cuda::add_extra(extra_cells_.data(), extra_values_.data(), int(cells_.size()), cycle_.level[0], stream);
    for (int l = 1; l < cycle_.levels; ++l) cuda::coarsen(cycle_.level[l - 1], cycle_.level[l], stream);
    for (int l = 0; l < cycle_.levels; ++l) {
      cuda::invert_diagonal(cycle_.level[l], stream);
      find_tiles(l, stream);
    }
    invert_coarsest(stream);
    if (on_device_.size() == 0) on_device_.resize(1);
    check(cudaMemcpyAsync(on_device_.data(), &cycle_, sizeof cycle_, cudaMemcpyHostToDevice, stream),
          "a copy to the GPU");
  }

  // z ≈ A⁻¹ r, in x().
  void apply(const double* r, const cuda::Scalars* scalars, cudaStream_t stream) {
    const Recorded now{cycle_.levels, r, scalars, cycle_.level[0].x};
    if (!graph_ || std::memcmp(&now, &recorded_, sizeof now) != 0) record(now, stream);
    check(cudaGraphLaunch(graph_, stream), "the multigrid cycle");
  }
  const float* x() const { return cycle_.level[0].x; }
  const cuda::Tiles& tiles() const { return cycle_.level[0].tiles; }

  ~DeviceMultigrid() { forget(); }
  DeviceMultigrid() = default;
  DeviceMultigrid(const DeviceMultigrid&) = delete;
  DeviceMultigrid& operator=(const DeviceMultigrid&) = delete;

 private:
  struct Memory {
    Array<float> diag, off[3], excess, inverse, b, x, zeros;
    Array<int> tile, tile_count;
    Array<unsigned char> flag;
  };
  struct Recorded {
    long levels = 0;
    const double* r = nullptr;
    const cuda::Scalars* scalars = nullptr;
    const float* x = nullptr;
  };

  // Memory and pointers of all levels, if the size of the grid has changed.
  void lay_out(int nx, int ny, int nz) {
    if (cycle_.levels > 0 && cycle_.level[0].a.nx == nx && cycle_.level[0].a.ny == ny && cycle_.level[0].a.nz == nz)
      return;
    forget();
    cycle_ = {};
    for (int l = 0;; ++l) {
      Memory& m = memory_[l];
      cuda::Level& level = cycle_.level[l];
      const std::size_t size = std::size_t(nx) * ny * nz;
      for (Array<float>* values : {&m.diag, &m.off[0], &m.off[1], &m.off[2], &m.excess, &m.inverse, &m.b, &m.x})
        *values = {}, values->resize(size, pad);
      m.zeros = {}, m.zeros.resize(std::size_t(nx) + 1, pad);
      const int tiles = (nx + cuda::tile_cells - 1) / cuda::tile_cells * ny * nz;
      m.tile.resize(tiles), m.tile_count.resize(1), m.flag.resize(tiles);
      level.a = {nx, ny, nz, m.diag.data(), {m.off[0].data(), m.off[1].data(), m.off[2].data()}};
      level.diag = m.diag.data();
      for (int a = 0; a < 3; ++a) level.off[a] = m.off[a].data();
      level.excess = m.excess.data(), level.inverse = m.inverse.data();
      level.b = m.b.data(), level.x = m.x.data(), level.zeros = m.zeros.data();
      level.tiles = {m.tile.data(), m.tile_count.data()};
      cycle_.levels = l + 1;
      if (size > cuda::one_block_cells) cycle_.first_in_block = l + 1;
      if (std::max({nx, ny, nz}) <= coarsest_side) break;
      nx = halved(nx), ny = halved(ny), nz = halved(nz);
    }
    // The coarsest level is always that of the block.
    cycle_.first_in_block = std::min(cycle_.first_in_block, cycle_.levels - 1);
  }

  void find_tiles(int l, cudaStream_t stream) {
    Memory& m = memory_[l];
    const cuda::Level& level = cycle_.level[l];
    cuda::find_tiles(level.a.diag, level.a.nx, level.a.rows(), m.flag.data(), stream);
    const int tiles = int(m.tile.size());
    const std::size_t bytes =
        cuda::select_tiles(nullptr, 0, m.flag.data(), m.tile.data(), m.tile_count.data(), tiles, stream);
    select_work_.resize(std::max<std::size_t>(bytes, 1));
    cuda::select_tiles(select_work_.data(), bytes, m.flag.data(), m.tile.data(), m.tile_count.data(), tiles, stream);
  }

  // The host inverts the coarsest matrix, which is small.
  void invert_coarsest(cudaStream_t stream) {
    const Memory& m = memory_[cycle_.levels - 1];
    const StencilView<float>& there = cycle_.level[cycle_.levels - 1].a;
    const std::size_t size = std::size_t(there.nx) * there.rows();
    float* here = coarse_values_.get(4 * size);
    m.diag.download(here, stream);
    for (int a = 0; a < 3; ++a) m.off[a].download(here + (a + 1) * size, stream);
    check(cudaStreamSynchronize(stream), "the multigrid set-up");
    const CoarseMatrix coarse =
        coarse_matrix({there.nx, there.ny, there.nz, here, {here + size, here + 2 * size, here + 3 * size}});
    const Eigen::Index count = coarse.values.rows();
    inverse_ = coarse.values.llt().solve(Eigen::MatrixXd::Identity(count, count)).cast<float>();
    coarse_cells_.upload(coarse.cells, stream);
    coarse_inverse_.upload(inverse_.data(), std::size_t(inverse_.size()), stream);
    check(cudaStreamSynchronize(stream), "the multigrid set-up");  // `coarse` ends here
    cycle_.coarse_cell = coarse_cells_.data();
    cycle_.coarse_inverse = coarse_inverse_.data();
    cycle_.coarse_count = int(count);
  }

  // The launches of a cycle are always the same: as a graph they cost less.
  void record(const Recorded& now, cudaStream_t stream) {
    forget();
    cuda::allow_shared_memory(cycle_);
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording the multigrid cycle");
    cuda::apply_cycle(cycle_, on_device_.data(), now.r, now.scalars, stream);
    check(cudaStreamEndCapture(stream, &graph), "recording the multigrid cycle");
    const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
    (void)cudaGraphDestroy(graph);
    check(made, "recording the multigrid cycle");
    recorded_ = now;
  }
  void forget() {
    if (graph_) (void)cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  cuda::Cycle cycle_;
  Memory memory_[cuda::most_levels];
  Array<cuda::Cycle> on_device_;
  Array<unsigned char> select_work_;
  Array<int> extra_cells_, coarse_cells_;
  Array<float> extra_values_, coarse_inverse_;
  std::vector<int> cells_;
  std::vector<float> values_;
  Pinned<float> coarse_values_;
  Eigen::MatrixXf inverse_;
  cudaGraphExec_t graph_ = nullptr;
  Recorded recorded_;
};

// ---- Sets of cells on the device

class DeviceSets {
 public:
  void upload(const CellSets& sets, cudaStream_t stream) {
    cells_.clear();
    starts_.assign(1, 0);
    for (const std::vector<int>& set : sets) {
      cells_.insert(cells_.end(), set.begin(), set.end());
      starts_.push_back(int(cells_.size()));
    }
    cell_.upload(cells_, stream), start_.upload(starts_, stream);
    sums_.resize(std::max<std::size_t>(sets.size(), 1));
    view_ = {cell_.data(), start_.data(), int(sets.size())};
  }
  bool empty() const { return view_.count == 0; }
  void remove_means(double* x, cudaStream_t stream) { cuda::remove_means(view_, sums_.data(), x, stream); }
  Eigen::VectorXd sums_over(const double* x, const Stream& stream) {
    Eigen::VectorXd sums(view_.count);
    cuda::sums_over(view_, x, sums_.data(), stream.handle);
    check(
        cudaMemcpyAsync(sums.data(), sums_.data(), sums.size() * sizeof(double), cudaMemcpyDeviceToHost, stream.handle),
        "a copy from the GPU");
    stream.wait();
    return sums;
  }
  void add(const Eigen::VectorXd& values, double* x, const Stream& stream) {
    check(cudaMemcpyAsync(sums_.data(), values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice,
                          stream.handle),
          "a copy to the GPU");
    cuda::add_to(view_, sums_.data(), x, stream.handle);
    stream.wait();  // `values` may end
  }

 private:
  std::vector<int> cells_, starts_;
  Array<int> cell_, start_;
  Array<double> sums_;
  cuda::Sets view_;
};

// ---- The bodies' term, computed by the host from the values of the wet cells

class HostTerm {
 public:
  void set_up(WetTerm* wet, std::size_t cells, cudaStream_t stream) {
    wet_ = wet;
    if (!wet) return;
    if (x_.size() != cells) x_.assign(cells, 0), y_.assign(cells, 0);  // else y is zero, and of x wet cells alone count
    cell_.upload(wet->cells(), stream);
    values_.resize(std::max<std::size_t>(wet->cells().size(), 1));
  }
  // The values of x at the wet cells; wait for the stream before the next call.
  void fetch(const double* x, cudaStream_t stream) {
    const std::size_t count = wet_->cells().size();
    cuda::gather(cell_.data(), int(count), x, values_.data(), stream);
    if (count > 0)
      check(cudaMemcpyAsync(host_.get(count), values_.data(), count * sizeof(double), cudaMemcpyDeviceToHost, stream),
            "a copy from the GPU");
  }
  // y += W x for what was fetched.
  void add(double tolerance, double* y, cudaStream_t stream) {
    take();
    wet_->add(x_, tolerance, y_);
    const std::vector<int>& cells = wet_->cells();
    double* out = host_.get(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) out[i] = std::exchange(y_[cells[i]], 0);
    if (cells.empty()) return;
    check(cudaMemcpyAsync(values_.data(), out, cells.size() * sizeof(double), cudaMemcpyHostToDevice, stream),
          "a copy to the GPU");
    cuda::scatter_add(cell_.data(), int(cells.size()), values_.data(), y, stream);
  }
  void subtract_sums(Eigen::VectorXd& t) {
    take();
    wet_->subtract_sums(x_, t);
  }

 private:
  void take() {
    const std::vector<int>& cells = wet_->cells();
    const double* found = host_.get(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) x_[cells[i]] = found[i];
  }

  WetTerm* wet_ = nullptr;
  Vector x_, y_;
  Array<int> cell_;
  Array<double> values_;
  Pinned<double> host_;
};

// ---- The solve

// A x = b, for a matrix, b and a first guess x that stand on the device.
class DeviceSolve {
 public:
  DeviceSolve() { scalars_.resize(1); }

  Stream stream;
  Array<double> diag, off[3], x, b;

  // Memory of a system; what is not new keeps its values.
  void lay_out(const Vec3i& n) {
    const std::size_t size = std::size_t(n.x()) * n.y() * n.z();
    for (Array<double>* v : {&diag, &off[0], &off[1], &off[2], &x, &b, &r_, &z_, &p_, &q_}) v->resize(size, pad);
    zeros_.resize(std::size_t(n.x()) + 1, pad);
    partial_.resize(cuda::blocks);
    n_ = n;
  }

  // Once the matrix stands there.
  void set_up(WetTerm* wet, const CellSets& singular, const CellSets& deflated) {
    const StencilView<double> a{n_.x(), n_.y(), n_.z(), diag.data(), {off[0].data(), off[1].data(), off[2].data()}};
    multigrid_.set_up(a, wet ? wet->lumped() : std::vector<std::pair<int, double>>{}, stream.handle);
    v_ = {a,         zeros_.data(), multigrid_.tiles(), x.data(),        b.data(),       r_.data(),
          z_.data(), p_.data(),     q_.data(),          partial_.data(), scalars_.data()};
    singular_.upload(singular, stream.handle), deflated_.upload(deflated, stream.handle);
    wet_ = wet;
    term_.set_up(wet, diag.size(), stream.handle);
    if (!deflated_.empty()) factor_deflation(deflated);
  }

  // y = L x where there are unknowns.
  void multiply_stencil(const double* from, double* y) { cuda::multiply(v_, from, y, stream.handle); }

  // The report has status, iterations and residual.
  SolveReport iterate(const PressureOptions& options);

 private:
  // E = Zᵀ W Z; its columns need the host only.
  void factor_deflation(const CellSets& deflated) {
    const Eigen::Index k = Eigen::Index(deflated.size());
    Eigen::MatrixXd energy(k, k);
    Vector indicator(diag.size(), 0);
    for (Eigen::Index j = 0; j < k; ++j) {
      for (const int i : deflated[j]) indicator[i] = 1;
      Eigen::VectorXd column = Eigen::VectorXd::Zero(k);
      wet_->subtract_sums(indicator, column);
      for (const int i : deflated[j]) indicator[i] = 0;
      energy.col(j) = -column;
    }
    energy_.compute(energy);
  }

  cuda::Scalars read_scalars() {
    cuda::Scalars* here = seen_.get(2);
    scalars_.download(here, stream.handle);
    stream.wait();
    return *here;
  }
  // y = A x, as exact as can be.
  void multiply(const double* from, double* y) {
    multiply_stencil(from, y);
    if (!wet_) return;
    term_.fetch(from, stream.handle);
    stream.wait();
    term_.add(tightest_product, y, stream.handle);
  }
  // z = M⁻¹ r, with deflation: z − Z E⁻¹ (Zᵀ A z) + Z E⁻¹ Zᵀ r. Returns where z still stands as the cycle left it;
  // null: in z_.
  const float* precondition() {
    multigrid_.apply(r_.data(), scalars_.data(), stream.handle);
    if (deflated_.empty() && singular_.empty()) return multigrid_.x();
    cuda::take_z(v_, multigrid_.x(), stream.handle);
    if (!deflated_.empty()) {
      term_.fetch(z_.data(), stream.handle);
      Eigen::VectorXd t = deflated_.sums_over(r_.data(), stream);
      term_.subtract_sums(t);
      deflated_.add(energy_.solve(t), z_.data(), stream);
    }
    singular_.remove_means(z_.data(), stream.handle);
    return nullptr;
  }

  Vec3i n_ = Vec3i::Zero();
  DeviceMultigrid multigrid_;
  Array<double> zeros_, r_, z_, p_, q_, partial_;
  Array<cuda::Scalars> scalars_;
  Pinned<cuda::Scalars> seen_;
  Event events_[2];
  cuda::Vectors v_;
  DeviceSets singular_, deflated_;
  WetTerm* wet_ = nullptr;
  HostTerm term_;
  Eigen::PartialPivLU<Eigen::MatrixXd> energy_;
};

SolveReport DeviceSolve::iterate(const PressureOptions& options) {
  const cudaStream_t now_on = stream.handle;
  const bool keep_start = !deflated_.empty();
  if (keep_start) {  // start with the right mean in every deflated set
    multiply(x.data(), q_.data());
    cuda::copy(v_, b.data(), r_.data(), now_on);
    cuda::subtract(v_, q_.data(), r_.data(), now_on);
    deflated_.add(energy_.solve(deflated_.sums_over(r_.data(), stream)), x.data(), stream);
  }
  singular_.remove_means(b.data(), now_on);
  cuda::copy(v_, b.data(), r_.data(), now_on);
  cuda::begin_scalars(v_, options.tolerance, options.floor, now_on);
  multiply(x.data(), q_.data());
  cuda::subtract(v_, q_.data(), r_.data(), now_on);
  cuda::begin_residual(v_, keep_start, now_on);

  cuda::Scalars* seen = seen_.get(2);
  for (int i = 0; i < options.max_iterations; ++i) {
    cuda::next_direction(v_, precondition(), now_on);
    cuda::multiply_direction(v_, now_on);
    if (wet_) {
      term_.fetch(p_.data(), now_on);
      const cuda::Scalars now = read_scalars();  // after the last iteration
      if (now.done) break;
      const double tolerance = wet_->exact()
                                   ? tightest_product
                                   : std::max(tightest_product, inner_share * options.tolerance * now.rhs / now.size);
      term_.add(tolerance, q_.data(), now_on);
    }
    cuda::advance(v_, wet_ != nullptr, now_on);
    if (wet_) continue;
    scalars_.download(seen + i % 2, now_on);
    events_[i % 2].record(now_on);
    if (i == 0) continue;
    events_[(i - 1) % 2].wait();
    if (seen[(i - 1) % 2].done) break;
  }
  singular_.remove_means(x.data(), now_on);
  const cuda::Scalars end = read_scalars();
  const double scale = std::max(end.rhs, options.floor);
  SolveReport report;
  report.iterations = end.iterations;
  report.residual = scale > 0 ? end.size / scale : 0;
  report.status = end.size <= end.target                     ? SolveStatus::converged
                  : end.iterations >= options.max_iterations ? SolveStatus::not_converged
                                                             : SolveStatus::broke_down;
  if (report.status != SolveStatus::converged)  // they may hold what is not a number
    for (Array<double>* v : {&r_, &z_, &p_, &q_, &x}) v->clear(now_on);
  return report;
}

// ---- The solvers

// Of systems that stand on the host.
class CudaPressureSolver : public PressureSolver {
 public:
  SolveReport solve(const PressureEquation& equation, const PressureOptions& options, Vector& q) override {
    if (!options.multigrid || (equation.wet && !equation.wet->symmetric())) return cpu_->solve(equation, options, q);
    const auto start = std::chrono::steady_clock::now();
    const cudaStream_t stream = device_.stream.handle;
    const Stencil<double>& m = equation.matrix;
    device_.lay_out(m.n);
    staging_.upload(m.diag.data, device_.diag, pad, stream);
    for (int a = 0; a < 3; ++a) staging_.upload(m.off[a].data, device_.off[a], pad, stream);
    staging_.upload(q, device_.x, pad, stream);
    staging_.upload(equation.rhs, device_.b, pad, stream);
    device_.set_up(equation.wet, equation.singular, equation.deflated);
    const double setup_s = seconds_since(start);
    const auto solving = std::chrono::steady_clock::now();
    SolveReport report = device_.iterate(options);
    report.solve_s = seconds_since(solving);
    const auto copying = std::chrono::steady_clock::now();
    staging_.download(device_.x, q, stream);
    report.setup_s = setup_s + seconds_since(copying);  // all that copies are in it
    return report;
  }

 private:
  std::unique_ptr<PressureSolver> cpu_ = make_cpu_pressure_solver();
  cuda::Staging staging_;
  DeviceSolve device_;
};

// Of systems that kernels have made.
class CudaPlacedSolver : public PlacedSolver {
 public:
  PlacedEquation lay_out(const Vec3i& n) override {
    device_.lay_out(n);
    const std::size_t size = device_.diag.size();
    for (Array<double>* v : {&rhs_, &q_, &product_}) v->resize(size, pad);
    return {n,
            device_.diag.data(),
            {device_.off[0].data(), device_.off[1].data(), device_.off[2].data()},
            rhs_.data(),
            q_.data(),
            device_.x.data(),
            product_.data()};
  }
  SolveReport solve(const PlacedTask& task, const PressureOptions& options) override {
    const auto start = std::chrono::steady_clock::now();
    const cudaStream_t stream = device_.stream.handle;
    take(q_, device_.x), take(rhs_, device_.b);
    minus_flux_ = task.flux;
    for (double& flux : minus_flux_) flux = -flux;
    cells_.upload(task.cell, stream), values_.upload(minus_flux_, stream);
    if (!task.cell.empty())
      cuda::scatter_add(cells_.data(), int(task.cell.size()), values_.data(), device_.b.data(), stream);
    device_.set_up(task.wet, task.singular, task.deflated);
    const double setup_s = seconds_since(start);
    const auto solving = std::chrono::steady_clock::now();
    SolveReport report = device_.iterate(options);
    device_.stream.wait();
    report.solve_s = seconds_since(solving);
    report.setup_s = setup_s;
    return report;
  }
  void multiply(const double* x) override {
    device_.multiply_stencil(x, product_.data());
    device_.stream.wait();
  }

 private:
  void take(const Array<double>& from, Array<double>& to) {
    check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(double), cudaMemcpyDeviceToDevice,
                          device_.stream.handle),
          "a copy");
  }

  DeviceSolve device_;
  Array<double> rhs_, q_, product_, values_;
  Array<int> cells_;
  std::vector<double> minus_flux_;
};

}  // namespace

std::unique_ptr<PressureSolver> make_cuda_pressure_solver() { return std::make_unique<CudaPressureSolver>(); }

std::unique_ptr<PlacedSolver> make_cuda_placed_solver() { return std::make_unique<CudaPlacedSolver>(); }

}  // namespace coracle
