/* Ports for servers of tests. */
#ifndef TESTS_PORTS_H
#define TESTS_PORTS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/calls.h"

/* A port that was free a moment ago. */
static inline int free_port(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof a;
  check(bind(fd, (struct sockaddr *)&a, size) == 0 && getsockname(fd, (struct sockaddr *)&a, &size) == 0);
  close(fd);
  return ntohs(a.sin_port);
}

#endif
