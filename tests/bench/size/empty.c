/* The smallest plugin there could be, and the floor of the time that loading a library takes. */
__attribute__((visibility("default"))) int empty_symbol = 1;
