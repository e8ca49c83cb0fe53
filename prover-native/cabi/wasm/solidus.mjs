// The library for Node and browsers: bytes in, bytes out.
//
//   const library = await open(moduleBytes, new Map([['keys/manifest.json', bytes], ...]))
//   const reply = library.invoke(70, request)
import { wasiOf } from './wasi.mjs'

// open instantiates the module. files are those of its root folder, as a map of names to bytes; the module writes none.
export async function open(module, files = new Map()) {
  let memory
  const { instance } = await WebAssembly.instantiate(module, wasiOf(files, () => memory))
  memory = instance.exports.memory
  const { _initialize, solidus_allocate, solidus_release, solidus_invoke } = instance.exports
  _initialize()
  return {
    // invoke returns the reply: a status of 2 bytes, big endian, then the result or an explanation.
    invoke(operation, request) {
      const at = solidus_allocate(request.length)
      new Uint8Array(memory.buffer, at, request.length).set(request)
      const place = solidus_invoke(operation, at)
      const start = Number(BigInt.asUintN(64, place) >> 32n)
      const reply = new Uint8Array(memory.buffer, start, Number(BigInt.asUintN(32, place))).slice()
      solidus_release(at)
      solidus_release(start)
      return reply
    },
    // memoryBytes is the size of the module's memory.
    memoryBytes: () => memory.buffer.byteLength,
  }
}
