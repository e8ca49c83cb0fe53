// Builds the page into dist/page, or its tests into dist/test (--tests). What it writes depends on the sources and packages alone.
import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

const here = import.meta.dirname
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
  })
} else {
  await page(join(here, 'dist/page'))
}

async function page(out) {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  await cp(join(here, 'static'), out, { recursive: true })
  const browser = { ...options, platform: 'browser', format: 'iife', minify: true, outdir: 'dist/page' }
  const { metafile } = await build({ ...browser, entryPoints: ['src/page.ts', 'src/worker.ts'] })
  await writeFile(join(out, 'licences.txt'), await licences(Object.keys(metafile.inputs)))
  const files = (await readdir(out)).sort()
  // another shell is another version, which the service worker installs beside the one in use
  const digest = createHash('sha256')
  for (const name of files) digest.update(name).update(await readFile(join(out, name)))
  const define = { SHELL: JSON.stringify(files), VERSION: JSON.stringify(digest.digest('hex').slice(0, 16)) }
  await build({ ...browser, entryPoints: ['src/service-worker.ts'], define })
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
