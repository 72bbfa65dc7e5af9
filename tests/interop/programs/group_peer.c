/* A rank of a group beside ranks of stock Python.
 *
 *   group_peer STORE RANK SIZE SERVE    opens the group, then obeys lines on stdin; each is answered by the leaves of a
 *                                       dict, if it makes one, and by a line with the name of the status
 *   group_peer version                  prints what the library is built of
 */
#include "saves.h"

static const char note[] = "gr\xC3\xBC\xC3\x9F";
static const char list[] = "[1, 2.5, null, {\"x\": -9223372036854775808}]";

static td_group *group;

/* What can be reduced, with a dict between two tensors. */
static td_dict *numbers(float value) {
  td_dict *d = NULL;
  const float f[] = {value, value, value, value, value, value};
  const int64_t n = (int64_t)value;
  check(td_dict_new(NULL, 0, NULL, &d, &err));
  put(d, TD_KEY("b"), TD_DTYPE_FLOAT32, f, TD_SHAPE(3));
  put(d, TD_KEY("below", "z"), TD_DTYPE_INT64, &n, TD_SHAPE(1));
  put(d, TD_KEY("below", "none"), TD_DTYPE_FLOAT32, f, TD_SHAPE(0));
  put(d, TD_KEY("below", "c"), TD_DTYPE_COMPLEX64, f, TD_SHAPE(2));
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, f, TD_SHAPE(2, 2));
  return d;
}

/* Two rows of it. */
static td_dict *rows(float value) {
  td_dict *one = numbers(value), *both = NULL;
  check(td_dict_stack((const td_dict *[]){one, one}, 2, 0, &both, &err));
  td_dict_release(one);
  return both;
}

static void answer(td_status status, const td_dict *d) {
  if (status == TD_OK && d) show(d);
  printf("%s\t%s\n", td_status_name(status).data, err ? td_error_message(err).data : "");
  fflush(stdout);
  td_error_release(err), err = NULL;
}

/* Waits in slices, which does no harm to the transfer. */
static td_status wait_for(td_work *work) {
  td_status status;
  do {
    td_error_release(err), err = NULL;
    status = td_work_wait(work, 20, NULL, &err);
  } while (status == TD_ERR_TIMEOUT);
  td_work_release(work);
  return status;
}

static void obey(const char *verb, int32_t rank, float value, int option) {
  td_transfer_options transfer = TD_TRANSFER_OPTIONS_INIT;
  td_group_reduce_options reduce = TD_GROUP_REDUCE_OPTIONS_INIT;
  td_dict *d = !strncmp(verb, "reduce", 6) || !strcmp(verb, "all_reduce") ? numbers(value) : example(value),
          *got = NULL;
  td_work *work = NULL;
  td_status status = TD_OK;
  transfer.by_leaf = option & 1, transfer.pseudo_rand = (option & 2) != 0, transfer.tag = option >> 2;
  reduce.bucket_bytes = option;
  if (!strcmp(verb, "send")) {
    answer(td_dict_send(d, group, rank, &transfer, &err), NULL);
  } else if (!strcmp(verb, "recv")) {
    answer(td_dict_recv(d, group, rank, &transfer, &err), d);
  } else if (!strcmp(verb, "isend")) {
    check(td_dict_isend(d, group, rank, &transfer, &work, &err));
    answer(wait_for(work), NULL);
  } else if (!strcmp(verb, "irecv")) {
    check(td_dict_irecv(d, group, rank, &transfer, &work, &err));
    answer(wait_for(work), d);
  } else if (!strcmp(verb, "init")) {
    check(td_dict_set_data(d, TD_KEY("n", "note"), TD_DATA(td_data_str(TD_STR(note))), &err));
    check(td_dict_set_data(d, TD_KEY("list"), TD_DATA(td_data_json(TD_STR(list))), &err));
    answer(td_dict_init_remote(d, group, rank, &err), NULL);
  } else if (!strcmp(verb, "from_init") || !strcmp(verb, "broadcast")) {
    const int sends = td_group_rank(group) == rank;
    status = verb[0] == 'f' ? td_dict_from_remote_init(group, rank, &got, &err)
                            : td_dict_broadcast(sends ? d : NULL, group, rank, &got, &err);
    if (status == TD_OK) {
      td_string *text = NULL;
      check(td_dict_repr(got, 0, &text, &err));
      for (const char *c = td_string_view(text).data; *c; ++c) putchar(*c == '\n' ? ' ' : *c);
      putchar('\n');
      td_string_release(text);
    }
    answer(status, got);
  } else if (!strcmp(verb, "all_reduce")) {
    answer(td_dict_all_reduce(d, group, &reduce, &err), d);
  } else if (!strcmp(verb, "reduce")) {
    answer(td_dict_reduce_to(d, group, rank, &reduce, &err), d);
  } else if (!strcmp(verb, "all_gather")) {
    td_dict_list *list = NULL;
    status = td_dict_all_gather(d, group, &list, &err);
    for (size_t i = 0; status == TD_OK && i < td_dict_list_size(list); ++i) {
      check(td_dict_list_get(list, i, &got, &err));
      show(got), puts("-");
      td_dict_release(got), got = NULL;
    }
    td_dict_list_release(list);
    answer(status, NULL);
  } else if (!strcmp(verb, "gather_and_stack")) {
    td_dict_release(d), d = td_group_rank(group) == rank ? rows(0) : numbers(value);
    answer(td_dict_gather_and_stack(d, group, rank, &err), d);
  } else {
    answer(TD_ERR_ARGUMENT, NULL);
  }
  td_dict_release(got), td_dict_release(d);
}

int main(int argc, char **argv) {
  td_group_options options = TD_GROUP_OPTIONS_INIT;
  if (argc == 2 && !strcmp(argv[1], "version")) {
    td_string *info = NULL;
    check(td_build_info(&info, &err));
    return puts(td_string_view(info).data) < 0;
  }
  if (argc != 5) return fprintf(stderr, "usage: group_peer STORE RANK SIZE SERVE\n"), 2;
  options.rank = atoi(argv[2]), options.size = atoi(argv[3]), options.serve = atoi(argv[4]) != 0;
  options.serve_everywhere = 1, options.timeout_ms = 30000;
  const td_status status = td_group_open(TD_STR(argv[1]), &options, &group, &err);
  answer(status, NULL);
  for (char line[256], verb[32]; status == TD_OK && fgets(line, sizeof line, stdin);) {
    int rank = 0, option = 0;
    float value = 0;
    if (sscanf(line, "%31s %d %f %d", verb, &rank, &value, &option) >= 1) obey(verb, rank, value, option);
  }
  td_group_release(group);
  return 0;
}
