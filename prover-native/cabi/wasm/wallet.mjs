// A host of the wallet's core for Node and browsers (page 6 of the specification, "The core and its host"): a loop that steps,
// keeps and performs. Everything that differs between hosts comes from the caller:
//
//   const wallet = walletOf({ library, storage, gateway, prove, told })
//   const keys = { manifestKey, manifest, signature, transferKey, registerKey, mintKey }
//   await wallet.create({ network, classes, ...keys, mailboxBits, currency, prover }, phrase)
//   await wallet.open()
//   const code = await wallet.pay('invoice 17 of Bob', address, 1234n, 'invoice 17')   // '' or the code of a refusal
//   const { held, coins, history, pages } = await wallet.view()
//   const older = await wallet.history(pages - 1)   // undefined where the page is lost or altered
//
// library is that of solidus.mjs. storage has read() and write(bytes), which seals them and is done when they are on disk.
// gateway(exchange, signal) gives { status, retryAfter, body } and rejects where no answer came; the signal aborts at the
// exchange's deadline and when the command is cancelled. pages has read(number) and write(number, bytes), which is done when the
// page is on disk, in the place of one with that number; without it all history stays in the state, which has a bound. prove(family, witness, signal) gives the bridge's reply to PROVE, from a
// worker; the witness is cleared when its time is over. told(message) is for the page.
const STEP = 100
const VERSION = 5
const EVENTS = { create: 1, command: 2, reply: 3, proof: 4, wake: 5, resume: 6, look: 7, cancel: 8, kept: 9, page: 10, services: 11 }
const COMMANDS = { restore: 1, receive: 2, pay: 3, settle: 4, withdraw: 5, mint: 6, collect: 7, register: 8, recover: 9, receiveWhole: 10 }
const EFFECTS = { http: 1, prove: 2, wake: 3, tell: 4, view: 5, archive: 6, page: 7 }
const NOTHING = new Uint8Array()

// Every effect ends (W-40): a proof, a wake and an exchange with a longer deadline after this many milliseconds.
const LONGEST = 180_000

const wipe = (...secrets) => secrets.forEach((bytes) => bytes.fill(0))

// Writer writes records (W-31). What it wrote may be secret: take clears its copies.
export class Writer {
  parts = []
  raw(bytes) {
    this.parts.push(Uint8Array.from(bytes))
    return this
  }
  number(value, length) {
    const bytes = new Uint8Array(length)
    for (let i = length - 1, rest = BigInt(value); i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
    return this.raw(bytes)
  }
  u8 = (value) => this.number(value, 1)
  u16 = (value) => this.number(value, 2)
  u32 = (value) => this.number(value, 4)
  u64 = (value) => this.number(value, 8)
  sized = (bytes) => this.u32(bytes.length).raw(bytes)
  text = (value) => this.sized(new TextEncoder().encode(value))
  list(values, write) {
    this.u32(values.length)
    values.forEach((value) => write(this, value))
    return this
  }
  take() {
    const all = this.bytes()
    wipe(...this.parts)
    this.parts = []
    return all
  }
  bytes() {
    const all = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0))
    this.parts.reduce((at, part) => (all.set(part, at), at + part.length), 0)
    return all
  }
}

// Reader reads records.
export class Reader {
  constructor(bytes) {
    this.rest = bytes
  }
  take(length) {
    if (length > this.rest.length) throw new Error('a record of the core is too short')
    const bytes = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    return bytes
  }
  big = (length) => this.take(length).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  u8 = () => Number(this.big(1))
  u16 = () => Number(this.big(2))
  u32 = () => Number(this.big(4))
  u64 = () => this.big(8)
  flag = () => this.u8() === 1
  sized = () => this.take(this.u32()).slice()
  text = () => new TextDecoder('utf-8', { fatal: true }).decode(this.sized())
  list = (read) => Array.from({ length: this.u32() }, () => read(this))
  end(value) {
    if (this.rest.length !== 0) throw new Error('a record of the core is too long')
    return value
  }
}

