/*
 * Lets the check of several servers set the clock of a process, and lead its connections elsewhere:
 * loaded before the C library (LD_PRELOAD), it stands in front of its calls.
 *
 *     FAULTY_PROCESS_FILE  what `faulty-process.ts` writes: how many nanoseconds the clock of the
 *                          day is ahead (i64), then pairs of ports (u16) of this machine: who
 *                          connects to the first is led to the second
 *
 * The clock that nobody can set (CLOCK_MONOTONIC) stays as it is.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS = 16, SECOND_NS = 1000000000 };

struct settings {
  int64_t ahead_ns;
  struct {
    uint16_t from, to;
  } ports[PAIRS];
};

static const volatile struct settings *settings;
static int (*own_clock_gettime)(clockid_t, struct timespec *);
static int (*own_connect)(int, const struct sockaddr *, socklen_t);

__attribute__((constructor)) static void begin(void) {
  own_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  own_connect = dlsym(RTLD_NEXT, "connect");
  const char *path = getenv("FAULTY_PROCESS_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct settings), PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) settings = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (own_clock_gettime == NULL) own_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  int result = own_clock_gettime(clock, time);
  int is_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result != 0 || settings == NULL || !is_of_day) return result;
  int64_t now = (int64_t)time->tv_sec * SECOND_NS + time->tv_nsec + settings->ahead_ns;
  time->tv_sec = now / SECOND_NS;
  time->tv_nsec = now % SECOND_NS;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where != NULL) *where = now.tv_sec;
  return now.tv_sec;
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  if (own_connect == NULL) own_connect = dlsym(RTLD_NEXT, "connect");
  if (settings == NULL || address->sa_family != AF_INET) {
    return own_connect(socket, address, length);
  }
  struct sockaddr_in led;
  memcpy(&led, address, sizeof led);
  for (int at = 0; at < PAIRS; at++) {
    uint16_t from = settings->ports[at].from;
    if (from != 0 && from == ntohs(led.sin_port)) {
      led.sin_port = htons(settings->ports[at].to);
      break;
    }
  }
  return own_connect(socket, (struct sockaddr *)&led, sizeof led);
}
