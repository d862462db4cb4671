/* nearest.c - which source is nearest: each vertex gets the label of the source with the shortest way to it. Labels are
 * numbers that --init gives to the sources; of several sources equally near the smallest label wins.
 *     heddle run examples/nearest.c roads.gr --sources depots.txt --init labels.txt
 */
typedef struct place {
    f32 distance, label;
} place;
#define VALUE place
#define MESSAGE place
#define WEIGHT f32
#define OUTPUT f32
#define TRAITS (MONOTONE | FROM_SOURCES)

PROGRAM place nearer(place a, place b) {
    return b.distance < a.distance || (b.distance == a.distance && b.label < a.label) ? b : a;
}
PROGRAM MESSAGE identity(void) {
    place nowhere = {INFINITE, INFINITE};
    return nowhere;
}
PROGRAM VALUE init(ABOUT me, RUN run) {
    place here = {0, (f32)me->initial};
    (void)run;
    return me->source ? here : identity();
}
PROGRAM MESSAGE send(VALUE from, WEIGHT weight, u32 degree) {
    place there = {from.distance + weight, from.label};
    (void)degree;
    return there;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return nearer(a, b); }
PROGRAM int update(VALUE *now, MESSAGE offer, ABOUT me, RUN run) {
    place before = *now;
    (void)me, (void)run;
    *now = nearer(before, offer);
    return now->distance != before.distance || now->label != before.label;
}
PROGRAM OUTPUT output(VALUE value) { return value.label; }
