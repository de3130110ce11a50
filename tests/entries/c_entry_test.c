/* SPDX-License-Identifier: Apache-2.0 */
/* The C API as a C11 program sees it: results, statuses, messages. */
#include <entry_kernels_c.h>
#include <stdio.h>
#include <string.h>

#include "turned.h"

static int failures = 0;

#define CHECK(condition)                                     \
  do {                                                       \
    if (!(condition)) {                                      \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                            \
    }                                                        \
  } while (0)

static mshadow_tensor Matrix(void *data, mshadow_type type, const int64_t *shape, int rank) {
  mshadow_tensor tensor = {data, type, MSHADOW_CPU, rank, shape, 0, NULL};
  return tensor;
}

static const char *Last(mshadow_status expected, mshadow_status status) {
  CHECK(status == expected);
  return mshadow_last_error();
}

static void CheckMessage(const char *got, const char *expected) {
  if (strcmp(got, expected) == 0) return;
  printf("expected %s\n     got %s\n", expected, got);
  ++failures;
}

static void TestResults(void) {
  float in[] = {1, 2, 3, -1, 4, 5, 6, -1}, sums[] = {0, 0};
  const int64_t rows[] = {2}, extents[] = {2, 3};
  mshadow_tensor padded = Matrix(in, MSHADOW_FLOAT32, extents, 2);
  const mshadow_tensor out = Matrix(sums, MSHADOW_FLOAT32, rows, 1);
  padded.row_stride = 4;
  CHECK(entry_RowSums(&out, &padded, 10, 0.5, true) == MSHADOW_OK);
  CHECK(sums[0] == 15.5f && sums[1] == 24.5f);

  double doubles[] = {1, 2};
  const mshadow_tensor from = Matrix(doubles, MSHADOW_FLOAT64, rows, 1);
  CHECK(entry_Convert(&out, &from, 0.5) == MSHADOW_OK);
  CHECK(sums[0] == 0.5f && sums[1] == 1.0f);
}

static void TestOverloads(void) {
  float in[] = {1, 2, 3, 4}, out[] = {0, 0, 0, 0};
  const int64_t vector[] = {4}, matrix[] = {2, 2};
  const mshadow_tensor from = Matrix(in, MSHADOW_FLOAT32, vector, 1);
  const mshadow_tensor to = Matrix(out, MSHADOW_FLOAT32, vector, 1);
  CHECK(entry_ReversedRank1(&to, &from) == MSHADOW_OK);
  CHECK(out[0] == 4 && out[1] == 3 && out[2] == 2 && out[3] == 1);
  const mshadow_tensor rows = Matrix(in, MSHADOW_FLOAT32, matrix, 2);
  const mshadow_tensor to_rows = Matrix(out, MSHADOW_FLOAT32, matrix, 2);
  CHECK(entry_ReversedRank2(&to_rows, &rows, 3) == MSHADOW_OK);
  CHECK(out[0] == 9 && out[1] == 12 && out[2] == 3 && out[3] == 6);
}

static void TestPackedArguments(void) {
  float in[] = {1, 2, 3, 4}, sums[] = {0, 0};
  const int64_t rows[] = {2}, extents[] = {2, 2};
  const mshadow_tensor from = Matrix(in, MSHADOW_FLOAT32, extents, 2);
  const mshadow_tensor out = Matrix(sums, MSHADOW_FLOAT32, rows, 1);
  mshadow_argument arguments[5];
  arguments[0].tensor = &out;
  arguments[1].tensor = &from;
  arguments[2].integer = 10;
  arguments[3].real = 0.5;
  arguments[4].integer = 1;
  CHECK(entry_RowSums_packed(arguments) == MSHADOW_OK);
  CHECK(sums[0] == 12.5f && sums[1] == 16.5f);
  arguments[2].integer = 0;
  arguments[4].integer = 0;
  CHECK(entry_RowSums_packed(arguments) == MSHADOW_OK);
  CHECK(sums[0] == 3 && sums[1] == 7);
  arguments[1].tensor = NULL;
  CheckMessage(Last(MSHADOW_ERROR, entry_RowSums_packed(arguments)),
               "RowSums: argument 'in': expected a tensor, got a null pointer");
}

