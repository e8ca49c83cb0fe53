import { decodeAddress, encodeAddress } from '../../typescript/src/address.js';
import { fromHex } from '../../typescript/src/bytes.js';
import { Gateway } from '../../typescript/src/gateway.js';
import { fetchTransport } from '../../typescript/src/http.js';
import { seedOf } from '../../typescript/src/keys.js';
import { Network } from '../../typescript/src/network.js';
import { delegatedProofs } from '../../typescript/src/proving.js';
import { demand, Refusal } from '../../typescript/src/refusal.js';
import { readRequest, requestContent, requestUri, paymentText } from '../../typescript/src/request.js';
import type { Bank, Person } from '../../typescript/src/registering.js';
import { Store } from '../../typescript/src/store.js';
import { Wallet, type Allowance, type Host } from '../../typescript/src/wallet.js';
import { pin, profileOf, readTrusted, sameTrust, type Pinned, type Trusted } from './pinned.js';
import type { Asked, Call, Calls, Entry, Failure, FromWorker, Paid, Status, View } from './protocol.js';
import { hasWallet, openShelf, Vault, type Shelf } from './vault.js';

// The wallet. It works beside the page, so that a proof or a long restore does not keep the page from answering.

/** The part of a worker's global object that the page's types do not have. */
interface Worker {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<Call>) => void) | null;
}

const worker = globalThis as unknown as Worker;
const say = (message: FromWorker): void => worker.postMessage(message);

/** Shortest passphrase, in characters. */
const PASSPHRASE = 8;
const LABEL_BYTES = 100;

/** One tab has the wallet: two would each make transfers out of the same coin. */
class Holder {
  #held: Promise<boolean> | undefined;

  /** Whether this tab has it. If not, `later` is called once it does. */
  acquire(later: () => void): Promise<boolean> {
    this.#held ??= new Promise<boolean>((done) => {
      const forever = new Promise<void>(() => undefined);
      void navigator.locks.request('solidus-wallet', { ifAvailable: true }, (lock) => {
        done(lock !== null);
        if (lock !== null) return forever;
        void navigator.locks.request('solidus-wallet', () => {
          this.#held = Promise.resolve(true);
          later();
          return forever;
        });
        return undefined;
      });
    });
    return this.#held;
  }
}

class Session implements Record<keyof Calls, (...args: never[]) => Promise<unknown>> {
  readonly #holder = new Holder();
  #shelf: Shelf | undefined;
  #vault: Vault | undefined;
  #wallet: Wallet | undefined;
  #wordsConfirmed = false;
  #otherNetwork = false;

  async start(): Promise<Status> {
    const mine = await this.#holder.acquire(() => void this.#tell());
    return mine ? this.status() : { kind: 'elsewhere' };
  }

  async create(passphrase: string): Promise<Status> {
    return this.#begin(undefined, passphrase);
  }

  async restore(words: string, passphrase: string): Promise<Status> {
    seedOf(words); // refuses them before anything is kept
    return this.#begin(words.trim().toLowerCase().split(/\s+/).join(' '), passphrase);
  }

