// A channel, looked at from outside.
#ifndef CLI_CHANNEL_H
#define CLI_CHANNEL_H

#include "tensordict.h"

// Prints the state of the channel as an observer sees it, and gives the structure of its messages, to be released.
// Ends the process on failure. With `json` the members of an object, without its braces.
td_dict *show_channel(const char *name, int json);

#endif
