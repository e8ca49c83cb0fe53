// node --test wallet.test.mjs, with the built module in SOLIDUS_WASM
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { open } from './solidus.mjs'
import { Reader, Writer, walletOf } from './wallet.mjs'

const profile = {
  ...{ network: 'node-tests', manifestKey: new Uint8Array(32), classes: ['development'], mailboxBits: 0 },
  ...{ manifest: new TextEncoder().encode('{}'), signature: new TextEncoder().encode('00'), transferKey: new Uint8Array(), currency: 'EUR' },
}
const words = `${'abandon '.repeat(23)}art`
const KEYS_MANIFEST = /the core refuses an event with/

function storageOf(log = []) {
  let kept
  return {
    read: async () => kept?.slice(),
    write: async (bytes) => {
      log.push('kept')
      kept = bytes.slice()
    },
  }
}

test('the module refuses a manifest that nobody signed, and keeps nothing', async () => {
  const library = await open(await readFile(process.env.SOLIDUS_WASM))
  const log = []
  const wallet = walletOf({ library, storage: storageOf(log), gateway: assert.fail, prove: assert.fail })
  await assert.rejects(wallet.create(profile, words), KEYS_MANIFEST)
  await assert.rejects(wallet.view(), KEYS_MANIFEST)
  assert.deepEqual(log, [])
})

test('a state is kept before its effect is performed, and an exchange without an answer is told as such', async () => {
  const log = []
  const exchange = new Writer().u64(5).u8(1).text('GET').text('/v1/info').list([['A', 'b']], (w, [name, value]) => w.text(name).text(value))
  exchange.sized(new Uint8Array()).u32(1000).u32(30_000)
  const ended = new Writer().text('one').text('ended').text('gateway-unreachable').u64(0)
  const steps = [[[1, exchange.bytes()]], [[4, ended.bytes()]]]
  const events = []
  const library = {
    invoke(operation, request) {
      assert.equal(operation, 100)
      const r = new Reader(request)
      r.sized()
      const event = new Reader(r.end(r.sized()))
      event.take(1 + 16 + 8 + 32)
      events.push([event.u8(), event.end(event.sized())])
      log.push('step')
      const effects = new Writer().list(steps.shift(), (w, [kind, body]) => w.u8(kind).sized(body)).bytes()
      return new Writer().u16(0).sized(Uint8Array.of(steps.length)).sized(effects).bytes()
    },
  }
  const gateway = async (asked) => {
    log.push(`${asked.method} ${asked.path}`)
    throw new Error('offline')
  }
  const wallet = walletOf({ library, storage: storageOf(log), gateway, prove: assert.fail })
  assert.equal(await wallet.receive('one'), 'gateway-unreachable')
  assert.deepEqual(log, ['step', 'kept', 'GET /v1/info', 'step', 'kept'])
  assert.equal(events[1][0], 3)
  assert.deepEqual(events[1][1], new Writer().u64(5).u16(0).u32(0).u32(0).bytes())
})

const exchangeOf = (number, deadline) => {
  const w = new Writer().u64(number).u8(1).text('GET').text('/v1/info').u32(0)
  return [1, w.sized(new Uint8Array()).u32(1000).u32(deadline).bytes()]
}
const tellOf = (command, code) => [4, new Writer().text(command).text('ended').text(code).u64(0).bytes()]
const forever = () => new Promise(() => undefined)

// standIn answers event after event with the effects that answer(kind, body) gives, and keeps what a host must clear.
function standIn(answer) {
  const seen = []
  return {
    seen,
    invoke(_, request) {
      const r = new Reader(request)
      r.sized()
      const event = new Reader(r.end(r.sized()))
      event.take(1 + 16 + 8 + 32)
      const effects = answer(event.u8(), new Reader(event.end(event.sized())))
      const list = new Writer().list(effects, (w, [kind, body]) => w.u8(kind).sized(body)).bytes()
      const reply = new Writer().u16(0).sized(Uint8Array.of(7, 7)).sized(list).bytes()
      seen.push(request, reply)
      return reply
    },
  }
}

test('an exchange ends at its deadline', { timeout: 10_000 }, async () => {
  const replies = []
  const library = standIn((kind, body) => {
    if (kind === 2) return [exchangeOf(5, 20)]
    replies.push([kind, body.u64(), body.u16()])
    return [tellOf('one', 'gateway-unreachable')]
  })
  let aborted = false
  const gateway = (_, signal) => (signal.addEventListener('abort', () => (aborted = true)), forever())
  const wallet = walletOf({ library, storage: storageOf(), gateway, prove: assert.fail })
  assert.equal(await wallet.receive('one'), 'gateway-unreachable')
  assert.deepEqual(replies, [[3, 5n, 0]])
  assert.ok(aborted)
})