  async #begin(words: string | undefined, passphrase: string): Promise<Status> {
    demand([...passphrase].length >= PASSPHRASE, 'malformed-request', `a passphrase has at least ${PASSPHRASE} characters`);
    const shelf = await this.#mine();
    const trusted = await trustedNow();
    const pinned = await pin(trusted, fetchTransport(trusted.gateway));
    await navigator.storage.persist?.();
    const wordsConfirmed = words !== undefined;
    await shelf.put({ wordsConfirmed });
    const vault = await Vault.create(shelf, passphrase, pinned);
    this.#wallet = await Wallet.create(profileOf(pinned), hostOf(vault, pinned), words);
    this.#vault = vault;
    this.#wordsConfirmed = wordsConfirmed;
    return this.status();
  }

  async unlock(passphrase: string): Promise<Status> {
    const shelf = await this.#mine();
    const vault = await Vault.open(shelf, passphrase);
    const { pinned } = vault;
    this.#wallet = await Wallet.open(profileOf(pinned), hostOf(vault, pinned));
    this.#vault = vault;
    this.#wordsConfirmed = (await shelf.get('wordsConfirmed')) === true;
    this.#otherNetwork = await differs(pinned.trusted);
    return this.status();
  }

  async words(passphrase: string): Promise<string> {
    const vault = await Vault.open(await this.#mine(), passphrase);
    return (await Store.open(vault, vault.pinned.trusted.networkId)).state.phrase;
  }

  async confirmWords(): Promise<Status> {
    await (await this.#mine()).put({ wordsConfirmed: true });
    this.#wordsConfirmed = true;
    return this.status();
  }

  async refresh(): Promise<Status> {
    const { wallet } = this.#open();
    await wallet.settle();
    await wallet.receive();
    return this.status();
  }

  async claim(): Promise<Status> {
    await this.#open().wallet.claim();
    return this.status();
  }

  banks(): Promise<readonly Bank[]> {
    return this.#open().wallet.banks();
  }

  async register(who: Person, bank: string | undefined): Promise<Status> {
    await this.#open().wallet.register(who, bank);
    return this.status();
  }

  async collect(): Promise<Status> {
    await this.#open().wallet.collectRegistration();
    return this.status();
  }

  async read(text: string): Promise<Asked> {
    const { pinned } = this.#open();
    const network = new Network(pinned.trusted.networkId);
    const { request, signer } = readRequest(network, text);
    const { price, expires } = request;
    const known = price === undefined || price.currency === pinned.trusted.currency;
    demand(known, 'malformed-request', 'a request in another currency');
    const label = paymentText(request);
    return {
      address: encodeAddress(network, request.payee),
      ...(price === undefined ? {} : { amount: price.amount }),
      ...(label === '' ? {} : { label }),
      signed: signer !== undefined,
      expired: expires !== undefined && expires < BigInt(Date.now()),
    };
  }

  async pay(address: string, amount: bigint, text: string): Promise<Paid> {
    const { wallet } = this.#open();
    demand(!wallet.inFlight, 'transfer-in-flight', 'an earlier payment has to be finished first');
    const { paid, delivered } = await wallet.pay(address, amount, text);
    return { amount: paid, delivered };
  }

  limits(): Promise<Allowance> {
    return this.#open().wallet.limits();
  }

  async request(amount: bigint | undefined, label: string): Promise<string> {
    const { wallet, pinned } = this.#open();
    const network = new Network(pinned.trusted.networkId);
    demand(new TextEncoder().encode(label).length <= LABEL_BYTES, 'malformed-request', `a label has at most ${LABEL_BYTES} bytes`);
    const content = requestContent(network, {
      payee: decodeAddress(network, wallet.address),
      ...(amount === undefined ? {} : { price: { amount, currency: pinned.trusted.currency } }),
      ...(label === '' ? {} : { label }),
    });
    return requestUri(content);
  }

  async remove(passphrase: string): Promise<Status> {
    const shelf = await this.#mine();
    await Vault.open(shelf, passphrase);
    await shelf.clear();
    this.#wallet = undefined;
    this.#vault = undefined;
    return this.status();
  }

  async status(): Promise<Status> {
    if (this.#wallet !== undefined) return { kind: 'open', view: this.#view() };
    this.#shelf ??= await openShelf();
    return { kind: (await hasWallet(this.#shelf)) ? 'locked' : 'none' };
  }

  async #tell(): Promise<void> {
    say({ status: await this.status() });
  }

  /** The shelf, which only the tab that has the wallet may change. */
  async #mine(): Promise<Shelf> {
    demand(await this.#holder.acquire(() => undefined), 'store-locked', 'another tab has the wallet open');
    this.#shelf ??= await openShelf();
    return this.#shelf;
  }

  #open(): { readonly wallet: Wallet; readonly pinned: Pinned } {
    const [wallet, vault] = [this.#wallet, this.#vault];
    demand(wallet !== undefined && vault !== undefined, 'store-locked', 'the wallet is locked');
    return { wallet, pinned: vault.pinned };
  }

  #view(): View {
    const { wallet, pinned } = this.#open();
    return {
      address: wallet.address,
      currency: pinned.trusted.currency,
      networkId: pinned.trusted.networkId,
      held: wallet.balance.held,
      unclaimed: wallet.balance.unclaimed,
      registration: wallet.registration,
      restoring: wallet.restoring,
      inFlight: wallet.inFlight,
      entries: entriesOf(wallet),
      wordsConfirmed: this.#wordsConfirmed,
      otherNetwork: this.#otherNetwork,
    };
  }
}

/** The history, the newest first: what was received and is not claimed, and what every transfer did. */
function entriesOf(wallet: Wallet): Entry[] {
  const received = wallet.received.map(({ value, time, text }): Entry => ({ kind: 'received', value, time: Number(time), text }));
  const made = wallet.history.flatMap(({ core, memo }): Entry[] => {
    const time = Number(memo.time);
    const claimed = memo.claimed.reduce((sum, coin) => sum + coin.value, 0n);
    return [
      ...(claimed > 0n ? [{ kind: 'claimed', value: claimed, time, text: '' } as const] : []),
      ...(memo.paid > 0n ? [{ kind: 'paid', value: memo.paid, time, text: memo.text, core } as const] : []),
      ...(memo.withdrawn > 0n ? [{ kind: 'withdrawn', value: memo.withdrawn, time, text: '' } as const] : []),
    ];
  });
  return [...made, ...received].sort((one, other) => other.time - one.time);
}

function hostOf(storage: Vault, { trusted }: Pinned): Host {
  const gateway = new Gateway(fetchTransport(trusted.gateway));
  const prove = delegatedProofs(new Network(trusted.networkId), fromHex(trusted.prover), gateway);
  const [registration, issuance] = [fetchTransport(trusted.registration), fetchTransport(trusted.issuance)];
  return { storage, gateway, prove, registration, issuance, progress: ({ step }) => say({ stage: step }) };
}

async function trustedNow(): Promise<Trusted> {
  try {
    const response = await fetch('network.json', { cache: 'no-store', credentials: 'omit' });
    if (!response.ok) throw new Refusal('gateway-unreachable', `network.json: ${response.status}`);
    return readTrusted(await response.json());
  } catch (e) {
    throw e instanceof Refusal ? e : new Refusal('gateway-unreachable', 'network.json cannot be read');
  }
}

/** Whether `network.json` says something else now. Without an answer nothing is said. */
async function differs(trusted: Trusted): Promise<boolean> {
  try {
    return !sameTrust(trusted, await trustedNow());
  } catch {
    return false;
  }
}

const failureOf = (e: unknown): Failure =>
  e instanceof Refusal ? { reason: e.reason, detail: e.message } : { reason: 'internal', detail: e instanceof Error ? e.name : 'no reason' };

/** Calls that change nothing. */
const QUESTIONS: readonly (keyof Calls)[] = ['start', 'banks', 'read', 'request', 'words'];

const session = new Session();

worker.onmessage = async ({ data: { id, name, args } }) => {
  try {
    const result = await (session[name] as (...args: unknown[]) => Promise<unknown>).apply(session, args);
    if (name === 'pay') say({ status: await session.status() });
    say({ id, result });
  } catch (e) {
    // a call that failed may have changed the wallet: a transfer is in flight, say
    if (!QUESTIONS.includes(name)) say({ status: await session.status() });
    say({ id, failure: failureOf(e) });
  }
};
