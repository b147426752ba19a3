bin_PROGRAMS += %D%/qipu
%C%_qipu_SOURCES = %D%/main.c
# From the archive, so that what make leaves here is the program itself and starts at once,
# not a script that finds a library first.
%C%_qipu_LDADD = lib/libqipu-all.la
