/* Maps of queries in shared memory and in files. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "support/files.h"
#include "support/query.h"

static char name[64], file[128];

static void pick_name(void) {
  snprintf(name, sizeof name, "td-map-%ld", (long)getpid());
  snprintf(file, sizeof file, "/dev/shm/%s", name);
  unlink(file);
  make_test_dir();
}

static void remove_name(void) {
  unlink(file);
  remove_test_dir();
}

TestSuite(query_files, .init = pick_name, .fini = remove_name, .timeout = 120);

static void share(td_query *query, td_query_share_options o) {
  must(td_query_share(query, TD_STR(name), &o, &err));
}
#define SHARE(...) ((td_query_share_options){.struct_size = sizeof(td_query_share_options), __VA_ARGS__})

static td_query *opened(td_str where, td_query_map_mode mode) {
  td_query *query = query_with(NULL);
  must(td_query_attach(query, where, mode, &err));
  return query;
}

static bool has(const td_string *text, const char *words) {
  return strstr(td_string_view(text).data, words) != NULL;
}

/* Looks `n` rows up that count from `first`: the indices, for the caller to release. */
static td_tensor *look_up(const td_query *query, int64_t first, int64_t n) {
  int64_t *values = malloc((size_t)(n + 1) * sizeof *values);
  for (int64_t i = 0; i < n; ++i) values[i] = first + i;
  td_dict *asked = rows_of(values, (size_t)n);
  td_tensor *indices;
  must(td_query_look_up(query, asked, &indices, &err));
  td_dict_release(asked);
  free(values);
  return indices;
}

static void add(td_query *query, int64_t first, int64_t n) {
  int64_t *values = malloc((size_t)n * sizeof *values);
  for (int64_t i = 0; i < n; ++i) values[i] = first + i;
  td_dict *rows = rows_of(values, (size_t)n);
  must(td_query_forward(query, rows, TD_QUERY_DEFAULT, &err));
  td_dict_release(rows);
  free(values);
}

/* The rows from 0 have their number as index up to `size`, and none from there on. */
static void expect_counted(const td_query *query, int64_t size) {
  td_tensor *indices = look_up(query, 0, size + 5);
  const int64_t *at = address(indices);
  for (int64_t i = 0; i < size + 5; ++i)
    cr_assert_eq(at[i], i < size ? i : -1, "row %lld has the index %lld", (long long)i, (long long)at[i]);
  td_tensor_release(indices);
  check(td_query_size(query) == size);
}

LeaklessTest(query_files, another_process_reads_what_this_one_adds) {
  enum { BATCH = 100, BATCHES = 300 };
  td_query *writer = query_with(NULL);
  add(writer, 0, BATCH);
  share(writer, SHARE(.capacity = BATCH * BATCHES));
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_query *reader = opened(TD_STR(name), TD_QUERY_MAP_READ);
    for (int64_t seen = 0, looks = 0; seen < BATCH * BATCHES || looks < 50; ++looks) {
      td_tensor *indices = look_up(reader, 0, BATCH * BATCHES);
      const int64_t *at = address(indices);
      int64_t there = 0;
      while (there < BATCH * BATCHES && at[there] == there) ++there;
      for (int64_t i = there; i < BATCH * BATCHES; ++i)
        if (at[i] != -1) _exit(1);
      if (there < seen || there % BATCH != 0) _exit(2); /* a batch comes atomically, and stays */
      seen = there;
      td_tensor_release(indices);
    }
    td_query_release(reader);
    _exit(0);
  }
  for (int64_t i = 1; i < BATCHES; ++i) add(writer, i * BATCH, BATCH);
  int status;
  check(waitpid(child, &status, 0) == child);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect_counted(writer, BATCH * BATCHES);
  td_dict *more = ROWS(-1, -2);
  expect_unchanged(writer, more, (failure){TD_ERR_NOSPACE, NULL, "room for 30000 rows"});
  td_dict_release(more);
  expect_counted(writer, BATCH * BATCHES);
  td_query_release(writer);
  check(access(file, F_OK) != 0); /* the name went with the writer */
}

/* A map of the rows 0, 1 and 2 whose name stays when its writer goes. */
static td_query *kept_map(void) {
  td_query *writer = query_with(NULL);
  add(writer, 0, 3);
  share(writer, SHARE(.keep = 1));
  return writer;
}

