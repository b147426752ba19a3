# grammars/local.mk: the notations and patterns, embedded into the library.
GRAMMARS = %D%/zh-hans.tsv %D%/zh-hant.tsv %D%/wxf.tsv %D%/coord.tsv %D%/fold.tsv %D%/messy.tsv \
	%D%/confusions.tsv %D%/cards.tsv
EXTRA_DIST += $(GRAMMARS) %D%/embed.awk %D%/qipu.rng
grammarsdir = $(pkgdatadir)/grammars
dist_grammars_DATA = $(GRAMMARS) %D%/qipu.rng
BUILT_SOURCES += lib/grammar/builtin.c
CLEANFILES += lib/grammar/builtin.c
lib/grammar/builtin.c: $(GRAMMARS) %D%/embed.awk
	$(AM_V_GEN)$(MKDIR_P) lib/grammar && \
	LC_ALL=C $(AWK) -f $(srcdir)/%D%/embed.awk \
	  `for g in $(GRAMMARS); do echo $(srcdir)/$$g; done` > $@.tmp && mv $@.tmp $@
