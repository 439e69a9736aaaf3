// The functions and constants that the modules take from every C library. A platform's header comes first, with its
// types, and defines OPTIONAL: `_Nullable` where the C library is annotated (IS_ANNOTATED), and nothing elsewhere.

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define ENOMEM 12
#define EACCES 13
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOSPC 28
#define EPIPE 32
#define SIGHUP 1
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1
#define POLLIN 1
#define POLLOUT 4
#define CLOCK_MONOTONIC 1
#define AF_UNIX 1
#define SOCK_DGRAM 2

struct pollfd { int fd; short events; short revents; };

#if IS_ANNOTATED
#pragma clang assume_nonnull begin
#endif
_Noreturn void exit(int);
_Noreturn void _exit(int);
void free(void *OPTIONAL);
int close(int);
int dup2(int, int);
int fflush(FILE *OPTIONAL);
int ferror(FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int isatty(int);
ssize_t read(int, void *OPTIONAL, size_t);
ssize_t write(int, const void *OPTIONAL, size_t);
int fsync(int);
int unlink(const char *);
int rename(const char *, const char *);
int getpid(void);
int pipe(int *);
int clock_gettime(int, struct timespec *);
int poll(struct pollfd *, unsigned, int);
int socket(int, int, int);
ssize_t sendto(int, const void *OPTIONAL, size_t, int, const struct sockaddr *OPTIONAL, socklen_t);
int fstat(int, struct stat *);
int stat(const char *, struct stat *);
ssize_t readlink(const char *, char *, size_t);
char *OPTIONAL realpath(const char *, char *OPTIONAL);
DIR *OPTIONAL opendir(const char *);
struct dirent *OPTIONAL readdir(DIR *);
int closedir(DIR *);
void (*OPTIONAL signal(int, void (*OPTIONAL)(int)))(int);
int setvbuf(FILE *, char *OPTIONAL, int, size_t);
size_t strlen(const char *);
void *OPTIONAL memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
pthread_t pthread_self(void);
int pthread_key_create(pthread_key_t *, void (*OPTIONAL)(void *OPTIONAL));
int pthread_key_delete(pthread_key_t);
void *OPTIONAL pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *OPTIONAL);
#if IS_ANNOTATED
#pragma clang assume_nonnull end
#endif
