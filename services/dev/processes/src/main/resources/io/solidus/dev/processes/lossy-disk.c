/*
 * A disk that loses what was not fsynced.
 *
 * As a library (LD_PRELOAD) it keeps a second copy of each regular file that the process writes: the
 * durable copy. A write changes the file alone and is noted; fsync and fdatasync bring what is noted
 * to the durable copy, whoever wrote it. As a program (compiled with -DCUT) it cuts the power: each
 * file under the folders of its arguments gets the content of its durable copy.
 *
 * The folder SOLIDUS_LOSSY_DISK holds, for each file, KEY.durable, KEY.written (pairs of an offset
 * and a length) and KEY.synced (how much of KEY.written the durable copy has). Without the variable
 * the library does nothing.
 *
 * Names are not lost: creating, renaming and removing files counts as durable at once, and so does
 * making a file shorter. Files that are written through stdio or a mapping are not lost either.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH 4096
#define BLOCK 65536

static const char *side(void) {
  static const char *folder;
  if (folder == NULL) {
    folder = getenv("SOLIDUS_LOSSY_DISK");
  }
  return folder;
}

/* A copy that fails would show losses that are none, or hide real ones. */
static void give_up(const char *what) {
  dprintf(2, "lossy disk: %s: %s\n", what, strerror(errno));
  abort();
}

static ssize_t raw_pwrite(int fd, const void *bytes, size_t count, off_t at) {
  return syscall(SYS_pwrite64, fd, bytes, count, at);
}

/* The identity of a regular file; numbers of deleted files are used again, so it has the time of birth. Zero if there is none. */
static int key_at(int folder, const char *path, int flags, char *key) {
  struct statx s;
  int before = errno;
  if (side() == NULL
      || statx(folder, path, flags | AT_STATX_SYNC_AS_STAT, STATX_TYPE | STATX_INO | STATX_BTIME | STATX_NLINK, &s) != 0
      || !S_ISREG(s.stx_mode)) {
    errno = before;
    return 0;
  }
  snprintf(key, 128, "%x-%x-%llx-%llx-%x", s.stx_dev_major, s.stx_dev_minor, (unsigned long long)s.stx_ino,
      (unsigned long long)s.stx_btime.tv_sec, s.stx_btime.tv_nsec);
  return (int)s.stx_nlink;
}

static void name(char *path, const char *key, const char *kind) { snprintf(path, PATH, "%s/%s.%s", side(), key, kind); }

static void copy_range(int from, int to, off_t at, off_t length) {
  static __thread char block[BLOCK];
  while (length > 0) {
    size_t want = length < BLOCK ? (size_t)length : BLOCK;
    ssize_t got = pread(from, block, want, at);
    if (got < 0) {
      give_up("read");
    }
    if (got == 0) {
      return; /* the file became shorter */
    }
    for (ssize_t put = 0; put < got;) {
      ssize_t n = raw_pwrite(to, block + put, (size_t)(got - put), at + put);
      if (n <= 0) {
        give_up("copy");
      }
      put += n;
    }
    at += got;
    length -= got;
  }
}

static off_t length_of(int fd) {
  struct stat s;
  if (fstat(fd, &s) != 0) {
    give_up("fstat");
  }
  return s.st_size;
}

static void resize(int fd, off_t length) {
  if (syscall(SYS_ftruncate, fd, length) != 0) {
    give_up("ftruncate");
  }
}

#ifndef CUT

static int key_of(int fd, char *key) { return key_at(fd, "", AT_EMPTY_PATH, key); }

static int reopen(int fd, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return open(path, flags | O_CLOEXEC);
}

/* Before a file changes for the first time all of it counts as durable. */
static void begin(int fd, const char *key) {
  char durable[PATH];
  char part[PATH];
  name(durable, key, "durable");
  if (access(durable, F_OK) == 0) {
    return;
  }
  snprintf(part, PATH, "%s/part-%d-%ld", side(), getpid(), (long)gettid());
  int to = open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int from = reopen(fd, O_RDONLY);
  if (to < 0 || from < 0) {
    give_up("open");
  }
  copy_range(from, to, 0, length_of(from));
  close(from);
  close(to);
  /* the first one wins: no byte of the file changes before there is a copy */
  if (link(part, durable) != 0 && errno != EEXIST) {
    give_up("link");
  }
  unlinkat(AT_FDCWD, part, 0);
}

static void note(const char *key, off_t at, off_t length) {
  char path[PATH];
  int64_t range[2] = {at, length};
  name(path, key, "written");
  int to = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (to < 0 || syscall(SYS_write, to, range, sizeof range) != (long)sizeof range) {
    give_up("note");
  }
  close(to);
}

static void synced(int fd) {
  char key[128];
  char path[PATH];
  if (!key_of(fd, key)) {
    return;
  }
  name(path, key, "durable");
  int to = open(path, O_RDWR | O_CLOEXEC);
  if (to < 0) {
    return; /* nobody has changed it */
  }
  name(path, key, "synced");
  int place = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (place < 0 || flock(place, LOCK_EX) != 0) {
    give_up("lock");
  }
  off_t length = length_of(fd);
  int64_t done = 0;
  if (pread(place, &done, sizeof done, 0) < 0) {
    give_up("read");
  }
  name(path, key, "written");
  int written = open(path, O_RDONLY | O_CLOEXEC);
  if (written >= 0) {
    int from = reopen(fd, O_RDONLY);
    if (from < 0) {
      give_up("reopen");
    }
    int64_t range[2];
    while (pread(written, range, sizeof range, done) == (ssize_t)sizeof range) {
      copy_range(from, to, range[0], range[1]);
      done += sizeof range;
    }
    close(from);
    close(written);
  }
  if (length_of(to) < length) {
    resize(to, length);
  }
  if (raw_pwrite(place, &done, sizeof done, 0) != (ssize_t)sizeof done) {
    give_up("note");
  }
  close(place);
  close(to);
}

