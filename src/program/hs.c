/* hs - heat: q' = q + rate * sum w (q_source - q) / sum |w| over in-edges. Fixed vertices keep theirs. */
typedef struct heat {
    real warmth, weight, magnitude;
} heat;
#define VALUE real
#define MESSAGE heat
#define WEIGHT real
#define TRAITS (ALL_ACTIVE | SUM | HD_ABSOLUTE)
#define PARAMETERS "rate=0.5"

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->initial;
}
PROGRAM MESSAGE identity(void) {
    heat none = {0, 0, 0};
    return none;
}
PROGRAM MESSAGE send(VALUE warmth, WEIGHT weight, u32 degree) {
    heat sent = {weight * warmth, weight, real_abs(weight)};
    (void)degree;
    return sent;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) {
    heat sum = {a.warmth + b.warmth, a.weight + b.weight, a.magnitude + b.magnitude};
    return sum;
}
PROGRAM int update(VALUE *warmth, MESSAGE all, ABOUT me, RUN run) {
    if (me->fixed || !(all.magnitude > 0))
        return 0;
    real fresh = *warmth + (real)run->parameter[0] * (all.warmth - *warmth * all.weight) / all.magnitude;
    int changed = fresh != *warmth;
    *warmth = fresh;
    return changed;
}
