# tests/property/local.mk: what holds for every game.
if HAVE_CRITERION
check_PROGRAMS += %D%/test_property
TESTS += %D%/test_property
%C%_test_property_SOURCES = %D%/test_property.c
%C%_test_property_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_property_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
check_PROGRAMS += %D%/test_loss
TESTS += %D%/test_loss
%C%_test_loss_SOURCES = %D%/test_loss.c
%C%_test_loss_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_loss_LDADD = $(UNIT_LIBS)
check_PROGRAMS += %D%/test_damage
TESTS += %D%/test_damage
%C%_test_damage_SOURCES = %D%/test_damage.c tests/fuzz/fuzz.h tests/fuzz/reader.c \
	tests/fuzz/show.c
%C%_test_damage_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_damage_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
check_PROGRAMS += %D%/test_paths
TESTS += %D%/test_paths
%C%_test_paths_SOURCES = %D%/test_paths.c
%C%_test_paths_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_paths_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
check_PROGRAMS += %D%/test_lean
TESTS += %D%/test_lean
%C%_test_lean_SOURCES = %D%/test_lean.c
%C%_test_lean_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_lean_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
check_PROGRAMS += %D%/test_skim
TESTS += %D%/test_skim
%C%_test_skim_SOURCES = %D%/test_skim.c %D%/written.h
%C%_test_skim_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_skim_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
check_PROGRAMS += %D%/test_heads
TESTS += %D%/test_heads
%C%_test_heads_SOURCES = %D%/test_heads.c %D%/written.h
%C%_test_heads_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests
%C%_test_heads_LDADD = tests/gen/libgen.la $(UNIT_LIBS)
endif
EXTRA_DIST += tests/data/features.tsv
