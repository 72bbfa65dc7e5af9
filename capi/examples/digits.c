/* Handwritten digits, from the file that Python wrote to a second process in another language, with no copy on the way.
 *
 *     digits DATA_DIR [RUST_READER]
 *
 * 1. opens the data, 2. looks for duplicates, 3. trains eight networks at once, 4. hands the predictions to a Rust
 * process through shared memory and corrects one of them there, 5. lets stock Python look too.
 */
#include "digits/digits.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRAIN = 1437, EPOCHS = 100 };

static td_segment *shared;
static char shared_path[256];

static void release_segment(void) {
  td_segment_release(shared);
}

static void on_signal(int number) {
  unlink(shared_path);
  _exit(128 + number);
}

static td_dict *open_data(const char *directory) {
  char path[3072], file[4096];
  snprintf(path, sizeof path, "%s/memmap", directory);
  double start = seconds();
  td_dict *data;
  td_string *text;
  must(td_open(TD_STR(path), NULL, &data, &err));
  double opened = seconds() - start;
  must(td_dict_repr(data, 0, &text, &err));

  int copies = 0;
  const char *const keys[] = {"image", "label"};
  for (int i = 0; i < 2; i++) {
    char link[4096];
    snprintf(link, sizeof link, "%s/%s.memmap", path, keys[i]);
    td_tensor *tensor = get(data, keys[i]);
    copies += !realpath(link, file) || is_copy(tensor, file);
    td_tensor_release(tensor);
  }
  printf("1. The data, as Python saved it\n%s\n", td_string_view(text).data);
  printf("   opened in %.2f ms; %" PRId64 " bytes mapped, copies made: %d\n\n", opened * 1e3, td_live_bytes(), copies);
  td_string_release(text);
  return data;
}

/* How many rows equal an earlier one. */
static int64_t count_duplicates(const char *key, td_tensor *rows) {
  td_dict *dict;
  td_query *query;
  int64_t n;
  td_tensor_shape(rows, &n, 1);
  must(td_dict_new(&n, 1, NULL, &dict, &err));
  must(td_dict_set(dict, TD_KEY(key), rows, &err));
  must(td_query_new(TD_KEY(key), 1, NULL, &query, &err));
  must(td_query_forward(query, dict, TD_QUERY_DEFAULT, &err));
  int64_t duplicates = n - td_query_size(query);
  td_query_release(query);
  td_dict_release(dict);
  return duplicates;
}

static void find_duplicates(const td_dict *data) {
  double start = seconds();
  td_tensor *image = get(data, "image");
  td_tensor *bits = OP("gt", T(image), td_value_int(7));
  int64_t exact = count_duplicates("image", image), coarse = count_duplicates("bits", bits);
  printf("2. Duplicates among %" PRId64 " images, by SipHash of the rows (%.1f ms)\n", td_dict_len(data),
         (seconds() - start) * 1e3);
  printf("   equal in all pixels: %" PRId64 "; equal to an earlier one in black and white: %" PRId64 "\n\n", exact,
         coarse);
  td_tensor_release(bits);
  td_tensor_release(image);
}

/* {"pixels": float [n, 64] from 0 to 1, "label": int64 [n], "row": int64 [n]} */
static td_dict *as_features(const td_dict *data) {
  td_dict *out;
  int64_t n = td_dict_len(data);
  td_tensor *image = get(data, "image");
  td_tensor *flat = OP("flatten", T(image), td_value_int(1));
  must(td_dict_new(&n, 1, NULL, &out, &err));
  put(out, "pixels", OP("div", T(flat), td_value_double(16)));
  put(out, "label", get(data, "label"));
  put(out, "row", OP("arange", td_value_int(n)));
  td_tensor_release(flat);
  td_tensor_release(image);
  return out;
}

/* The share of right answers along the last dim, [...]. */
static td_tensor *accuracy(const td_tensor *probability, const td_tensor *label) {
  td_tensor *guess = OP("argmax", T(probability), td_value_int(-1));
  td_tensor *right = OP("eq", T(guess), T(label));
  td_tensor *number, *share;
  must(td_tensor_to(right, TD_DTYPE_FLOAT32, TD_NO_STR, &number, &err));
  share = OP("mean", T(number), td_value_ints((const int64_t[]){-1}, 1));
  td_tensor_release(number), td_tensor_release(right), td_tensor_release(guess);
  return share;
}

/* Trains, prints what came out, and returns the predictions for the rows that were held back, a dict for the
 * segment. */
