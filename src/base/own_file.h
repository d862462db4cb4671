/* own_file.h - the file that this code is in: the shared library, or the program that it was linked into. */
#ifndef HD_BASE_OWN_FILE_H
#define HD_BASE_OWN_FILE_H

#include <stddef.h>

/* Writes its path; "": not known. */
void hd_own_file(char *path, size_t room);

#endif
