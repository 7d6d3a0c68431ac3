/*
 * Records what a process does to the files in one folder, in the order in which the system sees
 * it: loaded before the C library (LD_PRELOAD), it stands in front of its calls. `recording.ts`
 * reads what it writes.
 *
 *     RECORDER_FOLDER   the folder, as an absolute path without links
 *     RECORDER_LOG      where it is written down: appended to
 *     RECORDER_SYNC_MS  how much longer each flush takes, as on a slower disk
 *
 * A record is a head, a path (two where a file is renamed), and data. No other call on these files
 * begins between a record and its call. What changes a file is written down before it is done: when
 * the process is killed, the last record at most tells of what has not happened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
  OPENED = 1,
  WRITTEN = 2,
  CUT = 3,
  FLUSH_BEGAN = 4,
  FLUSH_ENDED = 5,
  RENAMED = 6,
  REMOVED = 7,
  FOLDER_MADE = 8,
  FOLDER_REMOVED = 9,
  MAPPED = 10,
  UNKNOWN = 11,
};

struct head {
  uint32_t kind;
  uint32_t path_bytes;
  uint64_t data_bytes;
  uint64_t time_ns;
  uint64_t file;
  uint64_t offset;
  uint64_t length;
  /* Of a flush: the same at its begin and its end. */
  uint64_t ticket;
};

#define DESCRIPTORS_MAX 65536

struct descriptor {
  uint64_t file; /* The inode; 0 where it is none of ours. */
  dev_t device;
  int synced;    /* Each write is flushed. */
};

static struct descriptor descriptors[DESCRIPTORS_MAX];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int log_descriptor = -1;
static long sync_ms;
static uint64_t tickets;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void fail(const char *what) {
  fprintf(stderr, "recorder: %s: %s\n", what, strerror(errno));
  abort();
}

__attribute__((constructor)) static void start(void) {
  folder = getenv("RECORDER_FOLDER");
  const char *log = getenv("RECORDER_LOG");
  const char *ms = getenv("RECORDER_SYNC_MS");
  if (folder == NULL || log == NULL) return;
  folder_length = strlen(folder);
  sync_ms = ms == NULL ? 0 : atol(ms);
  int opened = NEXT(open)(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) fail(log);
  /* Out of the way of what programs expect. */
  log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 1000);
  if (log_descriptor < 0) fail("dup");
  NEXT(close)(opened);
}

/* The part of a path below the folder; NULL where it is elsewhere. */
static const char *within(const char *path, char *buffer) {
  if (folder == NULL || path == NULL) return NULL;
  if (path[0] != '/') {
    if (getcwd(buffer, PATH_MAX) == NULL) return NULL;
    size_t length = strlen(buffer);
    snprintf(buffer + length, PATH_MAX - length, "/%s", path);
    path = buffer;
  }
  if (strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return "";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static void put(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = NEXT(write)(log_descriptor, at, length);
    if (written < 0) fail("cannot write the log");
    at += written;
    length -= (size_t)written;
  }
}

static void record(struct head head, const char *path, const char *other, const struct iovec *data,
                   int count) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  head.time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  size_t paths = (path == NULL ? 0 : strlen(path)) + (other == NULL ? 0 : strlen(other) + 1);
  head.path_bytes = (uint32_t)paths;
  head.data_bytes = 0;
  for (int at = 0; at < count; at++) head.data_bytes += data[at].iov_len;
  put(&head, sizeof head);
  if (path != NULL) put(path, strlen(path));
  if (other != NULL) {
    put("\0", 1);
    put(other, strlen(other));
  }
  for (int at = 0; at < count; at++) put(data[at].iov_base, data[at].iov_len);
}

/* Some are closed by a system call that is not seen here: the number may be of another file by now. */
static struct descriptor *of(int fd) {
  if (log_descriptor < 0 || fd < 0 || fd >= DESCRIPTORS_MAX) return NULL;
  struct descriptor *descriptor = &descriptors[fd];
  if (descriptor->file == 0) return NULL;
  struct stat found;
  int is_same = fstat(fd, &found) == 0 && found.st_ino == descriptor->file &&
                found.st_dev == descriptor->device;
  return is_same ? descriptor : NULL;
}

