#include "coracle/solve/cuda/kernels.h"

#include <thrust/iterator/counting_iterator.h>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_select.cuh>

#include <cmath>

namespace coracle::cuda {
namespace {

constexpr int warp = 32;
constexpr int team_size = 1024;  // threads of the block that works through the coarse levels

__host__ __device__ int tiles_per_row(int nx) { return (nx + tile_cells - 1) / tile_cells; }

// ---- Loops over the cells of a level
//
// On large levels a warp takes every n-th tile, and two neighbouring cells belong to one lane, so that a half sweep
// leaves no lane idle. The block of the coarse levels takes all cells in a row: their rows are shorter than a warp.

struct WholeGrid {
  __device__ int first() const { return (blockIdx.x * blockDim.x + threadIdx.x) / warp; }
  __device__ int stride() const { return gridDim.x * blockDim.x / warp; }
};
struct OneBlock {};

// f(row, first cell), `parts` times per tile, with the cells of a part behind those of the one before.
template <class F>
__device__ void for_parts(const Tiles& tiles, int nx, int parts, F&& f) {
  const WholeGrid team;
  const int per_row = tiles_per_row(nx), count = *tiles.count * parts;
  for (int t = team.first(); t < count; t += team.stride()) {
    const int tile = tiles.number[t / parts];
    f(tile / per_row, tile % per_row * tile_cells + t % parts * (tile_cells / parts));
  }
}

// f(row, i) for all cells
template <class F>
__device__ void for_cells(WholeGrid, const Tiles& tiles, int nx, F&& f) {
  const int lane = threadIdx.x % warp;
  for_parts(tiles, nx, 1, [&](int row, int base) {
    for (int i = base + lane; i < min(base + tile_cells, nx); i += warp) f(row, i);
  });
}
template <class F>
__device__ void for_cells(WholeGrid team, const Level& l, F&& f) {
  for_cells(team, l.tiles, l.a.nx, f);
}
template <class F>
__device__ void for_cells(OneBlock, const Level& l, F&& f) {
  const int cells = l.a.nx * l.a.rows();
  for (int c = threadIdx.x; c < cells; c += blockDim.x) f(c / l.a.nx, c % l.a.nx);
}

// f(row, i) for the cells of one colour
template <class F>
__device__ void for_colour(WholeGrid, const Level& l, int colour, F&& f) {
  const int lane = threadIdx.x % warp;
  for_parts(l.tiles, l.a.nx, 1, [&](int row, int base) {
    const int i = base + 2 * lane + parity_of(row, l.a.ny, colour);
    if (i < l.a.nx) f(row, i);
  });
}
template <class F>
__device__ void for_colour(OneBlock team, const Level& l, int colour, F&& f) {
  for_cells(team, l, [&](int row, int i) {
    if ((i & 1) == parity_of(row, l.a.ny, colour)) f(row, i);
  });
}

// ---- One level of the cycle

// The first half sweep from zero only divides by the diagonal.
template <class Team>
__device__ void begin(Team team, const Level& l) {
  for_cells(team, l, [&](int row, int i) {
    const std::size_t c = std::size_t(row) * l.a.nx + i;
    l.x[c] = (i & 1) == parity_of(row, l.a.ny, 0) ? l.inverse[c] * l.b[c] : 0;
  });
}

template <class Team>
__device__ void relax(Team team, const Level& l, int colour) {
  for_colour(team, l, colour, [&](int r, int i) {
    const StencilRow<float> row(l.a, l.x, r, l.zeros);
    const std::size_t c = std::size_t(r) * l.a.nx + i;
    l.x[c] = relaxed(row, l.inverse[c], l.b[c], i);
  });
}

// b − A x, summed over the four rows of an aggregate, at one place i along them.
__device__ float residual_of_rows(const Level& fine, int cj, int ck, int i) {
  float sum = 0;
  for (int k = 2 * ck; k < 2 * ck + 2 && k < fine.a.nz; ++k)
    for (int j = 2 * cj; j < 2 * cj + 2 && j < fine.a.ny; ++j) {
      const int r = j + fine.a.ny * k;
      const std::size_t f = std::size_t(r) * fine.a.nx + i;
      const StencilRow<float> row(fine.a, fine.x, r, fine.zeros);
      const float value = residual(row, fine.a.diag[f], fine.b[f], i);
      sum += fine.inverse[f] != 0 ? value : 0;
    }
  return sum;
}

// The residual, summed over aggregates, is the right-hand side of the coarse level.
__device__ void restrict_residual(WholeGrid, const Level& fine, const Level& coarse) {
  const int lane = threadIdx.x % warp;
  constexpr int parts = 2 * tile_cells / warp;  // a warp takes 32 fine cells along a row
  for_parts(coarse.tiles, coarse.a.nx, parts, [&](int coarse_row, int base) {
    const int i = 2 * base + lane;
    const bool there = i < fine.a.nx;
    float sum = there ? residual_of_rows(fine, coarse_row % coarse.a.ny, coarse_row / coarse.a.ny, i) : 0;
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (there && lane % 2 == 0) coarse.b[std::size_t(coarse_row) * coarse.a.nx + i / 2] = sum;
  });
}
__device__ void restrict_residual(OneBlock team, const Level& fine, const Level& coarse) {
  for_cells(team, coarse, [&](int row, int ci) {
    float sum = 0;
    for (int i = 2 * ci; i < 2 * ci + 2 && i < fine.a.nx; ++i)
      sum += residual_of_rows(fine, row % coarse.a.ny, row / coarse.a.ny, i);
    coarse.b[std::size_t(row) * coarse.a.nx + ci] = sum;
  });
}

template <class Team>
__device__ void prolong(Team team, const Level& fine, const Level& coarse) {
  for_cells(team, fine, [&](int row, int i) {
    const std::size_t f = std::size_t(row) * fine.a.nx + i;
    const int j = row % fine.a.ny, k = row / fine.a.ny;
    const float up = coarse.x[i / 2 + std::size_t(coarse.a.nx) * (j / 2 + coarse.a.ny * (k / 2))];
    fine.x[f] += fine.inverse[f] != 0 ? up : 0;
  });
}

// ---- Kernels of the cycle

__global__ void begin_finest(Level l, const double* r, const Scalars* scalars) {
  if (scalars->done) return;
  for_cells(WholeGrid(), l.tiles, l.a.nx, [&](int row, int i) {
    const std::size_t c = std::size_t(row) * l.a.nx + i;
    const float b = float(r[c]);
    l.b[c] = b;
    l.x[c] = (i & 1) == parity_of(row, l.a.ny, 0) ? l.inverse[c] * b : 0;
  });
}
__global__ void take_r(Level l, const double* r, const Scalars* scalars) {
  if (scalars->done) return;
  for_cells(WholeGrid(), l.tiles, l.a.nx, [&](int row, int i) {
    const std::size_t c = std::size_t(row) * l.a.nx + i;
    l.b[c] = float(r[c]);
  });
}
__global__ void begin_level(Level l, const Scalars* scalars) {
  if (!scalars->done) begin(WholeGrid(), l);
}
__global__ void relax_level(Level l, int colour, const Scalars* scalars) {
  if (!scalars->done) relax(WholeGrid(), l, colour);
}
__global__ void restrict_level(Level fine, Level coarse, const Scalars* scalars) {
  if (!scalars->done) restrict_residual(WholeGrid(), fine, coarse);
}
__global__ void prolong_level(Level fine, Level coarse, const Scalars* scalars) {
  if (!scalars->done) prolong(WholeGrid(), fine, coarse);
}

// ---- The coarse levels, in the memory that the threads of one block share

constexpr int parts_of_level = 7;  // diag, off, inverse, b, x

__host__ __device__ int cells_of(const Level& l) { return l.a.nx * l.a.rows(); }
// With a value before and after, and a row of zeros.
__host__ __device__ int floats_of(const Level& l) { return parts_of_level * (cells_of(l) + 2) + l.a.nx + 2; }

std::size_t shared_bytes(const Cycle& cycle) {
  std::size_t floats = 0;
  for (int l = cycle.first_in_block; l < cycle.levels; ++l) floats += floats_of(cycle.level[l]);
  return floats * sizeof(float);
}

// The level with its values in `memory`, copied by all threads. b is that of the finest level, else it comes later.
__device__ Level in_shared(const Level& there, float* memory) {
  Level here = there;
  const int cells = cells_of(there);
  const float* from[parts_of_level] = {there.diag,    there.off[0], there.off[1], there.off[2],
                                       there.inverse, there.b,      nullptr};
  float* part[parts_of_level];
  for (int p = 0; p < parts_of_level; ++p) {
    part[p] = memory + p * (cells + 2) + 1;
    if (threadIdx.x == 0) part[p][-1] = part[p][cells] = 0;
  }
  for (int c = threadIdx.x; c < cells; c += blockDim.x) {
    float value[parts_of_level];  // all on their way before the first is needed
#pragma unroll
    for (int p = 0; p < parts_of_level; ++p) value[p] = from[p] ? from[p][c] : 0;
#pragma unroll
    for (int p = 0; p < parts_of_level; ++p) part[p][c] = value[p];
  }
  float* const zeros = memory + parts_of_level * (cells + 2);
  for (int i = threadIdx.x; i < there.a.nx + 2; i += blockDim.x) zeros[i] = 0;
  here.diag = part[0];
  for (int a = 0; a < 3; ++a) here.off[a] = part[1 + a], here.a.off[a] = part[1 + a];
  here.a.diag = part[0];
  here.inverse = part[4], here.b = part[5], here.x = part[6];
  here.zeros = zeros + 1;
  return here;
}

// All levels from `first_in_block` on; their right-hand side is there.
__global__ void coarse_levels(const Cycle* whole, const Scalars* scalars) {
  if (scalars->done) return;
  extern __shared__ float memory[];
  __shared__ Level levels[most_levels_in_block];
  const Cycle& cycle = *whole;
  const OneBlock team;
  const auto wait = [] { __syncthreads(); };
  const int count = cycle.levels - cycle.first_in_block, last = count - 1;
  float* free = memory;
  for (int l = 0; l < count; ++l) {
    const Level& there = cycle.level[cycle.first_in_block + l];
    const Level here = in_shared(there, free);
    if (threadIdx.x == 0) levels[l] = here;
    free += floats_of(there);
  }
  wait();
  for (int l = 0; l < last; ++l) {
    begin(team, levels[l]);
    wait();
    for (int half = 1; half < 2 * sweeps; ++half) {
      relax(team, levels[l], half & 1);
      wait();
    }
    restrict_residual(team, levels[l], levels[l + 1]);
    wait();
  }
  const int lane = threadIdx.x % warp, n = cycle.coarse_count;
  for (int row = threadIdx.x / warp; row < n; row += team_size / warp) {
    float sum = 0;
    for (int c = lane; c < n; c += warp)
      sum += cycle.coarse_inverse[row * n + c] * levels[last].b[cycle.coarse_cell[c]];
    for (int step = warp / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) levels[last].x[cycle.coarse_cell[row]] = sum;
  }
  wait();
  for (int l = last - 1; l >= 0; --l) {
    prolong(team, levels[l], levels[l + 1]);
    wait();
    for (int half = 1; half <= 2 * sweeps; ++half) {
      relax(team, levels[l], half & 1);
      wait();
    }
  }
  float* const result = cycle.level[cycle.first_in_block].x;
  for (int c = threadIdx.x; c < cells_of(levels[0]); c += blockDim.x) result[c] = levels[0].x[c];
}

// ---- Set-up

template <class T>
__global__ void flag_tiles(const T* diag, int nx, int rows, unsigned char* flag) {
  const int per_row = tiles_per_row(nx), lane = threadIdx.x % warp;
  for (int tile = WholeGrid().first(); tile < rows * per_row; tile += WholeGrid().stride()) {
    const int row = tile / per_row, base = tile % per_row * tile_cells;
    bool any = false;
    for (int i = base + lane; i < min(base + tile_cells, nx); i += warp) any |= diag[std::size_t(row) * nx + i] != 0;
    any = __any_sync(~0u, any);
    if (lane == 0) flag[tile] = any;
  }
}

__global__ void finest(StencilView<double> a, Level l) {
  const std::size_t size = std::size_t(a.nx) * a.rows();
  for (std::size_t c = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; c < size;
       c += std::size_t(gridDim.x) * blockDim.x) {
    const int i = int(c % a.nx), row = int(c / a.nx);
    l.diag[c] = float(a.diag[c]);
    l.excess[c] = excess_of(a.diag[c], coupling_sum(a, i, row % a.ny, row / a.ny));
    for (int d = 0; d < 3; ++d) l.off[d][c] = float(a.off[d][c]);
  }
}
__global__ void add_extra_to(const int* cell, const float* value, int count, Level l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  l.diag[cell[i]] += value[i];
  l.excess[cell[i]] += value[i];
}
__global__ void sum_aggregates(Level fine, Level coarse) {
  const std::size_t size = std::size_t(coarse.a.nx) * coarse.a.rows();
  for (std::size_t c = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; c < size;
       c += std::size_t(gridDim.x) * blockDim.x) {
    const int i = int(c % coarse.a.nx), row = int(c / coarse.a.nx);
    const Aggregate sum = aggregate(fine.a, fine.excess, i, row % coarse.a.ny, row / coarse.a.ny);
    for (int d = 0; d < 3; ++d) coarse.off[d][c] = sum.off[d];
    coarse.excess[c] = sum.excess;
  }
}
__global__ void sum_diagonal(Level l) {
  const std::size_t size = std::size_t(l.a.nx) * l.a.rows();
  for (std::size_t c = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; c < size;
       c += std::size_t(gridDim.x) * blockDim.x) {
    const int i = int(c % l.a.nx), row = int(c / l.a.nx);
    l.diag[c] = coupling_sum(l.a, i, row % l.a.ny, row / l.a.ny) + l.excess[c];
  }
}
__global__ void invert(Level l) {
  const std::size_t size = std::size_t(l.a.nx) * l.a.rows();
  for (std::size_t c = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; c < size;
       c += std::size_t(gridDim.x) * blockDim.x) {
    l.inverse[c] = l.diag[c] > 0 ? 1 / l.diag[c] : 0;
    l.x[c] = l.b[c] = 0;  // also where no tile comes: neighbours read it
  }
}

// ---- Vectors

// The sum over the block, in thread 0.
__device__ double block_sum(double value) {
  using Reduce = cub::BlockReduce<double, threads>;
  __shared__ typename Reduce::TempStorage storage;
  return Reduce(storage).Sum(value);
}
template <class F>
__device__ void add_up(const Vectors& v, F&& f) {
  double sum = 0;
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int row, int i) { sum += f(row, i); });
  sum = block_sum(sum);
  if (threadIdx.x == 0) v.partial[blockIdx.x] = sum;
}
// By one block of as many threads as the others have.
__device__ double total(const double* partial) {
  double sum = 0;
  for (int b = threadIdx.x; b < blocks; b += threads) sum += partial[b];
  return block_sum(sum);
}

