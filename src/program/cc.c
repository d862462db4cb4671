/* cc - the smallest vertex number that reaches a vertex; on an undirected graph, the smallest of its component. */
#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | CARRIED)
#define DUMB_WEIGHT 0

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->vertex;
}
PROGRAM MESSAGE identity(void) { return 0xffffffffu; }
PROGRAM MESSAGE send(VALUE label, u32 degree) {
    (void)degree;
    return label;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *label, MESSAGE smallest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (smallest >= *label)
        return 0;
    *label = smallest;
    return 1;
}
