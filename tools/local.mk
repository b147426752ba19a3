# tools/local.mk: the program, which includes <qipu.h> and nothing else of the library; and two that
# write C for the library while it is built.
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

# What the grammars and iconv's tables come to, as C for the library. A program for another
# machine cannot be run: there the library works it out each time.
BUILT_SOURCES += lib/notation/tables.c lib/text/pairs_built_in.c
CLEANFILES += lib/notation/tables.c lib/text/pairs_built_in.c
if CROSS_COMPILING
lib/notation/tables.c:
	$(AM_V_GEN)$(MKDIR_P) lib/notation && \
	printf '#include "config.h"\n#include "notation/inside.h"\n%s\n' \
	  'const qp_tables qp_built_in = {.notation_count = 0};' >$@
lib/text/pairs_built_in.c:
	$(AM_V_GEN)$(MKDIR_P) lib/text && \
	printf '#include "config.h"\n#include "text/decode.h"\n%s\n' \
	  'const qp_pair_tables qp_pairs_built_in = {NULL, NULL};' >$@
else
# They have CPPFLAGS so that their objects have names of their own.
noinst_PROGRAMS += %D%/make_tables %D%/make_pairs
%C%_make_tables_SOURCES = %D%/make_tables.c lib/notation/lexer.c lib/notation/rows.c \
	lib/notation/speller.c lib/grammar/dialect.c lib/grammar/trie.c lib/grammar/fold.c \
	lib/grammar/columns.c lib/text/utf8.c lib/base/arena.c lib/base/buf.c
nodist_%C%_make_tables_SOURCES = lib/grammar/builtin.c
%C%_make_tables_CPPFLAGS = $(AM_CPPFLAGS)
lib/notation/tables.c: %D%/make_tables$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) lib/notation && %D%/make_tables$(EXEEXT) >$@.tmp && mv $@.tmp $@
%C%_make_pairs_SOURCES = %D%/make_pairs.c lib/text/pairs.c lib/text/utf8.c lib/base/buf.c
%C%_make_pairs_CPPFLAGS = $(AM_CPPFLAGS)
%C%_make_pairs_LDADD = $(ICONV_LIBS)
lib/text/pairs_built_in.c: %D%/make_pairs$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) lib/text && %D%/make_pairs$(EXEEXT) >$@.tmp && mv $@.tmp $@
endif
