/* The library's side of test_data.py: non-tensor data, one command a process.
 *
 *   save DIR       saves a dict that test_data.py knows by heart
 *   copy FROM TO   opens a save and saves it again
 *   show DIR       prints the repr
 *   own NAME       creates a segment of the same dict, prints its path, ends with stdin
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "serve.h"

static td_dict *example(void) {
  td_dict *d = NULL, *deep = NULL;
  td_tensor *x = NULL;
  td_data two[] = {td_data_str(TD_STR("it's")), td_data_double(2.5)},
          four[] = {td_data_int(1), td_data_none(), td_data_bool(1), td_data_str(TD_STR("d"))};
  check(td_dict_new(TD_SHAPE(2), NULL, &d, &err));
  check(td_dict_new(TD_SHAPE(2, 2), NULL, &deep, &err));
  check(td_tensor_zeros(TD_SHAPE(2, 3), TD_DTYPE_FLOAT32, TD_NO_STR, &x, &err));
  check(td_dict_set(d, TD_KEY("x"), x, &err));
  check(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("h\xC3\xA9\n"))), &err));
  check(td_dict_set_data(d, TD_KEY("n", "json"),
                         TD_DATA(td_data_json(TD_STR("{\"k\": [1, null, 1e16], \"\\u0436\": {}}"))), &err));
  check(td_dict_set_data(d, TD_KEY("inf"), TD_DATA(td_data_double(-1e300 * 1e300)), &err));
  check(td_dict_set_data_stack(d, TD_KEY("n", "two"), two, 2, &err));
  check(td_dict_set_data_stack(deep, TD_KEY("four"), four, 4, &err));
  check(td_dict_set_dict(d, TD_KEY("deep"), deep, &err));
  td_tensor_release(x);
  td_dict_release(deep);
  return d;
}

static int run(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (!strcmp(command, "save")) {
    d = example();
    check(td_save(d, TD_STR(argv[2]), NULL, &err));
  } else if (!strcmp(command, "copy") && argc == 4) {
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_save(d, TD_STR(argv[3]), NULL, &err));
  } else if (!strcmp(command, "show")) {
    td_string *text = NULL;
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_dict_repr(d, 0, &text, &err));
    printf("%s\n", td_string_view(text).data);
    td_string_release(text);
  } else if (!strcmp(command, "own")) {
    td_segment *s = NULL;
    d = example();
    check(td_segment_create(TD_STR(argv[2]), d, NULL, &s, &err));
    puts(td_segment_path(s).data), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) continue;
    td_segment_release(s);
  } else {
    fprintf(stderr, "usage: data_peer save|copy|show|own ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}

MAIN_THAT_SERVES(run)
