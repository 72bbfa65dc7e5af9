/* Taking the name of a segment or channel that a process has left, and never one of a process that lives. */
#include <fcntl.h>
#include <signal.h>

#include "support/small_channels.h"

TestSuite(replace_dead, .init = pick_name, .fini = remove_name, .timeout = 120);

typedef struct made {
  td_segment *segment;
  td_channel *channel;
} made;

static td_status create_either(int channel, int replace, int keep, float value, made *m, td_error **e) {
  td_segment_options of_segment = TD_SEGMENT_OPTIONS_INIT;
  td_channel_options of_channel = TD_CHANNEL_OPTIONS_INIT;
  of_segment.replace_dead = of_channel.replace_dead = (td_bool)replace;
  of_segment.keep = of_channel.keep = (td_bool)keep;
  td_dict *d = small_dict(value);
  *m = (made){NULL, NULL};
  const td_status status = channel ? td_channel_create(TD_STR(channel_name), d, &of_channel, &m->channel, e)
                                   : td_segment_create(TD_STR(channel_name), d, &of_segment, &m->segment, e);
  td_dict_release(d);
  return status;
}

static void release(made m) {
  td_segment_release(m.segment), td_channel_release(m.channel);
}

/* A process that has done `body` and then waits to be killed. */
static pid_t held_child(void (*body)(int), int argument) {
  int ends[2];
  check(!pipe(ends));
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    body(argument);
    if (write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char c;
  check(read(ends[0], &c, 1) == 1);
  close(ends[0]), close(ends[1]);
  return pid;
}

static void end(pid_t pid) {
  int status;
  kill(pid, SIGKILL);
  check(waitpid(pid, &status, 0) == pid);
}

static void create_one(int channel) {
  made m;
  if (create_either(channel, 0, 0, 1, &m, NULL)) _exit(2);
}

static void create_kept(int channel) {
  made m;
  if (create_either(channel, 0, 1, 1, &m, NULL)) _exit(2);
}

Test(replace_dead, it_replaces_what_a_killed_owner_left_and_only_that) {
  void (*const bodies[])(int) = {create_one, create_kept};
  for (int i = 0; i < 4; ++i) {
    const int channel = i % 2;
    const pid_t pid = held_child(bodies[i / 2], channel);
    made m, second;
    expect_error(create_either(channel, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "created it and is running");
    td_segment *old = NULL;
    if (!channel) must(td_segment_open(TD_STR(channel_name), NULL, &old, &err));
    end(pid);
    expect_error(create_either(channel, 0, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "replace_dead");
    must(create_either(channel, 1, 0, 2, &m, &err));
    /* Its own is not dead, whichever thread asks. */
    expect_error(create_either(channel, 1, 0, 3, &second, &err), TD_ERR_EXISTS, NULL, "is running");
    if (!channel) {
      td_segment *s = NULL;
      td_dict *was = NULL, *is = NULL;
      must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
      must(td_segment_dict(old, &was, &err));
      must(td_segment_dict(s, &is, &err));
      check(float_at(was, TD_KEY("a")) == 1 && float_at(is, TD_KEY("a")) == 2);
      td_dict_release(was), td_dict_release(is), td_segment_release(s), td_segment_release(old);
    } else {
      td_channel *in = join(TD_CHANNEL_ROLE_CONSUMES);
      send_value(m.channel, 5);
      check(receive(in) == 5);
      td_channel_release(in);
    }
    release(m);
    check(!there(channel_file));
    must(create_either(channel, 1, 0, 2, &m, &err)); /* a free name, too */
    release(m);
  }
}

static void join_it(int roles) {
  td_channel *ch = NULL;
  if (td_channel_open(TD_STR(channel_name), roles, NULL, &ch, NULL)) _exit(2);
}

Test(replace_dead, a_channel_with_members_is_opened_instead) {
  const pid_t owner = held_child(create_one, 1), member = held_child(join_it, TD_CHANNEL_ROLE_CONSUMES);
  made m;
  end(owner);
  expect_error(create_either(1, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "other processes use it: open it");
  td_channel *ch = join(TD_CHANNEL_ROLE_PRODUCES);
  expect_error(create_either(1, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "open it");
  end(member);
  expect_error(create_either(1, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "open it");
  td_channel_release(ch);
  must(create_either(1, 1, 0, 2, &m, &err));
  release(m);
}

Test(replace_dead, what_is_of_another_kind_stays) {
  made m;
  for (int channel = 0; channel < 2; ++channel) {
    end(held_child(create_one, !channel));
    expect_error(create_either(channel, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL,
                 channel ? "not a channel" : "not a segment");
    check(there(channel_file));
    remove_name();
    const int fd = open(channel_file, O_CREAT | O_WRONLY, 0600);
    check(write(fd, "mine", 4) == 4);
    close(fd);
    expect_error(create_either(channel, 1, 0, 2, &m, &err), TD_ERR_EXISTS, NULL, "another name");
    check(there(channel_file));
    remove_name();
  }
}

/* What fails before the name is given leaves the old one. */
Test(replace_dead, a_failure_leaves_the_old_one) {
  end(held_child(create_one, 0));
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  td_segment *s = NULL;
  td_dict *d = new_dict(NULL, 0);
  o.replace_dead = 1;
  must(td_dict_set_data(d, TD_KEY("raw"), TD_DATA(td_data_bytes("ab", 2)), &err));
  expect_error(td_segment_create(TD_STR(channel_name), d, &o, &s, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
  td_segment_release(s), td_dict_release(d);
}

/* Many at once: one succeeds, and its segment or channel is the one that has the name. */
Test(replace_dead, of_many_replacers_exactly_one_succeeds) {
  for (int round = 0; round < 40; ++round) {
    const int channel = round % 2;
    enum { RACERS = 8 };
    int go[2], told[2], stop[2];
    end(held_child(create_one, channel));
    check(!pipe(go) && !pipe(told) && !pipe(stop));
    pid_t pids[RACERS];
    for (int i = 0; i < RACERS; ++i) {
      pids[i] = fork();
      if (pids[i] == 0) {
        td_after_fork();
        made m;
        char c;
        close(go[1]), close(stop[1]);
        if (read(go[0], &c, 1) != 0) _exit(3); /* until the parent closes it */
        const td_status status = create_either(channel, 1, 0, (float)(100 + i), &m, NULL);
        c = status == TD_OK ? (char)('a' + i) : status == TD_ERR_EXISTS ? '-' : '!';
        if (write(told[1], &c, 1) != 1 || read(stop[0], &c, 1) != 0) _exit(4);
        release(m);
        _exit(0);
      }
    }
    close(go[0]), close(go[1]), close(stop[0]);
    int winners = 0, winner = -1;
    for (int i = 0; i < RACERS; ++i) {
      char c = 0;
      check(read(told[0], &c, 1) == 1 && c != '!');
      if (c != '-') winners++, winner = c - 'a';
    }
    check(winners == 1);
    if (!channel) {
      td_segment *s = NULL;
      td_dict *d = NULL;
      must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
      must(td_segment_dict(s, &d, &err));
      check(float_at(d, TD_KEY("a")) == (float)(100 + winner));
      td_dict_release(d), td_segment_release(s);
    } else {
      td_channel_release(join(TD_CHANNEL_ROLE_CONSUMES));
    }
    close(stop[1]), close(told[0]), close(told[1]);
    for (int i = 0; i < RACERS; ++i) {
      int status = -1;
      waitpid(pids[i], &status, 0);
      check(status == 0);
    }
    check(!there(channel_file)); /* the winner took it away */
  }
}

/* Gives the name to one dead channel after another, for as long as `parent` runs. */
static void change_hands(int count, pid_t parent) {
  char spare[sizeof channel_file + 16], next[sizeof channel_file + 16];
  for (int i = 0; getppid() == parent; i = (i + 1) % count) {
    snprintf(spare, sizeof spare, "%s.%d", channel_file, i);
    snprintf(next, sizeof next, "%s.next", channel_file);
    if (link(spare, next) || rename(next, channel_file)) _exit(5);
  }
}

/* Whatever stands there while the call looks, the answer is one that the doc names. */
Test(replace_dead, a_name_that_changes_hands_meanwhile_is_taken_or_had) {
  enum { DEAD = 3 };
  for (int i = 0; i < DEAD; ++i) {
    end(held_child(create_one, 1));
    check(!rename(channel_file, path_of("%s.%d", channel_file, i)));
  }
  const pid_t self = getpid(), pid = fork();
  if (pid == 0) change_hands(DEAD, self), _exit(0);
  for (int i = 0; i < 2000; ++i) {
    made m;
    td_channel *ch = NULL;
    const td_status status = create_either(1, 1, 0, 2, &m, NULL);
    check(status == TD_OK || status == TD_ERR_EXISTS);
    release(m);
    const td_status opened = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
    check(opened == TD_OK || opened == TD_ERR_NOT_FOUND);
    td_channel_release(ch);
  }
  end(pid);
  for (int i = 0; i < DEAD; ++i) unlink(path_of("%s.%d", channel_file, i));
  unlink(path_of("%s.next", channel_file));
}
