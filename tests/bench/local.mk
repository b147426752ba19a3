# tests/bench/local.mk: `make bench`; never part of `make check`.
EXTRA_PROGRAMS += %D%/timerun
%C%_timerun_SOURCES = %D%/timerun.c
CLEANFILES += %D%/timerun
EXTRA_DIST += %D%/bench.sh

check_PROGRAMS += %D%/repair
%C%_repair_SOURCES = %D%/repair.c %D%/pool.c %D%/pool.h
%C%_repair_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
%C%_repair_LDADD = tests/gen/libgen.la lib/libqipu-all.la
EXTRA_PROGRAMS += %D%/fit
%C%_fit_SOURCES = %D%/fit.c %D%/pool.c %D%/pool.h
%C%_fit_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
%C%_fit_LDADD = tests/gen/libgen.la lib/libqipu-all.la -lm
EXTRA_DIST += %D%/bench-repair.sh

.PHONY: bench bench-repair
bench-repair: tests/bench/repair
	@top_builddir='$(abs_top_builddir)' $(SHELL) $(top_srcdir)/tests/bench/bench-repair.sh
bench: tools/qipu tests/gen/qipu-gen tests/bench/timerun
	@top_builddir='$(abs_top_builddir)' $(SHELL) $(top_srcdir)/tests/bench/bench.sh