__device__ double product(const Vectors& v, const double* x, int r, int i) {
  const StencilRow<double> row(v.a, x, r, v.zeros);
  return v.a.diag[std::size_t(r) * v.a.nx + i] * row.x[i] - row.sum(i);
}

__global__ void multiply_kernel(Vectors v, const double* x, double* y) {
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) { y[std::size_t(r) * v.a.nx + i] = product(v, x, r, i); });
}
__global__ void subtract_kernel(Vectors v, const double* y, double* x) {
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    x[c] -= y[c];
  });
}
__global__ void copy_kernel(Vectors v, const double* from, double* to) {
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    to[c] = from[c];
  });
}
__global__ void take_z_kernel(Vectors v, const float* x) {
  if (v.scalars->done) return;
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    v.z[c] = double(x[c]);
  });
}
__global__ void square_r(Vectors v) {
  add_up(v, [&](int r, int i) {
    const double value = v.r[std::size_t(r) * v.a.nx + i];
    return value * value;
  });
}
__global__ void finish_rhs(Vectors v, double tolerance, double floor) {
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  Scalars s;
  s.rhs = sqrt(sum);
  s.target = fmax(tolerance * s.rhs, floor);
  *v.scalars = s;
}
__global__ void finish_residual(Vectors v, bool keep) {
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  Scalars& s = *v.scalars;
  s.size = sqrt(sum);
  s.from_zero = !keep && s.size > s.rhs;
  if (s.from_zero) s.size = s.rhs;
  s.done = s.size <= s.target;
}
__global__ void begin_from_zero(Vectors v) {
  if (!v.scalars->from_zero) return;
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    v.x[c] = 0;
    v.r[c] = v.b[c];
  });
}
// With `cycle_x`, z comes from there.
__global__ void r_times_z(Vectors v, const float* cycle_x) {
  if (v.scalars->done) return;
  add_up(v, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    if (cycle_x) v.z[c] = double(cycle_x[c]);
    return v.r[c] * v.z[c];
  });
}
__global__ void finish_rho(Vectors v) {
  Scalars& s = *v.scalars;
  if (s.done) return;
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  s.beta = s.iterations > 0 ? sum / s.rho : 0;
  s.rho = sum;
  if (!(sum > 0)) s.done = s.broken = 1;
}
__global__ void direction(Vectors v) {
  if (v.scalars->done) return;
  const double beta = v.scalars->beta;
  for_cells(WholeGrid(), v.tiles, v.a.nx, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    v.p[c] = beta == 0 ? v.z[c] : v.z[c] + beta * v.p[c];  // at first p may hold anything
  });
}
__global__ void times_direction(Vectors v) {
  if (v.scalars->done) return;
  add_up(v, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    const double q = product(v, v.p, r, i);
    v.q[c] = q;
    return v.p[c] * q;
  });
}
__global__ void p_times_q(Vectors v) {
  if (v.scalars->done) return;
  add_up(v, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    return v.p[c] * v.q[c];
  });
}
__global__ void finish_alpha(Vectors v) {
  Scalars& s = *v.scalars;
  if (s.done) return;
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  s.alpha = s.rho / sum;
  if (!(sum > 0)) s.done = s.broken = 1;
}
__global__ void move(Vectors v) {
  if (v.scalars->done) return;
  const double alpha = v.scalars->alpha;
  add_up(v, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
    v.x[c] += alpha * v.p[c];
    const double left = v.r[c] - alpha * v.q[c];
    v.r[c] = left;
    return left * left;
  });
}
__global__ void finish_move(Vectors v) {
  Scalars& s = *v.scalars;
  if (s.done) return;
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  s.size = sqrt(sum);
  ++s.iterations;
  s.done = s.size <= s.target;
}

