/* The records of playing sites (mxq, gl, che, ccm): files made here byte by byte, damage, and
 * the records that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "corpus.h"

Test(sites, corpus)
{
    corpus_check("mxq_movesky.mxq");
    corpus_check("chn_gl_ourgame.chn");
    corpus_check("ccm_17pk.ccm");
    corpus_check("che_qq.che");
}
