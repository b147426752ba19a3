# man/local.mk: the manual pages.
dist_man_MANS += %D%/qipu.1 %D%/qipu-check.1 %D%/qipu-convert.1 %D%/qipu-formats.1 \
	%D%/qipu-info.1 %D%/qipu-lint.1 %D%/qipu-moves.1 %D%/libqipu.3 %D%/qipu-dialect.5 %D%/qipu-codes.7 \
	%D%/qipu-formats.7 \
	%D%/qipu-rules.7
dist_man_MANS += %D%/qipu-show.1
dist_man_MANS += %D%/qipu-scale.7
EXTRA_DIST += %D%/losses.sh
