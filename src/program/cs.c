/* cs - a circuit of resistors: a node's voltage is the mean of its in-neighbours', weighted by conductance. Fixed
 * vertices are the terminals. With a terminal reached from everywhere the voltages are unique. */
typedef struct current {
    real flow, conductance;
} current;
#define VALUE real
#define MESSAGE current
#define WEIGHT real
#define TRAITS (ALL_ACTIVE | SUM | HD_ABSOLUTE)

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->initial;
}
PROGRAM MESSAGE identity(void) {
    current none = {0, 0};
    return none;
}
PROGRAM MESSAGE send(VALUE voltage, WEIGHT conductance, u32 degree) {
    current sent = {conductance * voltage, conductance};
    (void)degree;
    return sent;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) {
    current sum = {a.flow + b.flow, a.conductance + b.conductance};
    return sum;
}
PROGRAM int update(VALUE *voltage, MESSAGE all, ABOUT me, RUN run) {
    (void)run;
    if (me->fixed || !(all.conductance > 0))
        return 0;
    real fresh = all.flow / all.conductance;
    int changed = fresh != *voltage;
    *voltage = fresh;
    return changed;
}
