# corpora/local.mk: bundled records; README.md states where each comes from.
EXTRA_DIST += %D%/README.md %D%/first.pgn