static int opened(int fd, const char *path, int flags, int was_there) {
  if (fd < 0 || fd >= DESCRIPTORS_MAX) return fd;
  struct stat found;
  if (fstat(fd, &found) != 0) fail("fstat");
  descriptors[fd].file = found.st_ino;
  descriptors[fd].device = found.st_dev;
  descriptors[fd].synced = (flags & (O_SYNC | O_DSYNC)) != 0;
  struct head head = {.kind = OPENED, .file = found.st_ino, .length = !was_there};
  if (!was_there) record(head, path, NULL, NULL, 0);
  if (was_there && (flags & O_TRUNC) != 0 && (flags & O_ACCMODE) != O_RDONLY) {
    head.kind = CUT;
    head.length = 0;
    record(head, NULL, NULL, NULL, 0);
  }
  return fd;
}

static int open_any(const char *path, int flags, mode_t mode,
                    int (*next)(const char *, int, ...)) {
  char buffer[PATH_MAX];
  const char *inside = log_descriptor < 0 ? NULL : within(path, buffer);
  if (inside == NULL) return next(path, flags, mode);
  pthread_mutex_lock(&mutex);
  struct stat found;
  int was_there = stat(path, &found) == 0;
  /* What is flushed with each write is flushed after it here, so that others go on meanwhile. */
  int fd = next(path, flags & ~(O_SYNC | O_DSYNC), mode);
  int error = errno;
  opened(fd, inside, flags, was_there);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return fd;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_any(path, flags, mode, NEXT(open));
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_any(path, flags, mode, NEXT(open64));
}

int close(int fd) {
  if (of(fd) == NULL) return NEXT(close)(fd);
  pthread_mutex_lock(&mutex);
  descriptors[fd].file = 0;
  int result = NEXT(close)(fd);
  pthread_mutex_unlock(&mutex);
  return result;
}

/* Who copies a descriptor could write where it is not seen. */
static void unknown(const char *what) {
  struct head head = {.kind = UNKNOWN};
  pthread_mutex_lock(&mutex);
  record(head, what, NULL, NULL, 0);
  pthread_mutex_unlock(&mutex);
}

static void slowly(void) {
  struct timespec time = {.tv_sec = sync_ms / 1000, .tv_nsec = sync_ms % 1000 * 1000000};
  if (sync_ms > 0) nanosleep(&time, NULL);
}

