/* It goes on using the weights that it was made with.   expect: functional */
#define AT_CREATE(made) host->tensor_retain((made)->weight)
#define DESTROY(self) (the_host->tensor_release(((layer *)(self))->weight), free(self))
#define FORWARD op(f, "matmul", T(x), T((self)->weight))
#include "module.h"