const readHttp = (r) => ({
  ...{ number: r.u64(), role: r.u8(), method: r.text(), path: r.text(), headers: r.list((one) => [one.text(), one.text()]) },
  ...{ body: r.sized(), limit: r.u32(), deadline: r.u32() },
})
const readProve = (r) => ({ number: r.u64(), family: r.u8(), witness: r.sized() })
const readWake = (r) => ({ number: r.u64(), at: r.u64() })
const readTell = (r) => ({ command: r.text(), what: r.text(), code: r.text(), count: r.u64() })
const readMint = (r) => ({ id: r.take(32).slice(), funding: r.text(), value: r.u64() })
const readCoin = (r) => ({ value: r.u64(), time: r.u64(), text: r.text() })
const readTransfer = (r) => ({
  ...{ core: r.take(32).slice(), payment: r.text(), time: r.u64(), paid: r.u64(), withdrawn: r.u64() },
  ...{ claimed: r.u64(), payee: r.text(), text: r.text() },
})
const readRecover = (r) => ({ core: r.take(32).slice(), time: r.u64(), burnt: r.u64(), returned: r.u64(), lost: r.u64() })
// upTo, waiting, overdue and nextQuery are of a wallet that reads by private queries.
const readMail = (r) => ({ privately: r.flag(), upTo: r.u64(), waiting: r.u32(), overdue: r.u32(), nextQuery: r.u64() })
const readPage = (r) => ({ number: r.u32(), code: r.text(), history: r.list(readTransfer) })
const readArchive = (r) => ({ number: r.u64(), page: r.u32(), bytes: r.sized() })
const readView = (r) => ({
  ...{ address: r.text(), registered: r.flag(), restoring: r.flag(), held: r.u64(), inFlight: r.flag(), undelivered: r.u32() },
  ...{ unredeemed: r.u32(), registering: r.flag(), mints: r.list(readMint) },
  ...{ working: r.text(), coins: r.list(readCoin), history: r.list(readTransfer) },
  ...{ archived: r.u32(), pages: r.u32(), recovers: r.list(readRecover), mail: readMail(r) },
})

const random = (length) => crypto.getRandomValues(new Uint8Array(length))

