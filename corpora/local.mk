# corpora/local.mk: the sample records, and the test that they are what README.md says.
EXTRA_DIST += %D%/README.md %D%/first.pgn %D%/notation %D%/formats %D%/encodings %D%/generated
EXTRA_DIST += tests/corpora.sh
TESTS += tests/corpora.sh
