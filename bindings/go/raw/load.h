// Fills the table of functions from a library. Returns what the dynamic loader says if it fails; the table stays empty
// if the library has another ABI, which `abi` receives.
const char *td_go_load(const char *file, int *abi);
// The number of functions, and the name of one if the table lacks it.
int td_go_count(void);
const char *td_go_missing(int i);
