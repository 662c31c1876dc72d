// The peer of bench_all_reduce: MPI_Allreduce, same sizes, same counting. Run with mpirun -n N.
#include "bench/all_reduce_sizes.h"

#include <mpi.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    lockstep::bench::bindToCore(rank, ranks);
    lockstep::bench::sweep("mpi", rank == 0, [](std::vector<float>& numbers) {
        MPI_Allreduce(
            MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    });
    MPI_Finalize();
    return 0;
}
