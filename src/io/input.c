/* input.c - a file's bytes in memory.
 *
 * Plain files are mapped: a scan of the page cache runs at memory speed (neither read-ahead advice nor pre-faulting was
 * faster), and opening costs nothing. Pipes, devices and files that cannot be mapped are read to their end. Compressed
 * content is decompressed completely, so that parsers can work on all of it in parallel. Under a memory limit both go
 * to a temporary file, which is mapped.
 */
#include "io/input.h"

#include "io/compress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_PIECE = 1 << 20 };

static void release(heddle_context *ctx, const hd_input *input) {
    void *start = (void *)(uintptr_t)(input->data ? input->data - input->skipped : NULL);
    if (start && input->mapped)
        munmap(start, (size_t)(input->bytes + input->skipped));
    else if (start)
        hd_free(&ctx->allocator, start, (size_t)input->capacity);
}

/* The input takes the bytes over. */
static void take_bytes(heddle_context *ctx, hd_bytes *content, hd_input *input) {
    hd_bytes_trim(ctx, content);
    input->data = content->data;
    input->bytes = content->bytes;
    input->capacity = content->capacity;
    input->mapped = content->settled;
    input->named = false;
    *content = (hd_bytes){0};
}

/* Reads what is left in the file. */
static heddle_status read_all(heddle_context *ctx, int fd, uint64_t expected, hd_input *input) {
    hd_bytes content = {0};
    heddle_status status = HEDDLE_OK;
    hd_phase_begin(ctx, "read", expected);
    HD_CHECK(hd_bytes_spool(ctx, &content));
    hd_bytes_guess(ctx, &content, expected + 1); /* one more, to see the end without growing */
    for (;;) {
        HD_CHECK(hd_bytes_reserve(ctx, &content, 1));
        uint64_t room = content.capacity - content.bytes;
        ssize_t got = read(fd, content.data + content.bytes, (size_t)(room < READ_PIECE ? room : READ_PIECE));
        if (got < 0 && errno != EINTR) {
            status = hd_fail_file(ctx, HEDDLE_E_READ, input->name, errno, "cannot read");
            goto out;
        }
        if (hd_advance(ctx, got > 0 ? (uint64_t)got : 0)) {
            status = hd_cancelled_status(ctx);
            goto out;
        }
        if (got == 0)
            break;
        if (got > 0)
            content.bytes += (uint64_t)got;
    }
    HD_CHECK(hd_bytes_settle(ctx, &content));
    take_bytes(ctx, &content, input);
out:
    hd_phase_end(ctx);
    hd_bytes_free(ctx, &content);
    return status;
}

/* Maps or reads an open file. */
static heddle_status take_file(heddle_context *ctx, int fd, hd_input *input) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return hd_fail_file(ctx, HEDDLE_E_OPEN, input->name, errno, "cannot open");
    if (S_ISDIR(info.st_mode))
        return hd_fail_file(ctx, HEDDLE_E_OPEN, input->name, 0, "is a directory");
    uint64_t size = S_ISREG(info.st_mode) && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    /* Standard input may be at any offset of its file; some file systems have regular files of size 0 that are not
     * empty, or cannot map. All of these can be read. */
    if (size && size <= SIZE_MAX && lseek(fd, 0, SEEK_CUR) == 0) {
        void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            input->data = data;
            input->bytes = size;
            input->mapped = true;
            input->stamp = hd_stamp_of(&info);
            return HEDDLE_OK;
        }
    }
    return read_all(ctx, fd, size, input);
}

heddle_status hd_input_check(heddle_context *ctx, const hd_input *input) {
    return hd_stamp_changed(&input->stamp, input->name)
               ? hd_fail_file(ctx, HEDDLE_E_READ, input->name, 0, "the file changed while it was read")
               : HEDDLE_OK;
}

static heddle_status unpack(heddle_context *ctx, const hd_codec *codec, hd_input *input) {
    hd_bytes content = {.behind = input->mapped ? input->data : NULL, .behind_bytes = input->bytes};
    hd_phase_begin(ctx, "unpack", input->bytes);
    heddle_status status = hd_bytes_spool(ctx, &content);
    if (status == HEDDLE_OK)
        status = codec->unpack(ctx, input->name, input->data, input->bytes, &content);
    if (status == HEDDLE_OK)
        status = hd_bytes_settle(ctx, &content);
    hd_phase_end(ctx);
    if (status != HEDDLE_E_CANCELLED && hd_input_check(ctx, input) != HEDDLE_OK)
        status = HEDDLE_E_READ;
    if (status != HEDDLE_OK) {
        hd_bytes_free(ctx, &content);
        return status;
    }
    release(ctx, input);
    take_bytes(ctx, &content, input);
    input->stamp.known = false;
    input->compressed = true;
    return HEDDLE_OK;
}

