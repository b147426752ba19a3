# man/local.mk: the manual pages.
dist_man_MANS += %D%/qipu-dialect.5
