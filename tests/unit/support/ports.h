/* Ports for servers of tests and of the benchmark, in C and C++. */
#ifndef TESTS_PORTS_H
#define TESTS_PORTS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A port that was free a moment ago; 0 if none could be had. */
static inline int free_port(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a;
  memset(&a, 0, sizeof a);
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof a;
  struct sockaddr *where = (struct sockaddr *)&a;
  const int good = bind(fd, where, size) == 0 && getsockname(fd, where, &size) == 0;
  close(fd);
  return good ? ntohs(a.sin_port) : 0;
}

#endif