static void TestErrors(void) {
  float data[] = {1, 2, 3, 4};
  const int64_t shape[] = {4};
  mshadow_tensor w = Matrix(data, MSHADOW_FLOAT32, shape, 1), v = w;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(NULL, &v, 1.0)),
               "Convert: argument 'out': expected a tensor, got a null pointer");
  v.rank = 0;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected 1 to 8 dimensions, got 0");
  v.rank = 9;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected 1 to 8 dimensions, got 9");
  v.rank = 1;
  v.shape = NULL;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected a shape, got a null pointer");
  v.shape = shape;
  v.type = MSHADOW_BOOL;
  CheckMessage(Last(MSHADOW_NO_INSTANCE, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected float64 or float32, got bool; to support other "
               "element types, add them to MSHADOW_INSTANTIATE in tests/entries/entry_rules.h");
  v.type = 42;
  CheckMessage(Last(MSHADOW_NO_INSTANCE, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected float64 or float32, got flag 42, which is not an "
               "element type");
  v.type = MSHADOW_FLOAT64;
  v.device = 7;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&w, &v, 1.0)),
               "Convert: argument 'in': expected a tensor on the CPU or a GPU, got one on device "
               "7");
  CHECK(data[0] == 1 && data[3] == 4);
}

/* Of what two tensors share only the launch knows. */
static void TestJoinedTensorsLieApart(void) {
  float data[] = {1, 2, 3, 4}, result[] = {0, 0, 0, 0};
  const int64_t whole[] = {1, 4}, half[] = {1, 2};
  const mshadow_tensor in = Matrix(data, MSHADOW_FLOAT32, whole, 2);
  const mshadow_tensor left = Matrix(result, MSHADOW_FLOAT32, half, 2);
  mshadow_tensor right = Matrix(result + 1, MSHADOW_FLOAT32, half, 2);
  CheckMessage(Last(MSHADOW_ERROR, entry_Split(&left, &right, &in)),
               "Split: argument 'left': expected memory that does not overlap that of 'right', "
               "which the rule writes");
  CHECK(result[0] == 0 && result[2] == 0);
  right.data = result + 2;
  CHECK(entry_Split(&left, &right, &in) == MSHADOW_OK);
  CHECK(result[0] == 1 && result[3] == 4);
}

/* Views are of the rank that the tensors have at run time. */
static void TestViewsOfEveryRank(void) {
  float data[kTurnedSize], bias[kTurnedSize], result[kTurnedSize];
  for (int i = 0; i < kTurnedSize; ++i) data[i] = bias[i] = (float)(i + 1);
  for (int rank = 1; rank <= kTurnedRanks; ++rank) {
    const int64_t *shape = kTurnedShapes[rank - 1];
    memset(result, 0, sizeof(result));
    const mshadow_tensor in = Matrix(data, MSHADOW_FLOAT32, shape, rank);
    const mshadow_tensor out = Matrix(result, MSHADOW_FLOAT32, shape, rank);
    const mshadow_tensor added = Matrix(bias, MSHADOW_FLOAT32, shape + rank - 1, 1);
    CHECK(entry_Turned(&out, &in, &added, 3.0f) == MSHADOW_OK);
    for (int i = 0; i < kTurnedSize; ++i) {
      CHECK(result[i] == TurnedElement(data, bias, shape, rank, 3.0f, i));
    }
    CHECK((entry_Upturned(&out, &in) == MSHADOW_OK) == (rank > 1));
  }
  CheckMessage(mshadow_last_error(),
               "Upturned: argument 'in': expected a tensor of rank 2 or more, got one of rank 1");
  const int64_t other[] = {2, 4, 3};
  const mshadow_tensor in = Matrix(data, MSHADOW_FLOAT32, other, 3);
  const mshadow_tensor out = Matrix(result, MSHADOW_FLOAT32, kTurnedShapes[2], 3);
  const mshadow_tensor added = Matrix(bias, MSHADOW_FLOAT32, other + 1, 1);
  memset(result, 0, sizeof(result));
  CheckMessage(Last(MSHADOW_ERROR, entry_Turned(&out, &in, &added, 3.0f)),
               "Turned: argument 'broadcast<dim - 1>(flip(bias, 0), in.shape_)': broadcast of a "
               "vector along a dimension: shapes (4,) and (3,) differ");
  CHECK(result[0] == 0 && result[kTurnedSize - 1] == 0);
}

