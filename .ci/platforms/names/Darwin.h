// Apple's C library, as far as the modules use it.

#define OPTIONAL _Nullable
#define IS_ANNOTATED 1

typedef unsigned long size_t;
typedef long ssize_t;
typedef unsigned short mode_t;
typedef unsigned long pthread_key_t;
typedef struct __sFILE FILE;
typedef struct _dirdesc DIR;
typedef unsigned socklen_t;
typedef unsigned char sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_un { unsigned char sun_len; sa_family_t sun_family; char sun_path[104]; };
struct timespec { long tv_sec; long tv_nsec; };
struct stat {
    int st_dev; mode_t st_mode; unsigned long long st_ino; long long st_size;
    struct timespec st_mtimespec, st_ctimespec;
};
struct dirent { unsigned long long d_ino; unsigned char d_type; char d_name[1024]; };

#define EAGAIN 35
#define ETIMEDOUT 60
#define ELOOP 62
#define ENAMETOOLONG 63
#define ESTALE 70
#define SIGUSR1 30
#define SIGUSR2 31
#define O_NONBLOCK 4
#define O_CLOEXEC 0x1000000
#define O_CREAT 0x200
#define O_EXCL 0x800
#define F_DUPFD_CLOEXEC 67
#define _IOLBF 1

#pragma clang assume_nonnull begin
typedef struct _opaque_pthread_t *pthread_t;
void *pthread_get_stackaddr_np(pthread_t);
size_t pthread_get_stacksize_np(pthread_t);
char *_Nullable *_Nullable *_NSGetEnviron(void);
char *strerror(int);
#pragma clang assume_nonnull end
#include "Common.h"
