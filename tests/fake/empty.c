/* empty.c - a library that lacks everything: stands where a driver's is to be missing. */
int fake_empty;
