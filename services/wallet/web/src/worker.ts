import { decodeAddress, encodeAddress } from '../../typescript/src/address.js';
import { fromHex } from '../../typescript/src/bytes.js';
import type { Prove } from '../../typescript/src/evidence.js';
import { Gateway } from '../../typescript/src/gateway.js';
import { fetchTransport } from '../../typescript/src/http.js';
import { seedOf } from '../../typescript/src/keys.js';
import type { Memo } from '../../typescript/src/memo.js';
import { Network } from '../../typescript/src/network.js';
import { delegatedProofs } from '../../typescript/src/proving.js';
import { demand, Refusal, serviceCode } from '../../typescript/src/refusal.js';
import { randomBytes } from '../../typescript/src/random.js';
import { readRequest, requestContent, requestUri, type ReadRequest } from '../../typescript/src/request.js';
import { encodePayout, type Payout } from '../../typescript/src/payout.js';
import type { Bank, Person } from '../../typescript/src/registering.js';
import { Store } from '../../typescript/src/store.js';
import { Wallet, type Allowance, type Host } from '../../typescript/src/wallet.js';
import { RECOVER } from '../../typescript/src/witness.js';
import { readContacts, withContact, writeContacts, type Contact } from './contacts.js';
import { Downloads, type Measure, type Wanted } from './downloads.js';
import { canProve, neededFiles, NoProof, OwnProver, type Purpose } from './own-prover.js';
import { manifestOf, pin, profileOf, readTrusted, sameTrust, withRecoverKey, withReplicas, type Pinned, type Trusted } from './pinned.js';
import type { Asked, Call, Calls, Entry, Failure, Freed, FromWorker, Paid, Proofs, Status, View, Withdrawn } from './protocol.js';
import { scriptAddresses } from './scripts.js';
import { hasWallet, openShelf, Vault, type Shelf } from './vault.js';

// The wallet. It works beside the page, so that a proof or a long restore does not keep the page from answering.

/** The part of a worker's global object that the page's types do not have. */
interface Scope {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<Call>) => void) | null;
}

const worker = globalThis as unknown as Scope;
const say = (message: FromWorker): void => worker.postMessage(message);

const script = scriptAddresses('prover.js');

/** What proofs on this device need is on a shelf of its own. */
const DOWNLOADS = 'solidus-wallet-downloads';
/** Whether proofs are made on this device. */
const OWN_PROOFS = 'ownProofs';

/** Shortest passphrase, in characters. */
const PASSPHRASE = 8;
const LABEL_BYTES = 100;
const REQUEST_ID = 16;
/** The id of a request at the beginning of the text of its payment (F-39), which says nothing to an owner. */
const ID_IN_TEXT = /^[0-9a-f]{32}(?: |$)/;

/** Where the proofs of an open wallet are made. */
class Proving {
  readonly #shelf: Shelf;
  readonly #downloads: Downloads;
  readonly #pinned: Pinned;
  readonly #files: Readonly<Record<Purpose, readonly Wanted[]>>;
  /** The wallet's, so that delegated proofs spend its tokens. */
  readonly gateway: Gateway;
  readonly #own: OwnProver | undefined;
  #stopDownload: (() => void) | undefined;
  #missing: Record<Purpose, number> = { payments: 0, recovers: 0 };
  #here = false;

  private constructor(shelf: Shelf, downloads: Downloads, pinned: Pinned) {
    this.#shelf = shelf;
    this.#downloads = downloads;
    this.#pinned = pinned;
    const { gateway } = pinned.trusted;
    this.gateway = new Gateway(fetchTransport(gateway), new URL(gateway).hostname);
    const filesOf = (purpose: Purpose): readonly Wanted[] => (canProve ? neededFiles(pinned, fetchTransport(gateway), purpose) : []);
    this.#files = { payments: filesOf('payments'), recovers: filesOf('recovers') };
    const started = () => new Worker(script('prover.js'));
    const told = (measure: Measure): void => say({ measure });
    this.#own = canProve ? new OwnProver(pinned, downloads, (family) => this.#files[family === RECOVER ? 'recovers' : 'payments'], shelf, told, started) : undefined;
  }

