/* Memmap directories. The leaves are there already, and so are directories that a meta.json may name; the input is the
 * meta.json files and what lies beside them, with a byte 0xFF between one and the next. */
#include "support/fuzz.h"

static const char leaf[96] = "0123456789 some bytes for tensors";

static const char plain[] =
    "{\"a\":{\"device\":\"cpu\",\"shape\":[2,3],\"dtype\":\"torch.float32\",\"is_nested\":false},"
    "\"shape\":[2],\"device\":\"cpu\",\"_type\":\"<class 'tensordict._td.TensorDict'>\"}";
static const char pickled[] =
    "{\"_type\":\"<class 'tensordict.tensorclass.NonTensorData'>\",\"_is_non_tensor\":true,\"_metadata\":null}";
static const char pickled_stack[] =
    "{\"_type\":\"<class "
    "'tensordict.tensorclass.NonTensorStack'>\",\"stack_dim\":0,\"device\":null,\"data\":\"pickle.pkl\"}";
/* Dicts that hold such data, as their batch sizes are what is unpickled: one that may be true, and one that is not. */
static const char holder[] =
    "{\"d\":{\"type\":\"NonTensorStack\"},\"shape\":[3],\"device\":\"cpu\","
    "\"_type\":\"<class 'tensordict._td.TensorDict'>\"}";

static const char large_holder[] =
    "{\"d\":{\"type\":\"NonTensorStack\"},\"shape\":[4096,4096],\"device\":\"cpu\","
    "\"_type\":\"<class 'tensordict._td.TensorDict'>\"}";

static void put_plain(const char *below) {
  char name[64];
  snprintf(name, sizeof name, "%smeta.json", below);
  put_file(name, plain, sizeof plain - 1);
  snprintf(name, sizeof name, "%sa.memmap", below);
  put_file(name, leaf, 24);
}

static void begin(void) {
  static const char *const below[] = {"m/", "m/n/", "m/0/", "m/1/", "m/_tensordict/", "m/_source/"};
  for (size_t i = 0; i < sizeof below / sizeof *below; ++i) put_plain(below[i]);
  put_file("m/a.memmap", leaf, sizeof leaf);
  put_file("m/b.memmap", leaf, sizeof leaf);
  put_file("m/s.memmap", leaf, 4);
  /* Whoever gets here has left the directory. */
  put_plain("");
}

static void open_directory(const char *name, td_bool lenient) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.lenient = lenient;
  options.mode = lenient ? TD_OPEN_COW : TD_OPEN_READ;
  td_dict *dict = NULL;
  td_error *error = NULL;
  watch(WATCH_READING);
  if (typed(td_open(TD_STR(inside(name)), &options, &dict, &error), error)) look_at(dict);
  watch(WATCH_OFF);
  td_dict_release(dict);
}

static void run(const uint8_t *bytes, size_t size) {
  static const char *const files[] = {"m/meta.json", "m/n/meta.json", "m/other.pickle", "m/pickle.pkl",
                                      "m/a.shape.memmap"};
  bytes_left left = {bytes, size}, part;
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (take_part(&left, &part))
      put_file(files[i], part.at, part.size);
    else if (i == 1)
      put_file(files[i], plain, sizeof plain - 1);
    else
      drop_file(files[i]);
  }
  open_directory("m", 0);
  open_directory("m", 1);
}
const fuzz_target fuzz_memmap = {"memmap", run, begin, "meta.json", 0};

/* The input is the pickle of a value, and of the list of a stack. */
static void begin_pickle(void) {
  put_file("p/meta.json", pickled, sizeof pickled - 1);
  put_file("q/meta.json", holder, sizeof holder - 1);
  put_file("q/d/meta.json", pickled_stack, sizeof pickled_stack - 1);
  put_file("r/meta.json", large_holder, sizeof large_holder - 1);
  put_file("r/d/meta.json", pickled_stack, sizeof pickled_stack - 1);
}

static void run_pickle(const uint8_t *bytes, size_t size) {
  put_file("p/other.pickle", bytes, size);
  put_file("q/d/pickle.pkl", bytes, size);
  put_file("r/d/pickle.pkl", bytes, size);
  open_directory("p", 0);
  open_directory("q", 0);
  open_directory("r", 0);
}
const fuzz_target fuzz_pickle = {"pickle", run_pickle, begin_pickle, "other.pickle", 0};