static mshadow_status CallUpturned(const mshadow_tensor *tensors) {
  return entry_Upturned(&tensors[0], &tensors[1]);
}
static mshadow_status CallSplit(const mshadow_tensor *tensors) {
  return entry_Split(&tensors[0], &tensors[1], &tensors[2]);
}

/* Every matrix of a call, longer in one dimension. */
static void TestOneTensorDoesNotFit(void) {
  const struct {
    const char *rule;
    mshadow_status (*call)(const mshadow_tensor *);
    int count;
    int64_t shapes[3][2];
  } cases[] = {{"Upturned", CallUpturned, 2, {{2, 3}, {2, 3}}},
               {"Split", CallSplit, 3, {{2, 1}, {2, 2}, {2, 3}}}};
  for (int c = 0; c < 2; ++c) {
    for (int wrong = 0; wrong < 2 * cases[c].count; ++wrong) {
      float data[3][12], before[3][12];
      int64_t shapes[3][2];
      mshadow_tensor tensors[3];
      memcpy(shapes, cases[c].shapes, sizeof(shapes));
      for (int i = 0; i < cases[c].count; ++i) {
        for (int k = 0; k < 12; ++k) data[i][k] = (float)(12 * i + k);
        tensors[i] = Matrix(data[i], MSHADOW_FLOAT32, shapes[i], 2);
      }
      memcpy(before, data, sizeof(data));
      ++shapes[wrong / 2][wrong % 2];
      const char *message = Last(MSHADOW_ERROR, cases[c].call(tensors));
      CHECK(strncmp(message, cases[c].rule, strlen(cases[c].rule)) == 0);
      CHECK(strstr(message, ": argument '") != NULL);
      CHECK(memcmp(data, before, sizeof(data)) == 0);
    }
  }
}

/* Ranges of an inner dimension. */
static void TestPartsOfAnInnerDimension(void) {
  float data[12], result[12] = {0};
  const float expected[] = {6, 8, 0, 0, 0, 0, 18, 20, 0, 0, 0, 0};
  for (int i = 0; i < 12; ++i) data[i] = (float)(i + 1);
  const int64_t shape[] = {2, 3, 2};
  const mshadow_tensor in = Matrix(data, MSHADOW_FLOAT32, shape, 3);
  const mshadow_tensor out = Matrix(result, MSHADOW_FLOAT32, shape, 3);
  CHECK(entry_Channels(&out, &in, 1) == MSHADOW_OK);
  CHECK(memcmp(result, expected, sizeof(result)) == 0);
  CheckMessage(
      Last(MSHADOW_ERROR, entry_Channels(&out, &in, 2)),
      "Channels: argument 'in': expected a range within [0, 3) of dimension 1, got [2, 4)");
  CHECK(memcmp(result, expected, sizeof(result)) == 0);
}

/* The message stays until the next failing call. */
static void TestTheMessageStays(void) {
  float data[] = {1, 2};
  double doubles[] = {3, 4};
  const int64_t shape[] = {2};
  const mshadow_tensor out = Matrix(data, MSHADOW_FLOAT32, shape, 1);
  const mshadow_tensor in = Matrix(doubles, MSHADOW_FLOAT64, shape, 1);
  CHECK(entry_Convert(NULL, &in, 1.0) == MSHADOW_ERROR);
  CHECK(entry_Convert(&out, &in, 1.0) == MSHADOW_OK);
  CHECK(strstr(mshadow_last_error(), "null pointer") != NULL);
}

/* Without a GPU streams are refused, with a word about why; c_stream_gpu_test.c has the others. */
static void TestStreams(void) {
  mshadow_stream *stream = NULL;
  const mshadow_status status = mshadow_stream_create(-1, &stream);
  CHECK((status == MSHADOW_OK) == (stream != NULL));
  CHECK((status == MSHADOW_OK) == (mshadow_gpu_count() > 0));
  CHECK(status == MSHADOW_OK || strlen(mshadow_last_error()) > 0);
  CHECK(mshadow_stream_destroy(stream) == MSHADOW_OK);
  CHECK(mshadow_stream_create(-1, NULL) == MSHADOW_ERROR);
  CHECK(strstr(mshadow_last_error(), "mshadow_stream_create: argument 'stream': expected") != NULL);
}

