// Android's C library (Bionic), as far as the modules use it. Keys of threads are signed.

#define OPTIONAL _Nullable
#define IS_ANNOTATED 1

typedef unsigned long size_t;
typedef long ssize_t;
typedef unsigned mode_t;
typedef int pthread_key_t;
typedef long pthread_t;
typedef struct { long __words[7]; } pthread_attr_t;
typedef struct __sFILE FILE;
typedef struct DIR DIR;
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
struct timespec { long tv_sec; long tv_nsec; };
struct stat {
    unsigned long st_dev, st_ino; unsigned st_mode; long st_size;
    struct timespec st_mtim, st_ctim;
};
struct dirent { unsigned long long d_ino; unsigned char d_type; char d_name[256]; };

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

#pragma clang assume_nonnull begin
char *strerror(int);
void *_Nullable dlsym(void *_Nullable, const char *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_getstack(const pthread_attr_t *, void *_Nullable *_Nonnull, size_t *);
extern FILE *stdout;
#pragma clang assume_nonnull end
#include "Common.h"
