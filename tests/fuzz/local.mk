# tests/fuzz/local.mk: the fuzz targets. One for each reader (by --enable-fuzz under libFuzzer,
# else over the files of seeds/), one that detects the format, one each for all writers, the
# reading of scorecards, archives, positions and dialect files; one holds the two ways to
# read XML against each other, one a file read in parts against the whole, one records that
# are skimmed against the same read in full.
FUZZ_READERS = %D%/fuzz_auto %D%/fuzz_pgn %D%/fuzz_txt %D%/fuzz_dhtmlxq \
	%D%/fuzz_xml %D%/fuzz_json %D%/fuzz_iccs %D%/fuzz_uci \
	%D%/fuzz_fen %D%/fuzz_wxf %D%/fuzz_cbr %D%/fuzz_cbl %D%/fuzz_xqf \
	%D%/fuzz_xqr %D%/fuzz_xgf
FUZZ_READERS += %D%/fuzz_mxq %D%/fuzz_gl %D%/fuzz_che %D%/fuzz_ccm
FUZZ_READERS += %D%/fuzz_treetext %D%/fuzz_book %D%/fuzz_dpxq %D%/fuzz_cbf %D%/fuzz_pfc
FUZZ_TARGETS = $(FUZZ_READERS) %D%/fuzz_position %D%/fuzz_dialect
FUZZ_TARGETS += %D%/fuzz_write %D%/fuzz_lint %D%/fuzz_archive
FUZZ_TARGETS += %D%/fuzz_xml_plain %D%/fuzz_parts %D%/fuzz_skim
check_PROGRAMS += $(FUZZ_TARGETS)
check_LTLIBRARIES = %D%/libfuzz.la
%C%_libfuzz_la_SOURCES = %D%/fuzz.h %D%/reader.c %D%/show.c
%C%_libfuzz_la_CPPFLAGS = $(FUZZ_CPPFLAGS)
if !FUZZ_ENGINE
%C%_libfuzz_la_SOURCES += %D%/replay.c
endif
EXTRA_DIST += %D%/replay.c
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
FUZZ_LIBS = %D%/libfuzz.la tests/gen/libgen.la lib/libqipu-all.la
FUZZ_LINK = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
%C%_fuzz_auto_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_auto_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_auto_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_auto_LDADD = $(FUZZ_LIBS)
%C%_fuzz_pgn_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_pgn_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"pgn"'
%C%_fuzz_pgn_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_pgn_LDADD = $(FUZZ_LIBS)
%C%_fuzz_txt_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_txt_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"txt"'
%C%_fuzz_txt_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_txt_LDADD = $(FUZZ_LIBS)
%C%_fuzz_dhtmlxq_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_dhtmlxq_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"dhtmlxq"'
%C%_fuzz_dhtmlxq_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_dhtmlxq_LDADD = $(FUZZ_LIBS)
%C%_fuzz_xml_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_xml_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"xml"'
%C%_fuzz_xml_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_xml_LDADD = $(FUZZ_LIBS)
%C%_fuzz_json_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_json_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"json"'
%C%_fuzz_json_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_json_LDADD = $(FUZZ_LIBS)
%C%_fuzz_iccs_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_iccs_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"iccs"'
%C%_fuzz_iccs_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_iccs_LDADD = $(FUZZ_LIBS)
%C%_fuzz_uci_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_uci_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"uci"'
%C%_fuzz_uci_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_uci_LDADD = $(FUZZ_LIBS)
%C%_fuzz_fen_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_fen_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"fen"'
%C%_fuzz_fen_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_fen_LDADD = $(FUZZ_LIBS)
%C%_fuzz_wxf_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_wxf_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"wxf"'
%C%_fuzz_wxf_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_wxf_LDADD = $(FUZZ_LIBS)
%C%_fuzz_cbr_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_cbr_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"cbr"'
%C%_fuzz_cbr_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_cbr_LDADD = $(FUZZ_LIBS)
%C%_fuzz_cbl_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_cbl_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"cbl"'
%C%_fuzz_cbl_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_cbl_LDADD = $(FUZZ_LIBS)
%C%_fuzz_xqf_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_xqf_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"xqf"'
%C%_fuzz_xqf_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_xqf_LDADD = $(FUZZ_LIBS)
%C%_fuzz_xqr_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_xqr_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"xqr"'
%C%_fuzz_xqr_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_xqr_LDADD = $(FUZZ_LIBS)
%C%_fuzz_xgf_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_xgf_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"xgf"'
%C%_fuzz_xgf_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_xgf_LDADD = $(FUZZ_LIBS)
%C%_fuzz_mxq_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_mxq_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"mxq"'
%C%_fuzz_mxq_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_mxq_LDADD = $(FUZZ_LIBS)
%C%_fuzz_gl_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_gl_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"gl"'
%C%_fuzz_gl_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_gl_LDADD = $(FUZZ_LIBS)
%C%_fuzz_che_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_che_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"che"'
%C%_fuzz_che_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_che_LDADD = $(FUZZ_LIBS)
%C%_fuzz_ccm_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_ccm_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"ccm"'
%C%_fuzz_ccm_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_ccm_LDADD = $(FUZZ_LIBS)
%C%_fuzz_position_SOURCES = %D%/fuzz_position.c
%C%_fuzz_position_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_position_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_position_LDADD = $(FUZZ_LIBS)
%C%_fuzz_dialect_SOURCES = %D%/fuzz_dialect.c
%C%_fuzz_dialect_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_dialect_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_dialect_LDADD = $(FUZZ_LIBS)
%C%_fuzz_treetext_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_treetext_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"treetext"'
%C%_fuzz_treetext_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_treetext_LDADD = $(FUZZ_LIBS)
%C%_fuzz_book_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_book_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"book"'
%C%_fuzz_book_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_book_LDADD = $(FUZZ_LIBS)
%C%_fuzz_dpxq_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_dpxq_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"dpxq"'
%C%_fuzz_dpxq_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_dpxq_LDADD = $(FUZZ_LIBS)
%C%_fuzz_cbf_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_cbf_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"cbf"'
%C%_fuzz_cbf_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_cbf_LDADD = $(FUZZ_LIBS)
%C%_fuzz_pfc_SOURCES = %D%/fuzz_reader.c
%C%_fuzz_pfc_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_FORMAT='"pfc"'
%C%_fuzz_pfc_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_pfc_LDADD = $(FUZZ_LIBS)
%C%_fuzz_write_SOURCES = %D%/fuzz_write.c
%C%_fuzz_write_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_write_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_write_LDADD = $(FUZZ_LIBS)
%C%_fuzz_lint_SOURCES = %D%/fuzz_lint.c
%C%_fuzz_lint_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_lint_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_lint_LDADD = $(FUZZ_LIBS)
%C%_fuzz_xml_plain_SOURCES = %D%/fuzz_xml_plain.c
%C%_fuzz_xml_plain_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_xml_plain_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_xml_plain_LDADD = $(FUZZ_LIBS)
%C%_fuzz_skim_SOURCES = %D%/fuzz_skim.c
%C%_fuzz_skim_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_skim_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_skim_LDADD = $(FUZZ_LIBS)
%C%_fuzz_parts_SOURCES = %D%/fuzz_parts.c
%C%_fuzz_parts_CPPFLAGS = $(FUZZ_CPPFLAGS)
%C%_fuzz_parts_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_parts_LDADD = $(FUZZ_LIBS)
%C%_fuzz_archive_SOURCES = %D%/fuzz_archive.c tools/archive.c tools/common.h
%C%_fuzz_archive_CPPFLAGS = $(FUZZ_CPPFLAGS) -I$(srcdir)/tools $(LIBARCHIVE_CFLAGS)
%C%_fuzz_archive_LDFLAGS = $(FUZZ_LINK)
%C%_fuzz_archive_LDADD = $(FUZZ_LIBS) $(LIBARCHIVE_LIBS) $(ICONV_LIBS) $(DLOPEN_LIBS)
EXTRA_DIST += %D%/replay.sh %D%/endless.sh %D%/run.sh %D%/qipu.dict %D%/seeds
TESTS += %D%/replay.sh %D%/endless.sh