  static async open(shelf: Shelf, pinned: Pinned): Promise<Proving> {
    const opened = new Proving(shelf, new Downloads(await openShelf(DOWNLOADS)), pinned);
    await opened.#own?.open();
    opened.#here = (await shelf.get(OWN_PROOFS)) === true;
    await opened.#count();
    return opened;
  }

  get state(): Proofs {
    return { own: this.#here, possible: canProve, missing: this.#missing.payments, missingForRecovers: this.#missing.recovers, last: this.#own?.last };
  }

  /**
   * The proofs of the prover that may see payments, or of this device. The owner alone changes between the two. A recover is proved here
   * wherever everything for it is here: its witness is told to no prover.
   */
  readonly prove: Prove = (family, witness) => {
    const here = this.#here || (family === RECOVER && canProve && this.#missing.recovers === 0);
    if (!here) return this.#delegated(family, witness);
    if (this.#own === undefined) throw new NoProof('proof-files-missing', 'this page has no prover');
    return this.#own.prove(family, witness);
  };

  async here(): Promise<void> {
    await this.load('payments');
    await this.#set(true);
  }

  /** Fetches what proofs on this device need, and changes nothing else. */
  async load(purpose: Purpose): Promise<void> {
    demand(canProve, 'not-supported', 'this page was built without the native library');
    const stopped = new Promise<never>((_, failed) => {
      this.#stopDownload = () => failed(new NoProof('stopped', 'the owner stopped the download'));
    });
    stopped.catch(() => undefined);
    try {
      await this.#downloads.fetch(this.#files[purpose], (measure) => say({ measure }), stopped, Object.values(this.#files).flat());
    } finally {
      this.#stopDownload = undefined;
      await this.#count();
    }
  }

  async delegate(): Promise<void> {
    this.#own?.close();
    await this.#set(false);
  }

  stop(): void {
    this.#stopDownload?.();
    this.#own?.stop();
  }

  close(): Promise<void> {
    this.#own?.close();
    return this.#downloads.clear();
  }

  get #delegated(): Prove {
    const { networkId, prover } = this.#pinned.trusted;
    return delegatedProofs(new Network(networkId), fromHex(prover), this.gateway);
  }

  async #set(here: boolean): Promise<void> {
    await this.#shelf.put({ [OWN_PROOFS]: here });
    this.#here = here;
  }

