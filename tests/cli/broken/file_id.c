/* Its id has a space in it.   expect: descriptor */
#define TYPE_ID "broken.my hash"
#include "hash.h"
