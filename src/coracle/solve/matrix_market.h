// Sparse matrices and vectors as Matrix Market files, to inspect a system with other tools and to solve it again.
// Numbers read back to the same bits.
#pragma once

#include <Eigen/SparseCore>

#include <string>

namespace coracle {

// symmetric: only the lower triangle is written; the matrix in memory holds both.
enum class Symmetry { symmetric, general };

void write_matrix(const std::string& path, const Eigen::SparseMatrix<double>& a, Symmetry symmetry);
void write_vector(const std::string& path, const Eigen::VectorXd& x);

// Read files in that form. RunError names the file and the problem.
Eigen::SparseMatrix<double> read_matrix(const std::string& path);
Eigen::VectorXd read_vector(const std::string& path);

}  // namespace coracle