  async #count(): Promise<void> {
    const [payments, recovers] = await Promise.all([this.#downloads.missing(this.#files.payments), this.#downloads.missing(this.#files.recovers)]);
    this.#missing = { payments, recovers };
  }
}

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
  #proving: Proving | undefined;
  #contacts: readonly Contact[] = [];
  #wordsConfirmed = false;
  #otherNetwork = false;
  #refused = false;

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
    const proving = await Proving.open(shelf, pinned);
    this.#wallet = await Wallet.create(profileOf(pinned), hostOf(vault, proving), words);
    this.#proving = proving;
    this.#vault = vault;
    this.#contacts = [];
    this.#wordsConfirmed = wordsConfirmed;
    return this.status();
  }

  async unlock(passphrase: string): Promise<Status> {
    const shelf = await this.#mine();
    const vault = await Vault.open(shelf, passphrase);
    const named = await trustedNow().catch(() => undefined);
    const { trusted } = vault.pinned;
    const replaced = named === undefined ? trusted : withReplicas(trusted, named, () => manifestOf(vault.pinned).committee.noteKeys.length);
    // what could not be written is taken again at the next unlocking
    if (replaced !== trusted) await vault.repin({ ...vault.pinned, trusted: replaced }).catch(() => undefined);
    // a wallet that an older page made
    const complete = await withRecoverKey(vault.pinned, fetchTransport(trusted.gateway)).catch(() => vault.pinned);
    if (complete !== vault.pinned) await vault.repin(complete).catch(() => undefined);
    const { pinned } = vault;
    const proving = await Proving.open(shelf, pinned);
    this.#wallet = await Wallet.open(profileOf(pinned), hostOf(vault, proving));
    this.#proving = proving;
    this.#vault = vault;
    this.#contacts = readContacts(await vault.more('contacts'));
    this.#wordsConfirmed = (await shelf.get('wordsConfirmed')) === true;
    // without an answer nothing is said
    this.#otherNetwork = named !== undefined && !sameTrust(replaced, named);
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

  async readWhole(): Promise<Status> {
    await this.#open().wallet.receiveWhole();
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
    const { wallet, pinned } = this.#open();
    const { request, signer } = this.#read(text);
    const { price, expires, label } = request;
    const paid = wallet.paid(request);
    return {
      to: text,
      address: encodeAddress(new Network(pinned.trusted.networkId), request.payee),
      ...(price === undefined ? {} : { amount: price.amount }),
      ...(label === undefined ? {} : { label }),
      signed: signer !== undefined,
      expired: expires !== undefined && expires < BigInt(Date.now()),
      ...(paid === undefined ? {} : { paid: Number(paid) }),
    };
  }

  #read(text: string): ReadRequest {
    const { pinned } = this.#open();
    const read = readRequest(new Network(pinned.trusted.networkId), text);
    const { price } = read.request;
    demand(price === undefined || price.currency === pinned.trusted.currency, 'malformed-request', 'a request in another currency');
    return read;
  }

  async pay(to: string, amount: bigint, text: string): Promise<Paid> {
    const { wallet } = this.#open();
    const { request } = this.#read(to);
    demand(!wallet.inFlight, 'transfer-in-flight', 'an earlier payment has to be finished first');
    const { paid, delivered } = await wallet.payRequest(request, amount, text);
    return { amount: paid, delivered };
  }

  async mint(funding: string, token: string, amount: bigint): Promise<Status> {
    await this.#open().wallet.requestMint(funding, token, amount);
    return this.status();
  }

  async collectMints(): Promise<Status> {
    const { wallet } = this.#open();
    for (const { id } of wallet.mints) await wallet.collectMint(id);
    return this.status();
  }

  async checkPayout(payout: Payout): Promise<void> {
    encodePayout(payout);
  }

  async withdraw(amount: bigint, payout: Payout): Promise<Withdrawn> {
    const { wallet } = this.#open();
    demand(!wallet.inFlight, 'transfer-in-flight', 'an earlier payment has to be finished first');
    const { redeemed } = await wallet.withdraw(amount, payout);
    return { status: await this.status(), asked: redeemed };
  }

  async remember(contact: Contact): Promise<Status> {
    const { pinned } = this.#open();
    decodeAddress(new Network(pinned.trusted.networkId), contact.address);
    return this.#keepContacts(withContact(this.#contacts, contact));
  }

  async forget(address: string): Promise<Status> {
    return this.#keepContacts(this.#contacts.filter((one) => one.address !== address));
  }

  async #keepContacts(contacts: readonly Contact[]): Promise<Status> {
    this.#open();
    await this.#vault?.keep('contacts', writeContacts(contacts));
    this.#contacts = contacts;
    return this.status();
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
      // so that a payer's wallet pays it once
      id: randomBytes(REQUEST_ID),
      ...(amount === undefined ? {} : { price: { amount, currency: pinned.trusted.currency } }),
      ...(label === '' ? {} : { label }),
    });
    return requestUri(content);
  }

  async proveHere(): Promise<Status> {
    await this.#open().proving.here();
    return this.status();
  }

  async delegate(): Promise<Status> {
    await this.#open().proving.delegate();
    return this.status();
  }

  async loadProver(): Promise<Status> {
    await this.#open().proving.load('recovers');
    return this.status();
  }

  async recover(evenIfPaid: boolean): Promise<Freed> {
    const { wallet } = this.#open();
    const { recovers, burnt, returned, lost } = await wallet.recover(evenIfPaid);
    return { status: await this.status(), recovers, burnt, returned, lost };
  }

  /** What the last call that may change the wallet ended with. */
  ended(failure?: unknown): void {
    this.#refused = failure instanceof Refusal && serviceCode(failure.reason) !== undefined;
  }

  /** Whether this wallet's own payments keep each other from completing. */
  get locked(): boolean {
    return this.#wallet?.locked === true;
  }

  async stop(): Promise<void> {
    this.#proving?.stop();
  }

  async remove(passphrase: string): Promise<Status> {
    const shelf = await this.#mine();
    await Vault.open(shelf, passphrase);
    await shelf.clear();
    await this.#proving?.close();
    this.#proving = undefined;
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

  #open(): { readonly wallet: Wallet; readonly pinned: Pinned; readonly proving: Proving } {
    const [wallet, vault, proving] = [this.#wallet, this.#vault, this.#proving];
    demand(wallet !== undefined && vault !== undefined && proving !== undefined, 'store-locked', 'the wallet is locked');
    return { wallet, pinned: vault.pinned, proving };
  }

  #view(): View {
    const { wallet, pinned, proving } = this.#open();
    return {
      address: wallet.address,
      currency: pinned.trusted.currency,
      networkId: pinned.trusted.networkId,
      held: wallet.balance.held,
      unclaimed: wallet.balance.unclaimed,
      registration: wallet.registration,
      restoring: wallet.restoring,
      restoreRefused: wallet.restoring && this.#refused,
      inFlight: wallet.inFlight,
      locked: wallet.locked,
      entries: entriesOf(wallet, new Network(pinned.trusted.networkId)),
      wordsConfirmed: this.#wordsConfirmed,
      otherNetwork: this.#otherNetwork,
      proofs: proving.state,
      mints: wallet.mints,
      withdraws: pinned.trusted.redemption !== undefined,
      contacts: this.#contacts,
      mail: wallet.mail,
    };
  }
}

