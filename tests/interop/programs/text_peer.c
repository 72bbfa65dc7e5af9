/* The library's side of test_text.py.
 *
 *   print DIR   prints each tensor of a save, in the order of the keys "0", "1", ..., and a NUL after each
 */
#include <stdio.h>
#include <string.h>

#include "peer.h"

int main(int argc, char **argv) {
  if (argc != 3 || strcmp(argv[1], "print") != 0) {
    fprintf(stderr, "usage: text_peer print DIR\n");
    return 2;
  }
  td_dict *d = NULL;
  check(td_open(TD_STR(argv[2]), NULL, &d, &err));
  const size_t n = td_dict_count(d);
  for (size_t i = 0; i < n; ++i) {
    char key[32];
    snprintf(key, sizeof key, "%zu", i);
    td_tensor *t = NULL;
    td_string *text = NULL;
    check(td_dict_get(d, TD_KEY(key), &t, &err));
    check(td_tensor_repr(t, &text, &err));
    const td_str view = td_string_view(text);
    fwrite(view.data, 1, view.size + 1, stdout);
    td_string_release(text);
    td_tensor_release(t);
  }
  td_dict_release(d);
  return 0;
}
