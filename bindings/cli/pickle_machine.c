#include "pickle_machine.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int take(machine *m, size_t size, const unsigned char **bytes) {
  if ((size_t)(m->end - m->at) < size) return 0;
  *bytes = m->at;
  m->at += size;
  return 1;
}

static int take_number(machine *m, size_t size, uint64_t *number) {
  const unsigned char *p;
  if (!take(m, size, &p)) return 0;
  *number = 0;
  for (size_t i = size; i-- > 0;) *number = *number << 8 | p[i];
  return 1;
}

static int push_index(machine *m, size_t index) {
  if (m->n_stack == MOST_VALUES) return 0;
  if (m->n_stack == m->stack_capacity) {
    m->stack_capacity = m->stack_capacity * 2 + 64;
    m->stack = xrealloc(m->stack, m->stack_capacity * sizeof *m->stack);
  }
  m->stack[m->n_stack++] = index;
  return 1;
}

static value *push(machine *m, kind k) {
  if (m->n_values == MOST_VALUES || !push_index(m, m->n_values)) return NULL;
  if (!(m->n_values & (m->n_values - 1))) m->values = xrealloc(m->values, (m->n_values * 2 + 1) * sizeof *m->values);
  value *v = m->values + m->n_values++;
  memset(v, 0, sizeof *v);
  v->kind = k;
  return v;
}

static int push_whole(machine *m, int64_t i) {
  value *v = push(m, WHOLE);
  if (v) v->i = i;
  return v != NULL;
}

static int push_text(machine *m, kind k, size_t length_bytes) {
  uint64_t size;
  const unsigned char *p;
  if (!take_number(m, length_bytes, &size) || size > (uint64_t)(m->end - m->at) || !take(m, (size_t)size, &p)) return 0;
  value *v = push(m, k);
  if (!v) return 0;
  v->data = (const char *)p;
  v->size = (size_t)size;
  return 1;
}

static int push_real(machine *m) {
  const unsigned char *p;
  uint64_t bits = 0;
  if (!take(m, 8, &p)) return 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | p[i];
  value *v = push(m, REAL);
  if (v) memcpy(&v->f, &bits, sizeof bits);
  return v != NULL;
}

// Little-endian two's complement of up to 8 bytes.
static int push_long(machine *m) {
  uint64_t size, number;
  if (!take_number(m, 1, &size) || size > 8 || !take_number(m, (size_t)size, &number)) return 0;
  if (size && size < 8 && number >> (8 * size - 1)) number |= ~UINT64_C(0) << (8 * size);
  return push_whole(m, (int64_t)number);
}

static value *top(machine *m) {
  return m->n_stack ? m->values + m->stack[m->n_stack - 1] : NULL;
}

// Adds the values from `begin` on the stack to a container, and takes them from the stack.
static int add_members(machine *m, size_t container, size_t begin, kind k) {
  value *v = m->values + container;
  size_t n = m->n_stack - begin;
  if (v->kind != k || (k == DICT && n % 2)) return 0;
  v->members = xrealloc(v->members, (v->size + n + 1) * sizeof *v->members);
  if (n) memcpy(v->members + v->size, m->stack + begin, n * sizeof *v->members);
  v->size += n;
  m->n_stack = begin;
  return 1;
}

static int find_mark(const machine *m, size_t *at) {
  for (*at = m->n_stack; (*at)-- > 0;)
    if (m->values[m->stack[*at]].kind == MARK) return 1;
  return 0;
}

// The values since the last mark go to the container below it.
static int add_marked(machine *m, kind k) {
  size_t mark;
  if (!find_mark(m, &mark) || mark == 0) return 0;
  if (!add_members(m, m->stack[mark - 1], mark + 1, k)) return 0;
  m->n_stack = mark;
  return 1;
}

static int add_last(machine *m, size_t n, kind k) {
  return m->n_stack > n && add_members(m, m->stack[m->n_stack - n - 1], m->n_stack - n, k);
}