/** The history, the newest first: what was received and is not claimed, and what every transfer did. */
function entriesOf(wallet: Wallet, network: Network): Entry[] {
  const shown = (text: string): string => text.replace(ID_IN_TEXT, '');
  const received = wallet.received.map(({ value, time, text }): Entry => ({ kind: 'received', value, time: Number(time), text: shown(text) }));
  const payeeOf = ({ payee, payeeKey, mailbox }: Memo): string => encodeAddress(network, { apk: payee, encryptionKey: payeeKey, mailbox });
  const made = wallet.history.flatMap(({ core, memo }): Entry[] => {
    const time = Number(memo.time);
    const claimed = memo.claimed.reduce((sum, coin) => sum + coin.value, 0n);
    return [
      ...(claimed > 0n ? [{ kind: 'claimed', value: claimed, time, text: '' } as const] : []),
      ...(memo.paid > 0n ? [{ kind: 'paid', value: memo.paid, time, text: shown(memo.text), core, to: payeeOf(memo) } as const] : []),
      ...(memo.withdrawn > 0n ? [{ kind: 'withdrawn', value: memo.withdrawn, time, text: '' } as const] : []),
    ];
  });
  const freed = wallet.recovers.map(({ memo, lost }): Entry => ({ kind: 'burnt', value: memo.outflow + lost, time: Number(memo.time), text: '' }));
  return [...made, ...freed, ...received].sort((one, other) => other.time - one.time);
}

function hostOf(storage: Vault, { prove, gateway }: Proving): Host {
  const { trusted } = storage.pinned;
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

/** A conflict with what another copy paid is over when it is told; one that locks the account is not. */
function failureOf(e: unknown): Failure {
  if (e instanceof Refusal && e.reason === 'serial-conflict' && session.locked) return { reason: 'account-locked', detail: e.message };
  if (e instanceof Refusal || e instanceof NoProof) return { reason: e.reason, detail: e.message };
  return { reason: 'internal', detail: e instanceof Error ? e.name : 'no reason' };
}

/** Calls that change nothing. */
const QUESTIONS: readonly (keyof Calls)[] = ['start', 'banks', 'read', 'request', 'words', 'stop', 'checkPayout'];

const session = new Session();

worker.onmessage = async ({ data: { id, name, args } }) => {
  try {
    const result = await (session[name] as (...args: unknown[]) => Promise<unknown>).apply(session, args);
    if (!QUESTIONS.includes(name)) session.ended();
    if (name === 'pay') say({ status: await session.status() });
    say({ id, result });
  } catch (e) {
    // a call that failed may have changed the wallet: a transfer is in flight, say
    if (!QUESTIONS.includes(name)) {
      session.ended(e);
      say({ status: await session.status() });
    }
    say({ id, failure: failureOf(e) });
  }
};
