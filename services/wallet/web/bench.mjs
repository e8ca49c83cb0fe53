// What the test of a header takes, in Node.js and in Chromium: npm run bench. Chromium is SOLIDUS_CHROMIUM or /usr/bin/chromium.
// Processor time is that of all threads, in Chromium of all processes.
import { build } from 'esbuild'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { cpus, loadavg, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const chromium = process.env.SOLIDUS_CHROMIUM || '/usr/bin/chromium'
const A_DAY = 31_250
const LIMIT = 180_000

const folder = await mkdtemp(join(tmpdir(), 'solidus-headers-'))
try {
  const options = { absWorkingDir: here, bundle: true, target: 'es2022', format: 'esm', logLevel: 'warning', outdir: folder, outExtension: { '.js': '.mjs' } }
  await build({ ...options, entryPoints: ['bench/in-node.ts'], platform: 'node' })
  await build({ ...options, entryPoints: ['bench/in-browser.ts'], platform: 'browser', minify: true })
  console.log(`${cpus()[0]?.model}, ${cpus().length} threads, load average ${loadavg().map((load) => load.toFixed(1)).join(' ')}`)
  const lines = execFileSync(process.execPath, ['--no-warnings', join(folder, 'in-node.mjs')], { encoding: 'utf8' }).trim().split('\n')
  for (const line of lines) print(`Node.js ${process.versions.node}`, JSON.parse(line))
  if (existsSync(chromium)) await inChromium()
  else console.log(`no Chromium at ${chromium}`)
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

function print(where, { kind, headers, cpu, wall }) {
  const day = (cpu / headers) * (A_DAY / 1_000)
  console.log(`${where}, ${kind}: ${(cpu / headers).toFixed(3)} ms of a core a header, ${(wall / headers).toFixed(3)} ms pass; ${day.toFixed(1)} s of a core for ${A_DAY}`)
}

async function inChromium() {
  const name = execFileSync(chromium, ['--version'], { encoding: 'utf8' }).trim().split(' ').slice(0, 2).join(' ')
  const args = ['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  if (userInfo().uid === 0) args.push('--no-sandbox')
  let begun
  let finish
  const finished = new Promise((done, failed) => {
    finish = { done, failed }
  })
  const files = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script src="page.js"></script>'],
    '/page.js': ['text/javascript', "new Worker('worker.mjs', { type: 'module' })"],
    '/worker.mjs': ['text/javascript', await readFile(join(folder, 'in-browser.mjs'))],
  }
  let browser
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1')
    const [type, content] = files[pathname] ?? ['text/plain', '']
    if (pathname === '/start') begun = { cpu: await processorTime(browser.pid), wall: performance.now() }
    if (pathname === '/end') {
      const [cpu, wall] = [(await processorTime(browser.pid)) - begun.cpu, performance.now() - begun.wall]
      print(name, { kind: searchParams.get('kind'), headers: Number(searchParams.get('headers')), cpu, wall })
    }
    response.writeHead(200, { 'Content-Type': type }).end(content)
    if (pathname === '/done') finish.done()
    if (pathname === '/failed') finish.failed(new Error(searchParams.get('why')))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  browser = spawn(chromium, [...args, `--user-data-dir=${join(folder, 'profile')}`, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' })
  const ended = new Promise((done) => browser.once('exit', done))
  const late = setTimeout(() => finish.failed(new Error(`Chromium has not answered in ${LIMIT / 1_000} s`)), LIMIT)
  browser.once('error', finish.failed)
  try {
    await finished
  } finally {
    clearTimeout(late)
    browser.kill()
    await ended
    server.close()
    server.closeAllConnections()
  }
}

// Of a process and all that come from it, in milliseconds. Linux only.
async function processorTime(root) {
  const stats = new Map()
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (fields.length > 13) stats.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) })
  }
  const isBelow = (pid) => pid === root || (stats.has(pid) && isBelow(stats.get(pid).parent))
  const own = [...stats].filter(([pid]) => isBelow(pid))
  return own.reduce((sum, [, { ticks }]) => sum + ticks * 10, 0)
}