LeaklessTest(query_files, a_map_has_one_writer) {
  td_query *writer = kept_map(), *other = query_with(NULL);
  expect_error(td_query_attach(other, TD_STR(name), TD_QUERY_MAP_WRITE, &err), TD_ERR_LOCKED, NULL, "another");
  expect_error(td_query_share(other, TD_STR(name), NULL, &err), TD_ERR_EXISTS, NULL, "exists");
  expect_error(td_query_attach(other, TD_STR(name), 3, &err), TD_ERR_ARGUMENT, NULL, "3");
  expect_forward(other, ROWS(9), INDICES(0)); /* its own map is still there */
  td_query_release(writer);
  td_query_release(other);
}

LeaklessTest(query_files, a_reader_follows_the_writer_and_a_copy_goes_its_own_way) {
  td_query *writer = kept_map();
  td_query *reader = opened(TD_STR(name), TD_QUERY_MAP_READ), *copy = opened(TD_STR(name), TD_QUERY_MAP_COPY);
  td_dict *rows = ROWS(1, 7);
  expect_unchanged(reader, rows, (failure){TD_ERR_LOCKED, NULL, "reading only"});
  must(td_query_forward(reader, rows, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(rows, TD_KEY("_index"), INDICES(1, 3)); /* what is not there gets the size */
  td_dict_release(rows);
  expect_forward(copy, ROWS(7, 2, 8, 7), INDICES(3, 2, 4, 3));
  check(td_query_size(copy) == 5 && td_query_size(writer) == 3);
  expect_forward(writer, ROWS(8, 7), INDICES(3, 4)); /* which the copy has otherwise */
  expect_forward(copy, ROWS(8, 7), INDICES(4, 3));
  check(td_query_size(reader) == 5);
  td_query *const all[] = {writer, reader, copy};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_files, a_writer_that_goes_may_keep_the_name_and_lets_go_of_the_lock) {
  td_query *writer = kept_map(), *reader = opened(TD_STR(name), TD_QUERY_MAP_READ);
  expect_forward(writer, ROWS(8, 7), INDICES(3, 4));
  td_query_release(writer);
  writer = opened(TD_STR(name), TD_QUERY_MAP_WRITE);
  expect_forward(writer, ROWS(0, 7, 50), INDICES(0, 4, 5));
  check(td_query_size(reader) == 6);
  td_query_release(writer);
  td_query_release(reader);
}

LeaklessTest(query_files, a_forked_child_reads_the_map_of_a_writer_and_leaves_it_alone) {
  td_query_release(kept_map());
  td_query *writer = opened(TD_STR(name), TD_QUERY_MAP_WRITE);
  add(writer, 3, 3);
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_dict *mine = ROWS(77);
    td_status extended = td_query_forward(writer, mine, TD_QUERY_DEFAULT, NULL);
    td_status read = td_query_forward(writer, mine, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, NULL);
    td_query_release(writer); /* is the parent's: nothing happens to it */
    _exit(extended == TD_ERR_UNSUPPORTED && read == TD_OK ? 0 : 1);
  }
  int status;
  check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect_forward(writer, ROWS(51), INDICES(6));
  td_query_release(writer);
}

LeaklessTest(query_files, a_map_without_its_name_stays_for_those_who_have_it) {
  td_query *writer = kept_map(), *reader = opened(TD_STR(name), TD_QUERY_MAP_READ), *other = query_with(NULL);
  add(writer, 3, 4);
  must(td_query_unlink(TD_STR(name), &err));
  expect_error(td_query_unlink(TD_STR(name), &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_query_attach(other, TD_STR(name), TD_QUERY_MAP_READ, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_forward(writer, ROWS(52), INDICES(7));
  check(td_query_size(reader) == 8);
  td_query *const all[] = {writer, other, reader};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

static td_query *map_in_large_pages(void) {
  td_query *writer = query_with(NULL);
  add(writer, 0, 3);
  share(writer, SHARE(.large_pages = 1));
  return writer;
}

LeaklessTest(query_files, a_map_in_a_file_only_grows) {
  static const char why[] = "cannot be removed from a map in a file";
  td_query *writer = map_in_large_pages(), *copy = opened(TD_STR(name), TD_QUERY_MAP_COPY);
  td_dict *rows = ROWS(1), *state;
  int64_t erased = -1;
  expect_error(td_query_remove(writer, rows, &erased, &err), TD_ERR_UNSUPPORTED, NULL, why);
  expect_error(td_query_clear(writer, &err), TD_ERR_UNSUPPORTED, NULL, why);
  must(td_query_state(writer, &state, &err));
  expect_error(td_query_load_state(writer, state, 0, &err), TD_ERR_UNSUPPORTED, NULL, why);
  check(erased == -1);
  expect_counted(writer, 3);
  expect_error(td_query_remove(copy, rows, &erased, &err), TD_ERR_UNSUPPORTED, NULL, why);
  td_dict_release(rows);
  td_dict_release(state);
  td_query_release(writer);
  td_query_release(copy);
}

LeaklessTest(query_files, a_copy_that_has_grown_is_a_map_like_any_other) {
  td_query *writer = map_in_large_pages(), *copy = opened(TD_STR(name), TD_QUERY_MAP_COPY);
  td_dict *rows = ROWS(10), *state, *of_copy;
  int64_t erased = -1;
  must(td_query_state(writer, &state, &err));
  expect_forward(copy, ROWS(10, 11), INDICES(3, 4));
  must(td_query_remove(copy, rows, &erased, &err));
  check(erased == 1 && td_query_size(copy) == 4);
  must(td_query_state(copy, &of_copy, &err));
  td_query *loaded = query_with(NULL);
  must(td_query_load_state(loaded, of_copy, 0, &err));
  expect_forward(loaded, ROWS(2, 11, 12), INDICES(2, 4, 5));
  must(td_query_clear(copy, &err));
  expect_forward(copy, ROWS(2), INDICES(0));
  must(td_query_load_state(copy, state, 0, &err));
  expect_counted(copy, 3);
  td_dict *const dicts[] = {rows, state, of_copy};
  for (int i = 0; i < 3; ++i) td_dict_release(dicts[i]);
  td_query *const all[] = {writer, copy, loaded};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_files, a_locked_dict_takes_back_what_was_not_shown_to_anybody_yet) {
  td_query *writer = map_in_large_pages();
  td_dict *locked = ROWS(2, 90);
  must(td_dict_lock_(locked, &err));
  expect_unchanged(writer, locked, (failure){TD_ERR_LOCKED, NULL, NULL});
  expect_forward(writer, ROWS(91, 90), INDICES(3, 4));
  td_dict_release(locked);
  td_query_release(writer);
}

LeaklessTest(query_files, a_saved_map_is_there_at_once) {
  enum { N = 70000 };
  const char *path = path_of("%s/map", test_dir);
  td_query *query = query_with(NULL);
  add(query, 0, N);
  must(td_query_save(query, TD_STR(path), NULL, &err));
  td_query *reader = opened(TD_STR(path), TD_QUERY_MAP_READ), *copy = opened(TD_STR(path), TD_QUERY_MAP_COPY);
  expect_counted(reader, N);
  add(copy, N, 3000);
  expect_counted(copy, N + 3000);
  expect_counted(reader, N);

  expect_error(td_query_save(query, TD_STR(path), NULL, &err), TD_ERR_EXISTS, NULL, NULL);
  td_query_save_options o = TD_QUERY_SAVE_OPTIONS_INIT;
  o.overwrite = 1, o.capacity = N;
  expect_error(td_query_save(copy, TD_STR(path), &o, &err), TD_ERR_ARGUMENT, NULL, "70000");
  o.capacity = 5 * N;
  must(td_query_save(copy, TD_STR(path), &o, &err));
  expect_counted(reader, N); /* has the old file */
  td_query *writer = opened(TD_STR(path), TD_QUERY_MAP_WRITE);
  add(writer, N + 3000, 100000);
  td_query_release(reader);
  td_query_release(writer);
  reader = opened(TD_STR(path), TD_QUERY_MAP_READ);
  expect_counted(reader, N + 103000);
  td_query_statistics stats = TD_QUERY_STATISTICS_INIT;
  must(td_query_stats(reader, &stats, &err));
  check(stats.next == N + 103000 && stats.nbytes > 8 * stats.next && stats.nbytes < 64 * stats.next);
  expect_error(td_query_save(query, TD_STR("/nowhere/at/all"), NULL, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  td_query *const all[] = {query, reader, copy};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_files, holes_and_empty_maps_are_kept) {
  const char *path = path_of("%s/map", test_dir);
  td_query *query = query_with(NULL);
  must(td_query_save(query, TD_STR(path), NULL, &err));
  td_query *copy = opened(TD_STR(path), TD_QUERY_MAP_COPY);
  expect_forward(copy, ROWS(5, 6), INDICES(0, 1));
  td_query_release(copy);

  add(query, 0, 6);
  td_dict *gone = ROWS(0, 3, 5);
  must(td_query_remove(query, gone, NULL, &err));
  td_dict_release(gone);
  td_query_save_options o = TD_QUERY_SAVE_OPTIONS_INIT;
  o.overwrite = 1;
  must(td_query_save(query, TD_STR(path), &o, &err));
  td_query *reader = opened(TD_STR(path), TD_QUERY_MAP_READ);
  copy = opened(TD_STR(path), TD_QUERY_MAP_COPY);
  check(td_query_size(reader) == 3 && td_query_size(copy) == 3);
  td_tensor *indices = look_up(reader, 0, 6);
  expect_values(indices, VALUES(-1, 1, 2, -1, 4, -1));
  td_tensor_release(indices);
  expect_forward(copy, ROWS(3, 4), INDICES(6, 4));
  td_dict *state;
  must(td_query_state(copy, &state, &err));
  expect_int64(state, TD_KEY("values"), INDICES(1, 2, 4, 6));
  td_dict_release(state);
  share(query, SHARE(0));
  expect_forward(query, ROWS(0, 4), INDICES(6, 4));
  td_query *const all[] = {query, reader, copy};
  for (int i = 0; i < 3; ++i) td_query_release(all[i]);
}

LeaklessTest(query_files, other_hashes_and_other_kinds_of_maps_are_refused) {
  td_query_options o = TD_QUERY_OPTIONS_INIT;
  td_query *writer = query_with(NULL);
  add(writer, 0, 2);
  share(writer, SHARE(0));
  o.hash_config = TD_STR("{\"seed\":1}");
  td_query *seeded = query_with(&o);
  expect_error(td_query_attach(seeded, TD_STR(name), TD_QUERY_MAP_READ, &err), TD_ERR_ARGUMENT, NULL,
               "other hash types");
  o = (td_query_options)TD_QUERY_OPTIONS_INIT, o.exact = 1;
  td_query *exact = query_with(&o);
  expect_error(td_query_attach(exact, TD_STR(name), TD_QUERY_MAP_READ, &err), TD_ERR_UNSUPPORTED, NULL, "exact");
  expect_error(td_query_save(exact, TD_STR(path_of("%s/map", test_dir)), NULL, &err), TD_ERR_UNSUPPORTED, NULL,
               "exact");
  check(access(path_of("%s/map", test_dir), F_OK) != 0);
  expect_error(td_query_share(seeded, TD_STR("../x"), NULL, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_query_share(seeded, TD_STR("x"), &SHARE(.capacity = -1), &err), TD_ERR_ARGUMENT, NULL, "capacity");
  td_query_release(exact);

  /* What a hash draws at its first use comes with the map. */
  o = (td_query_options)TD_QUERY_OPTIONS_INIT, o.hash_type = TD_STR("td.random_projection");
  td_query *drawn = query_with(&o), *again = query_with(&o);
  const char *path = path_of("%s/drawn", test_dir);
  expect_error(td_query_save(drawn, TD_STR(path), NULL, &err), TD_ERR_ARGUMENT, NULL, "at its first use");
  td_dict *rows = new_dict(TD_SHAPE(3));
  put(rows, TD_KEY("a"), range_f32(TD_SHAPE(3, 4)));
  must(td_query_forward(drawn, rows, TD_QUERY_DEFAULT, &err));
  must(td_query_save(drawn, TD_STR(path), NULL, &err));
  must(td_query_attach(again, TD_STR(path), TD_QUERY_MAP_READ, &err));
  must(td_query_forward(again, rows, TD_QUERY_NO_EXTEND | TD_QUERY_NO_HASH, &err));
  expect_int64(rows, TD_KEY("_index"), INDICES(0, 1, 2));
  td_dict_release(rows);
  td_query *const all[] = {writer, seeded, drawn, again};
  for (int i = 0; i < 4; ++i) td_query_release(all[i]);
}

LeaklessTest(query_files, a_killed_writer_leaves_a_name_that_lists_and_prunes) {
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_query *writer = query_with(NULL);
    add(writer, 0, 4);
    share(writer, SHARE(0));
    raise(SIGKILL);
  }
  int status;
  check(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  td_query *reader = opened(TD_STR(name), TD_QUERY_MAP_READ);
  expect_counted(reader, 4);
  td_string *list;
  must(td_segment_list(TD_STR(name), &list, &err));
  check(has(list, "\"kind\":\"map\"") && has(list, "\"alive\":false"));
  td_string_release(list);
  td_query *writer = opened(TD_STR(name), TD_QUERY_MAP_WRITE);
  add(writer, 4, 4);
  int64_t removed = -1;
  must(td_segment_prune(TD_STR(name), &removed, &err));
  check(removed == 0);
  expect_counted(reader, 8);
  must(td_segment_list(TD_STR(name), &list, &err));
  check(has(list, "\"alive\":true"));
  td_string_release(list);
  td_query_release(writer); /* which owns the name now */
  check(access(file, F_OK) != 0);
  expect_counted(reader, 8);
  td_query_release(reader);
}

LeaklessTest(query_files, rows_are_stored_before_others_see_their_keys) {
  td_query *query = query_with(NULL);
  share(query, SHARE(0));
  td_query *reader = opened(TD_STR(name), TD_QUERY_MAP_READ);
  td_store *store;
  td_row_map *map;
  must(td_store_new(&(td_store_options){.struct_size = sizeof(td_store_options), .capacity = 2}, &store, &err));
  must(td_row_map_new(query, store, &map, &err));
  td_dict *two = ROWS(1, 2), *three = ROWS(1, 2, 3), *values = ROWS(10, 20), *more = ROWS(10, 20, 30), *got;
  expect_error(td_row_map_set(map, three, more, &err), TD_ERR_NOSPACE, NULL, NULL);
  check(td_query_size(reader) == 0);
  must(td_row_map_set(map, two, values, &err));
  check(td_query_size(reader) == 2);
  must(td_row_map_get(map, two, &got, &err));
  expect_int64(got, TD_KEY("a"), INDICES(10, 20));
  td_dict *const dicts[] = {two, three, values, more, got};
  for (int i = 0; i < 5; ++i) td_dict_release(dicts[i]);
  td_row_map_release(map);
  td_store_release(store);
  td_query_release(query);
  td_query_release(reader);
}

LeaklessTest(query_files, null_is_refused_wherever_it_stands) {
  td_query *query = query_with(NULL);
  expect_error(td_query_share(NULL, TD_STR(name), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_query_share(query, TD_NO_STR, NULL, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_query_save(NULL, TD_STR("/tmp/x"), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_query_save(query, TD_NO_STR, NULL, &err), TD_ERR_ARGUMENT, NULL, "path");
  expect_error(td_query_attach(NULL, TD_STR(name), TD_QUERY_MAP_READ, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_query_attach(query, TD_NO_STR, TD_QUERY_MAP_READ, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_query_unlink(TD_NO_STR, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_query_share(query, TD_STR(name), &(td_query_share_options){0}, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_query_save(query, TD_STR("/tmp/x"), &(td_query_save_options){0}, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(access(file, F_OK) != 0);
  td_query_release(query);
}

/* ---- Files that others made ---------------------------------------------------------------------------------------------- */

/* The bytes of a map of 300 rows, which is saved in the test's directory as "map". */
static char *saved_bytes(size_t *size) {
  const char *path = path_of("%s/map", test_dir);
  td_query *query = query_with(NULL);
  add(query, 0, 300);
  must(td_query_save(query, TD_STR(path), NULL, &err));
  td_query_release(query);
  return file_bytes(path, size);
}

static void expect_corrupt(td_query *target, const char *bytes, size_t size, int mode, const char *says) {
  const char *bad = path_of("%s/bad", test_dir);
  write_file(bad, bytes, size);
  expect_error(td_query_attach(target, TD_STR(bad), (td_query_map_mode)mode, &err), TD_ERR_CORRUPT, NULL, says);
}

LeaklessTest(query_files, no_file_is_trusted) {
  size_t size = 0;
  char *bytes = saved_bytes(&size);
  td_query *target = query_with(NULL);
  for (size_t cut = 0; cut < size; cut += cut < 300 ? 7 : 1021)
    expect_corrupt(target, bytes, cut, TD_QUERY_MAP_READ, NULL);
  for (size_t bit = 0; bit < 8 * 256; bit += 3) { /* the header */
    bytes[bit / 8] ^= (char)(1 << bit % 8);
    expect_corrupt(target, bytes, size, (int)(bit % 3), NULL);
    bytes[bit / 8] ^= (char)(1 << bit % 8);
  }
  static const size_t elsewhere[] = {4095, 8192}; /* what is reserved, and what made the hashes */
  for (int i = 0; i < 2; ++i) {
    bytes[elsewhere[i]] ^= 1;
    expect_corrupt(target, bytes, size, TD_QUERY_MAP_COPY, NULL);
    bytes[elsewhere[i]] ^= 1;
  }
  expect_forward(target, ROWS(4), INDICES(0));
  free(bytes);
  td_query_release(target);
}

LeaklessTest(query_files, no_count_of_a_file_is_trusted) {
  size_t size = 0;
  char *bytes = saved_bytes(&size);
  td_query *target = query_with(NULL);
  static const size_t words[] = {4096, 4096 + 128}; /* the count and the generation have no checksum */
  for (int i = 0; i < 2; ++i)
    for (int mode = 0; mode < 3; ++mode) {
      int64_t kept, impossible = mode == 1 ? -1 : 1 << 20;
      memcpy(&kept, bytes + words[i], sizeof kept);
      memcpy(bytes + words[i], &impossible, sizeof impossible);
      expect_corrupt(target, bytes, size, mode, "capacity");
      memcpy(bytes + words[i], &kept, sizeof kept);
    }
  expect_forward(target, ROWS(4), INDICES(0));
  free(bytes);
  td_query_release(target);
}

LeaklessTest(query_files, no_slot_of_a_file_is_trusted) {
  size_t size = 0;
  char *bytes = saved_bytes(&size);
  const char *bad = path_of("%s/bad", test_dir);
  uint64_t random = 88172645463325252u;
  for (int round = 0; round < 300; ++round) { /* hashes and slots may be anything */
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    for (int i = 0; i < 1 + round; ++i) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      copy[12288 + random % (size - 12288)] ^= (char)(1 << (random >> 40) % 8);
    }
    if (round > 290) memset(copy + 12288, 0xff, size - 12288);
    write_file(bad, copy, size);
    free(copy);
    td_query *any = opened(TD_STR(bad), (td_query_map_mode)(round % 3));
    td_tensor *indices = look_up(any, 0, 400);
    const int64_t *at = address(indices);
    for (int i = 0; i < 400; ++i) check(at[i] >= -1 && at[i] < 300);
    td_tensor_release(indices);
    td_dict *rows = ROWS(1, 299, 7000), *state;
    const td_status status = td_query_forward(any, rows, TD_QUERY_DEFAULT, NULL);
    check(status == TD_OK || status == (round % 3 ? TD_ERR_NOSPACE : TD_ERR_LOCKED));
    td_dict_release(rows);
    must(td_query_state(any, &state, &err));
    td_dict_release(state);
    td_query_release(any);
  }
  free(bytes);
}

LeaklessTest(query_files, directories_and_links_are_no_maps) {
  size_t size = 0;
  free(saved_bytes(&size));
  td_query *target = query_with(NULL);
  expect_error(td_query_attach(target, TD_STR(test_dir), TD_QUERY_MAP_READ, &err), TD_ERR_CORRUPT, NULL, NULL);
  check(symlink(path_of("%s/map", test_dir), path_of("%s/link", test_dir)) == 0);
  expect_error(td_query_attach(target, TD_STR(path_of("%s/link", test_dir)), TD_QUERY_MAP_READ, &err), TD_ERR_CORRUPT,
               NULL, "link");
  expect_forward(target, ROWS(4), INDICES(0));
  td_query_release(target);
}
