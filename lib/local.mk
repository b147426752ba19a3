# lib/local.mk: the library. One convenience archive holds everything, so that unit tests
# reach hidden symbols; the shared and static libraries are made from it.
noinst_LTLIBRARIES += %D%/libqipu-all.la
%C%_libqipu_all_la_SOURCES = \
	%D%/qipu.h \
	%D%/base/base.h %D%/base/arena.c %D%/base/buf.c %D%/base/codes.c \
	%D%/text/text.h %D%/text/decode.h %D%/text/inside.h %D%/text/source.c \
	%D%/text/gaps.c %D%/text/pairs.c \
	%D%/text/blocks.c %D%/text/locate.c %D%/text/decode.c %D%/text/encoding.c \
	%D%/text/detect.c \
	%D%/text/utf8.c %D%/text/mojibake.c %D%/text/encoder.c \
	%D%/grammar/grammar.h %D%/grammar/dialect.c %D%/grammar/trie.c %D%/grammar/fold.c \
	%D%/grammar/pattern.c %D%/grammar/columns.c \
	%D%/grammar/confuse.c \
	%D%/rules/rules.h %D%/rules/lines.h %D%/rules/board.c %D%/rules/fen.c \
	%D%/rules/movegen.c %D%/rules/legal.c \
	%D%/rules/track.h %D%/rules/step.h %D%/rules/track.c \
	%D%/rules/course.h %D%/rules/course.c \
	%D%/rules/field.h %D%/rules/field.c %D%/rules/evasions.c %D%/rules/search.c \
	%D%/rules/memo.c %D%/rules/ruleset.c \
	%D%/notation/notation.h %D%/notation/inside.h %D%/notation/context.c \
	%D%/notation/lexer.c %D%/notation/lex.c %D%/notation/move.c \
	%D%/notation/rows.c %D%/notation/speller.c \
	%D%/notation/chinese.c %D%/notation/wxf.c %D%/notation/coord.c \
	%D%/notation/resolve.c %D%/notation/why.c %D%/notation/san.c \
	%D%/notation/strides.c \
	%D%/game/game.h %D%/game/record.c %D%/game/tree.c %D%/game/replay.c \
	%D%/game/inside.h %D%/game/ahead.c %D%/game/start.c %D%/game/values.c \
	%D%/game/rest.c %D%/game/pass.c \
	%D%/game/rounds.h %D%/game/rounds.c %D%/game/squares.c %D%/game/count.c \
	%D%/game/replay.h %D%/game/branch.c %D%/game/kept.c \
	%D%/game/absent.c \
	%D%/format/format.h %D%/format/registry.c %D%/format/reader.c %D%/format/writer.c \
	%D%/format/placing.h %D%/format/placing.c \
	%D%/format/losses.c \
	%D%/format/walk.c %D%/format/binary.h %D%/format/binary.c \
	%D%/format/movetext.c %D%/format/movetext.h %D%/format/movetext_words.c \
	%D%/format/marks.h %D%/format/marks.c %D%/format/pgn.c %D%/format/pgn_write.c \
	%D%/format/markup.c %D%/format/layout.c \
	%D%/format/branches.h %D%/format/branches.c %D%/format/branch_lines.c \
	%D%/format/branch_words.c \
	%D%/format/downward.c %D%/format/ending.c \
	%D%/format/txt.c %D%/format/txt_write.c \
	%D%/format/cards.c \
	%D%/format/cut.c \
	%D%/format/skim.c %D%/format/heads.h %D%/format/heads.c \
	%D%/format/skim.h \
	%D%/format/skim_tags.c \
	%D%/format/said.h %D%/format/said.c \
	%D%/format/skip.c \
	%D%/format/foreign.c %D%/format/treetext.c %D%/format/book.c %D%/format/dpxq.c \
	%D%/format/wxf.h %D%/format/wxf.c %D%/format/wxf_header.c \
	%D%/format/wxf_write.c \
	%D%/format/lines.h %D%/format/lines.c %D%/format/lines_read.c \
	%D%/format/lines_scan.c \
	%D%/format/dhtmlxq.h %D%/format/dhtmlxq.c %D%/format/dhtmlxq_fields.c \
	%D%/format/dhtmlxq_read.c %D%/format/dhtmlxq_skim.c %D%/format/dhtmlxq_tree.c %D%/format/dhtmlxq_values.c \
	%D%/format/dhtmlxq_write.c \
	%D%/format/cbf.c %D%/format/cbf_write.c %D%/format/pfc.c %D%/format/plies.h %D%/format/plies.c \
	%D%/format/xml.h %D%/format/xml.c %D%/format/xml_scan.c %D%/format/xml_pull.c \
	%D%/format/xml_plain.c %D%/format/xml_library.h %D%/format/xml_library.c \
	%D%/format/xml_write.c \
	%D%/format/xqf.h %D%/format/xqf.c %D%/format/xqf_write.c \
	%D%/format/xqr.c %D%/format/xgf.c \
	%D%/format/json.h %D%/format/json.c %D%/format/json_line.c \
	%D%/format/json_text.c %D%/format/json_flavours.c %D%/format/json_road.c \
	%D%/format/json_tree.c %D%/format/json_write.c \
	%D%/format/ccbridge.h %D%/format/ccbridge.c %D%/format/cbr.c \
	%D%/format/ccbridge_write.c \
	%D%/format/sites.h %D%/format/sites.c %D%/format/mxq.c %D%/format/gl.c \
	%D%/format/che.c %D%/format/ccm.c \
	%D%/format/zlib_library.h %D%/format/zlib_library.c \
	%D%/format/cbl.c %D%/format/cbl_old.c %D%/format/cbl_write.c \
	%D%/check/check.h %D%/check/check.c %D%/check/header.c %D%/check/result.c \
	%D%/check/repair.h %D%/check/clues.c %D%/check/glyphs.c \
	%D%/check/player.h %D%/check/traits.h %D%/check/weights.h %D%/check/player.c \
	%D%/check/foresee.c \
	%D%/check/sight.h %D%/check/sight.c \
	%D%/check/states.h %D%/check/states.c %D%/check/fixes.c %D%/check/repair.c \
	%D%/check/stories.c %D%/check/explain.c %D%/check/edits.c %D%/check/lint.c \
	%D%/check/short.c \
	%D%/check/ways.c
%C%_libqipu_all_la_SOURCES += \
	%D%/check/ruling.h %D%/check/loops.c %D%/check/limit.c \
	%D%/check/chase.h %D%/check/exchange.c %D%/check/chases.c \
	%D%/check/classes.c %D%/check/verdict.c %D%/check/ruling.c \
	%D%/check/reason.c
%C%_libqipu_all_la_SOURCES += %D%/format/board.c
%C%_libqipu_all_la_SOURCES += %D%/check/terms.c
%C%_libqipu_all_la_SOURCES += %D%/game/faults.c
%C%_libqipu_all_la_SOURCES += %D%/check/idle.c
nodist_%C%_libqipu_all_la_SOURCES = %D%/grammar/builtin.c %D%/notation/tables.c \
	%D%/text/pairs_built_in.c

%C%_libqipu_all_la_LIBADD = $(PCRE2_LIBS) $(LIBXML2_LIBS) $(ZLIB_LIBS) $(ICONV_LIBS) $(DLOPEN_LIBS)

lib_LTLIBRARIES += %D%/libqipu.la
%C%_libqipu_la_SOURCES =
%C%_libqipu_la_LIBADD = %D%/libqipu-all.la
%C%_libqipu_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined
include_HEADERS += %D%/qipu.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA += %D%/qipu.pc
