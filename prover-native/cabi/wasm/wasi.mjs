// The part of WASI preview 1 that the module needs, over files in memory, for Node and for browsers. Node's own node:wasi aborts
// when a garbage collection runs inside one of its calls (Node 20).
const OK = 0
const BAD_FD = 8
const NO_ENTRY = 44
const NOT_SUPPORTED = 52
const DIRECTORY = 3
const FILE = 4
const ROOT_FD = 3

// wasiOf returns the imports of a module whose root folder / holds the files, a map of names to bytes. memory() is the module's.
export function wasiOf(files, memory) {
  const opened = new Map()
  let next = ROOT_FD + 1
  const view = () => new DataView(memory().buffer)
  const bytes = (at, length) => new Uint8Array(memory().buffer, at, length)
  const text = (at, length) => new TextDecoder().decode(bytes(at, length))
  const name = (at, length) => text(at, length).replace(/^\.?\//, '')
  const isFolder = (path) => path === '' || path === '.' || [...files.keys()].some((file) => file.startsWith(`${path}/`))

  const stat = (at, type, size) => {
    bytes(at, 64).fill(0)
    view().setUint8(at + 16, type)
    view().setBigUint64(at + 32, BigInt(size), true)
    return OK
  }
  // vectors calls use(part) for each buffer of a list and returns the sum of the results.
  const vectors = (at, count, use) => {
    let sum = 0
    for (let i = 0; i < count; i++) {
      const [start, length] = [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)]
      sum += use(bytes(start, length))
    }
    return sum
  }
  const counts = (first, second) => {
    view().setUint32(first, 0, true)
    view().setUint32(second, 0, true)
    return OK
  }

  const calls = {
    args_sizes_get: counts,
    args_get: () => OK,
    environ_sizes_get: counts,
    environ_get: () => OK,
    sched_yield: () => OK,
    proc_exit: (code) => {
      throw new Error(`the module ended with ${code}`)
    },
    random_get(at, length) {
      for (let start = 0; start < length; start += 65536) {
        crypto.getRandomValues(bytes(at + start, Math.min(65536, length - start)))
      }
      return OK
    },
    clock_time_get(clock, _precision, at) {
      const millis = clock === 0 ? Date.now() : performance.now()
      view().setBigUint64(at, BigInt(Math.round(millis * 1e6)), true)
      return OK
    },
    // The module has one thread and nothing to wait for: the first subscription, a clock, has elapsed.
    poll_oneoff(subscriptions, events, _count, size) {
      view().setBigUint64(events, view().getBigUint64(subscriptions, true), true)
      view().setUint32(events + 8, 0, true)
      view().setUint32(size, 1, true)
      return OK
    },
    fd_write(fd, at, count, size) {
      if (fd > 2) return BAD_FD
      view().setUint32(size, vectors(at, count, (part) => (console.error(new TextDecoder().decode(part).trimEnd()), part.length)), true)
      return OK
    },
    fd_prestat_get(fd, at) {
      if (fd !== ROOT_FD) return BAD_FD
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, 1, true)
      return OK
    },
    fd_prestat_dir_name(fd, at) {
      if (fd !== ROOT_FD) return BAD_FD
      bytes(at, 1)[0] = 0x2f
      return OK
    },
    fd_fdstat_get(fd, at) {
      if (fd !== ROOT_FD && !opened.has(fd) && fd > 2) return BAD_FD
      bytes(at, 24).fill(0)
      view().setUint8(at, fd === ROOT_FD ? DIRECTORY : FILE)
      view().setBigUint64(at + 8, 0xffffffffn, true)
      view().setBigUint64(at + 16, 0xffffffffn, true)
      return OK
    },
    fd_fdstat_set_flags: () => OK,
    path_open(_fd, _flags, at, length, oflags, _rights, _inheriting, _fdflags, out) {
      const content = files.get(name(at, length))
      if (oflags & 1) return NOT_SUPPORTED // to create a file
      if (content === undefined) return NO_ENTRY
      opened.set(next, { content, offset: 0 })
      view().setUint32(out, next++, true)
      return OK
    },
    fd_read(fd, at, count, size) {
      const file = opened.get(fd)
      if (!file) return BAD_FD
      const read = vectors(at, count, (part) => {
        const chunk = file.content.subarray(file.offset, file.offset + part.length)
        part.set(chunk)
        file.offset += chunk.length
        return chunk.length
      })
      view().setUint32(size, read, true)
      return OK
    },
    fd_close: (fd) => (opened.delete(fd) ? OK : BAD_FD),
    fd_filestat_get: (fd, at) => (opened.has(fd) ? stat(at, FILE, opened.get(fd).content.length) : BAD_FD),
    path_filestat_get(_fd, _flags, at, length, out) {
      const path = name(at, length)
      if (files.has(path)) return stat(out, FILE, files.get(path).length)
      return isFolder(path) ? stat(out, DIRECTORY, 0) : NO_ENTRY
    },
  }
  const unsupported = ['path_create_directory', 'path_remove_directory', 'path_rename', 'path_unlink_file']
  for (const call of unsupported) calls[call] = () => NOT_SUPPORTED
  return { wasi_snapshot_preview1: calls }
}
