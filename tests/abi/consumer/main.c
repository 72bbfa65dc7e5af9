#include <stdio.h>
#include <tensordict.h>

int main(void) {
  td_dict *td = NULL;
  td_status status = td_dict_new(TD_SHAPE(32), NULL, &td, NULL);
  td_dict_release(td);
  printf("%s, ABI %d: %s\n", td_version().data, (int)td_abi_version(), status == TD_OK ? "works" : "fails");
  return status != TD_OK || td_abi_version() != TD_ABI_MAJOR;
}
