// SPDX-License-Identifier: Apache-2.0
// What g++ and glibc know after the runtime's headers; without the variants of other types, such as
// M_PIf64 of M_PI and expf of exp. tests/names finds what is missing.
#include "frontend/library_names.h"

#include <algorithm>
#include <iterator>

#include "ir/emitted_types.h"

namespace mgen {
namespace {

// clang-format off
constexpr std::string_view kMacros[] = {
    "ADJ_ESTERROR", "ADJ_FREQUENCY", "ADJ_MAXERROR", "ADJ_MICRO", "ADJ_NANO", "ADJ_OFFSET",
    "ADJ_OFFSET_SINGLESHOT", "ADJ_OFFSET_SS_READ", "ADJ_SETOFFSET", "ADJ_STATUS", "ADJ_TAI",
    "ADJ_TICK", "ADJ_TIMECONST", "AIO_PRIO_DELTA_MAX", "BC_BASE_MAX", "BC_DIM_MAX", "BC_SCALE_MAX",
    "BC_STRING_MAX", "BIG_ENDIAN", "BOOL_MAX", "BOOL_WIDTH", "BUFSIZ", "BYTE_ORDER",
    "CHARCLASS_NAME_MAX", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "CHAR_WIDTH", "CHECK", "CHECK_EQ",
    "CHECK_GE", "CHECK_GT", "CHECK_LE", "CHECK_LT", "CHECK_NE", "CHECK_NOTNULL", "CLOCKS_PER_SEC",
    "CLOCK_BOOTTIME", "CLOCK_BOOTTIME_ALARM", "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_COARSE",
    "CLOCK_MONOTONIC_RAW", "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_REALTIME", "CLOCK_REALTIME_ALARM",
    "CLOCK_REALTIME_COARSE", "CLOCK_TAI", "CLOCK_THREAD_CPUTIME_ID", "CLONE_CHILD_CLEARTID",
    "CLONE_CHILD_SETTID", "CLONE_DETACHED", "CLONE_FILES", "CLONE_FS", "CLONE_IO",
    "CLONE_NEWCGROUP", "CLONE_NEWIPC", "CLONE_NEWNET", "CLONE_NEWNS", "CLONE_NEWPID",
    "CLONE_NEWTIME", "CLONE_NEWUSER", "CLONE_NEWUTS", "CLONE_PARENT", "CLONE_PARENT_SETTID",
    "CLONE_PIDFD", "CLONE_PTRACE", "CLONE_SETTLS", "CLONE_SIGHAND", "CLONE_SYSVSEM", "CLONE_THREAD",
    "CLONE_UNTRACED", "CLONE_VFORK", "CLONE_VM", "COLL_WEIGHTS_MAX", "CPU_ALLOC", "CPU_ALLOC_SIZE",
    "CPU_AND", "CPU_AND_S", "CPU_CLR", "CPU_CLR_S", "CPU_COUNT", "CPU_COUNT_S", "CPU_EQUAL",
    "CPU_EQUAL_S", "CPU_FREE", "CPU_ISSET", "CPU_ISSET_S", "CPU_OR", "CPU_OR_S", "CPU_SET",
    "CPU_SETSIZE", "CPU_SET_S", "CPU_XOR", "CPU_XOR_S", "CPU_ZERO", "CPU_ZERO_S", "CSIGNAL",
    "DBL_DECIMAL_DIG", "DBL_DIG", "DBL_EPSILON", "DBL_HAS_SUBNORM", "DBL_MANT_DIG", "DBL_MAX",
    "DBL_MAX_10_EXP", "DBL_MAX_EXP", "DBL_MIN", "DBL_MIN_10_EXP", "DBL_MIN_EXP", "DBL_TRUE_MIN",
    "DCHECK", "DCHECK_EQ", "DCHECK_GE", "DCHECK_GT", "DCHECK_LE", "DCHECK_LT", "DCHECK_NE",
    "DECIMAL_DIG", "DELAYTIMER_MAX", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV",
    "EAFNOSUPPORT", "EAGAIN", "EALREADY", "EBADE", "EBADF", "EBADFD", "EBADMSG", "EBADR", "EBADRQC",
    "EBADSLT", "EBFONT", "EBUSY", "ECANCELED", "ECHILD", "ECHRNG", "ECOMM", "ECONNABORTED",
    "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ", "EDOM", "EDOTDOT",
    "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH", "EHWPOISON", "EIDRM",
    "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "EISNAM", "EKEYEXPIRED",
    "EKEYREJECTED", "EKEYREVOKED", "EL2HLT", "EL2NSYNC", "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD",
    "ELIBEXEC", "ELIBMAX", "ELIBSCN", "ELNRNG", "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK",
    "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG", "ENAVAIL", "ENETDOWN", "ENETRESET", "ENETUNREACH",
    "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI", "ENODATA", "ENODEV", "ENOENT", "ENOEXEC", "ENOKEY",
    "ENOLCK", "ENOLINK", "ENOMEDIUM", "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT",
    "ENOSPC", "ENOSR", "ENOSTR", "ENOSYS", "ENOTBLK", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM",
    "ENOTRECOVERABLE", "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF", "EOPNOTSUPP",
    "EOVERFLOW", "EOWNERDEAD", "EPERM", "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT",
    "EPROTOTYPE", "ERANGE", "EREMCHG", "EREMOTE", "EREMOTEIO", "ERESTART", "ERFKILL", "EROFS",
    "ESHUTDOWN", "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE", "ESTRPIPE", "ETIME",
    "ETIMEDOUT", "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK", "EXDEV",
    "EXFULL", "EXIT_FAILURE", "EXIT_SUCCESS", "EXPR_NEST_MAX", "FD_CLR", "FD_ISSET", "FD_SET",
    "FD_SETSIZE", "FD_ZERO", "FILENAME_MAX", "FLT_DECIMAL_DIG", "FLT_DIG", "FLT_EPSILON",
    "FLT_EVAL_METHOD", "FLT_HAS_SUBNORM", "FLT_MANT_DIG", "FLT_MAX", "FLT_MAX_10_EXP",
    "FLT_MAX_EXP", "FLT_MIN", "FLT_MIN_10_EXP", "FLT_MIN_EXP", "FLT_RADIX", "FLT_ROUNDS",
    "FLT_TRUE_MIN", "FOPEN_MAX", "FP_ILOGB0", "FP_ILOGBNAN", "FP_INFINITE", "FP_INT_DOWNWARD",
    "FP_INT_TONEAREST", "FP_INT_TONEARESTFROMZERO", "FP_INT_TOWARDZERO", "FP_INT_UPWARD",
    "FP_LLOGB0", "FP_LLOGBNAN", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO", "HOST_NAME_MAX",
    "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "INFINITY", "INT16_C", "INT16_MAX", "INT16_MIN",
    "INT16_WIDTH", "INT32_C", "INT32_MAX", "INT32_MIN", "INT32_WIDTH", "INT64_C", "INT64_MAX",
    "INT64_MIN", "INT64_WIDTH", "INT8_C", "INT8_MAX", "INT8_MIN", "INT8_WIDTH", "INTMAX_C",
    "INTMAX_MAX", "INTMAX_MIN", "INTMAX_WIDTH", "INTPTR_MAX", "INTPTR_MIN", "INTPTR_WIDTH",
    "INT_FAST16_MAX", "INT_FAST16_MIN", "INT_FAST16_WIDTH", "INT_FAST32_MAX", "INT_FAST32_MIN",
    "INT_FAST32_WIDTH", "INT_FAST64_MAX", "INT_FAST64_MIN", "INT_FAST64_WIDTH", "INT_FAST8_MAX",
    "INT_FAST8_MIN", "INT_FAST8_WIDTH", "INT_LEAST16_MAX", "INT_LEAST16_MIN", "INT_LEAST16_WIDTH",
    "INT_LEAST32_MAX", "INT_LEAST32_MIN", "INT_LEAST32_WIDTH", "INT_LEAST64_MAX", "INT_LEAST64_MIN",
    "INT_LEAST64_WIDTH", "INT_LEAST8_MAX", "INT_LEAST8_MIN", "INT_LEAST8_WIDTH", "INT_MAX",
    "INT_MIN", "INT_WIDTH", "IOV_MAX", "LC_ADDRESS", "LC_ADDRESS_MASK", "LC_ALL", "LC_ALL_MASK",
    "LC_COLLATE", "LC_COLLATE_MASK", "LC_CTYPE", "LC_CTYPE_MASK", "LC_GLOBAL_LOCALE",
    "LC_IDENTIFICATION", "LC_IDENTIFICATION_MASK", "LC_MEASUREMENT", "LC_MEASUREMENT_MASK",
    "LC_MESSAGES", "LC_MESSAGES_MASK", "LC_MONETARY", "LC_MONETARY_MASK", "LC_NAME", "LC_NAME_MASK",
    "LC_NUMERIC", "LC_NUMERIC_MASK", "LC_PAPER", "LC_PAPER_MASK", "LC_TELEPHONE",
    "LC_TELEPHONE_MASK", "LC_TIME", "LC_TIME_MASK", "LDBL_DECIMAL_DIG", "LDBL_DIG", "LDBL_EPSILON",
    "LDBL_HAS_SUBNORM", "LDBL_MANT_DIG", "LDBL_MAX", "LDBL_MAX_10_EXP", "LDBL_MAX_EXP", "LDBL_MIN",
    "LDBL_MIN_10_EXP", "LDBL_MIN_EXP", "LDBL_TRUE_MIN", "LINE_MAX", "LITTLE_ENDIAN", "LLONG_MAX",
    "LLONG_MIN", "LLONG_WIDTH", "LOG", "LOGIN_NAME_MAX", "LOG_IF", "LONG_BIT", "LONG_LONG_MAX",
    "LONG_LONG_MIN", "LONG_MAX", "LONG_MIN", "LONG_WIDTH", "L_ctermid", "L_cuserid", "L_tmpnam",
    "MATH_ERREXCEPT", "MATH_ERRNO", "MAXFLOAT", "MAX_CANON", "MAX_INPUT", "MB_CUR_MAX",
    "MB_LEN_MAX", "MOD_CLKA", "MOD_CLKB", "MOD_ESTERROR", "MOD_FREQUENCY", "MOD_MAXERROR",
    "MOD_MICRO", "MOD_NANO", "MOD_OFFSET", "MOD_STATUS", "MOD_TAI", "MOD_TIMECONST", "MQ_PRIO_MAX",
    "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_E", "M_LN10", "M_LN2", "M_LOG10E", "M_LOG2E", "M_PI",
    "M_PI_2", "M_PI_4", "M_SQRT1_2", "M_SQRT2", "NAME_MAX", "NAN", "NDEBUG", "NFDBITS",
    "NGROUPS_MAX", "NL_ARGMAX", "NL_LANGMAX", "NL_MSGMAX", "NL_NMAX", "NL_SETMAX", "NL_TEXTMAX",
    "NULL", "NZERO", "PATH_MAX", "PDP_ENDIAN", "PIPE_BUF", "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_ATTR_NO_SIGMASK_NP", "PTHREAD_BARRIER_SERIAL_THREAD", "PTHREAD_CANCELED",
    "PTHREAD_CANCEL_ASYNCHRONOUS", "PTHREAD_CANCEL_DEFERRED", "PTHREAD_CANCEL_DISABLE",
    "PTHREAD_CANCEL_ENABLE", "PTHREAD_COND_INITIALIZER", "PTHREAD_CREATE_DETACHED",
    "PTHREAD_CREATE_JOINABLE", "PTHREAD_DESTRUCTOR_ITERATIONS",
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", "PTHREAD_EXPLICIT_SCHED", "PTHREAD_INHERIT_SCHED",
    "PTHREAD_KEYS_MAX", "PTHREAD_MUTEX_INITIALIZER", "PTHREAD_ONCE_INIT", "PTHREAD_PROCESS_PRIVATE",
    "PTHREAD_PROCESS_SHARED", "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_RWLOCK_INITIALIZER", "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP",
    "PTHREAD_SCOPE_PROCESS", "PTHREAD_SCOPE_SYSTEM", "PTHREAD_STACK_MIN", "PTRDIFF_MAX",
    "PTRDIFF_MIN", "PTRDIFF_WIDTH", "P_tmpdir", "RAND_MAX", "RENAME_EXCHANGE", "RENAME_NOREPLACE",
    "RENAME_WHITEOUT", "RE_DUP_MAX", "RTSIG_MAX", "SCHAR_MAX", "SCHAR_MIN", "SCHAR_WIDTH",
    "SCHED_BATCH", "SCHED_DEADLINE", "SCHED_FIFO", "SCHED_IDLE", "SCHED_ISO", "SCHED_OTHER",
    "SCHED_RESET_ON_FORK", "SCHED_RR", "SEEK_CUR", "SEEK_DATA", "SEEK_END", "SEEK_HOLE", "SEEK_SET",
    "SEM_VALUE_MAX", "SHRT_MAX", "SHRT_MIN", "SHRT_WIDTH", "SIG_ATOMIC_MAX", "SIG_ATOMIC_MIN",
    "SIG_ATOMIC_WIDTH", "SIZE_MAX", "SIZE_WIDTH", "SNAN", "SNANF", "SNANL", "SSIZE_MAX", "STA_CLK",
    "STA_CLOCKERR", "STA_DEL", "STA_FLL", "STA_FREQHOLD", "STA_INS", "STA_MODE", "STA_NANO",
    "STA_PLL", "STA_PPSERROR", "STA_PPSFREQ", "STA_PPSJITTER", "STA_PPSSIGNAL", "STA_PPSTIME",
    "STA_PPSWANDER", "STA_RONLY", "STA_UNSYNC", "TIMER_ABSTIME", "TIME_UTC", "TMP_MAX",
    "TTY_NAME_MAX", "UCHAR_MAX", "UCHAR_WIDTH", "UINT16_C", "UINT16_MAX", "UINT16_WIDTH",
    "UINT32_C", "UINT32_MAX", "UINT32_WIDTH", "UINT64_C", "UINT64_MAX", "UINT64_WIDTH", "UINT8_C",
    "UINT8_MAX", "UINT8_WIDTH", "UINTMAX_C", "UINTMAX_MAX", "UINTMAX_WIDTH", "UINTPTR_MAX",
    "UINTPTR_WIDTH", "UINT_FAST16_MAX", "UINT_FAST16_WIDTH", "UINT_FAST32_MAX", "UINT_FAST32_WIDTH",
    "UINT_FAST64_MAX", "UINT_FAST64_WIDTH", "UINT_FAST8_MAX", "UINT_FAST8_WIDTH",
    "UINT_LEAST16_MAX", "UINT_LEAST16_WIDTH", "UINT_LEAST32_MAX", "UINT_LEAST32_WIDTH",
    "UINT_LEAST64_MAX", "UINT_LEAST64_WIDTH", "UINT_LEAST8_MAX", "UINT_LEAST8_WIDTH", "UINT_MAX",
    "UINT_WIDTH", "ULLONG_MAX", "ULLONG_WIDTH", "ULONG_LONG_MAX", "ULONG_MAX", "ULONG_WIDTH",
    "USHRT_MAX", "USHRT_WIDTH", "WCHAR_MAX", "WCHAR_MIN", "WCHAR_WIDTH", "WCONTINUED", "WEOF",
    "WEXITED", "WEXITSTATUS", "WIFCONTINUED", "WIFEXITED", "WIFSIGNALED", "WIFSTOPPED", "WINT_MAX",
    "WINT_MIN", "WINT_WIDTH", "WNOHANG", "WNOWAIT", "WORD_BIT", "WSTOPPED", "WSTOPSIG", "WTERMSIG",
    "WUNTRACED", "XATTR_LIST_MAX", "XATTR_NAME_MAX", "XATTR_SIZE_MAX", "alloca", "assert",
    "assert_perror", "be16toh", "be32toh", "be64toh", "errno", "far", "htobe16", "htobe32",
    "htobe64", "htole16", "htole32", "htole64", "isalnum_l", "isalpha_l", "isascii", "isascii_l",
    "isblank_l", "iscntrl_l", "isdigit_l", "isgraph_l", "islower_l", "isprint_l", "ispunct_l",
    "isspace_l", "issubnormal", "isupper_l", "isxdigit_l", "le16toh", "le32toh", "le64toh", "linux",
    "math_errhandling", "near", "offsetof", "pthread_cleanup_pop", "pthread_cleanup_pop_restore_np",
    "pthread_cleanup_push", "pthread_cleanup_push_defer_np", "sched_priority", "stderr", "stdin",
    "stdout", "strdupa", "strndupa", "toascii", "toascii_l", "unix",
};

// Functions, types and variables.
constexpr std::string_view kGlobals[] = {
    "FILE", "PTHREAD_MUTEX_ADAPTIVE_NP", "PTHREAD_MUTEX_DEFAULT",
    "PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_ERRORCHECK_NP", "PTHREAD_MUTEX_FAST_NP",
    "PTHREAD_MUTEX_NORMAL", "PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_RECURSIVE_NP",
    "PTHREAD_MUTEX_ROBUST", "PTHREAD_MUTEX_ROBUST_NP", "PTHREAD_MUTEX_STALLED",
    "PTHREAD_MUTEX_STALLED_NP", "PTHREAD_MUTEX_TIMED_NP", "PTHREAD_PRIO_INHERIT",
    "PTHREAD_PRIO_NONE", "PTHREAD_PRIO_PROTECT", "PTHREAD_RWLOCK_DEFAULT_NP",
    "PTHREAD_RWLOCK_PREFER_READER_NP", "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP",
    "PTHREAD_RWLOCK_PREFER_WRITER_NP", "a64l", "abort", "abs", "acos", "acosh", "aligned_alloc",
    "arc4random", "arc4random_buf", "arc4random_uniform", "asctime", "asctime_r", "asin", "asinh",
    "asprintf", "at_quick_exit", "atan", "atan2", "atanh", "atexit", "atof", "atoi", "atol",
    "basename", "bcmp", "bcopy", "blkcnt64_t", "blkcnt_t", "blksize_t", "bsearch", "btowc", "bzero",
    "caddr_t", "calloc", "canonicalize", "canonicalize_file_name", "cbrt", "ceil", "clearenv",
    "clearerr", "clearerr_unlocked", "clock", "clock_adjtime", "clock_getcpuclockid",
    "clock_getres", "clock_gettime", "clock_nanosleep", "clock_settime", "clock_t", "clockid_t",
    "clone", "comparison_fn_t", "cookie_close_function_t", "cookie_io_functions_t",
    "cookie_read_function_t", "cookie_seek_function_t", "cookie_write_function_t", "copysign",
    "cos", "cosh", "cpu_set_t", "ctermid", "ctime", "ctime_r", "cuserid", "daddl", "daddr_t",
    "daylight", "ddivl", "dev_t", "dfmal", "difftime", "dim3", "div", "div_t", "dmull", "double_t",
    "dprintf", "drand48", "drand48_data", "drand48_r", "drem", "dsqrtl", "dsubl", "duplocale",
    "dysize", "ecvt", "ecvt_r", "erand48", "erand48_r", "erf", "erfc", "error_t", "exit", "exp",
    "exp10", "exp2", "explicit_bzero", "expm1", "f32addf128", "f32addf32x", "f32addf64",
    "f32addf64x", "f32divf128", "f32divf32x", "f32divf64", "f32divf64x", "f32fmaf128", "f32fmaf32x",
    "f32fmaf64", "f32fmaf64x", "f32mulf128", "f32mulf32x", "f32mulf64", "f32mulf64x", "f32sqrtf128",
    "f32sqrtf32x", "f32sqrtf64", "f32sqrtf64x", "f32subf128", "f32subf32x", "f32subf64",
    "f32subf64x", "f32xaddf128", "f32xaddf64", "f32xaddf64x", "f32xdivf128", "f32xdivf64",
    "f32xdivf64x", "f32xfmaf128", "f32xfmaf64", "f32xfmaf64x", "f32xmulf128", "f32xmulf64",
    "f32xmulf64x", "f32xsqrtf128", "f32xsqrtf64", "f32xsqrtf64x", "f32xsubf128", "f32xsubf64",
    "f32xsubf64x", "f64addf128", "f64addf64x", "f64divf128", "f64divf64x", "f64fmaf128",
    "f64fmaf64x", "f64mulf128", "f64mulf64x", "f64sqrtf128", "f64sqrtf64x", "f64subf128",
    "f64subf64x", "f64xaddf128", "f64xdivf128", "f64xfmaf128", "f64xmulf128", "f64xsqrtf128",
    "f64xsubf128", "fabs", "fadd", "fclose", "fcloseall", "fcvt", "fcvt_r", "fd_mask", "fd_set",
    "fdim", "fdiv", "fdopen", "feof", "feof_unlocked", "ferror", "ferror_unlocked", "fflush",
    "fflush_unlocked", "ffma", "ffs", "ffsll", "fgetc", "fgetc_unlocked", "fgetpos", "fgetpos64",
    "fgets", "fgets_unlocked", "fgetwc", "fgetwc_unlocked", "fgetws", "fgetws_unlocked", "fileno",
    "fileno_unlocked", "finite", "float_t", "flockfile", "floor", "fma", "fmax", "fmaximum",
    "fmaximum_mag", "fmaximum_mag_num", "fmaximum_num", "fmaxmag", "fmemopen", "fmin", "fminimum",
    "fminimum_mag", "fminimum_mag_num", "fminimum_num", "fminmag", "fmod", "fmul", "fopen",
    "fopen64", "fopencookie", "fpos64_t", "fpos_t", "fprintf", "fputc", "fputc_unlocked", "fputs",
    "fputs_unlocked", "fputwc", "fputwc_unlocked", "fputws", "fputws_unlocked", "fread",
    "fread_unlocked", "free", "freelocale", "freopen", "freopen64", "frexp", "fromfp", "fromfpx",
    "fsblkcnt64_t", "fsblkcnt_t", "fscanf", "fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64",
    "fsfilcnt64_t", "fsfilcnt_t", "fsid_t", "fsqrt", "fsub", "ftell", "ftello", "ftello64",
    "ftrylockfile", "funlockfile", "fwide", "fwprintf", "fwrite", "fwrite_unlocked", "fwscanf",
    "gamma", "gcvt", "getc", "getc_unlocked", "getchar", "getchar_unlocked", "getcpu", "getdate",
    "getdate_err", "getdate_r", "getdelim", "getenv", "getline", "getloadavg", "getpayload",
    "getpt", "getsubopt", "getw", "getwc", "getwc_unlocked", "getwchar", "getwchar_unlocked",
    "gid_t", "gmtime", "gmtime_r", "grantpt", "hypot", "id_t", "ilogb", "index", "initstate",
    "initstate_r", "ino64_t", "ino_t", "int16_t", "int32_t", "int64_t", "int8_t", "int_fast16_t",
    "int_fast32_t", "int_fast64_t", "int_fast8_t", "int_least16_t", "int_least32_t",
    "int_least64_t", "int_least8_t", "intmax_t", "intptr_t", "isalnum", "isalnum_l", "isalpha",
    "isalpha_l", "isascii", "isblank", "isblank_l", "iscanonical", "iscntrl", "iscntrl_l",
    "isctype", "isdigit", "isdigit_l", "iseqsig", "isgraph", "isgraph_l", "isinff", "isinfl",
    "islower", "islower_l", "isnanf", "isnanl", "isprint", "isprint_l", "ispunct", "ispunct_l",
    "issignaling", "isspace", "isspace_l", "isupper", "isupper_l", "iswalnum", "iswalnum_l",
    "iswalpha", "iswalpha_l", "iswblank", "iswblank_l", "iswcntrl", "iswcntrl_l", "iswctype",
    "iswctype_l", "iswdigit", "iswdigit_l", "iswgraph", "iswgraph_l", "iswlower", "iswlower_l",
    "iswprint", "iswprint_l", "iswpunct", "iswpunct_l", "iswspace", "iswspace_l", "iswupper",
    "iswupper_l", "iswxdigit", "iswxdigit_l", "isxdigit", "isxdigit_l", "iszero", "itimerspec",
    "j0", "j1", "jn", "jrand48", "jrand48_r", "key_t", "l64a", "labs", "lcong48", "lcong48_r",
    "lconv", "ldexp", "ldiv", "ldiv_t", "lgamma", "lgamma_r", "lgammaf128_r", "lgammaf32_r",
    "lgammaf32x_r", "lgammaf64_r", "lgammaf64x_r", "lgammaf_r", "lgammal_r", "llabs", "lldiv",
    "lldiv_t", "llogb", "llrint", "llround", "locale_t", "localeconv", "localtime", "localtime_r",
    "loff_t", "log", "log10", "log1p", "log2", "logb", "lrand48", "lrand48_r", "lrint", "lround",
    "malloc", "max_align_t", "mblen", "mbrlen", "mbrtowc", "mbsinit", "mbsnrtowcs", "mbsrtowcs",
    "mbstate_t", "mbstowcs", "mbtowc", "memccpy", "memchr", "memcmp", "memcpy", "memfrob", "memmem",
    "memmove", "mempcpy", "memrchr", "memset", "mkdtemp", "mkostemp", "mkostemp64", "mkostemps",
    "mkostemps64", "mkstemp", "mkstemp64", "mkstemps", "mkstemps64", "mktemp", "mktime", "mode_t",
    "modf", "mrand48", "mrand48_r", "nan", "nanosleep", "nearbyint", "newlocale", "nextafter",
    "nextdown", "nexttoward", "nextup", "nlink_t", "nrand48", "nrand48_r", "nullptr_t", "obstack",
    "obstack_printf", "obstack_vprintf", "off64_t", "off_t", "on_exit", "open_memstream",
    "open_wmemstream", "pclose", "perror", "pid_t", "popen", "posix_memalign", "posix_openpt",
    "pow", "printf", "program_invocation_name", "program_invocation_short_name", "pselect",
    "pthread_atfork", "pthread_attr_destroy", "pthread_attr_getaffinity_np",
    "pthread_attr_getdetachstate", "pthread_attr_getguardsize", "pthread_attr_getinheritsched",
    "pthread_attr_getschedparam", "pthread_attr_getschedpolicy", "pthread_attr_getscope",
    "pthread_attr_getsigmask_np", "pthread_attr_getstack", "pthread_attr_getstackaddr",
    "pthread_attr_getstacksize", "pthread_attr_init", "pthread_attr_setaffinity_np",
    "pthread_attr_setdetachstate", "pthread_attr_setguardsize", "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam", "pthread_attr_setschedpolicy", "pthread_attr_setscope",
    "pthread_attr_setsigmask_np", "pthread_attr_setstack", "pthread_attr_setstackaddr",
    "pthread_attr_setstacksize", "pthread_attr_t", "pthread_barrier_destroy",
    "pthread_barrier_init", "pthread_barrier_t", "pthread_barrier_wait",
    "pthread_barrierattr_destroy", "pthread_barrierattr_getpshared", "pthread_barrierattr_init",
    "pthread_barrierattr_setpshared", "pthread_barrierattr_t", "pthread_cancel",
    "pthread_clockjoin_np", "pthread_cond_broadcast", "pthread_cond_clockwait",
    "pthread_cond_destroy", "pthread_cond_init", "pthread_cond_signal", "pthread_cond_t",
    "pthread_cond_timedwait", "pthread_cond_wait", "pthread_condattr_destroy",
    "pthread_condattr_getclock", "pthread_condattr_getpshared", "pthread_condattr_init",
    "pthread_condattr_setclock", "pthread_condattr_setpshared", "pthread_condattr_t",
    "pthread_create", "pthread_detach", "pthread_equal", "pthread_exit", "pthread_getaffinity_np",
    "pthread_getattr_default_np", "pthread_getattr_np", "pthread_getconcurrency",
    "pthread_getcpuclockid", "pthread_getname_np", "pthread_getschedparam", "pthread_getspecific",
    "pthread_join", "pthread_key_create", "pthread_key_delete", "pthread_key_t",
    "pthread_mutex_clocklock", "pthread_mutex_consistent", "pthread_mutex_consistent_np",
    "pthread_mutex_destroy", "pthread_mutex_getprioceiling", "pthread_mutex_init",
    "pthread_mutex_lock", "pthread_mutex_setprioceiling", "pthread_mutex_t",
    "pthread_mutex_timedlock", "pthread_mutex_trylock", "pthread_mutex_unlock",
    "pthread_mutexattr_destroy", "pthread_mutexattr_getprioceiling",
    "pthread_mutexattr_getprotocol", "pthread_mutexattr_getpshared", "pthread_mutexattr_getrobust",
    "pthread_mutexattr_getrobust_np", "pthread_mutexattr_gettype", "pthread_mutexattr_init",
    "pthread_mutexattr_setprioceiling", "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared", "pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np",
    "pthread_mutexattr_settype", "pthread_mutexattr_t", "pthread_once", "pthread_once_t",
    "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock", "pthread_rwlock_destroy",
    "pthread_rwlock_init", "pthread_rwlock_rdlock", "pthread_rwlock_t",
    "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock", "pthread_rwlock_unlock", "pthread_rwlock_wrlock",
    "pthread_rwlockattr_destroy", "pthread_rwlockattr_getkind_np", "pthread_rwlockattr_getpshared",
    "pthread_rwlockattr_init", "pthread_rwlockattr_setkind_np", "pthread_rwlockattr_setpshared",
    "pthread_rwlockattr_t", "pthread_self", "pthread_setaffinity_np", "pthread_setattr_default_np",
    "pthread_setcancelstate", "pthread_setcanceltype", "pthread_setconcurrency",
    "pthread_setname_np", "pthread_setschedparam", "pthread_setschedprio", "pthread_setspecific",
    "pthread_spin_destroy", "pthread_spin_init", "pthread_spin_lock", "pthread_spin_trylock",
    "pthread_spin_unlock", "pthread_spinlock_t", "pthread_t", "pthread_testcancel",
    "pthread_timedjoin_np", "pthread_tryjoin_np", "pthread_yield", "ptrdiff_t", "ptsname",
    "ptsname_r", "putc", "putc_unlocked", "putchar", "putchar_unlocked", "putenv", "puts", "putw",
    "putwc", "putwc_unlocked", "putwchar", "putwchar_unlocked", "qecvt", "qecvt_r", "qfcvt",
    "qfcvt_r", "qgcvt", "qsort", "qsort_r", "quad_t", "quick_exit", "rand", "rand_r", "random",
    "random_data", "random_r", "rawmemchr", "realloc", "reallocarray", "realpath", "register_t",
    "remainder", "remove", "remquo", "rename", "renameat", "renameat2", "rewind", "rindex", "rint",
    "round", "roundeven", "rpmatch", "scalb", "scalbln", "scalbn", "scanf",
    "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getcpu",
    "sched_getparam", "sched_getscheduler", "sched_param", "sched_rr_get_interval",
    "sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_yield", "secure_getenv",
    "seed48", "seed48_r", "select", "setbuf", "setbuffer", "setenv", "setlinebuf", "setlocale",
    "setns", "setpayload", "setpayloadsig", "setstate", "setstate_r", "setvbuf", "sigabbrev_np",
    "sigdescr_np", "sigevent", "signgam", "significand", "sigset_t", "sin", "sincos", "sinh",
    "size_t", "snprintf", "sprintf", "sqrt", "srand", "srand48", "srand48_r", "srandom",
    "srandom_r", "sscanf", "ssize_t", "stpcpy", "stpncpy", "strcasecmp", "strcasecmp_l",
    "strcasestr", "strcat", "strchr", "strchrnul", "strcmp", "strcoll", "strcoll_l", "strcpy",
    "strcspn", "strdup", "strerror", "strerror_l", "strerror_r", "strerrordesc_np",
    "strerrorname_np", "strfromd", "strfromf", "strfromf128", "strfromf32", "strfromf32x",
    "strfromf64", "strfromf64x", "strfroml", "strfry", "strftime", "strftime_l", "strlen",
    "strncasecmp", "strncasecmp_l", "strncat", "strncmp", "strncpy", "strndup", "strnlen",
    "strpbrk", "strptime", "strptime_l", "strrchr", "strsep", "strsignal", "strspn", "strstr",
    "strtod", "strtod_l", "strtof", "strtof128", "strtof128_l", "strtof32", "strtof32_l",
    "strtof32x", "strtof32x_l", "strtof64", "strtof64_l", "strtof64x", "strtof64x_l", "strtof_l",
    "strtok", "strtok_r", "strtol", "strtol_l", "strtold", "strtold_l", "strtoll_l", "strtoq",
    "strtoul", "strtoul_l", "strtoull_l", "strtouq", "strverscmp", "strxfrm", "strxfrm_l",
    "suseconds_t", "swprintf", "swscanf", "system", "tan", "tanh", "tempnam", "tgamma", "time",
    "time_t", "timegm", "timelocal", "timer_create", "timer_delete", "timer_getoverrun",
    "timer_gettime", "timer_settime", "timer_t", "timespec", "timespec_get", "timespec_getres",
    "timeval", "timex", "timezone", "tm", "tmpfile", "tmpfile64", "tmpnam", "tmpnam_r", "toascii",
    "tolower", "tolower_l", "totalorder", "totalordermag", "toupper", "toupper_l", "towctrans",
    "towctrans_l", "towlower", "towlower_l", "towupper", "towupper_l", "trunc", "tzname", "tzset",
    "u_char", "u_int", "u_int16_t", "u_int32_t", "u_int64_t", "u_int8_t", "u_long", "u_quad_t",
    "u_short", "ufromfp", "ufromfpx", "uid_t", "uint", "uint16_t", "uint32_t", "uint64_t",
    "uint8_t", "uint_fast16_t", "uint_fast32_t", "uint_fast64_t", "uint_fast8_t", "uint_least16_t",
    "uint_least32_t", "uint_least64_t", "uint_least8_t", "uintmax_t", "uintptr_t", "ulong",
    "ungetc", "ungetwc", "unlockpt", "unsetenv", "unshare", "useconds_t", "uselocale", "ushort",
    "va_list", "valloc", "vasprintf", "vdprintf", "vfprintf", "vfscanf", "vfwprintf", "vfwscanf",
    "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "vswprintf", "vswscanf", "vwprintf",
    "vwscanf", "wcpcpy", "wcpncpy", "wcrtomb", "wcscasecmp", "wcscasecmp_l", "wcscat", "wcschr",
    "wcschrnul", "wcscmp", "wcscoll", "wcscoll_l", "wcscpy", "wcscspn", "wcsdup", "wcsftime",
    "wcsftime_l", "wcslen", "wcsncasecmp", "wcsncasecmp_l", "wcsncat", "wcsncmp", "wcsncpy",
    "wcsnlen", "wcsnrtombs", "wcspbrk", "wcsrchr", "wcsrtombs", "wcsspn", "wcsstr", "wcstod",
    "wcstod_l", "wcstof", "wcstof128", "wcstof128_l", "wcstof32", "wcstof32_l", "wcstof32x",
    "wcstof32x_l", "wcstof64", "wcstof64_l", "wcstof64x", "wcstof64x_l", "wcstof_l", "wcstok",
    "wcstol", "wcstol_l", "wcstold", "wcstold_l", "wcstoll_l", "wcstombs", "wcstoq", "wcstoul",
    "wcstoul_l", "wcstoull_l", "wcstouq", "wcswcs", "wcswidth", "wcsxfrm", "wcsxfrm_l", "wctob",
    "wctomb", "wctrans", "wctrans_l", "wctrans_t", "wctype", "wctype_l", "wctype_t", "wcwidth",
    "wint_t", "wmemchr", "wmemcmp", "wmemcpy", "wmemmove", "wmempcpy", "wmemset", "wprintf",
    "wscanf", "y0", "y1", "yn",
};

// What cuda_runtime.h of CUDA 13 declares besides, but for the families of IsCudaGlobal. nvcc
// includes it in every file. tests/names/nvcc_names.py finds what is missing.
constexpr std::string_view kCudaGlobals[] = {
    "CUDAlogLevel_enum", "CUuuid", "MAJOR_VERSION", "MINOR_VERSION", "PATCH_LEVEL", "all", "any",
    "ballot", "blockDim", "blockIdx", "clock64", "cospi", "cyl_bessel_i0", "cyl_bessel_i1", "dadd",
    "dmul", "double2int", "double2ll", "double2uint", "double2ull", "dsub", "erfcinv", "erfcx",
    "erfinv", "fdivide", "float2double", "fpclassify", "gridDim", "int2double", "isfinite",
    "isgreater", "isgreaterequal", "isinf", "isless", "islessequal", "islessgreater", "isnan",
    "isnormal", "isunordered", "libraryPropertyType", "libraryPropertyType_t", "ll2double", "llmax",
    "llmin", "max", "min", "norm", "norm3d", "norm4d", "normcdf", "normcdfinv", "rcbrt", "rhypot",
    "rnorm", "rnorm3d", "rnorm4d", "rsqrt", "signbit", "sincospi", "sinpi", "syncthreads_and",
    "syncthreads_count", "syncthreads_or", "threadIdx", "uint2double", "ull2double", "ullmax",
    "ullmin", "umax", "umin", "warpSize",
};
// clang-format on

/// What a binary search needs.
template <size_t kSize>
constexpr bool IsSorted(const std::string_view (&names)[kSize]) {
  for (size_t i = 1; i < kSize; ++i) {
    if (names[i] <= names[i - 1]) return false;
  }
  return true;
}
static_assert(IsSorted(kMacros) && IsSorted(kGlobals) && IsSorted(kCudaGlobals),
              "names are out of order, or there twice");

constexpr std::string_view kVariants[] = {"f", "f32", "f32x", "f64", "f64x", "f128", "l",
                                          "F", "F32", "F32X", "F64", "F64X", "F128"};

bool EndsWith(std::string_view name, std::string_view end) {
  return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

template <size_t kSize>
bool IsAmong(const std::string_view (&names)[kSize], std::string_view name) {
  const auto has = [&](std::string_view n) {
    return std::binary_search(std::begin(names), std::end(names), n);
  };
  return has(name) ||
         std::any_of(std::begin(kVariants), std::end(kVariants), [&](std::string_view variant) {
           if (!EndsWith(name, variant)) return false;
           const std::string_view base = name.substr(0, name.size() - variant.size());
           return has(base) || (base.back() == '_' && has(base.substr(0, base.size() - 1)));
         });
}

bool BeginsWith(std::string_view name, std::string_view begin) {
  return name.size() > begin.size() && name.substr(0, begin.size()) == begin;
}

/// "float4", "ulonglong2", "make_double4_16a".
bool IsCudaVector(std::string_view name) {
  if (BeginsWith(name, "make_")) name.remove_prefix(5);
  for (const std::string_view alignment : {"_16a", "_32a"}) {
    if (EndsWith(name, alignment)) name.remove_suffix(alignment.size());
  }
  if (name.empty() || name.back() < '1' || name.back() > '4') return false;
  std::string_view base = name.substr(0, name.size() - 1);
  if (base == "float" || base == "double") return true;
  if (!base.empty() && base[0] == 'u') base.remove_prefix(1);
  return base == "char" || base == "short" || base == "int" || base == "long" || base == "longlong";
}

/// Whether a name is a prefix, and then a capital letter or a digit: "cudaMalloc", "tex2D".
bool IsOfFamily(std::string_view name, std::string_view prefix) {
  if (!BeginsWith(name, prefix)) return false;
  const char next = name[prefix.size()];
  return (next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9');
}

/// "CUDA_R_32F", "CUevent_st", "make_cudaPos", "atomicAdd", "surf1Dread".
bool IsCudaGlobal(std::string_view name) {
  for (const std::string_view prefix : {"cuda", "cublas", "curand", "cudnn", "cusolver",
                                        "make_cuda", "cudalibrary", "atomic", "tex", "surf"}) {
    if (IsOfFamily(name, prefix)) return true;
  }
  const bool is_handle = BeginsWith(name, "CU") && EndsWith(name, "_st");
  return is_handle || BeginsWith(name, "CUDA_") || IsCudaVector(name) ||
         IsAmong(kCudaGlobals, name);
}

/// "cudaStreamLegacy", "CUDART_VERSION", "CUDA_IPC_HANDLE_SIZE": some of these are macros.
bool IsCudaMacro(std::string_view name) {
  return IsOfFamily(name, "cuda") || BeginsWith(name, "CUDART") || BeginsWith(name, "CUDA_") ||
         BeginsWith(name, "CU_");
}

bool IsLibraryGlobal(std::string_view name) {
  return name.substr(0, 8) == "mshadow_" || IsCudaGlobal(name) || IsAmong(kGlobals, name);
}

}  // namespace

bool IsLibraryMacro(std::string_view name) {
  return name.substr(0, 8) == "MSHADOW_" || name.substr(0, 5) == "DMLC_" || IsCudaMacro(name) ||
         IsAmong(kMacros, name);
}

std::string WhyTaken(std::string_view name, bool is_global) {
  const auto *const types_end = std::end(kEmittedTypes);
  const bool is_type = std::find(std::begin(kEmittedTypes), types_end, name) != types_end;
  if (is_type) return "it is a type that emitted code uses";
  return is_global && IsLibraryGlobal(name)
             ? "a C, CUDA or mshadow header declares it in the global namespace"
             : "";
}

std::string WhyNoNamespace(std::string_view name, bool is_global) {
  if (name == "std") return "it belongs to the C++ library";
  if (name == "mshadow" && !is_global) return "it would hide mshadow's own";
  if (name == "baseline" || name == "avx2" || name == "avx512") {
    return "emitted code has a namespace of this name";
  }
  return WhyTaken(name, is_global);
}

}  // namespace mgen
