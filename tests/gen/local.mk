# tests/gen/local.mk: invented games for the property tests, the fuzz seeds and the benchmarks.
noinst_LTLIBRARIES += %D%/libgen.la
%C%_libgen_la_SOURCES = %D%/gen.h %D%/player.c %D%/invent.c %D%/tree.c \
	%D%/dump.c
%C%_libgen_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
noinst_PROGRAMS += %D%/qipu-gen
%C%_qipu_gen_SOURCES = %D%/qipu-gen.c
%C%_qipu_gen_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
%C%_qipu_gen_LDADD = %D%/libgen.la lib/libqipu-all.la
