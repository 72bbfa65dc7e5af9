// Dicts on a server, as redis:// and unix:// URLs name them.
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include "tensordict.h"

int is_url(const char *path);

// Makes the dict on the server and fills it in one transaction. Ends the process on failure, which leaves nothing there.
void put_remote(const td_dict *dict, const char *url);

#endif
