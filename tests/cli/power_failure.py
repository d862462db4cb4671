"""What a disk holds after a power failure at any point of a command's run.

strace records the command's writes, names and syncs below one folder; a Recording replays them cut after any of them. A
failure keeps what was synced. Of the rest it may keep everything, only the names, or nothing, and the last write may be
torn; states() has each of these.
"""
import os
import re
import shutil
import subprocess

CALLS = ("open,openat,creat,close,dup,dup2,dup3,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,"
         "copy_file_range,sendfile,mmap,rename,renameat,renameat2,link,linkat,symlink,unlink,unlinkat,mkdir,"
         "fsync,fdatasync,msync,clone,clone3,fork,vfork")
LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|0x[0-9a-f]+)")
UNSEEN = ("writev", "pwritev", "pwritev2", "copy_file_range", "sendfile", "truncate", "link", "symlink", "creat",
          "open")


def available():
    """Whether processes can be traced here."""
    return shutil.which("strace") is not None and subprocess.run(
        ["strace", "-o", os.devnull, "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def bytes_of(word):
    return bytes.fromhex(word.strip(' "').replace("\\x", ""))


def text_of(word):
    return bytes_of(word).decode()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def lines_of(log):
    """Calls that another thread interrupted are joined, and stand where they ended."""
    begun = {}
    with open(log, encoding="ascii") as file:
        for line in file:
            pid = line.split(" ", 1)[0]
            if line.rstrip().endswith("<unfinished ...>"):
                begun[pid] = line[:line.rindex("<unfinished ...>")]
                continue
            resumed = re.match(r"\d+ +<\.\.\. \w+ resumed>", line)
            yield begun.pop(pid) + line[resumed.end():] if resumed else line


class File:
    """An inode: its content, and the content that was synced."""

    def __init__(self, content=b"", folder=False):
        self.content, self.synced, self.folder = content, content, folder

    def write(self, at, data):
        self.content = self.content[:at].ljust(at, b"\0") + data + self.content[at + len(data):]


class Recording:
    """Runs a command and lists what it does to files below `root`, each step a function of a Disk."""

    def __init__(self, root, command, env):
        self.root, self.log = root, root.rstrip("/") + ".strace"
        self.before = {}
        for folder, folders, files in os.walk(root):
            for name in files + folders:
                path = os.path.join(folder, name)
                self.before[path] = None if name in folders else read(path)
        self.done = subprocess.run(["strace", "-f", "-xx", "-s", str(1 << 20), "-o", self.log, "-e", "trace=" + CALLS,
                                    *command], cwd=root, env=env, check=False, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.steps, self.opened, self.tables, self.count = [], None, {}, 0
        for line in lines_of(self.log):
            found = LINE.match(line)
            if found and not found[4].startswith("-"):
                self.take(found[1], found[2], found[3].split(", "), int(found[4], 0))
        os.unlink(self.log)

    def step(self, what, *arguments):
        self.steps.append((what, *arguments))

    def mine(self, path):
        return path == self.root or path.startswith(self.root + "/")

    def take(self, pid, call, words, result):
        """One call: `opened` has the process's descriptors, threads share them."""
        if self.opened is None:
            self.opened = self.tables[pid] = {}
        opened = self.tables.setdefault(pid, dict(self.opened))
        if call in ("clone", "clone3", "fork", "vfork"):
            if "CLONE_THREAD" in " ".join(words):
                self.tables[str(result)] = opened
        elif call in ("openat", "mkdir", "unlink", "rename", "renameat", "renameat2", "linkat", "unlinkat"):
            self.take_names(call, words, result, opened)
        elif call == "close":
            opened.pop(int(words[0]), None)
        elif call.startswith("dup"):
            opened.pop(result, None)
            if int(words[0]) in opened:
                opened[result] = opened[int(words[0])]
        elif call == "mmap":
            assert "PROT_WRITE" not in words[2] or "MAP_SHARED" not in words[3] or int(words[4]) not in opened, \
                "writes to mapped files are not recorded"
        elif call in UNSEEN:
            at = [int(word) for word in words[:1] if word.isdigit()] + [int(w) for w in words[2:3] if w.isdigit()]
            assert not any(fd in opened for fd in at), call + " is not recorded"
        elif int(words[0]) in opened:
            self.take_content(call, words, result, opened[int(words[0])])

    def take_names(self, call, words, result, opened):
        folder = self.root
        if call == "openat":
            opened.pop(result, None)
        if words[0].isdigit():
            if int(words[0]) not in opened:
                return
            folder = opened[int(words[0])]["path"]
        names = [os.path.normpath(os.path.join(folder, text_of(word))) for word in words if word.startswith('"')]
        if call == "linkat":
            source = int(names[0].rsplit("/", 1)[1]) if names[0].startswith("/proc/self/fd/") else None
            if source in opened and self.mine(names[1]):
                self.step("name", names[1], opened[source]["file"])
        elif not self.mine(names[-1]):
            assert call[:6] != "rename" or not self.mine(names[0]), "moved out of the folder"
        elif call == "openat":
            self.take_open(names[0], words[2], result, opened)
        else:
            self.step({"mkdir": "folder", "unlink": "unlink", "unlinkat": "unlink"}.get(call, "rename"), *names)

    def take_open(self, path, flags, fd, opened):
        self.count += 1
        opened[fd] = {"path": path, "file": self.count, "at": 0}
        if "O_TMPFILE" in flags:
            self.step("new", self.count)
        else:
            self.step("open", path, self.count, "O_CREAT" in flags, "O_TRUNC" in flags)

    def take_content(self, call, words, result, own):
        data = bytes_of(words[1]) if "write" in call else b""
        if call == "write":
            self.step("write", own["file"], own["at"], data[:result])
            own["at"] += result
        elif call == "pwrite64":
            self.step("write", own["file"], int(words[3]), data[:result])
        elif call == "ftruncate":
            self.step("truncate", own["file"], int(words[1]))
        elif call in ("fsync", "fdatasync"):
            self.step("sync", own["file"], own["path"])

    def states(self, cut):
        """The files by path, in each way that the power can fail after `cut` steps: (how, {path: content})."""
        disk = Disk(self.root, self.before)
        for step in self.steps[:cut]:
            disk.take(step)
        yield "all is kept", disk.found(disk.names, lambda file: file.content)
        yield "unsynced data is lost", disk.found(disk.names, lambda file: file.synced)
        yield "unsynced data is zeros", disk.found(
            disk.names, lambda f: f.content if f.content == f.synced else f.synced[:len(f.content)].ljust(
                len(f.content), b"\0"))
        yield "unsynced data and names are lost", disk.found(disk.sure_names, lambda file: file.synced)
        yield "unsynced names are lost", disk.found(disk.sure_names, lambda file: file.content)
        if cut and self.steps[cut - 1][0] == "write":
            _, number, at, data = self.steps[cut - 1]
            file = disk.files[number]
            file.content = file.content[:at + len(data) // 2]
            yield "the last write is torn", disk.found(disk.names, lambda file: file.content)

    def versions(self, path):
        """All that was ever given this name, complete, the first and the last of them; None: nothing."""
        disk, seen = Disk(self.root, self.before), [self.before.get(path)]
        for step in self.steps:
            disk.take(step)
            here = disk.names.get(path)
            if step[0] == "rename" and path in step[1:]:
                seen.append(here.content if here else None)
        return seen


class Disk:
    """Names and contents, as programs see them, and as they are sure to be after a power failure."""

    def __init__(self, root, before):
        self.root = root
        self.names = {path: File(content or b"", content is None) for path, content in before.items()}
        self.sure_names = dict(self.names)
        self.files = {}

    def take(self, step):
        getattr(self, "do_" + step[0])(*step[1:])

    def do_new(self, number):
        self.files[number] = File()

    def do_open(self, path, number, create, cut):
        if path not in self.names and create:
            self.names[path] = File()
        self.files[number] = self.names.get(path) or File(folder=True)
        if cut:
            self.files[number].content = b""

    def do_folder(self, path):
        self.names[path] = File(folder=True)

    def do_name(self, path, number):
        self.names[path] = self.files[number]

    def do_rename(self, path, to):
        self.names[to] = self.names.pop(path)

    def do_unlink(self, path):
        self.names.pop(path, None)

    def do_write(self, number, at, data):
        self.files[number].write(at, data)

    def do_truncate(self, number, size):
        self.files[number].content = self.files[number].content[:size].ljust(size, b"\0")

    def do_sync(self, number, path):
        file = self.files[number]
        file.synced = file.content
        if file.folder:
            inside = [name for name in {*self.names, *self.sure_names} if os.path.dirname(name) == path]
            for name in inside:
                self.sure_names.pop(name, None)
                if name in self.names:
                    self.sure_names[name] = self.names[name]

    def found(self, names, content):
        """Files whose folders are there, too."""
        return {path: content(file) for path, file in names.items()
                if not file.folder and (os.path.dirname(path) == self.root or os.path.dirname(path) in names)}