/* Moves the data past a byte order mark of UTF-8. */
static void skip_mark(hd_input *input) {
    static const char mark[] = "\xef\xbb\xbf";
    if (input->bytes < sizeof mark - 1 || memcmp(input->data, mark, sizeof mark - 1) != 0)
        return;
    input->skipped = sizeof mark - 1;
    input->data += input->skipped;
    input->bytes -= input->skipped;
}

/* Decompresses the input if necessary, skips a byte order mark, and checks that something is left; closes it on failure
 * or if `status` is one. */
static heddle_status prepare(heddle_context *ctx, hd_input *input, heddle_status status) {
    input->empty = status == HEDDLE_OK && input->bytes == 0;
    if (input->empty)
        status = hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0, "the file is empty");
    const hd_codec *codec = status == HEDDLE_OK ? hd_codec_of_content(input->data, input->bytes) : NULL;
    if (codec)
        status = unpack(ctx, codec, input);
    if (status == HEDDLE_OK)
        skip_mark(input);
    if (status == HEDDLE_OK && input->bytes == 0) {
        input->empty = true;
        status = hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                              codec ? "the file is empty once unpacked" : "the file is empty");
    }
    if (status != HEDDLE_OK)
        hd_input_close(ctx, input);
    return status;
}

heddle_status hd_input_open(heddle_context *ctx, const char *path, hd_input *input) {
    bool standard = strcmp(path, "-") == 0;
    *input = (hd_input){.name = standard ? "<stdin>" : path};
    int fd = standard ? STDIN_FILENO : -1;
    while (fd < 0) {
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (fd < 0 && errno != EINTR)
            return hd_fail_file(ctx, HEDDLE_E_OPEN, input->name, errno, "cannot open");
        if (fd < 0 && hd_cancelled(ctx))
            return hd_cancelled_status(ctx);
    }
    heddle_status status = take_file(ctx, fd, input);
    input->named = !standard && input->stamp.known;
    if (!standard)
        close(fd);
    return prepare(ctx, input, status);
}

heddle_status hd_input_copy(heddle_context *ctx, const char *name, const void *data, uint64_t bytes, hd_input *input) {
    char *copy;
    *input = (hd_input){.name = name};
    HD_TRY(HD_NEW(ctx, &copy, bytes, "the input"));
    if (bytes)
        memcpy(copy, data, (size_t)bytes);
    input->data = copy;
    input->bytes = bytes;
    input->capacity = bytes;
    return HEDDLE_OK;
}

heddle_status hd_input_own(heddle_context *ctx, hd_input *input, uint64_t capacity) {
    char *copy;
    if (!input->mapped && input->capacity - input->skipped >= capacity)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(ctx, &copy, capacity, "a copy of the input"));
    memcpy(copy, input->data, (size_t)input->bytes);
    release(ctx, input);
    input->data = copy;
    input->capacity = capacity;
    input->skipped = 0;
    input->mapped = input->named = false;
    return HEDDLE_OK;
}

heddle_status hd_input_memory(heddle_context *ctx, const void *data, uint64_t bytes, hd_input *input) {
    HD_TRY(hd_input_copy(ctx, "<memory>", data, bytes, input));
    return prepare(ctx, input, HEDDLE_OK);
}

void hd_input_close(heddle_context *ctx, hd_input *input) {
    release(ctx, input);
    input->data = NULL;
    input->bytes = input->capacity = input->skipped = 0;
}

heddle_status hd_input_fail(heddle_context *ctx, const hd_input *input, uint64_t at, uint64_t length,
                            const char *expected) {
    static const char end_of_file[] = "end of file";
    bool at_end = at >= input->bytes;
    if (at_end)
        at = input->bytes;
    if (length > input->bytes - at)
        length = input->bytes - at;
    const char *start = input->data, *token = input->data + at;
    uint64_t line = 1;
    for (const char *next; (next = memchr(start, '\n', (size_t)(token - start))); line++)
        start = next + 1;
    return hd_fail_token(ctx, input->name, line, (uint64_t)(token - start) + 1, at_end ? end_of_file : token,
                         at_end ? sizeof end_of_file - 1 : (size_t)length, expected);
}
