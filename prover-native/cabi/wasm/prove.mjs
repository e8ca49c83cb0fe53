// Proves a witness in WebAssembly and prints the times as JSON:
//
//   node prove.mjs solidus.wasm KEYS OPEN WITNESS RUNS PROOF
//
// OPEN is a file with a KEYS_OPEN request for the folder /keys, WITNESS one with a witness of a regulated transfer. PROOF
// receives the last proof.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { open } from './solidus.mjs'

const KEYS_OPEN = 60
const PROVE = 70
const TRANSFER = 3

const [module, keys, openFile, witnessFile, runs, proofFile] = process.argv.slice(2)

function result(reply) {
  const status = Buffer.from(reply).readUInt16BE(0)
  if (status !== 0) {
    throw new Error(`code ${status}: ${Buffer.from(reply.subarray(2))}`)
  }
  return reply.subarray(2)
}

const start = performance.now()
const files = new Map()
for (const entry of await readdir(keys, { withFileTypes: true })) {
  if (entry.isFile()) files.set(`keys/${entry.name}`, await readFile(`${keys}/${entry.name}`))
}
const library = await open(await readFile(module), files)
const handle = result(library.invoke(KEYS_OPEN, await readFile(openFile)))
const openMillis = performance.now() - start

const witness = await readFile(witnessFile)
const size = Buffer.alloc(4)
size.writeUInt32BE(witness.length)
const request = Buffer.concat([handle, Buffer.of(TRANSFER), size, witness])
const proveMillis = []
let proof
for (let run = 0; run < Number(runs); run++) {
  const begin = performance.now()
  proof = result(library.invoke(PROVE, request))
  proveMillis.push(Math.round(performance.now() - begin))
}
await writeFile(proofFile, proof)
console.log(JSON.stringify({ openMillis: Math.round(openMillis), proveMillis, memoryBytes: library.memoryBytes() }))
