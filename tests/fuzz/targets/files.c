/* Files of one piece: the input is the file. */
#include "support/fuzz.h"

static td_status open_as(const char *name, td_format format, td_bool lenient, td_open_mode mode, td_dict **out,
                         td_error **error) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.format = format;
  options.lenient = lenient;
  options.mode = mode;
  watch(WATCH_READING);
  const td_status status = td_open(TD_STR(inside(name)), &options, out, error);
  watch(WATCH_OFF);
  return status;
}

/* Returns 1 if it opened. */
static int try_to_open(const char *name, td_format format, td_bool lenient, int oom) {
  td_dict *dict = NULL;
  td_error *error = NULL;
  const td_status status =
      open_as(name, format, lenient, lenient && format != TD_FORMAT_HDF5 ? TD_OPEN_COW : TD_OPEN_READ, &dict, &error);
  const int opened = oom ? typed_or_oom(status, error) : typed(status, error);
  hold(opened == (dict != NULL), "a dict comes with success only");
  if (opened) {
    watch(WATCH_READING);
    look_at(dict);
    watch(WATCH_OFF);
  }
  td_dict_release(dict);
  return opened;
}

static void file_of(const char *name, td_format format, const uint8_t *bytes, size_t size) {
  put_file(name, bytes, size);
  td_format found = TD_FORMAT_AUTO;
  td_error *error = NULL;
  if (typed(td_format_detect(TD_STR(inside(name)), &found, &error), error))
    hold(found > TD_FORMAT_MEMMAP && found <= TD_FORMAT_TORCH_SAVE, "a file is of a known format");
  const int strict = try_to_open(name, format, 0, 0), lenient = try_to_open(name, format, 1, 0);
  hold(lenient || !strict, "what is taken strictly is taken leniently");
}

static void consolidated(const uint8_t *bytes, size_t size) {
  file_of("file.td", TD_FORMAT_CONSOLIDATED, bytes, size);
}
const fuzz_target fuzz_consolidated = {"consolidated", consolidated, NULL, ".bin", 0};

static void safetensors(const uint8_t *bytes, size_t size) {
  file_of("file.safetensors", TD_FORMAT_SAFETENSORS, bytes, size);
}
const fuzz_target fuzz_safetensors = {"safetensors", safetensors, NULL, ".safetensors", 0};

static void torch_save(const uint8_t *bytes, size_t size) {
  if (!td_has_feature(TD_STR("archive"))) return;
  file_of("file.pt", TD_FORMAT_TORCH_SAVE, bytes, size);
}
const fuzz_target fuzz_torch_save = {"torch_save", torch_save, NULL, ".pt", 0};

static void hdf5(const uint8_t *bytes, size_t size) {
  if (!td_has_feature(TD_STR("hdf5"))) return;
  file_of("file.h5", TD_FORMAT_HDF5, bytes, size);
}
const fuzz_target fuzz_hdf5 = {"hdf5", hdf5, NULL, ".h5", 1};

/* Once as it is, and once with the checksums that its bytes have now: else few changes would get past them. */
static void archive(const uint8_t *bytes, size_t size) {
  if (!td_has_feature(TD_STR("archive"))) return;
  file_of("file.tdz", TD_FORMAT_ARCHIVE, bytes, size);
  td_error *error = NULL;
  typed(td_archive_verify(TD_STR(inside("file.tdz")), &error), error);
  error = NULL;
  watch(WATCH_WRITING);
  const td_status status = td_archive_refresh_checksums(TD_STR(inside("file.tdz")), &error);
  watch(WATCH_OFF);
  if (typed(status, error)) try_to_open("file.tdz", TD_FORMAT_ARCHIVE, 0, 0);
}
const fuzz_target fuzz_archive = {"archive", archive, NULL, ".tdz", 0};
