/* Files of one piece with any bit turned, or cut anywhere: refused, or opened to something that can be read. */
#include "support/files.h"
#include "support/small_dicts.h"

TestSuite(single_files, .init = make_test_dir, .fini = remove_test_dir, .timeout = 1200);

/* Adds up all bytes of a tensor, so that a wrong pointer does not go unnoticed. */
static void read_all(void *sum, const td_tensor *t) {
  td_tensor *dense = NULL;
  const void *data = NULL;
  must(td_tensor_contiguous(t, &dense, &err));
  must(td_tensor_data(dense, &data, &err));
  for (int64_t k = 0; k < td_tensor_nbytes(dense); ++k) *(unsigned *)sum += ((const unsigned char *)data)[k];
  td_tensor_release(dense);
}

static const char *const files[] = {"consolidated/jagged/data.bin",
                                    "consolidated/jagged_none/data.bin",
                                    "consolidated/jagged_batches/data.bin",
                                    "consolidated/lazy_names/data.bin",
                                    "consolidated/nontensorstack/data.bin",
                                    "archive/basic/data.tdz",
                                    "archive/deflate/data.tdz",
                                    "archive/lzma/data.tdz",
                                    "archive/bzip2/data.tdz",
                                    "archive/plain_zip/data.tdz",
                                    "safetensors/tree/data.safetensors",
                                    "safetensors/checkpoint/data.safetensors"};

static const td_format formats[] = {TD_FORMAT_CONSOLIDATED, TD_FORMAT_CONSOLIDATED, TD_FORMAT_CONSOLIDATED,
                                    TD_FORMAT_CONSOLIDATED, TD_FORMAT_CONSOLIDATED, TD_FORMAT_ARCHIVE,
                                    TD_FORMAT_ARCHIVE,      TD_FORMAT_ARCHIVE,      TD_FORMAT_ARCHIVE,
                                    TD_FORMAT_ARCHIVE,      TD_FORMAT_SAFETENSORS,  TD_FORMAT_SAFETENSORS};

static int opens(const char *path, td_format format, td_bool lenient) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = format;
  options.lenient = lenient;
  td_dict *d = NULL;
  td_error *error = NULL;
  const td_status status = td_open(TD_STR(path), &options, &d, &error);
  cr_expect_neq(status, TD_ERR_INTERNAL, "%s", error ? td_error_message(error).data : "");
  unsigned sum = 0;
  if (status == TD_OK) for_each_tensor(d, read_all, &sum);
  td_error_release(error), td_dict_release(d);
  return status == TD_OK;
}

/* Some of the bits in a long file: a prime step meets all of them in turn over the files. */
Test(single_files, any_bit_may_be_turned) {
  const char *path = path_of("%s/turned", test_dir);
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    size_t n = 0, opened = 0, tried = 0;
    char *bytes = file_bytes(path_of("%s/fixtures/%s", TD_TEST_DATA, files[f]), &n);
    cr_assert(bytes, "%s", files[f]);
    write_file(path, bytes, n);
    const int fd = open(path, O_WRONLY);
    const size_t step = n < 600 ? 3 : 11;
    for (size_t bit = f % step; bit < 8 * n; bit += step, ++tried) {
      const char turned = (char)(bytes[bit / 8] ^ 1 << bit % 8);
      cr_assert_eq(pwrite(fd, &turned, 1, (off_t)(bit / 8)), 1);
      opened += (size_t)opens(path, formats[f], bit % 2);
      cr_assert_eq(pwrite(fd, bytes + bit / 8, 1, (off_t)(bit / 8)), 1);
    }
    close(fd);
    cr_expect_lt(opened, tried, "%s: everything is taken", files[f]);
    free(bytes);
  }
}

Test(single_files, a_file_may_be_cut_anywhere) {
  const char *path = path_of("%s/cut", test_dir);
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    size_t n = 0;
    char *bytes = file_bytes(path_of("%s/fixtures/%s", TD_TEST_DATA, files[f]), &n);
    cr_assert(bytes, "%s", files[f]);
    write_file(path, bytes, n);
    for (size_t size = n; size-- > 0;) {
      cr_assert_eq(truncate(path, (off_t)size), 0);
      cr_expect_not(opens(path, formats[f], 0), "%s: %zu of %zu bytes are taken", files[f], size, n);
    }
    for (size_t size = 1; size < n; size += 29) {
      write_file(path, bytes + size, n - size);
      opens(path, formats[f], size % 2);
    }
    free(bytes);
  }
}