static void TestLists(void) {
  double from[] = {1, 2, 3, 4, 5}, other[] = {7, 8};
  float to[] = {0, 0, 0, 0, 0};
  const int64_t three[] = {3}, two[] = {2};
  mshadow_tensor in = Matrix(from, MSHADOW_FLOAT64, three, 1);
  mshadow_tensor out = Matrix(to, MSHADOW_FLOAT32, three, 1);
  mshadow_list *list = NULL;
  CHECK(mshadow_list_create(&list) == MSHADOW_OK);
  CHECK(mshadow_list_begin(list) == MSHADOW_OK);
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_begin(list)),
               "mshadow_list_begin: expected mshadow_list_end before, since the thread adds calls "
               "to a list");
  CHECK(entry_Convert(&out, &in, 2.0) == MSHADOW_OK);
  in = Matrix(from + 3, MSHADOW_FLOAT64, two, 1);
  out = Matrix(to + 3, MSHADOW_FLOAT32, two, 1);
  CHECK(entry_Convert(&out, &in, 2.0) == MSHADOW_OK);
  in.shape = three;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&out, &in, 2.0)),
               "list entry 2: Convert: argument 'in': expected shape (2,), the shape of 'out', got "
               "(3,)");
  in.device = out.device = MSHADOW_GPU;
  CheckMessage(Last(MSHADOW_ERROR, entry_Convert(&out, &in, 2.0)),
               "list entry 2: Convert: expected tensors of the CPU, as entry 0 has, got tensors of a "
               "GPU");
  CHECK(mshadow_list_end(list) == MSHADOW_OK);
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_end(list)),
               "mshadow_list_end: expected mshadow_list_begin before");
  CHECK(mshadow_list_size(list) == 2 && to[0] == 0);
  CHECK(mshadow_list_run(list) == MSHADOW_OK);
  CHECK(to[0] == 2 && to[2] == 6 && to[3] == 8 && to[4] == 10);

  CHECK(mshadow_list_set(list, -1, "scale", 10) == MSHADOW_OK);
  CHECK(mshadow_list_set(list, 1, "scale", 100) == MSHADOW_OK);
  in = Matrix(other, MSHADOW_FLOAT64, two, 1);
  CHECK(mshadow_list_replace(list, 1, "in", &in) == MSHADOW_OK);
  CHECK(mshadow_list_run(list) == MSHADOW_OK);
  CHECK(to[0] == 10 && to[2] == 30 && to[3] == 700 && to[4] == 800);

  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_set(list, 2, "scale", 1)),
               "list: expected an entry below 2, got 2");
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_set(list, 0, NULL, 1)),
               "mshadow_list_set: argument 'scalar': expected a name, got a null pointer");
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_replace(list, 0, "out", &in)),
               "list entry 0: Convert: argument 'out': expected float32, got float64");
  in.device = MSHADOW_GPU;
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_replace(list, 0, "in", &in)),
               "list entry 0: Convert: argument 'in': expected a tensor of the CPU, got one of a GPU");
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_run(NULL)),
               "mshadow_list_run: argument 'list': expected a list, got a null pointer");
  out = Matrix(to + 2, MSHADOW_FLOAT32, two, 1);
  CHECK(mshadow_list_replace(list, 1, "out", &out) == MSHADOW_OK);
  CheckMessage(Last(MSHADOW_ERROR, mshadow_list_run(list)),
               "list entry 0: Convert: argument 'out': expected memory apart from that of other "
               "entries, got an overlap with list entry 1: Convert: argument 'out', and one of them "
               "is written");
  mshadow_list_destroy(list);
  mshadow_list_destroy(NULL);
}

int main(void) {
  CHECK(strcmp(mshadow_last_error(), "") == 0);
  TestResults();
  TestOverloads();
  TestPackedArguments();
  TestErrors();
  TestJoinedTensorsLieApart();
  TestViewsOfEveryRank();
  TestOneTensorDoesNotFit();
  TestPartsOfAnInnerDimension();
  TestTheMessageStays();
  TestStreams();
  TestLists();
  if (failures == 0) puts("Success!");
  return failures != 0;
}
