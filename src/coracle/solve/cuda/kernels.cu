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

// ---- Who does which tiles: a warp takes every n-th one

struct WholeGrid {
  __device__ int first() const { return (blockIdx.x * blockDim.x + threadIdx.x) / warp; }
  __device__ int stride() const { return gridDim.x * blockDim.x / warp; }
};
struct OneBlock {
  __device__ int first() const { return threadIdx.x / warp; }
  __device__ int stride() const { return blockDim.x / warp; }
  __device__ void wait() const { __syncthreads(); }
};

// f(row, first cell of the tile)
template <class Team, class F>
__device__ void for_tiles(const Team& team, const Tiles& tiles, int nx, F&& f) {
  const int per_row = tiles_per_row(nx), count = *tiles.count;
  for (int t = team.first(); t < count; t += team.stride()) {
    const int tile = tiles.number[t];
    f(tile / per_row, tile % per_row * tile_cells);
  }
}
// f(row, i) for the cells of the tiles
template <class Team, class F>
__device__ void for_cells(const Team& team, const Tiles& tiles, int nx, F&& f) {
  const int lane = threadIdx.x % warp;
  for_tiles(team, tiles, nx, [&](int row, int base) {
    for (int i = base + lane; i < min(base + tile_cells, nx); i += warp) f(row, i);
  });
}

// ---- One level of the cycle

// The first half sweep from zero only divides by the diagonal.
template <class Team>
__device__ void begin(const Team& team, const Level& l) {
  for_cells(team, l.tiles, l.a.nx, [&](int row, int i) {
    const std::size_t c = std::size_t(row) * l.a.nx + i;
    l.x[c] = (i & 1) == parity_of(row, l.a.ny, 0) ? l.inverse[c] * l.b[c] : 0;
  });
}

template <class Team>
__device__ void relax(const Team& team, const Level& l, int colour) {
  const int lane = threadIdx.x % warp;
  for_tiles(team, l.tiles, l.a.nx, [&](int r, int base) {
    const int i = base + 2 * lane + parity_of(r, l.a.ny, colour);
    if (i >= l.a.nx) return;
    const StencilRow<float> row(l.a, l.x, r, l.zeros);
    const std::size_t c = std::size_t(r) * l.a.nx + i;
    l.x[c] = relaxed(row, l.inverse[c], l.b[c], i);
  });
}

// The residual, summed over aggregates, is the right-hand side of the coarse level.
template <class Team>
__device__ void restrict_residual(const Team& team, const Level& fine, const Level& coarse) {
  for_cells(team, coarse.tiles, coarse.a.nx, [&](int coarse_row, int ci) {
    const int cj = coarse_row % coarse.a.ny, ck = coarse_row / coarse.a.ny;
    float sum = 0;
    for (int k = 2 * ck; k < 2 * ck + 2 && k < fine.a.nz; ++k)
      for (int j = 2 * cj; j < 2 * cj + 2 && j < fine.a.ny; ++j) {
        const int r = j + fine.a.ny * k;
        const StencilRow<float> row(fine.a, fine.x, r, fine.zeros);
        for (int i = 2 * ci; i < 2 * ci + 2 && i < fine.a.nx; ++i) {
          const std::size_t f = std::size_t(r) * fine.a.nx + i;
          if (fine.inverse[f] != 0) sum += residual(row, fine.a.diag[f], fine.b[f], i);
        }
      }
    coarse.b[std::size_t(coarse_row) * coarse.a.nx + ci] = sum;
  });
}

template <class Team>
__device__ void prolong(const Team& team, const Level& fine, const Level& coarse) {
  for_cells(team, fine.tiles, fine.a.nx, [&](int row, int i) {
    const std::size_t f = std::size_t(row) * fine.a.nx + i;
    const int j = row % fine.a.ny, k = row / fine.a.ny;
    if (fine.inverse[f] != 0) fine.x[f] += coarse.x[i / 2 + std::size_t(coarse.a.nx) * (j / 2 + coarse.a.ny * (k / 2))];
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

// All levels from `first_in_block` on; their right-hand side is there.
__global__ void coarse_levels(const Cycle* whole, const Scalars* scalars) {
  if (scalars->done) return;
  const Cycle& cycle = *whole;
  const OneBlock team;
  const int last = cycle.levels - 1;
  for (int l = cycle.first_in_block; l < last; ++l) {
    const Level& level = cycle.level[l];
    begin(team, level);
    team.wait();
    for (int half = 1; half < 2 * sweeps; ++half) {
      relax(team, level, half & 1);
      team.wait();
    }
    restrict_residual(team, level, cycle.level[l + 1]);
    team.wait();
  }
  const Level& coarsest = cycle.level[last];
  const int lane = threadIdx.x % warp, n = cycle.coarse_count;
  for (int row = threadIdx.x / warp; row < n; row += team_size / warp) {
    float sum = 0;
    for (int c = lane; c < n; c += warp) sum += cycle.coarse_inverse[row * n + c] * coarsest.b[cycle.coarse_cell[c]];
    for (int step = warp / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) coarsest.x[cycle.coarse_cell[row]] = sum;
  }
  team.wait();
  for (int l = last - 1; l >= cycle.first_in_block; --l) {
    const Level& level = cycle.level[l];
    prolong(team, level, cycle.level[l + 1]);
    team.wait();
    for (int half = 1; half <= 2 * sweeps; ++half) {
      relax(team, level, half & 1);
      team.wait();
    }
  }
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
__global__ void finish_size(Vectors v) {
  const double sum = total(v.partial);
  if (threadIdx.x > 0) return;
  v.scalars->size = sqrt(sum);
  v.scalars->done = v.scalars->size <= v.scalars->target;
}
__global__ void r_times_z(Vectors v) {
  if (v.scalars->done) return;
  add_up(v, [&](int r, int i) {
    const std::size_t c = std::size_t(r) * v.a.nx + i;
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
  for_cells(WholeGrid(), v.tiles, v.a.nx,
            [&](int r, int i) { v.q[std::size_t(r) * v.a.nx + i] = product(v, v.p, r, i); });
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
  coarse_levels<<<1, team_size, 0, stream>>>(on_device, scalars);
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
void size_of_r(const Vectors& v, cudaStream_t stream) {
  square_r<<<blocks, threads, 0, stream>>>(v);
  finish_size<<<1, threads, 0, stream>>>(v);
}
void next_direction(const Vectors& v, cudaStream_t stream) {
  r_times_z<<<blocks, threads, 0, stream>>>(v);
  finish_rho<<<1, threads, 0, stream>>>(v);
  direction<<<blocks, threads, 0, stream>>>(v);
}
void multiply_direction(const Vectors& v, cudaStream_t stream) { times_direction<<<blocks, threads, 0, stream>>>(v); }
void advance(const Vectors& v, cudaStream_t stream) {
  p_times_q<<<blocks, threads, 0, stream>>>(v);
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
