# tests/bench/local.mk: `make bench` and `make bench-check`; never part of `make check`.
EXTRA_PROGRAMS += %D%/timerun
%C%_timerun_SOURCES = %D%/timerun.c
CLEANFILES += %D%/timerun
EXTRA_DIST += %D%/bench.sh %D%/inputs.sh %D%/stages.sh %D%/stages.awk %D%/counts.sh \
	%D%/counts.tsv

check_PROGRAMS += %D%/repair
%C%_repair_SOURCES = %D%/repair.c %D%/pool.c %D%/pool.h
%C%_repair_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
%C%_repair_LDADD = tests/gen/libgen.la lib/libqipu-all.la
EXTRA_PROGRAMS += %D%/fit
%C%_fit_SOURCES = %D%/fit.c %D%/pool.c %D%/pool.h
%C%_fit_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
%C%_fit_LDADD = tests/gen/libgen.la lib/libqipu-all.la -lm
EXTRA_DIST += %D%/bench-repair.sh

BENCH_ENVIRONMENT = top_builddir='$(abs_top_builddir)' \
	COMPILER="`$(CC) -dumpmachine` `$(CC) --version | head -n 1`, $(CFLAGS)" QP_CFLAGS='$(QP_CFLAGS)'

.PHONY: bench bench-repair bench-check bench-counts
bench-repair: tests/bench/repair
	@top_builddir='$(abs_top_builddir)' $(SHELL) $(top_srcdir)/tests/bench/bench-repair.sh
bench: tools/qipu tests/gen/qipu-gen tests/bench/timerun
	@$(BENCH_ENVIRONMENT) $(SHELL) $(top_srcdir)/tests/bench/bench.sh
bench-check: tools/qipu tests/gen/qipu-gen
	@$(BENCH_ENVIRONMENT) $(SHELL) $(top_srcdir)/tests/bench/counts.sh
bench-counts: tools/qipu tests/gen/qipu-gen
	@$(BENCH_ENVIRONMENT) $(SHELL) $(top_srcdir)/tests/bench/counts.sh --update