for (const [name, effect] of [
  ['an exchange', exchangeOf(5, 600_000)],
  ['a proof', [2, new Writer().u64(5).u8(3).sized(Uint8Array.of(1)).bytes()]],
  ['a wake', [3, new Writer().u64(5).u64(Date.now() + 600_000).bytes()]],
]) {
  test(`cancel frees a call from ${name}`, { timeout: 10_000 }, async () => {
    const kinds = []
    let asked
    const reached = new Promise((done) => (asked = done))
    const library = standIn((kind) => {
      kinds.push(kind)
      if (kind === 2) setTimeout(asked, 5)
      return { 2: [effect], 8: [tellOf('one', 'cancelled')] }[kind] ?? []
    })
    const ends = []
    const told = (message) => ends.push(message.code)
    const wallet = walletOf({ library, storage: storageOf(), gateway: forever, prove: forever, told })
    const call = wallet.receive('one')
    await reached
    await wallet.cancel()
    assert.equal(await call, undefined)
    assert.deepEqual(ends, ['cancelled'])
    assert.deepEqual(kinds.slice(0, 2), [2, 8])
    await wallet.view() // the next call has its turn
  })
}

test('cancel does not free a call whose command is another', { timeout: 10_000 }, async () => {
  const library = standIn((kind) => ({ 2: [exchangeOf(5, 50)], 3: [tellOf('one', '')], 8: [tellOf('old', 'cancelled')] })[kind] ?? [])
  const wallet = walletOf({ library, storage: storageOf(), gateway: forever, prove: forever })
  const call = wallet.receive('one')
  await new Promise((done) => setTimeout(done, 5))
  await wallet.cancel()
  assert.equal(await call, '')
})

test('what holds the seed and the witness is cleared', { timeout: 10_000 }, async () => {
  const library = standIn((kind) => (kind === 2 ? [[2, new Writer().u64(5).u8(3).sized(Uint8Array.of(1, 2, 3)).bytes()]] : [tellOf('one', '')]))
  const kept = []
  const storage = {
    read: async () => kept[kept.push(Uint8Array.of(9, 9)) - 1],
    write: async (bytes) => void kept.push(bytes),
  }
  const prove = async (_, witness) => {
    assert.deepEqual([...witness], [1, 2, 3])
    kept.push(witness)
    return Uint8Array.of(0, 0, 1)
  }
  assert.equal(await walletOf({ library, storage, gateway: assert.fail, prove }).receive('one'), '')
  assert.equal(kept.length, 5)
  for (const secret of [...kept, ...library.seen]) assert.ok(secret.every((byte) => byte === 0))
  const w = new Writer().text('words')
  const { parts } = w
  w.take()
  assert.ok(parts.every((part) => part.every((byte) => byte === 0)) && w.bytes().length === 0)
})

test('pages of history are kept before the core hears of it, and read again', { timeout: 10_000 }, async () => {
  const log = []
  const transfer = (w, text) => w.raw(new Uint8Array(32)).text('').u64(1).u64(2).u64(0).u64(3).text('sld1').text(text)
  const shown = (code, texts) => [7, new Writer().u32(0).text(code).list(texts, transfer).bytes()]
  const library = standIn((kind, body) => {
    if (kind === 2) return [[6, new Writer().u64(5).u32(0).sized(Uint8Array.of(1, 2)).bytes()]]
    if (kind === 9) {
      log.push(`heard ${body.u64()} ${body.flag()}`)
      return [tellOf('one', '')]
    }
    return [body.u32() === 0 && body.sized().length === 2 ? shown('', ['rent']) : shown('history-lost', [])]
  })
  const files = new Map()
  const pages = {
    read: async (number) => files.get(number),
    write: async (number, bytes) => {
      log.push(`kept ${number}`)
      files.set(number, bytes.slice())
    },
  }
  const parts = { library, storage: storageOf(), gateway: assert.fail, prove: assert.fail }
  const wallet = walletOf({ ...parts, pages })
  assert.equal(await wallet.receive('one'), '')
  assert.deepEqual(log, ['kept 0', 'heard 5 true'])
  assert.deepEqual((await wallet.history(0)).map((one) => one.text), ['rent'])
  files.clear()
  assert.equal(await wallet.history(0), undefined)
  for (const broken of [undefined, { write: async () => assert.fail('a full disk') }]) {
    log.length = 0
    assert.equal(await walletOf({ ...parts, pages: broken }).receive('one'), '')
    assert.deepEqual(log, ['heard 5 false'])
  }
})