// A tuple of the last `n` values.
static int make_tuple(machine *m, size_t n) {
  if (m->n_stack < n) return 0;
  size_t begin = m->n_stack - n, made = m->n_values;
  if (!push(m, LIST)) return 0;
  --m->n_stack;
  return add_members(m, made, begin, LIST) && push_index(m, made);
}

static int make_marked_tuple(machine *m) {
  size_t mark;
  if (!find_mark(m, &mark)) return 0;
  size_t n = m->n_stack - mark - 1;
  if (!make_tuple(m, n)) return 0;
  m->stack[mark] = m->stack[mark + 1];
  m->n_stack = mark + 1;
  return 1;
}

static int remember(machine *m) {
  if (!m->n_stack || m->n_memo == MOST_VALUES) return 0;
  if (!(m->n_memo & (m->n_memo - 1))) m->memo = xrealloc(m->memo, (m->n_memo * 2 + 1) * sizeof *m->memo);
  m->memo[m->n_memo++] = m->stack[m->n_stack - 1];
  return 1;
}

static int recall(machine *m, size_t length_bytes) {
  uint64_t number;
  return take_number(m, length_bytes, &number) && number < m->n_memo && push_index(m, m->memo[number]);
}

// One opcode of protocol 4, with the names of Python's pickletools; 0 for all that would need Python.
static int step(machine *m, unsigned char code) {
  uint64_t number;
  const unsigned char *skipped;
  switch (code) {
    case 0x80:  // PROTO
      return take_number(m, 1, &number) && number >= 2 && number <= 5;
    case 0x95:  // FRAME
      return take(m, 8, &skipped);
    case 0x94:  // MEMOIZE
      return remember(m);
    case 'h':  // BINGET
      return recall(m, 1);
    case 'j':  // LONG_BINGET
      return recall(m, 4);
    case '(':
      return push(m, MARK) != NULL;
    case 'N':
      return push(m, NONE) != NULL;
    case 0x88:  // NEWTRUE
    case 0x89:  // NEWFALSE
      return push(m, TRUTH) && (top(m)->i = code == 0x88, 1);
    case 'J':  // BININT
      return take_number(m, 4, &number) && push_whole(m, (int32_t)(uint32_t)number);
    case 'K':  // BININT1
      return take_number(m, 1, &number) && push_whole(m, (int64_t)number);
    case 'M':  // BININT2
      return take_number(m, 2, &number) && push_whole(m, (int64_t)number);
    case 0x8a:  // LONG1
      return push_long(m);
    case 'G':  // BINFLOAT
      return push_real(m);
    case 0x8c:  // SHORT_BINUNICODE
      return push_text(m, TEXT, 1);
    case 'X':  // BINUNICODE
      return push_text(m, TEXT, 4);
    case 'C':  // SHORT_BINBYTES
      return push_text(m, BYTES, 1);
    case 'B':  // BINBYTES
      return push_text(m, BYTES, 4);
    case 0x8e:  // BINBYTES8
      return push_text(m, BYTES, 8);
    case ']':
    case ')':
      return push(m, LIST) != NULL;
    case '}':
      return push(m, DICT) != NULL;
    case 'a':  // APPEND
      return add_last(m, 1, LIST);
    case 'e':  // APPENDS
      return add_marked(m, LIST);
    case 's':  // SETITEM
      return add_last(m, 2, DICT);
    case 'u':  // SETITEMS
      return add_marked(m, DICT);
    case 0x85:  // TUPLE1, 2, 3
    case 0x86:
    case 0x87:
      return make_tuple(m, (size_t)code - 0x84);
    case 't':
      return make_marked_tuple(m);
    default:
      return 0;
  }
}

int run_pickle(machine *m) {
  while (m->at < m->end) {
    unsigned char code = *m->at++;
    if (code == '.') return m->n_stack == 1;
    if (!step(m, code)) return 0;
  }
  return 0;
}