// ---- Some cells only

__global__ void gather_kernel(const int* cell, int count, const double* x, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = x[cell[i]];
}
__global__ void scatter_kernel(const int* cell, int count, const double* values, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[cell[i]] += values[i];
}
// One block per set.
__global__ void sums_kernel(Sets sets, const double* x, double* sums) {
  double sum = 0;
  for (int i = sets.start[blockIdx.x] + threadIdx.x; i < sets.start[blockIdx.x + 1]; i += threads)
    sum += x[sets.cell[i]];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void add_kernel(Sets sets, const double* values, double* x, bool minus_mean) {
  const int begin = sets.start[blockIdx.x], end = sets.start[blockIdx.x + 1];
  const double value = minus_mean ? -values[blockIdx.x] / (end - begin) : values[blockIdx.x];
  for (int i = begin + threadIdx.x; i < end; i += threads) x[sets.cell[i]] += value;
}

int blocks_for(int count) { return (count + threads - 1) / threads; }

}  // namespace

void find_tiles(const double* diag, int nx, int rows, unsigned char* flag, cudaStream_t stream) {
  flag_tiles<<<blocks, threads, 0, stream>>>(diag, nx, rows, flag);
}
void find_tiles(const float* diag, int nx, int rows, unsigned char* flag, cudaStream_t stream) {
  flag_tiles<<<blocks, threads, 0, stream>>>(diag, nx, rows, flag);
}
std::size_t select_tiles(void* work, std::size_t work_bytes, const unsigned char* flag, int* number, int* count,
                         int tiles, cudaStream_t stream) {
  cub::DeviceSelect::Flagged(work, work_bytes, thrust::counting_iterator<int>(0), flag, number, count, tiles, stream);
  return work_bytes;
}
void make_finest(const StencilView<double>& a, Level& level, cudaStream_t stream) {
  finest<<<blocks, threads, 0, stream>>>(a, level);
}
void add_extra(const int* cell, const float* value, int count, Level& level, cudaStream_t stream) {
  if (count > 0) add_extra_to<<<blocks_for(count), threads, 0, stream>>>(cell, value, count, level);
}
void coarsen(const Level& fine, Level& coarse, cudaStream_t stream) {
  sum_aggregates<<<blocks, threads, 0, stream>>>(fine, coarse);
  sum_diagonal<<<blocks, threads, 0, stream>>>(coarse);
}
void invert_diagonal(Level& level, cudaStream_t stream) { invert<<<blocks, threads, 0, stream>>>(level); }