/* Of a whole file where `length` is 0. */
static int flush(int fd, uint64_t offset, uint64_t length, int (*next)(int)) {
  struct head head = {.file = descriptors[fd].file, .offset = offset, .length = length};
  pthread_mutex_lock(&mutex);
  head.kind = FLUSH_BEGAN;
  head.ticket = ++tickets;
  record(head, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&mutex);
  int result = next(fd);
  int error = errno;
  slowly();
  pthread_mutex_lock(&mutex);
  head.kind = FLUSH_ENDED;
  if (result == 0) record(head, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

static ssize_t written(int fd, const struct iovec *data, int count, off_t offset, int positioned) {
  struct descriptor *descriptor = of(fd);
  struct head head = {.kind = WRITTEN, .file = descriptor->file};
  pthread_mutex_lock(&mutex);
  if (!positioned) {
    struct stat found;
    int appends = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
    if (appends && fstat(fd, &found) != 0) fail("fstat");
    offset = appends ? found.st_size : lseek(fd, 0, SEEK_CUR);
  }
  head.offset = (uint64_t)offset;
  record(head, NULL, NULL, data, count);
  size_t length = 0;
  for (int at = 0; at < count; at++) length += data[at].iov_len;
  ssize_t result = positioned ? NEXT(pwritev)(fd, data, count, offset) : NEXT(writev)(fd, data, count);
  int error = errno;
  pthread_mutex_unlock(&mutex);
  if (result != (ssize_t)length) unknown("a write in parts");
  if (result > 0 && descriptor->synced && flush(fd, head.offset, length, NEXT(fdatasync)) != 0) {
    return -1;
  }
  errno = error;
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (of(fd) == NULL) return NEXT(write)(fd, bytes, length);
  struct iovec data = {.iov_base = (void *)bytes, .iov_len = length};
  return written(fd, &data, 1, 0, 0);
}

ssize_t writev(int fd, const struct iovec *data, int count) {
  return of(fd) == NULL ? NEXT(writev)(fd, data, count) : written(fd, data, count, 0, 0);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  if (of(fd) == NULL) return NEXT(pwrite)(fd, bytes, length, offset);
  struct iovec data = {.iov_base = (void *)bytes, .iov_len = length};
  return written(fd, &data, 1, offset, 1);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return pwrite(fd, bytes, length, offset);
}

ssize_t pwritev(int fd, const struct iovec *data, int count, off_t offset) {
  return of(fd) == NULL ? NEXT(pwritev)(fd, data, count, offset)
                        : written(fd, data, count, offset, 1);
}

ssize_t pwritev64(int fd, const struct iovec *data, int count, off64_t offset) {
  return pwritev(fd, data, count, offset);
}

static int cut(uint64_t file, off_t length) {
  struct head head = {.kind = CUT, .file = file, .length = (uint64_t)length};
  record(head, NULL, NULL, NULL, 0);
  return 0;
}

int ftruncate(int fd, off_t length) {
  struct descriptor *descriptor = of(fd);
  if (descriptor == NULL) return NEXT(ftruncate)(fd, length);
  pthread_mutex_lock(&mutex);
  cut(descriptor->file, length);
  int result = NEXT(ftruncate)(fd, length);
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int truncate(const char *path, off_t length) {
  char buffer[PATH_MAX];
  struct stat found;
  if (within(path, buffer) == NULL || stat(path, &found) != 0) return NEXT(truncate)(path, length);
  pthread_mutex_lock(&mutex);
  cut(found.st_ino, length);
  int result = NEXT(truncate)(path, length);
  pthread_mutex_unlock(&mutex);
  return result;
}

int fsync(int fd) {
  return of(fd) == NULL ? NEXT(fsync)(fd) : flush(fd, 0, 0, NEXT(fsync));
}

int fdatasync(int fd) {
  return of(fd) == NULL ? NEXT(fdatasync)(fd) : flush(fd, 0, 0, NEXT(fdatasync));
}

int rename(const char *from, const char *to) {
  char first[PATH_MAX], second[PATH_MAX];
  const char *source = within(from, first), *target = within(to, second);
  if (source == NULL || target == NULL) return NEXT(rename)(from, to);
  struct head head = {.kind = RENAMED};
  pthread_mutex_lock(&mutex);
  record(head, source, target, NULL, 0);
  int result = NEXT(rename)(from, to);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int by_path(enum kind kind, const char *path, int (*next)(const char *)) {
  char buffer[PATH_MAX];
  const char *inside = within(path, buffer);
  struct stat found;
  if (inside == NULL || lstat(path, &found) != 0) return next(path);
  struct head head = {.kind = kind, .file = found.st_ino};
  pthread_mutex_lock(&mutex);
  record(head, inside, NULL, NULL, 0);
  int result = next(path);
  pthread_mutex_unlock(&mutex);
  return result;
}

int unlink(const char *path) { return by_path(REMOVED, path, NEXT(unlink)); }

int rmdir(const char *path) { return by_path(FOLDER_REMOVED, path, NEXT(rmdir)); }

int mkdir(const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  const char *inside = within(path, buffer);
  if (inside == NULL) return NEXT(mkdir)(path, mode);
  struct head head = {.kind = FOLDER_MADE};
  struct stat found;
  pthread_mutex_lock(&mutex);
  int result = NEXT(mkdir)(path, mode);
  int error = errno;
  if (result == 0) {
    if (stat(path, &found) != 0) fail("stat");
    head.file = found.st_ino;
    record(head, inside, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

int link(const char *from, const char *to) {
  char buffer[PATH_MAX];
  if (within(to, buffer) != NULL) unknown("link");
  return NEXT(link)(from, to);
}

int symlink(const char *from, const char *to) {
  char buffer[PATH_MAX];
  if (within(to, buffer) != NULL) unknown("symlink");
  return NEXT(symlink)(from, to);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
  if (of(to) != NULL) unknown("sendfile");
  return NEXT(sendfile64)(to, from, offset, length);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  return sendfile64(to, from, offset, length);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  struct descriptor *descriptor = of(fd);
  if (descriptor != NULL && (protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0) {
    struct head head = {.kind = MAPPED, .file = descriptor->file};
    pthread_mutex_lock(&mutex);
    record(head, NULL, NULL, NULL, 0);
    pthread_mutex_unlock(&mutex);
  }
  return NEXT(mmap)(at, length, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}
