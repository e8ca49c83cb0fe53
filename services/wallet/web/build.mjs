// Builds the page into dist/page, or its tests into dist/test (--tests). What it writes depends on the sources and packages alone.
// --prover FILE is the native library as a WebAssembly module, without which the page makes no proofs itself.
import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

const here = import.meta.dirname
// as src/downloads.ts asks for it
const PIECE = 1 << 19
const options = { absWorkingDir: here, bundle: true, target: 'es2022', legalComments: 'none', metafile: true, logLevel: 'warning' }

if (process.argv.includes('--tests')) {
  const tests = (await readdir(join(here, 'test'))).filter((name) => name.endsWith('.test.ts'))
  await rm(join(here, 'dist/test'), { recursive: true, force: true })
  await build({
    ...options,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: 'dist/test',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    define: { MODULE: 'null' },
  })
} else {
  await page(join(here, 'dist/page'))
}

async function page(out) {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  await cp(join(here, 'static'), out, { recursive: true })
  const browser = { ...options, platform: 'browser', format: 'iife', minify: true, outdir: 'dist/page' }
  const module = await prover(out)
  const scripts = ['src/page.ts', 'src/worker.ts', 'src/prover.ts']
  const { metafile } = await build({ ...browser, entryPoints: scripts, define: { MODULE: JSON.stringify(module) } })
  await writeFile(join(out, 'licences.txt'), await licences(Object.keys(metafile.inputs)))
  // who wants no proofs on the device does not load the prover
  const files = (await readdir(out)).filter((name) => !name.endsWith('.bin')).sort()
  // another shell is another version, which the service worker installs beside the one in use
  const digest = createHash('sha256')
  for (const name of files) digest.update(name).update(await readFile(join(out, name)))
  const define = { SHELL: JSON.stringify(files), VERSION: JSON.stringify(digest.digest('hex').slice(0, 16)) }
  await build({ ...browser, entryPoints: ['src/service-worker.ts'], define })
}

// Puts the native library beside the page, compressed and in pieces, so that a download goes on where it broke off with any server.
async function prover(out) {
  const at = process.argv.indexOf('--prover')
  if (at < 0) return null
  const content = gzipSync(await readFile(process.argv[at + 1]), { level: 9 })
  for (let from = 0; from < content.length; from += PIECE) {
    await writeFile(join(out, `prover-${from / PIECE}.bin`), content.subarray(from, from + PIECE))
  }
  await cp(join(here, '../../../THIRD-PARTY-NOTICES.md'), join(out, 'licences-of-the-prover.txt'))
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

// The licences of the packages that the bundles contain.
async function licences(inputs) {
  const packages = new Set(inputs.filter((name) => name.includes('node_modules/')).map(packageOf))
  const byName = new Map()
  for (const folder of packages) {
    const { name, version, license } = JSON.parse(await readFile(join(here, folder, 'package.json'), 'utf8'))
    byName.set(`${name} ${version}`, `${name} ${version} (${license})\n\n${(await readFile(join(here, folder, 'LICENSE'), 'utf8')).trim()}\n`)
  }
  return [...byName].sort().map(([, text]) => text).join(`\n${'-'.repeat(72)}\n\n`)
}

// node_modules/@a/b/x.js -> node_modules/@a/b
function packageOf(input) {
  const parts = input.split('/')
  const at = parts.lastIndexOf('node_modules')
  return parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join(sep)
}
