// C = A * B by tiles in local memory. The host passes -DTILE=16; every work-group computes one tile of C.
#include "geometry.clh"

#ifndef TILE
#define TILE 16
#endif

#define LOCAL_TILE(name) local float name[TILE][TILE + 1]

static float sum_of_products(local const float *row, local const float *column, int step)
{
    float sum = 0.0f;
    for (int i = 0; i < TILE; ++i)
        sum = mad(row[i], column[i * step], sum);
    return sum;
}

static float load(global const float *restrict source, const Matrix shape, int row, int column)
{
    return inside(shape, row, column) ? source[cell(shape, row, column)] : 0.0f;
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matrix_product(global const float *restrict a, global const float *restrict b, global float *restrict c,
                    int rows, int inner, int columns)
{
    LOCAL_TILE(tile_a);
    LOCAL_TILE(tile_b);

    const Matrix shape_a = { inner, rows, inner };
    const Matrix shape_b = { columns, inner, columns };
    const int row = get_global_id(1), column = get_global_id(0);
    const int y = get_local_id(1), x = get_local_id(0);

    float sum = 0.0f;
    for (int k = 0; k < inner; k += TILE) {
        tile_a[y][x] = load(a, shape_a, row, k + x);
        tile_b[y][x] = load(b, shape_b, k + y, column);
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += sum_of_products(tile_a[y], &tile_b[0][x], TILE + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}
