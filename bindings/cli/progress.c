#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "text.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void draw(progress *self, int64_t done, int64_t total, double seconds) {
  char bar[31] = "";
  double part = total > 0 ? (double)done / (double)total : 1;
  size_t full = (size_t)(part * 30);
  memset(bar, '#', full);
  memset(bar + full, '.', 30 - full);
  text t = {0};
  text_bytes(&t, done);
  text_str(&t, " of ");
  text_bytes(&t, total);
  if (seconds > 0.01) {  // else there is no rate yet
    text_str(&t, ", ");
    text_bytes(&t, (int64_t)((double)done / seconds));
    text_str(&t, "/s");
  }
  fprintf(stderr, "\r%s [%s] %3.0f%% %s\033[K", self->label, bar, part * 100, t.data);
  fflush(stderr);
  text_clear(&t);
  self->drawn = 1;
}

static void show(progress *self, int64_t done, int64_t total) {
  double t = now();
  if (!self->label || (!self->always && t - self->begun <= 0.3) || (t - self->shown <= 0.1 && done != total)) return;
  draw(self, done, total, t - self->begun);
  self->shown = t;
}

static td_status step(void *userdata, int64_t done, int64_t total, td_error **err) {
  progress *self = userdata;
  if (interrupted) {
    self->stopped = 1;
    *err = td_error_new(TD_ERR_CALLBACK, TD_STR("interrupted"));
    return TD_ERR_CALLBACK;
  }
  show(self, done, total);
  return TD_OK;
}

static void want(progress *self, const char *label, int wanted) {
  self->begun = now();
  self->always = wanted == 2;
  if (wanted == 2 || (wanted && isatty(STDERR_FILENO))) self->label = label;
}

const td_progress *begin_progress(progress *self, const char *label, int wanted) {
  memset(self, 0, sizeof *self);
  self->callback.struct_size = sizeof self->callback;
  self->callback.fn = step;
  self->callback.userdata = self;
  want(self, label, wanted);
  // Ctrl-C gives up between two writes, so that nothing half-written is left behind.
  struct sigaction stop;
  memset(&stop, 0, sizeof stop);
  stop.sa_handler = interrupt;
  stop.sa_flags = (int)SA_RESETHAND;
  sigemptyset(&stop.sa_mask);
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  return &self->callback;
}

void end_progress(progress *self) {
  if (self->drawn) fputs("\r\033[K", stderr);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

static progress reading;
static int64_t read_so_far, to_read;

void begin_reading(int wanted, int64_t total) {
  memset(&reading, 0, sizeof reading);
  want(&reading, command_name, wanted);
  read_so_far = 0;
  to_read = total;
}

void have_read(int64_t bytes) {
  read_so_far += bytes;
  if (read_so_far > to_read) to_read = read_so_far;
  show(&reading, read_so_far, to_read);
}

void hide_reading(void) {
  if (reading.drawn) fputs("\r\033[K", stderr);
  reading.drawn = 0;
}

void end_reading(void) {
  hide_reading();
  reading.label = NULL;
}
