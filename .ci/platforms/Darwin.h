// The functions of Apple's C library that the modules call, for the type check in this folder. Add those that it
// misses.

typedef unsigned long size_t;
typedef long ssize_t;
struct timespec { long tv_sec; long tv_nsec; };
typedef unsigned long pthread_key_t;
typedef struct { long signature; char opaque[56]; } pthread_mutex_t;
typedef struct { long signature; char opaque[8]; } pthread_mutexattr_t;
typedef struct { long signature; char opaque[40]; } pthread_cond_t;
typedef struct { long signature; char opaque[8]; } pthread_condattr_t;

#pragma clang assume_nonnull begin
typedef struct _opaque_pthread_t *pthread_t;
pthread_t pthread_self(void);
int sched_yield(void);
int nanosleep(const struct timespec *, struct timespec *_Nullable);
_Noreturn void exit(int);
ssize_t write(int, const void *_Nullable, size_t);
int memcmp(const void *_Nullable, const void *_Nullable, size_t);
int pthread_atfork(void (*_Nullable)(void), void (*_Nullable)(void), void (*_Nullable)(void));
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
int pthread_key_delete(pthread_key_t);
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_broadcast(pthread_cond_t *);
#pragma clang assume_nonnull end