// walletOf returns a wallet. Its calls run one after the other.
export function walletOf({ library, storage, pages, gateway, prove, told = () => undefined }) {
  const session = random(16)
  let turn = Promise.resolve()
  // call is the one at work: the id of its command, where it knows it, and whether that was cancelled.
  let call = { id: '', cancelled: new AbortController() }

  // step hands an event to the core, one at a time.
  let stepping = Promise.resolve()
  const step = (kind, body = NOTHING) => (stepping = stepping.catch(() => undefined).then(() => stepNow(kind, body)))

  // stepNow keeps the next state and only then returns the effects. It clears its copies of what holds the seed and a witness.
  async function stepNow(kind, body) {
    const secrets = [body]
    const own = (bytes) => (secrets.push(bytes), bytes)
    try {
      const state = own((await storage.read()) ?? new Uint8Array())
      const entropy = own(random(32))
      const event = own(new Writer().u8(VERSION).raw(session).u64(Date.now()).raw(entropy).u8(kind).sized(body).take())
      const reply = new Reader(own(library.invoke(STEP, own(new Writer().sized(state).sized(event).take()))))
      const code = reply.u16()
      if (code !== 0) throw new Error(`the core refuses an event with ${code}: ${new TextDecoder().decode(reply.rest)}`)
      const [after, effects] = [own(reply.sized()), own(reply.sized())]
      if (kind !== EVENTS.page) await storage.write(after)
      const list = new Reader(effects)
      const all = list.end(list.list((one) => ({ kind: one.u8(), body: one.sized() })))
      if (kind === EVENTS.cancel) free(all)
      return all
    } finally {
      wipe(...secrets)
    }
  }

  // free lets the call at work go on, when it is the one whose command was cancelled.
  function free(effects) {
    for (const { kind, body } of effects) {
      const { command } = kind === EFFECTS.tell ? readTell(new Reader(body)) : {}
      if (command !== undefined && (call.id ?? command) === command) call.cancelled.abort()
    }
  }

  // within gives what comes of some work in time. Where it fails, comes late or is cancelled, that is the answer without any.
  async function within(millis, work, otherwise) {
    const over = new AbortController()
    const end = () => over.abort()
    const timer = setTimeout(end, millis)
    const ended = new Promise((done) => over.signal.addEventListener('abort', () => done(otherwise)))
    const { signal } = call.cancelled
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    try {
      return await Promise.race([ended, Promise.resolve(over.signal).then(work).catch(() => otherwise)])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      end()
    }
  }

  async function perform({ kind, body }) {
    const r = new Reader(body)
    if (kind === EFFECTS.http) {
      const exchange = r.end(readHttp(r))
      const none = { status: 0, retryAfter: 0, body: NOTHING }
      const answer = await within(Math.min(exchange.deadline, LONGEST), (signal) => gateway(exchange, signal), none)
      return step(EVENTS.reply, new Writer().u64(exchange.number).u16(answer.status).u32(answer.retryAfter).sized(answer.body).take())
    }
    if (kind === EFFECTS.prove) {
      const { number, family, witness } = r.end(readProve(r))
      try {
        const made = await within(LONGEST, (signal) => prove(family, witness, signal), NOTHING)
        return step(EVENTS.proof, new Writer().u64(number).sized(made).take())
      } finally {
        wipe(witness)
      }
    }
    if (kind === EFFECTS.archive) {
      const { number, page, bytes } = r.end(readArchive(r))
      const kept = pages !== undefined && (await within(LONGEST, () => pages.write(page, bytes).then(() => true), false))
      return step(EVENTS.kept, new Writer().u64(number).u8(kept ? 1 : 0).take())
    }
    const { number, at } = r.end(readWake(r))
    await within(Math.min(Math.max(0, Number(at) - Date.now()), LONGEST), () => new Promise(() => undefined))
    return step(EVENTS.wake, new Writer().u64(number).take())
  }

  // run performs effects until the command has ended, and returns its code, or the view that was asked for.
  async function run(effects) {
    const queue = [...effects]
    let result
    for (let effect = queue.shift(); effect !== undefined; effect = queue.shift()) {
      const r = new Reader(effect.body)
      if (effect.kind === EFFECTS.view) {
        result = r.end(readView(r))
      } else if (effect.kind === EFFECTS.page) {
        const { code, history } = r.end(readPage(r))
        result = code === '' ? history : undefined
      } else if (effect.kind === EFFECTS.tell) {
        const message = r.end(readTell(r))
        told(message)
        if (message.what === 'ended') result = message.code
      } else if (!call.cancelled.signal.aborted) {
        queue.push(...(await perform(effect)))
      }
      wipe(effect.body)
    }
    return result
  }

  const inTurn = (id, work) =>
    (turn = turn
      .catch(() => undefined)
      .then(() => {
        call = { id, cancelled: new AbortController() }
        return work()
      }))
  const command = (kind, id, { payee = '', amount = 0n, text = '', details = NOTHING } = {}) => {
    const body = new Writer().text(id).u8(kind).text(payee).u64(amount).text(text).sized(details).take()
    return inTurn(id, async () => run(await step(EVENTS.command, body)))
  }

  return {
    create(profile, phrase) {
      const w = new Writer().text(profile.network).raw(profile.manifestKey).list(profile.classes, (one, name) => one.text(name))
      w.sized(profile.manifest).sized(profile.signature).sized(profile.transferKey)
      w.sized(profile.registerKey ?? NOTHING).sized(profile.mintKey ?? NOTHING).u8(profile.mailboxBits)
      w.text(profile.currency).sized(profile.prover ?? NOTHING)
      // of claims of many coins; onlyDevice is the owner's word that no other device has the words
      w.sized(profile.shapes ?? NOTHING).sized(profile.shapesSignature ?? NOTHING).sized(profile.claimKey ?? NOTHING)
      // recoverKey belongs to a host that proves recovers; origin is the gateway's host name, which blind tokens are for
      w.u8(profile.onlyDevice ? 1 : 0).sized(profile.recoverKey ?? NOTHING).text(profile.origin ?? '')
      // replicas are those of the gateway's mailbox, 64 bytes each: with them the wallet reads by private queries
      w.list(profile.replicas ?? [], (one, keys) => one.raw(keys)).text(phrase)
      return inTurn('', async () => run(await step(EVENTS.create, w.take())))
    },
    // open goes on with what the last process left.
    open: () => inTurn(undefined, async () => run(await step(EVENTS.resume))),
    restore: (id) => command(COMMANDS.restore, id),
    // services says what the network's signed services say of the mailbox, where it may be another than in the profile: when the
    // process has begun, and before open.
    services: (mailboxBits, replicas) =>
      inTurn('', async () => void (await step(EVENTS.services, new Writer().u8(mailboxBits).list(replicas, (one, keys) => one.raw(keys)).bytes()))),
    receive: (id) => command(COMMANDS.receive, id),
    // receiveWhole reads the mailbox whole, which only the owner decides: the gateway sees that this wallet does not wait.
    receiveWhole: (id) => command(COMMANDS.receiveWhole, id),
    // payee is an address, or a request, which may say amount and text.
    pay: (id, payee, amount = 0n, text = '') => command(COMMANDS.pay, id, { payee, amount, text }),
    settle: (id) => command(COMMANDS.settle, id),
    withdraw(id, amount, { key, creditor, iban, reference }) {
      return command(COMMANDS.withdraw, id, { amount, details: new Writer().raw(key).text(creditor).text(iban).text(reference).bytes() })
    },
    mint: (id, { funding, token, ordinal = 0 }, amount) =>
      command(COMMANDS.mint, id, { amount, details: new Writer().text(funding).text(token).u32(ordinal).bytes() }),
    collect: (id) => command(COMMANDS.collect, id),
    // recover frees an account that the owner's own payments lock; it burns the largest one that did not complete.
    // evenIfPaid is the owner's word to burn also what too few authorities answer about to tell whether it has completed.
    recover: (id, { evenIfPaid = false } = {}) => command(COMMANDS.recover, id, { details: evenIfPaid ? Uint8Array.of(1) : NOTHING }),
    // applicant is an object with person or organisation, and bank where there are several.
    register: (id, applicant) => command(COMMANDS.register, id, { details: new TextEncoder().encode(JSON.stringify(applicant)) }),
    view: () => inTurn('', async () => run(await step(EVENTS.look))),
    // history gives the transfers of a page, from 0; none where the page is lost or altered.
    async history(number) {
      const bytes = await Promise.resolve(pages?.read(number)).catch(() => undefined)
      const body = new Writer().u32(number).sized(bytes ?? NOTHING).take()
      return inTurn('', async () => run(await step(EVENTS.page, body)))
    },
    // cancel does not wait for its turn: it ends the command at work, whose call then gives no code, and at once.
    cancel: async () => run(await step(EVENTS.cancel)),
  }
}
