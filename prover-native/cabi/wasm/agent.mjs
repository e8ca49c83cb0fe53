// A wallet of the core in Node.js that another program drives, for tests on a running network: one line of JSON for each call and
// each answer. Words and keys come by the standard input, where no list of processes shows them. It is no wallet for people.
//
// A call may say where its process dies, as an operating system kills it:
//
//   { call: 'pay', id, payee, amount, text, die: { effect: 'POST /v1/transfers', moment: 'performed' } }
//
// kept: the state that came with the effect is on disk, and the effect is not performed; performed: its answer is lost;
// answered: the core has taken the answer, and what follows from it is not on disk.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open as openFile, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { open as openLibrary } from './solidus.mjs'
import { Writer, walletOf } from './wallet.mjs'

const KEYS_OPEN = 60
const PROVE = 70
const [REGULATED, DEVELOPMENT, PRODUCTION] = [1, 1, 0]
const NONCE = 12
const TAG = 16

const fromHex = (text) => new Uint8Array(Buffer.from(text, 'hex'))

// fate is where the process dies in the call at work.
let fate
let dying = false
const kill = () => process.kill(process.pid, 'SIGKILL')
const never = () => new Promise(() => undefined)

async function around(effect, work) {
  const meant = fate?.effect === effect
  if (meant && fate.moment === 'kept') {
    kill()
    await never()
  }
  const done = await work()
  if (meant && fate.moment === 'performed') {
    kill()
    await never()
  }
  dying = meant && fate.moment === 'answered'
  return done
}

// replace puts a file in the place of another: a loss of power leaves the old one or the new one.
async function replace(path, bytes) {
  const file = await openFile(`${path}.tmp`, 'w', 0o600)
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
  await rename(`${path}.tmp`, path)
  const folder = await openFile(dirname(path), 'r')
  await folder.sync()
  await folder.close()
}

const orNothing = (e) => {
  if (e.code !== 'ENOENT') throw e
}

// sealedFile keeps a state, sealed with AES-256-GCM.
const sealedFile = (path, key) => ({
  async read() {
    const sealed = await readFile(path).catch(orNothing)
    if (sealed === undefined) return undefined
    const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAuthTag(sealed.subarray(-TAG))
    const first = cipher.update(sealed.subarray(NONCE, -TAG))
    cipher.final()
    return new Uint8Array(first.buffer, first.byteOffset, first.length)
  },
  async write(bytes) {
    if (dying) {
      kill()
      await never()
    }
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    await replace(path, Buffer.concat([nonce, body, cipher.getAuthTag()]))
  },
})

const folderOfPages = (folder) => ({
  read: (number) => readFile(join(folder, `${number}.page`)).catch(orNothing),
  async write(number, bytes) {
    await mkdir(folder, { recursive: true })
    await replace(join(folder, `${number}.page`), bytes)
  },
})

// exchangesWith asks the services at three addresses.
const exchangesWith =
  (services) =>
  ({ role, method, path, headers, body, limit }, signal) =>
    around(`${method} ${path.split('?')[0]}`, async () => {
      const sent = method === 'GET' ? {} : { body }
      const answer = await fetch(services[role - 1] + path, { method, headers, signal, redirect: 'error', ...sent })
      const parts = []
      let length = 0
      for await (const part of answer.body ?? []) {
        parts.push(part)
        length += part.length
        if (length > limit) break
      }
      const retryAfter = Number(answer.headers.get('retry-after') ?? 0) || 0
      return { status: answer.status, retryAfter, body: new Uint8Array(Buffer.concat(parts).subarray(0, limit + 1)) }
    })

// proofsOf proves in this thread, in a library over the files of a folder of keys. It opens the keys with the first proof.
function proofsOf({ module, keys, networkId, manifestKey }) {
  const sized = (text) => new TextEncoder().encode(text)
  const opened = async () => {
    const names = (await readdir(keys, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name)
    const files = new Map(await Promise.all(names.map(async (name) => [`keys/${name}`, await readFile(join(keys, name))])))
    const library = await openLibrary(await readFile(module), files)
    const asked = new Writer().sized(sized(networkId)).u8(REGULATED).u8(DEVELOPMENT).u8(PRODUCTION).u32(0)
    const reply = library.invoke(KEYS_OPEN, asked.sized(fromHex(manifestKey)).sized(sized('/keys')).take())
    if (reply[0] !== 0 || reply[1] !== 0) throw new Error(`the keys do not open: ${new TextDecoder().decode(reply.subarray(2))}`)
    return { library, handle: reply.slice(2) }
  }
  let once
  return (family, witness) =>
    around('proof', async () => {
      once ??= opened()
      const { library, handle } = await once
      const request = new Writer().raw(handle).u8(family).sized(witness).take()
      try {
        return library.invoke(PROVE, request)
      } finally {
        request.fill(0)
      }
    })
}

// putForward puts this process's clock forward: tokens are spent an hour after they were fetched.
function putForward(millis) {
  const machine = Date.now
  Date.now = () => machine() + millis
}

async function profileOf({ keys, networkId, manifestKey, currency, prover, origin }) {
  const file = async (name) => new Uint8Array(await readFile(join(keys, name)))
  return {
    ...{ network: networkId, manifestKey: fromHex(manifestKey), classes: ['development'], mailboxBits: 0, currency },
    ...{ manifest: await file('manifest.json'), signature: await file('manifest.sig'), transferKey: await file('transfer.vk') },
    ...{ registerKey: await file('register.vk'), mintKey: await file('mint.vk'), recoverKey: await file('recover.vk') },
    ...(prover === undefined ? {} : { prover: fromHex(prover) }),
    ...(origin === undefined ? {} : { origin }),
  }
}

async function begin(start) {
  putForward(Number(start.ahead ?? 0))
  const wallet = walletOf({
    library: await openLibrary(await readFile(start.module)),
    storage: sealedFile(start.file, fromHex(start.key)),
    pages: folderOfPages(`${start.file}.history`),
    gateway: exchangesWith([start.gateway, start.registration, start.issuance]),
    prove: proofsOf(start),
  })
  if (start.words !== undefined) await wallet.create(await profileOf(start), start.words)
  return wallet
}

function answer(wallet, call) {
  switch (call.call) {
    case 'view':
      return wallet.view()
    case 'history':
      return wallet.history(call.page)
    case 'pay':
      return wallet.pay(call.id, call.payee, BigInt(call.amount), call.text)
    case 'open':
      return wallet.open()
    case 'restore':
    case 'receive':
    case 'settle':
      return wallet[call.call](call.id)
    default:
      throw new Error(`no call ${call.call}`)
  }
}

const written = (_, value) => {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
const say = (value) => console.log(JSON.stringify(value, written))

let wallet
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const call = JSON.parse(line)
    fate = call.die
    if (wallet === undefined) {
      wallet = await begin(call)
      say({ ok: {} })
    } else {
      const result = await answer(wallet, call)
      say({ ok: typeof result === 'object' ? result : { code: result ?? null } })
    }
  } catch (e) {
    say({ error: 'internal', detail: e instanceof Error ? e.stack : String(e) })
  }
}
