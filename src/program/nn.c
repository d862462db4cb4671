/* nn - a neural network's activations: x' = tanh(sum w x_source) over in-edges; vertices without in-edges are inputs
 * and keep theirs, as do fixed ones. */
#define VALUE real
#define MESSAGE real
#define WEIGHT real
#define TRAITS (ALL_ACTIVE | SUM | HD_ABSOLUTE)

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->initial;
}
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE activation, WEIGHT weight, u32 degree) {
    (void)degree;
    return weight * activation;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *activation, MESSAGE sum, ABOUT me, RUN run) {
    (void)run;
    if (me->fixed || me->in_degree == 0)
        return 0;
    real fresh = real_tanh(sum);
    int changed = fresh != *activation;
    *activation = fresh;
    return changed;
}
