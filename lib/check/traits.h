/* Inside player.c and its fitting tool: the groups of traits, X(group, how many). */
#ifndef QP_TRAITS_H
#define QP_TRAITS_H

#define QP_TRAIT_GROUPS(X)                                                               \
    X(TAKE, 7)     /* advisor elephant horse cannon rook, pawn at home, across */        \
    X(RETAKE, 2)   /* what moved last: it took, it did not */                            \
    X(LOSS, 4)     /* what the other side wins at once beyond what is taken now */       \
    X(LOSS_CHECK, 1)                                                                     \
    X(WIN, 3)                                                                            \
    X(SECOND, 1)   /* what is lost beside */                                             \
    X(MOVER, 3)    /* what the moved man stands to lose where it goes */                 \
    X(RESCUE, 3)   /* … stood to lose where it was */                                    \
    X(THREAT, 4)                                                                         \
    X(SECOND_THREAT, 1)                                                                  \
    X(MOVER_THREAT, 3)                                                                   \
    X(CHECK, 4)    /* safe, not, by another man, by two */                               \
    X(MATE, 1)                                                                           \
    X(ANSWER, 3)   /* to a check: by the king, by taking, by a guard between */          \
    X(PLACE, 21)   /* by kind: early, later, few men left */                             \
    X(REACH, 8)    /* own horses, rooks, cannons, others; theirs */                      \
    X(WAY, 42)     /* kind, half, way */                                                 \
    X(WAY_EARLY, 21)                                                                     \
    X(WAY_LATE, 21)                                                                      \
    X(FAR, 18)     /* rook, cannon; way; 1, 2, more */                                   \
    X(DEVELOP, 4)  /* horse, rook, cannon, other, for the first time */                  \
    X(SAME, 3)     /* the man of the last ply: early, later, it had taken */             \
    X(UNDO, 3)     /* back again; it is attacked; by what moved last */                  \
    X(AT_LAST, 2)  /* what moved last is attacked; threatened */                         \
    X(LOOSE, 4)    /* strong men unguarded: own, theirs; pawns and weak ones */          \
    X(PALACE, 2)   /* theirs, own */                                                     \
    X(OFFER, 3)    /* horse, rook, cannon offered for their like */                      \
    X(PAWN, 12)    /* across the river by rank: ahead, aside */                          \
    X(HOLLOW, 2)   /* cannon that faces a king, own and theirs */                        \
    X(FILE, 4)     /* rook on an open file, half open, king's; another's on own */       \
    X(ESCAPE, 2)   /* squares left to a king, theirs and own */                          \
    X(TRAPPED, 2)  /* strong men that hardly move, own and theirs */                     \
    X(TRADE, 3)    /* like for like: ahead, level, behind */                             \
    X(NEARER, 8)   /* to their king: horse, rook, cannon, pawn; few men left */          \
    X(AGAIN, 2)    /* to where it stood two plies of its own before; check again */      \
    X(FLEE, 2)     /* from what moved last */                                            \
    X(THROUGH, 4)  /* a rook or king behind one man, of a rook; behind two, of a cannon */

enum {
#define QP_TRAIT_GROUP(group, n) T_##group, T_##group##_LAST = T_##group + (n) - 1,
    QP_TRAIT_GROUPS(QP_TRAIT_GROUP)
#undef QP_TRAIT_GROUP
    T_COUNT
};

#endif
