# tests/local.mk: everything that `make check` runs. See CONTRIBUTING.md.
TEST_EXTENSIONS = .sh
SH_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	srcdir='$(srcdir)'; export srcdir; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	QIPU='$(abs_top_builddir)/tools/qipu'; export QIPU; \
	NM='$(NM)'; export NM; CC='$(CC)'; export CC; LC_ALL=C; export LC_ALL; \
	MANDOC='$(MANDOC)'; export MANDOC; QP_CFLAGS='$(QP_CFLAGS)'; export QP_CFLAGS; \
	QP_LDFLAGS='$(QP_LDFLAGS)'; export QP_LDFLAGS;

include %D%/golden/local.mk
SHELL_TESTS = %D%/layers.sh %D%/man.sh %D%/readme.sh %D%/golden.sh \
	%D%/cli/usage.sh %D%/cli/streams.sh %D%/cli/check.sh %D%/cli/convert.sh \
	%D%/cli/output.sh %D%/cli/info.sh %D%/cli/json.sh %D%/cli/moves.sh \
	%D%/cli/xml-schema.sh %D%/cli/archives.sh %D%/cli/cases.sh \
	%D%/cli/xqf.sh %D%/cli/jobs.sh %D%/cli/shards.sh %D%/cli/scale.sh \
	%D%/cli/lint.sh %D%/repair.sh
SHELL_TESTS += %D%/cli/show.sh
EXTRA_DIST += $(SHELL_TESTS) %D%/tap.sh %D%/cli/common.sh $(GOLDEN)
TESTS += $(SHELL_TESTS)

if HAVE_CRITERION
UNIT_TESTS = %D%/unit/test_base %D%/unit/test_text %D%/unit/test_encoding \
	%D%/unit/test_rules %D%/unit/test_grammar \
	%D%/unit/test_notation %D%/unit/test_game %D%/unit/test_format %D%/unit/test_check \
	%D%/unit/test_json %D%/unit/test_xml \
	%D%/unit/test_dhtmlxq %D%/unit/test_lines \
	%D%/unit/test_wxf \
	%D%/unit/test_trees
UNIT_TESTS += %D%/unit/test_cbr
UNIT_TESTS += %D%/unit/test_sites
UNIT_TESTS += %D%/unit/test_xqf
UNIT_TESTS += %D%/unit/test_xqr
UNIT_TESTS += %D%/unit/test_board
%C%_unit_test_board_SOURCES = %D%/unit/test_board.c %D%/unit/table.h
%C%_unit_test_board_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_board_LDADD = $(UNIT_LIBS)
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
check_PROGRAMS += %D%/unit/test_lint
TESTS += %D%/unit/test_lint
EXTRA_DIST += %D%/data/lint.tsv
%C%_unit_test_lint_SOURCES = %D%/unit/test_lint.c %D%/unit/table.h
%C%_unit_test_lint_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_lint_LDADD = $(UNIT_LIBS) -lm
check_PROGRAMS += %D%/unit/test_cards
TESTS += %D%/unit/test_cards
EXTRA_DIST += %D%/data/cards.tsv
%C%_unit_test_cards_SOURCES = %D%/unit/test_cards.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_cards_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_cards_LDADD = $(UNIT_LIBS)
UNIT_CPPFLAGS = $(AM_CPPFLAGS) $(CRITERION_CFLAGS)
UNIT_LIBS = lib/libqipu-all.la $(CRITERION_LIBS)
%C%_unit_test_base_SOURCES = %D%/unit/test_base.c %D%/unit/table.h
%C%_unit_test_base_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_base_LDADD = $(UNIT_LIBS)
%C%_unit_test_text_SOURCES = %D%/unit/test_text.c %D%/unit/sources.h %D%/unit/table.h
%C%_unit_test_text_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_text_LDADD = $(UNIT_LIBS)
%C%_unit_test_encoding_SOURCES = %D%/unit/test_encoding.c %D%/unit/sources.h \
	%D%/unit/table.h
%C%_unit_test_encoding_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_encoding_LDADD = $(UNIT_LIBS) $(ICONV_LIBS)
EXTRA_DIST += %D%/data/encodings.tsv %D%/data/decode.tsv %D%/data/places.tsv \
	%D%/data/detect.tsv
