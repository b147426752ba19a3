# tests/bench/local.mk: `make bench`; never part of `make check`.
EXTRA_PROGRAMS += %D%/timerun
%C%_timerun_SOURCES = %D%/timerun.c
CLEANFILES += %D%/timerun
EXTRA_DIST += %D%/bench.sh

.PHONY: bench
bench: tools/qipu tests/gen/qipu-gen tests/bench/timerun
	@top_builddir='$(abs_top_builddir)' $(SHELL) $(top_srcdir)/tests/bench/bench.sh