static td_dict *classify(const td_dict *data) {
  td_generator *generator;
  td_dict *features = as_features(data), *train, *test, *out;
  int64_t n = td_dict_len(features), held_back = n - TRAIN;
  must(td_generator_new(0, &generator, &err));
  td_named_value seeded = {{"generator", TD_STRLEN}, td_value_generator(generator)};
  td_tensor *order = op("randperm", (td_value[]){td_value_int(n)}, 1, &seeded);
  td_tensor *first = OP("narrow", T(order), td_value_int(0), td_value_int(0), td_value_int(TRAIN));
  td_tensor *rest = OP("narrow", T(order), td_value_int(0), td_value_int(TRAIN), td_value_int(held_back));
  train = rows_of(features, first);
  test = rows_of(features, rest);

  printf("3. %d networks of 64-64-10 units trained together\n", MEMBERS);
  fflush(stdout);
  double start = seconds();
  ensemble members = ensemble_train(train, EPOCHS, generator);
  double spent = seconds() - start;
  td_tensor *each = ensemble_probability(&members, test);
  td_tensor *mean = OP("mean", T(each), td_value_ints((const int64_t[]){0}, 1));
  td_tensor *label = get(test, "label"), *alone = accuracy(each, label), *together = accuracy(mean, label);
  const void *shares, *share;
  must(td_tensor_data(alone, &shares, &err));
  must(td_tensor_data(together, &share, &err));
  printf("   %d rows, %d epochs in %.1f s; accuracy on the %" PRId64 " other rows:\n   alone   ", TRAIN, EPOCHS, spent,
         held_back);
  for (int i = 0; i < MEMBERS; i++) printf(" %.4f", ((const float *)shares)[i]);
  printf("\n   together %.4f\n\n", *(const float *)share);
  if (*(const float *)share < 0.93f) fail("the ensemble", "it has not learned to read");

  must(td_dict_new(&held_back, 1, NULL, &out, &err));
  put(out, "prediction", OP("argmax", T(mean), td_value_int(-1)));
  put(out, "probability", mean);
  put(out, "row", get(test, "row"));
  td_tensor_release(together), td_tensor_release(alone), td_tensor_release(label), td_tensor_release(each);
  ensemble_release(&members);
  td_dict_release(test), td_dict_release(train), td_dict_release(features);
  td_tensor_release(rest), td_tensor_release(first), td_tensor_release(order);
  td_generator_release(generator);
  return out;
}

static void publish(const td_dict *predictions) {
  char name[64];
  snprintf(name, sizeof name, "td-digits-%ld", (long)getpid());
  double start = seconds();
  must(td_segment_create(TD_STR(name), predictions, NULL, &shared, &err));
  double spent = seconds() - start;
  atexit(release_segment);
  snprintf(shared_path, sizeof shared_path, "%s", td_segment_path(shared).data);
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  signal(SIGHUP, on_signal);
  printf("4. Predictions in shared memory: %s, %" PRId64 " bytes, written in %.2f ms\n", shared_path,
         td_segment_nbytes(shared), spent * 1e3);
  fflush(stdout);
}

/* Corrects the first wrong prediction, in the memory that the others have open. Returns its position. */
static int64_t correct_one(const td_dict *data, td_dict *predictions) {
  td_tensor *label = get(data, "label"), *row = get(predictions, "row"), *prediction = get(predictions, "prediction");
  const void *labels, *rows;
  void *values;
  must(td_tensor_data(label, &labels, &err));
  must(td_tensor_data(row, &rows, &err));
  must(td_tensor_mutable_data(prediction, &values, &err));
  const int64_t *truth = labels, *source = rows;
  int64_t at = 0, n = td_tensor_numel(prediction), *value = values;
  while (at < n - 1 && value[at] == truth[source[at]]) at++;
  int64_t before = value[at];
  value[at] = before == truth[source[at]] ? (before + 1) % CLASSES : truth[source[at]];

  double start = seconds();
  must(td_segment_update(shared, predictions, &err));
  printf("   this process changes row %" PRId64 " in place: %" PRId64 " -> %" PRId64 " (%.3f ms)\n", source[at], before,
         value[at], (seconds() - start) * 1e3);
  fflush(stdout);
  td_tensor_release(prediction), td_tensor_release(row), td_tensor_release(label);
  return at;
}

static void show_python(int64_t at, int64_t value) {
  const char *python = getenv("PYTHON") ? getenv("PYTHON") : "python3";
  char command[4096];
  snprintf(command, sizeof command,
           "'%s' -c 'import importlib.util, sys\n"
           "if not importlib.util.find_spec(\"tensordict\"): sys.exit(42)\n"
           "from tensordict import TensorDict, __version__\n"
           "td = TensorDict.from_consolidated(\"%s\")\n"
           "value = td[\"prediction\"][%" PRId64
           "].item()\n"
           "print(f\"   python | tensordict {__version__}, from_consolidated: prediction {value} in {td.batch_size[0]} "
           "rows\")\n"
           "sys.exit(value != %" PRId64 ")' 2>&1",
           python, shared_path, at, value);
  printf("5. Stock Python opens the same memory\n");
  fflush(stdout);
  int status = system(command);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (code == 42 || code == 127) {
    printf("   %s has no tensordict; PYTHON=... names one that has. It would run\n", python);
    printf("   TensorDict.from_consolidated(\"%s\")\n", shared_path);
  } else if (code != 0) {
    fail("stock Python", "it failed, or does not see the change");
  }
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: digits DATA_DIR [RUST_READER]\n");
    return 2;
  }
  must(td_set_num_threads(1, &err)); /* for matrices as small as these, a second thread costs more than it brings */
  td_dict *data = open_data(argv[1]);
  find_duplicates(data);
  td_dict *predictions = classify(data);
  publish(predictions);

  reader rust = {0};
  if (argc == 3) {
    rust = reader_start(argv[2], strrchr(shared_path, '/') + 1, argv[1]);
    reader_print(&rust);
  } else {
    printf("   no Rust reader was given: only this process looks\n");
  }
  int64_t at = correct_one(data, predictions);
  td_tensor *prediction = get(predictions, "prediction"), *row = get(predictions, "row");
  const void *values, *rows;
  must(td_tensor_data(prediction, &values, &err));
  must(td_tensor_data(row, &rows, &err));
  if (argc == 3) {
    reader_tell(&rust, ((const int64_t *)rows)[at]);
    reader_print(&rust);
    reader_finish(&rust);
  }
  printf("\n");
  show_python(at, ((const int64_t *)values)[at]);

  td_tensor_release(row), td_tensor_release(prediction);
  td_dict_release(predictions), td_dict_release(data);
  return 0;
}