void allow_shared_memory(const Cycle& cycle) {
  (void)cudaFuncSetAttribute(coarse_levels, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes(cycle)));
}

void apply_cycle(const Cycle& cycle, const Cycle* on_device, const double* r, const Scalars* scalars,
                 cudaStream_t stream) {
  for (int l = 0; l < cycle.first_in_block; ++l) {
    const Level& level = cycle.level[l];
    if (l == 0)
      begin_finest<<<blocks, threads, 0, stream>>>(level, r, scalars);
    else
      begin_level<<<blocks, threads, 0, stream>>>(level, scalars);
    for (int half = 1; half < 2 * sweeps; ++half) relax_level<<<blocks, threads, 0, stream>>>(level, half & 1, scalars);
    restrict_level<<<blocks, threads, 0, stream>>>(level, cycle.level[l + 1], scalars);
  }
  if (cycle.first_in_block == 0) take_r<<<blocks, threads, 0, stream>>>(cycle.level[0], r, scalars);
  coarse_levels<<<1, team_size, shared_bytes(cycle), stream>>>(on_device, scalars);
  for (int l = cycle.first_in_block - 1; l >= 0; --l) {
    const Level& level = cycle.level[l];
    prolong_level<<<blocks, threads, 0, stream>>>(level, cycle.level[l + 1], scalars);
    for (int half = 1; half <= 2 * sweeps; ++half)
      relax_level<<<blocks, threads, 0, stream>>>(level, half & 1, scalars);
  }
}

