/*
 * A wall clock that can be wrong: a library (LD_PRELOAD) that adds the seconds in the file
 * SOLIDUS_CLOCK (one int64) to the time of day. The file is mapped, so a change counts at once. The
 * monotonic clock, by which processes wait, stays right. Without the variable it does nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;
static int (*true_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("SOLIDUS_CLOCK");
  if (path != NULL) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
      abort(); /* the clock would be right unnoticed */
    }
    close(fd);
    true_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    shift = map;
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = true_clock != NULL ? true_clock(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && shift != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += *shift;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec t;
  int result = clock_gettime(CLOCK_REALTIME, &t);
  if (result == 0) {
    now->tv_sec = t.tv_sec;
    now->tv_usec = t.tv_nsec / 1000;
  }
  return result;
}

time_t time(time_t *now) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (now != NULL) {
    *now = t.tv_sec;
  }
  return t.tv_sec;
}
