// Musl's C library, as far as the modules use it. It is not annotated, a thread is a pointer, and `stdout` is constant.

#define OPTIONAL

typedef unsigned long size_t;
typedef long ssize_t;
typedef unsigned mode_t;
typedef unsigned pthread_key_t;
typedef struct __pthread *pthread_t;
typedef struct { long __words[7]; } pthread_attr_t;
typedef struct _IO_FILE FILE;
typedef struct __dirstream DIR;
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
struct timespec { long tv_sec; long tv_nsec; };
struct stat {
    unsigned long st_dev, st_ino; mode_t st_mode; long st_size;
    struct timespec st_mtim, st_ctim;
};
struct dirent { unsigned long d_ino; unsigned char d_type; char d_name[256]; };

#define EAGAIN 11
#define ENAMETOOLONG 36
#define ELOOP 40
#define ETIMEDOUT 110
#define ESTALE 116
#define SIGUSR1 10
#define SIGUSR2 12
#define O_NONBLOCK 04000
#define O_CLOEXEC 02000000
#define O_CREAT 0100
#define O_EXCL 0200
#define F_DUPFD_CLOEXEC 1030
#define _IOLBF 1

char *strerror(int);
void *dlsym(void *, const char *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_getstack(const pthread_attr_t *, void **, size_t *);
extern FILE *const stdout;
#include "Common.h"
