// Functions that the CPU's loops and CUDA's kernels both call.
#pragma once

#ifdef __CUDACC__
#define CORACLE_BOTH __host__ __device__
#else
#define CORACLE_BOTH
#endif