/* All names of a function that libc has on this machine. */
#define SAME(other, function) extern __typeof__(function) other __attribute__((alias(#function)));

static off_t place_of(int fd) { return lseek(fd, 0, SEEK_CUR); }

ssize_t write(int fd, const void *bytes, size_t count) {
  char key[128];
  int known = key_of(fd, key);
  if (known) {
    begin(fd, key);
  }
  ssize_t n = syscall(SYS_write, fd, bytes, count);
  if (known && n > 0) {
    note(key, place_of(fd) - n, n);
  }
  return n;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  char key[128];
  int known = key_of(fd, key);
  if (known) {
    begin(fd, key);
  }
  ssize_t n = syscall(SYS_writev, fd, parts, count);
  if (known && n > 0) {
    note(key, place_of(fd) - n, n);
  }
  return n;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  char key[128];
  int known = key_of(fd, key);
  if (known) {
    begin(fd, key);
  }
  ssize_t n = raw_pwrite(fd, bytes, count, at);
  if (known && n > 0) {
    note(key, at, n);
  }
  return n;
}
SAME(pwrite64, pwrite)

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  char key[128];
  int known = key_of(fd, key);
  if (known) {
    begin(fd, key);
  }
  ssize_t n = syscall(SYS_pwritev, fd, parts, count, at, 0L);
  if (known && n > 0) {
    note(key, at, n);
  }
  return n;
}
SAME(pwritev64, pwritev)

static void shortened(const char *key, off_t length) {
  char path[PATH];
  name(path, key, "durable");
  int to = open(path, O_RDWR | O_CLOEXEC);
  if (to >= 0) {
    if (length_of(to) > length) {
      resize(to, length);
    }
    close(to);
  }
}

int ftruncate(int fd, off_t length) {
  char key[128];
  int known = key_of(fd, key);
  if (known) {
    begin(fd, key);
  }
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (known && result == 0) {
    shortened(key, length);
  }
  return result;
}
SAME(ftruncate64, ftruncate)

int truncate(const char *path, off_t length) {
  char key[128];
  int known = key_at(AT_FDCWD, path, 0, key);
  int result = (int)syscall(SYS_truncate, path, length);
  if (known && result == 0) {
    shortened(key, length);
  }
  return result;
}
SAME(truncate64, truncate)

int fsync(int fd) {
  int result = (int)syscall(SYS_fsync, fd);
  if (result == 0) {
    synced(fd);
  }
  return result;
}

int fdatasync(int fd) {
  int result = (int)syscall(SYS_fdatasync, fd);
  if (result == 0) {
    synced(fd);
  }
  return result;
}

static void forget(const char *key) {
  const char *kinds[] = {"durable", "written", "synced"};
  for (int i = 0; i < 3; i++) {
    char path[PATH];
    name(path, key, kinds[i]);
    syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  }
}

int unlink(const char *path) {
  char key[128];
  int last = key_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, key) == 1;
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (last && result == 0) {
    int before = errno;
    forget(key);
    errno = before;
  }
  return result;
}

int rename(const char *from, const char *to) {
  char replaced[128];
  char key[128];
  int last = key_at(AT_FDCWD, to, AT_SYMLINK_NOFOLLOW, replaced) == 1 && key_at(AT_FDCWD, from, AT_SYMLINK_NOFOLLOW, key)
      && strcmp(key, replaced) != 0;
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (last && result == 0) {
    int before = errno;
    forget(replaced);
    errno = before;
  }
  return result;
}

#else

static long files;
static long long bytes;

static int cut(const char *path, const struct stat *ignored, int type, struct FTW *place) {
  (void)ignored;
  (void)place;
  char key[128];
  char durable[PATH];
  if (type != FTW_F || !key_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, key)) {
    return 0;
  }
  name(durable, key, "durable");
  int from = open(durable, O_RDONLY | O_CLOEXEC);
  if (from < 0) {
    return 0;
  }
  int to = open(path, O_RDWR | O_CLOEXEC);
  if (to < 0) {
    give_up(path);
  }
  off_t length = length_of(from);
  static char was[BLOCK];
  static char is[BLOCK];
  long long lost = llabs((long long)length_of(to) - length);
  for (off_t at = 0; at < length; at += BLOCK) {
    ssize_t n = pread(from, was, BLOCK, at);
    ssize_t m = pread(to, is, BLOCK, at);
    if (n < 0 || m < 0) {
      give_up("read");
    }
    for (ssize_t i = 0; i < n && i < m; i++) {
      lost += was[i] != is[i];
    }
  }
  if (lost > 0) {
    files++;
    bytes += lost;
    resize(to, 0);
    copy_range(from, to, 0, length);
    resize(to, length);
  }
  close(from);
  close(to);
  const char *kinds[] = {"durable", "written", "synced"};
  for (int i = 0; i < 3; i++) {
    name(durable, key, kinds[i]);
    unlink(durable);
  }
  return 0;
}

/* Prints how many files and bytes were lost. */
int main(int count, char **folders) {
  if (side() == NULL || count < 2) {
    dprintf(2, "SOLIDUS_LOSSY_DISK=FOLDER %s FOLDER...\n", folders[0]);
    return 2;
  }
  for (int i = 1; i < count; i++) {
    if (nftw(folders[i], cut, 32, FTW_PHYS) != 0) {
      give_up(folders[i]);
    }
  }
  printf("%ld %lld\n", files, bytes);
  return 0;
}

#endif
