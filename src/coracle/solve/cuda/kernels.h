// The kernels of the pressure solve (cuda_pressure_solver.cpp). Arrays of cells are padded by one value at both ends.
//
// Work is dealt out in tiles of 64 cells of one row; kernels visit only the tiles that hold unknowns. Levels that fit
// one block are worked through by one kernel, in which a barrier takes the place of a launch. The cells' arithmetic is
// that of the CPU (stencil_row.h, multigrid_cell.h).
//
// Sums differ from the CPU's: each block adds up its tiles, and one block adds up the blocks, always in the same order.
// The number of blocks is fixed, so every device of one kind repeats its bits.
#pragma once

#include "coracle/solve/multigrid_cell.h"

#include <cuda_runtime_api.h>

namespace coracle::cuda {

inline constexpr int tile_cells = 64;
inline constexpr int blocks = 1056, threads = 256;  // of kernels that add up
inline constexpr int one_block_cells = 4096;        // the largest level that one block works through
inline constexpr int most_levels = 16, most_levels_in_block = 8;

struct Tiles {
  const int* number = nullptr;  // row · tiles per row + tile in the row, increasing
  const int* count = nullptr;
};

struct Level {
  StencilView<float> a;
  float *excess = nullptr, *inverse = nullptr, *b = nullptr, *x = nullptr;
  float* diag = nullptr;  // that of `a`, to write
  float* off[3] = {};
  const float* zeros = nullptr;  // a row
  Tiles tiles;
};

struct Cycle {
  Level level[most_levels];
  int levels = 0;
  int first_in_block = 0;            // from this level on, one block works
  const int* coarse_cell = nullptr;  // unknowns of the coarsest level
  const float* coarse_inverse = nullptr;
  int coarse_count = 0;
};

// The numbers of the iteration. They stay on the device; the host looks at them now and then.
struct Scalars {
  double rho = 0, alpha = 0, beta = 0;
  double size = 0;    // ‖r‖
  double rhs = 0;     // ‖b‖
  double target = 0;  // of ‖r‖
  int iterations = 0;
  int done = 0;       // converged: later kernels do nothing
  int from_zero = 0;  // the first guess is worse than none
  int broken = 0;     // the matrix or the preconditioner is not positive definite
};

// ---- Set-up
void find_tiles(const double* diag, int nx, int rows, unsigned char* flag, cudaStream_t stream);
void find_tiles(const float* diag, int nx, int rows, unsigned char* flag, cudaStream_t stream);
std::size_t select_tiles(void* work, std::size_t work_bytes, const unsigned char* flag, int* number, int* count,
                         int tiles, cudaStream_t stream);  // without `work`: how many bytes it needs
void make_finest(const StencilView<double>& a, Level& level, cudaStream_t stream);
void add_extra(const int* cell, const float* value, int count, Level& level, cudaStream_t stream);
void coarsen(const Level& fine, Level& coarse, cudaStream_t stream);
void invert_diagonal(Level& level, cudaStream_t stream);

// Before the first cycle: the coarse levels fill most of what a block can share.
void allow_shared_memory(const Cycle& cycle);

// ---- One cycle: z ≈ A⁻¹ r, in cycle.level[0].x. `on_device` is the same cycle in the device's memory.
void apply_cycle(const Cycle& cycle, const Cycle* on_device, const double* r, const Scalars* scalars,
                 cudaStream_t stream);

// ---- Vectors
struct Vectors {
  StencilView<double> a;
  const double* zeros = nullptr;
  Tiles tiles;
  double *x = nullptr, *b = nullptr, *r = nullptr, *z = nullptr, *p = nullptr, *q = nullptr;
  double* partial = nullptr;  // one per block
  Scalars* scalars = nullptr;
};
void multiply(const Vectors& v, const double* x, double* y, cudaStream_t stream);  // y = A x
void subtract(const Vectors& v, const double* y, double* x, cudaStream_t stream);  // x −= y
void copy(const Vectors& v, const double* from, double* to, cudaStream_t stream);
void take_z(const Vectors& v, const float* cycle_x, cudaStream_t stream);  // z = x of the cycle
// With r = b: begins the scalars; the target is max(tolerance ‖b‖, floor).
void begin_scalars(const Vectors& v, double tolerance, double floor, cudaStream_t stream);
// With r = b − A x: ‖r‖. Unless `keep`, begins from x = 0 if that is better.
void begin_residual(const Vectors& v, bool keep, cudaStream_t stream);
// ρ = r·z, β; p = z + β p. With `cycle_x`, z is that first.
void next_direction(const Vectors& v, const float* cycle_x, cudaStream_t stream);
void multiply_direction(const Vectors& v, cudaStream_t stream);           // q = A p, and p·q
void advance(const Vectors& v, bool q_has_changed, cudaStream_t stream);  // α = ρ / p·q; x, r, ‖r‖

// ---- Some cells only
void gather(const int* cell, int count, const double* x, double* out, cudaStream_t stream);
void scatter_add(const int* cell, int count, const double* values, double* y, cudaStream_t stream);
// Sets of cells, set s at [start[s], start[s + 1]).
struct Sets {
  const int* cell = nullptr;
  const int* start = nullptr;
  int count = 0;
};
void sums_over(const Sets& sets, const double* x, double* sums, cudaStream_t stream);
void add_to(const Sets& sets, const double* values, double* x, cudaStream_t stream);
void remove_means(const Sets& sets, double* sums, double* x, cudaStream_t stream);

}  // namespace coracle::cuda
