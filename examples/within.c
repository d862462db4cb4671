/* within.c - who is within so many steps of the sources: 0 for these, 1 for their neighbours, up to `steps`.
 *
 * In every round all messages say the same, so a vertex takes the first one and no other: the promise ONCE. The run ends
 * when messages stop, not when the graph does.
 *
 *     heddle run examples/within.c friends.txt --source 17 --param steps=3
 */
#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | FROM_SOURCES | ONCE)
#define PARAMETERS "steps=2"
#define SEND_RUN
#define UNREACHED 0xffffffffu

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? 0 : UNREACHED;
}

PROGRAM MESSAGE identity(void) { return UNREACHED; }

PROGRAM MESSAGE send(VALUE steps, u32 degree, RUN run) {
    (void)degree;
    return steps < (u32)run->parameter[0] ? steps + 1 : UNREACHED;
}

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }

PROGRAM int update(VALUE *steps, MESSAGE fewest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (fewest >= *steps)
        return 0;
    *steps = fewest;
    return 1;
}
