/* What people call the things that a ruling speaks of, in English and in Chinese. Sources:
 * the Chinese competition rules of 1999 (将 杀 捉 闲, 长将, 一将一闲, 待判局面, 有根, 自然限着)
 * and, for English, the drafts of the Asian rules (perpetual check, perpetual chase, idle);
 * names of patterns join these words. Pieces are named as grammars/zh-hans.tsv writes them. */
#include "config.h"

#include "check/check.h"

typedef struct term {
    const char *name, *english, *chinese;
} term;

#define DIGITS_OF(number) #number
#define DIGITS(number) DIGITS_OF(number)
#define BOUNDS_ENGLISH \
    "(" DIGITS(QP_JUDGE_KILL_CHECKS) " checks to mate, " DIGITS(QP_JUDGE_WIN_CHECKS) " to win)"
#define BOUNDS_CHINESE \
    "（连将" DIGITS(QP_JUDGE_KILL_CHECKS) "次成杀，" DIGITS(QP_JUDGE_WIN_CHECKS) "次得子）"

static const term terms[] = {
    /* classes of plies */
    {"check", "check", "将"},
    {"kill", "mate threat", "杀"},
    {"chase", "chase", "捉"},
    {"idle", "idle", "闲"},
    /* what an idle ply is */
    {"offer", "offers an exchange", "兑"},
    {"sacrifice", "offers a piece", "献"},
    {"block", "blocks a line", "拦"},
    {"follow", "attacks a protected piece", "跟"},
    {"plain", "", ""},
    /* what a side does in a loop */
    {"长将", "perpetual check", "长将"},
    {"长杀", "perpetual mate threat", "长杀"},
    {"长捉", "perpetual chase", "长捉"},
    {"一将一杀", "checks and mate threats", "一将一杀"},
    {"一将一捉", "checks and chases", "一将一捉"},
    {"一杀一捉", "mate threats and chases", "一杀一捉"},
    {"将杀捉", "checks, mate threats and chases", "将杀捉"},
    {"闲着", "idle moves", "闲着"},
    {"一将一闲", "one check, one idle", "一将一闲"},
    {"一杀一闲", "one mate threat, one idle", "一杀一闲"},
    {"一捉一闲", "one chase, one idle", "一捉一闲"},
    {"一打一闲", "one attack, one idle", "一打一闲"},
    {"数将一闲", "several checks, one idle", "数将一闲"},
    {"数杀一闲", "several mate threats, one idle", "数杀一闲"},
    {"数捉一闲", "several chases, one idle", "数捉一闲"},
    {"数打一闲", "several attacks, one idle", "数打一闲"},
    {"一将数闲", "one check, several idle", "一将数闲"},
    {"一杀数闲", "one mate threat, several idle", "一杀数闲"},
    {"一捉数闲", "one chase, several idle", "一捉数闲"},
    {"一打数闲", "one attack, several idle", "一打数闲"},
    /* verdicts, and why */
    {"none", "no ruling", "不裁决"},
    {"draw", "draw", "判和"},
    {"red-loses", "red loses", "红方判负"},
    {"black-loses", "black loses", "黑方判负"},
    {"red-must-change", "red must change", "红方须变着"},
    {"black-must-change", "black must change", "黑方须变着"},
    {"needs-arbiter", "an arbiter must decide", "须由裁判裁定"},
    {"perpetual-check", "perpetual check", "长将"},
    {"perpetual-kill", "perpetual mate threat", "长杀"},
    {"perpetual-chase", "perpetual chase", "长捉"},
    {"perpetual-attack", "every ply attacks", "长打"},
    {"mutual-perpetual", "both sides offend", "双方长打"},
    {"repetition", "repetition", "循环不变"},
    {"move-limit", "natural move limit", "自然限着"},
    /* how far a loop has come */
    {"below-threshold", "too few passes for a ruling", "未到裁决次数"},
    {"pending", "a ruling can be asked for", "待判局面"},
    {"repeated", "repeated once more after a ruling was due", "待判后又循环"},
    /* how sure the verdict is */
    {"certain", "certain", "确定"},
    {"certain-despite-doubt", "the same however the doubts are settled", "有疑点而结论相同"},
    {"derived", "derived from the ways back, which are not the same", "由各段推定"},
    {"value-unknown", "an exchange whose gain the rules do not measure", "子力价值无从比较"},
    {"search-bound", "a search for threats ended at its bound " BOUNDS_ENGLISH,
     "搜索到限" BOUNDS_CHINESE},
    {"king-evasion", "a threat that arises as the king leaves a check", "将帅应将时形成的威胁"},
    {"post-exemption-possible", "taking a defensive post may be allowed", "可能属占据防守要点"},
    {"exchange-not-searched", "exchanges on several squares were not searched",
     "未计算多点交换"},
    {"loop-mixed", "the ways back to the position are not the same", "循环着法不同"},
    {"identity", "like pieces change places, for too long to follow", "同类子互换位置"},
    /* pieces, by their letters, and sides */
    {"K", "king", "帅"},
    {"A", "advisor", "仕"},
    {"B", "elephant", "相"},
    {"N", "horse", "马"},
    {"R", "rook", "车"},
    {"C", "cannon", "炮"},
    {"P", "pawn", "兵"},
    {"k", "king", "将"},
    {"a", "advisor", "士"},
    {"b", "elephant", "象"},
    {"n", "horse", "马"},
    {"r", "rook", "车"},
    {"c", "cannon", "炮"},
    {"p", "pawn", "卒"},
    {"red", "red", "红"},
    {"black", "black", "黑"},
    {"protected", "protected", "有根"},
    {"unprotected", "unprotected", "无根"},
    {"forbidden", "forbidden", "禁止"},
    {"allowed", "allowed", "允许"},
};

const char *qp_term(const char *name, qp_language language)
{
    for (size_t i = 0; i < QP_COUNT(terms); i++)
        if (strcmp(terms[i].name, name) == 0)
            return language == QP_CHINESE ? terms[i].chinese : terms[i].english;
    return name;
}
