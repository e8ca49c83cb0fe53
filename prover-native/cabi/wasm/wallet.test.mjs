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
