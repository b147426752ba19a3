# tools/local.mk: the program. It includes <qipu.h> and nothing else of the library.
bin_PROGRAMS += %D%/qipu
%C%_qipu_SOURCES = \
	%D%/common.h %D%/main.c %D%/options.c %D%/words.c %D%/common.c %D%/inputs.c \
	%D%/archive.c %D%/records.c %D%/shares.c %D%/pieces.c \
	%D%/jobs.h %D%/jobs.c %D%/jobs_order.c %D%/chunks.h %D%/chunks.c \
	%D%/paths.h %D%/paths.c %D%/output.c %D%/print.c %D%/json.c \
	%D%/line.h %D%/line.c \
	%D%/cmd_check.c %D%/cmd_convert.c %D%/cmd_formats.c %D%/cmd_help.c %D%/cmd_info.c \
	%D%/cmd_moves.c %D%/cmd_lint.c
%C%_qipu_SOURCES += %D%/cmd_show.c
%C%_qipu_SOURCES += %D%/loop.c
# From the archive, so that what make leaves here is the program itself and starts at once,
# not a script that finds a library first.
%C%_qipu_CPPFLAGS = $(AM_CPPFLAGS) $(LIBARCHIVE_CFLAGS)
%C%_qipu_LDADD = lib/libqipu-all.la $(LIBARCHIVE_LIBS) $(ICONV_LIBS) $(DLOPEN_LIBS)
