// Sparse matrices and vectors as Matrix Market files, to look at a system elsewhere and to replay it. Numbers are
// written so that they read back to the same bits.
#pragma once

#include <Eigen/SparseCore>

#include <string>

namespace coracle {

// symmetric: only the lower triangle is written; the matrix holds both.
enum class Symmetry { symmetric, general };

void write_matrix(const std::string& path, const Eigen::SparseMatrix<double>& a, Symmetry symmetry);
void write_vector(const std::string& path, const Eigen::VectorXd& x);

// What the above write; RunError names the file and what is wrong with it.
Eigen::SparseMatrix<double> read_matrix(const std::string& path);
Eigen::VectorXd read_vector(const std::string& path);

}  // namespace coracle