void multiply(const Vectors& v, const double* x, double* y, cudaStream_t stream) {
  multiply_kernel<<<blocks, threads, 0, stream>>>(v, x, y);
}
void subtract(const Vectors& v, const double* y, double* x, cudaStream_t stream) {
  subtract_kernel<<<blocks, threads, 0, stream>>>(v, y, x);
}
void copy(const Vectors& v, const double* from, double* to, cudaStream_t stream) {
  copy_kernel<<<blocks, threads, 0, stream>>>(v, from, to);
}
void take_z(const Vectors& v, const float* cycle_x, cudaStream_t stream) {
  take_z_kernel<<<blocks, threads, 0, stream>>>(v, cycle_x);
}
void begin_scalars(const Vectors& v, double tolerance, double floor, cudaStream_t stream) {
  square_r<<<blocks, threads, 0, stream>>>(v);
  finish_rhs<<<1, threads, 0, stream>>>(v, tolerance, floor);
}
void begin_residual(const Vectors& v, bool keep, cudaStream_t stream) {
  square_r<<<blocks, threads, 0, stream>>>(v);
  finish_residual<<<1, threads, 0, stream>>>(v, keep);
  if (!keep) begin_from_zero<<<blocks, threads, 0, stream>>>(v);
}
void next_direction(const Vectors& v, const float* cycle_x, cudaStream_t stream) {
  r_times_z<<<blocks, threads, 0, stream>>>(v, cycle_x);
  finish_rho<<<1, threads, 0, stream>>>(v);
  direction<<<blocks, threads, 0, stream>>>(v);
}
void multiply_direction(const Vectors& v, cudaStream_t stream) { times_direction<<<blocks, threads, 0, stream>>>(v); }
void advance(const Vectors& v, bool q_has_changed, cudaStream_t stream) {
  if (q_has_changed) p_times_q<<<blocks, threads, 0, stream>>>(v);
  finish_alpha<<<1, threads, 0, stream>>>(v);
  move<<<blocks, threads, 0, stream>>>(v);
  finish_move<<<1, threads, 0, stream>>>(v);
}

void gather(const int* cell, int count, const double* x, double* out, cudaStream_t stream) {
  if (count > 0) gather_kernel<<<blocks_for(count), threads, 0, stream>>>(cell, count, x, out);
}
void scatter_add(const int* cell, int count, const double* values, double* y, cudaStream_t stream) {
  if (count > 0) scatter_kernel<<<blocks_for(count), threads, 0, stream>>>(cell, count, values, y);
}
void sums_over(const Sets& sets, const double* x, double* sums, cudaStream_t stream) {
  if (sets.count > 0) sums_kernel<<<sets.count, threads, 0, stream>>>(sets, x, sums);
}
void add_to(const Sets& sets, const double* values, double* x, cudaStream_t stream) {
  if (sets.count > 0) add_kernel<<<sets.count, threads, 0, stream>>>(sets, values, x, false);
}
void remove_means(const Sets& sets, double* sums, double* x, cudaStream_t stream) {
  if (sets.count == 0) return;
  sums_kernel<<<sets.count, threads, 0, stream>>>(sets, x, sums);
  add_kernel<<<sets.count, threads, 0, stream>>>(sets, sums, x, true);
}

}  // namespace coracle::cuda
