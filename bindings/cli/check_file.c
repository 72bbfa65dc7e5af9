// Tests of the file itself, whatever it offers.
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_test.h"
#include "report.h"

static void load_file(const trial *t) {
  td_error *err = NULL;
  must(td_plugins_load(TD_STR(t->file), &err), &err, "loading it");
}

static void loads(trial *t) {
  load_file(t);
}

static size_t types_of(const trial *t) {
  td_string *list;
  td_error *err = NULL;
  must(td_plugins_list(&list, &err), &err, "listing its types");
  const char *all = td_string_view(list).data;
  char *file = realpath(t->file, NULL);
  size_t found = 0;
  for (size_t i = 0, n = json_objects(all); i < n; ++i) {
    char *object = json_object(all, i), *from = json_member(object, "file");
    found += file && from && !strcmp(file, from);
    free(object);
    free(from);
  }
  td_string_release(list);
  free(file);
  return found;
}

static void twice(trial *t) {
  load_file(t);
  size_t before = types_of(t);
  if (!before) fail_trial("it offers no type that this library knows");
  load_file(t);
  if (types_of(t) != before) fail_trial("loading it again gives %zu types instead of %zu", types_of(t), before);
}

static void load_in_thread(void *context, int i) {
  (void)i;
  load_file(context);
}

static void threads(trial *t) {
  in_threads(8, load_in_thread, t);
}

// ---- What it exports ------------------------------------------------------------------------------------------------------
typedef struct image {
  const char *data;
  size_t size;
} image;

static const void *part(const image *m, uint64_t offset, uint64_t size) {
  if (offset > m->size || size > m->size - offset) fail_trial("its ELF tables point outside the file");
  return m->data + offset;
}

static image map_file(const trial *t) {
  struct stat s;
  int fd = open(t->file, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &s)) fail_trial("it cannot be read");
  image m = {mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)s.st_size};
  close(fd);
  if (m.data == MAP_FAILED) fail_trial("it cannot be mapped");
  return m;
}

static const Elf64_Shdr *dynamic_symbols(const image *m) {
  const Elf64_Ehdr *head = part(m, 0, sizeof *head);
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64)
    skip_trial("it is not a 64-bit ELF file");
  const Elf64_Shdr *sections = part(m, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
  for (int i = 0; i < head->e_shnum; ++i)
    if (sections[i].sh_type == SHT_DYNSYM) return sections + i;
  skip_trial("its sections were stripped");
}

static int is_exported(const Elf64_Sym *s) {
  int bind = ELF64_ST_BIND(s->st_info), visible = ELF64_ST_VISIBILITY(s->st_other);
  return s->st_shndx != SHN_UNDEF && (bind == STB_GLOBAL || bind == STB_WEAK || bind == STB_GNU_UNIQUE) &&
         (visible == STV_DEFAULT || visible == STV_PROTECTED);
}

// Names of other exports may be taken by another library of the process, and then its functions run instead.
static void exports(trial *t) {
  image m = map_file(t);
  const Elf64_Shdr *table = dynamic_symbols(&m);
  const Elf64_Ehdr *head = part(&m, 0, sizeof *head);
  if (table->sh_link >= head->e_shnum) fail_trial("its ELF tables point outside the file");
  const Elf64_Shdr *strings = (const Elf64_Shdr *)part(&m, head->e_shoff, 0) + table->sh_link;
  const Elf64_Sym *symbols = part(&m, table->sh_offset, table->sh_size);
  const char *names = part(&m, strings->sh_offset, strings->sh_size);
  size_t found = 0;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; ++i) {
    if (!is_exported(symbols + i) || symbols[i].st_name >= strings->sh_size) continue;
    const char *name = names + symbols[i].st_name;
    if (!memchr(name, 0, strings->sh_size - symbols[i].st_name)) fail_trial("its ELF tables point outside the file");
    if (!strcmp(name, "td_plugin_entry"))
      ++found;
    else if (strcmp(name, "_init") && strcmp(name, "_fini") && *name != '_')
      fail_trial("it exports '%s', but may export only td_plugin_entry; link it with -fvisibility=hidden", name);
  }
  if (found != 1) fail_trial("it exports td_plugin_entry %zu times", found);
}

// ---- Descriptor -----------------------------------------------------------------------------------------------------------
static void check_id(const char *kind, const char *id) {
  const char *dot = id ? strchr(id, '.') : NULL;
  if (!dot || dot == id || !dot[1]) fail_trial("the id of a %s is '%s', not like \"org.name\"", kind, id ? id : "");
  for (const char *p = id; *p; ++p)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p))
      fail_trial("the id '%s' has characters other than letters, digits, dots, dashes and underscores", id);
}

static void descriptor(trial *t) {
  td_string *list;
  td_error *err = NULL;
  load_file(t);
  must(td_plugins_list(&list, &err), &err, "listing its types");
  const char *all = td_string_view(list).data;
  char *file = realpath(t->file, NULL);
  for (size_t i = 0, n = json_objects(all); i < n; ++i) {
    char *object = json_object(all, i), *from = json_member(object, "file");
    if (file && from && !strcmp(file, from)) {
      char *kind = json_member(object, "kind"), *version = json_member(object, "version");
      check_id(kind, json_member(object, "id"));
      check_id("plugin", json_member(object, "plugin"));
      if (!version || *version < '0' || *version > '9')
        fail_trial("its version '%s' does not begin with a number", version);
    }
    free(object);
    free(from);
  }
}

const test file_tests[] = {
    {"load", "the library loads it: ELF, trust, entry, ABI, tables", loads},
    {"exports", "it exports its entry and nothing else", exports},
    {"descriptor", "ids and versions are well formed", descriptor},
    {"twice", "it offers types, and loading it again changes nothing", twice},
    {"threads", "eight threads load it concurrently", threads},
    {NULL, NULL, NULL},
};