%C%_unit_test_rules_SOURCES = %D%/unit/test_rules.c %D%/unit/table.h
%C%_unit_test_rules_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_rules_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/dialect-errors.tsv
EXTRA_DIST += %D%/data/moves.tsv %D%/data/lex.tsv %D%/data/spell.tsv
%C%_unit_test_grammar_SOURCES = %D%/unit/test_grammar.c %D%/unit/table.h
%C%_unit_test_grammar_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_grammar_LDADD = $(UNIT_LIBS)
%C%_unit_test_notation_SOURCES = %D%/unit/test_notation.c %D%/unit/table.h
%C%_unit_test_notation_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_notation_LDADD = $(UNIT_LIBS)
%C%_unit_test_game_SOURCES = %D%/unit/test_game.c %D%/unit/table.h
%C%_unit_test_game_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_game_LDADD = $(UNIT_LIBS)
%C%_unit_test_format_SOURCES = %D%/unit/test_format.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_format_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_format_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/dhtmlxq.tsv %D%/data/lines.tsv
%C%_unit_test_dhtmlxq_SOURCES = %D%/unit/test_dhtmlxq.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_dhtmlxq_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_dhtmlxq_LDADD = $(UNIT_LIBS)
%C%_unit_test_lines_SOURCES = %D%/unit/test_lines.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_lines_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_lines_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/trees.tsv
%C%_unit_test_trees_SOURCES = %D%/unit/test_trees.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_trees_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_trees_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/wxf.tsv
%C%_unit_test_wxf_SOURCES = %D%/unit/test_wxf.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_wxf_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_wxf_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/xqr.tsv
%C%_unit_test_xqr_SOURCES = %D%/unit/test_xqr.c %D%/unit/corpus.h %D%/unit/canonical.h \
	%D%/unit/show.h %D%/unit/table.h
%C%_unit_test_xqr_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_xqr_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/data/xqf.tsv %D%/data/xqf-write.tsv
%C%_unit_test_xqf_SOURCES = %D%/unit/test_xqf.c %D%/unit/corpus.h %D%/unit/canonical.h \
	%D%/unit/show.h %D%/unit/table.h
%C%_unit_test_xqf_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_xqf_LDADD = $(UNIT_LIBS)
%C%_unit_test_check_SOURCES = %D%/unit/test_check.c %D%/unit/show.h %D%/unit/table.h
%C%_unit_test_check_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_check_LDADD = $(UNIT_LIBS)
UNIT_TESTS += %D%/unit/test_judge
EXTRA_DIST += %D%/data/judge.tsv
%C%_unit_test_judge_SOURCES = %D%/unit/test_judge.c %D%/unit/table.h
%C%_unit_test_judge_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_judge_LDADD = $(UNIT_LIBS)
%C%_unit_test_json_SOURCES = %D%/unit/test_json.c %D%/unit/table.h %D%/unit/games.h
%C%_unit_test_json_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_json_LDADD = $(UNIT_LIBS)
%C%_unit_test_xml_SOURCES = %D%/unit/test_xml.c %D%/unit/table.h %D%/unit/games.h
%C%_unit_test_xml_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_xml_LDADD = $(UNIT_LIBS)
%C%_unit_test_cbr_SOURCES = %D%/unit/test_cbr.c %D%/unit/binary_files.h %D%/unit/show.h \
	%D%/unit/canonical.h %D%/unit/corpus.h
%C%_unit_test_cbr_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_cbr_LDADD = $(UNIT_LIBS) $(ZLIB_TEST_LIBS)
%C%_unit_test_sites_SOURCES = %D%/unit/test_sites.c %D%/unit/binary_files.h %D%/unit/show.h \
	%D%/unit/canonical.h %D%/unit/corpus.h
%C%_unit_test_sites_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_unit_test_sites_LDADD = $(UNIT_LIBS)
endif
EXTRA_DIST += %D%/data/rules_fen.tsv %D%/data/rules_perft.tsv \
	%D%/data/rules_positions.tsv %D%/data/rules_refusals.tsv
EXTRA_DIST += %D%/data/rules_perft.tsv
EXTRA_DIST += %D%/data/results.tsv %D%/data/dates.tsv %D%/data/replay.tsv %D%/data/pgn.tsv

# The program, but for how much it takes out of an archive.
check_PROGRAMS += %D%/cli/qipu-small
%C%_cli_qipu_small_SOURCES = $(tools_qipu_SOURCES)
%C%_cli_qipu_small_CPPFLAGS = $(tools_qipu_CPPFLAGS) -DTOTAL_MAX=20000
%C%_cli_qipu_small_LDADD = $(tools_qipu_LDADD)
check_PROGRAMS += %D%/cli/pack
%C%_cli_pack_SOURCES = %D%/cli/pack.c
%C%_cli_pack_CPPFLAGS = $(AM_CPPFLAGS) $(LIBARCHIVE_CFLAGS)
%C%_cli_pack_LDADD = $(LIBARCHIVE_TEST_LIBS)

include %D%/gen/local.mk
include %D%/property/local.mk
include %D%/fuzz/local.mk
include %D%/bench/local.mk
EXTRA_DIST += %D%/ci.sh
