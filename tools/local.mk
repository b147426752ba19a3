bin_PROGRAMS += %D%/qipu
%C%_qipu_SOURCES = %D%/main.c
%C%_qipu_LDADD = lib/libqipu.la
