import { sha256 } from '@noble/hashes/sha2.js';
import { decodeAddress, encodeAddress, type Address } from './address.js';
import { bucketOf, reads, WHOLE } from './bucket.js';
import { at, equal, fromHex, toHex, type Bytes } from './bytes.js';
import { Detector } from './detection.js';
import { context, core, type Statement } from './digests.js';
import { absence, limitsOf, makeEvidence, type CircuitKey, type EvidenceOf, type Prove } from './evidence.js';
import { Graph, MAX_CHOICES, type Known } from './freeing.js';
import type { CoinState, Gateway, Page, SignedAnswer, SignedStates, TransferRequest } from './gateway.js';
import { decodeVerifyingKey } from './groth16.js';
import { Hasher, ORIGIN_MINT, ORIGIN_OWN, ORIGIN_PAYMENT, type ComplianceCoin } from './hash.js';
import { accepted, type Transport } from './http.js';
import { MINT_INPUTS, REGISTER_INPUTS } from './issuing.js';
import { newPhrase, seedOf, WalletKeys } from './keys.js';
import { accountAfter, chooseClaim, mayHold, planPayment, requireWithinLimits } from './limits.js';
import { readManifest, type Committee, type Manifest } from './manifest.js';
import { coveredUpTo, isLost, mailStatus, postedOf, type MailStatus } from './mail.js';
import { headerOf, without, type MailPlace } from './mail-place.js';
import { decodeMemo, MANY, openMemo, severalMemo, type Memo } from './memo.js';
import { redemption, writeBody, type RecoverRequest } from './messages.js';
import { Minter, type MintOf } from './minting.js';
import type { Network } from './network.js';
import { decodeParcel, encodeParcel, openParcel, sealParcel, type Parcel } from './parcel.js';
import { patient } from './patience.js';
import { encodePayout, sealPayout, type Payout } from './payout.js';
import { planTransfer, type Plan, type TransferPlan } from './plan.js';
import { PrivateMailbox, type Reading } from './private-mail.js';
import { randomBelow, randomBytes, randomScalar } from './random.js';
import { reopenRecover, type OwnRecover, type RecoverMemo } from './recover.js';
import { firstCoin, Registrar, type Bank, type Person, type Registration } from './registering.js';
import { RECOVER_INPUTS, verifiesRecover, type RecoverOf } from './recovering.js';
import { demand, isRetryable, Refusal, refusedAs, serviceCode, type Reason } from './refusal.js';
import { isPaymentFor, paymentText, type PaymentRequest } from './request.js';
import { RuleBook, type Rules } from './rules.js';
import { queriesAt } from './schedule.js';
import { requireGivenUp } from './several.js';
import { randomise, verify, type Signature } from './signatures.js';
import { isSignedState, mayTake, verdictOn, type OwnTransfer, type Verdict } from './states.js';
import { AMOUNT_LIMIT } from './reader.js';
import { Store, unfinished, unposted, type Delivery, type OpenedCase, type OwnedCoin, type State, type Storage, type TransferRecord } from './store.js';
import { fromUtf8, utf8 } from './text.js';
import { HEADER, type MailList } from './tables.js';
import { Tokens } from './tokens.js';
import { quorumOf, signaturesFrom } from './votes.js';

/** What a wallet pins (W-07). */
export interface Profile {
  readonly network: Network;
  /** The key that signs the manifest: never from a gateway. */
  readonly manifestKey: Bytes;
  readonly classes: readonly string[];
  /** The network's, ISO 4217. Without it no request is paid that names its amount. */
  readonly currency?: string;
  /** Of the folder of keys: `manifest.json`, `manifest.sig`, and the verifying keys of three circuits. */
  readonly manifest: Bytes;
  readonly manifestSignature: string;
  readonly transferKey: Bytes;
  readonly registerKey: Bytes;
  readonly mintKey: Bytes;
  /** `recover.vk` of that folder. Without it a locked account waits for another program of the same words. */
  readonly recoverKey?: Bytes;
  /**
   * The key that payout instructions are sealed to: of the services' note (F-30), or pinned when the wallet is made (W-11). Without it
   * nothing is withdrawn.
   */
  readonly redemptionKey?: Bytes;
  /** How many bits of its address a bucket of the mailbox tells, of the services' note or pinned (F-48); 0 without it. */
  readonly mailboxBits?: number;
  /**
   * The keys of the replicas of the gateway's mailbox, 64 bytes for each authority, of the services' note or pinned (F-64): with them the
   * wallet reads its mail by private queries, and without them whole.
   */
  readonly replicas?: readonly Bytes[];
}

/** What a wallet needs of the machine that it runs on. */
export interface Host {
  readonly gateway: Gateway;
  readonly storage: Storage;
  readonly prove: Prove;
  /** The registration service. Without it nobody can register. */
  readonly registration?: Transport;
  /** The issuance service. Without it nothing is minted, and payouts that a restore finds wait. */
  readonly issuance?: Transport;
  /** Is told what a call does next, for a person who waits. It has to return soon. */
  readonly progress?: (progress: Progress) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly pause?: (milliseconds: number) => Promise<void>;
  /** How long a sent transfer is tried again, in milliseconds. */
  readonly patience?: number;
  /** The longest wait before a message is posted, which is drawn at random, in milliseconds. */
  readonly mailboxDelay?: number;
}

/**
 * What a call does next:
 *
 * - `rules`: fetches policy and sanction list
 * - `mailbox`: reads messages; `count` were read before
 * - `coins`: asks authorities about a compliance coin; `count` transfers were found before
 * - `proof`: makes a proof, which takes longest
 * - `case`: talks with the registration service
 * - `mint`: talks with the issuance service about a coin
 * - `payout`: asks the issuance service to pay out
 * - `signatures`: sends a request to the authorities, which sign
 * - `delivery`: posts a message, after a pause
 */
export type Step = 'rules' | 'mailbox' | 'coins' | 'proof' | 'case' | 'mint' | 'payout' | 'signatures' | 'delivery';

export interface Progress {
  readonly step: Step;
  readonly count?: number;
}

export interface Balance {
  /** Spendable. */
  readonly held: bigint;
  /** Received, and not claimed yet. */
  readonly unclaimed: bigint;
}

export interface Payment {
  /** Hexadecimal. */
  readonly core: string;
  readonly paid: bigint;
  readonly claimed: bigint;
  readonly withdrawn: bigint;
  /** Whether the payee's coin is in the mailbox. If not, a later call posts it. */
  readonly delivered: boolean;
  /** Whether the payout of a withdrawal was asked for. If not, a later call asks for it. */
  readonly redeemed: boolean;
}

/** What the policy allows this month, in minor units. Every transfer counts, claims and withdrawals too. */
export interface Allowance {
  readonly perTransfer: bigint;
  readonly perPeriod: bigint;
  readonly leftInPeriod: bigint;
  readonly transfersLeft: bigint;
  /** The most that may be held; what is unclaimed is not held. */
  readonly held: bigint;
  /** By these limits alone. */
  readonly largestPayment: bigint;
}

/** What recovers did, in minor units (W-10). */
export interface Recovered {
  /** How many this file took in, of this device or of another one. */
  readonly recovers: number;
  /** The largest branch of each: lost to this wallet, and its payee may have been paid. */
  readonly burnt: bigint;
  /** What came back as coins, unclaimed. */
  readonly returned: bigint;
  /** Of coins that other cores hold. */
  readonly lost: bigint;
}

export interface Received {
  readonly value: bigint;
  readonly text: string;
}

const TRANSFER_INPUTS = 23;
const PAGE = 200;
const MAX_PAGES = 50_000;
/** Pages that are read after a reading to find messages in other buckets. */
const MAX_LOOKS = 10;
const MAX_LINKS = 1_000_000;
const DAY = 86_400_000;
const RETENTION = 90 * DAY;
const COPY_AGE = 60 * DAY;
const MAX_COPIES = 10;
const RETRY_PAUSE = 500;
/** Recovers that a wallet may need on one lead. */
const MAX_ROUNDS = 12;
const MAY_BE_PAID = 'too few authorities signed whether a payment of this wallet has completed, or that they never take it';
/** Cores that may complete one behind the other while an account is freed. */
const MAX_STEPS = 200;
/** Leads that a wallet looks back for a recover that burns a core behind which it went on. */
const MAX_LEADS = 100;

/** Refusals that new evidence for the same core may resolve: a lying authority may have spoilt what a look-up showed. */
const EVIDENCE_REFUSALS: readonly Reason[] = [
  'malformed-request',
  'unknown-version',
  'identity-point',
  'point-not-on-curve',
  'point-not-in-subgroup',
  'proof-invalid',
  'signature-invalid',
  'shown-signature-invalid',
];

const OTHER_RULES: readonly Reason[] = ['stale-policy', 'unknown-policy', 'stale-checkpoint', 'unknown-checkpoint', 'stale-period'];

/** Answers of a service after which a core may be one that authorities refuse: no other failure says anything of it. */
const MAY_BE_REFUSED: readonly Reason[] = ['serial-conflict', 'no-quorum', 'stale-period'];

const reasonOf = (e: unknown): Reason | undefined => (e instanceof Refusal ? e.reason : undefined);

const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** A transfer that no rule admits any more. */
class Unfinishable extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** A transfer whose rules ran out, and which is not given up yet. */
class Waits extends Refusal {}

/** Whether a transfer is the payment of a request with this id to this payee (F-39). */
const pays = (payee: Address, id: Bytes) => ({ memo }: TransferRecord): boolean => memo.payee === payee.apk && memo.paid > 0n && isPaymentFor(id, memo.text);

/**
 * A wallet of a regulated network: restores from its words, receives, claims and pays. One call works at a time, others wait for it.
 * Every failure is a Refusal with a code of the how-to.
 */
export class Wallet {
  readonly #network: Network;
  readonly #profile: Profile;
  readonly #host: Required<Omit<Host, 'issuance' | 'registration'>> & Pick<Host, 'issuance' | 'registration'>;
  readonly #keys: WalletKeys;
  readonly #committee: Committee;
  readonly #manifest: Manifest;
  readonly #evidence: EvidenceOf;
  readonly #hasher: Hasher;
  readonly #rules: RuleBook;
  readonly #store: Store;
  /** The part of the mailbox that this wallet reads; without one it reads everything. */
  readonly #bucket: number | undefined;
  /** Tells which messages may be this wallet's. */
  readonly #detector: Detector;
  /** Where the network has replicas. */
  readonly #private: PrivateMailbox | undefined;
  /** Whether the query of a wallet that was just opened was made. */
  #asked = false;
  /** Headers of what was read since the wallet was opened, whole or by queries: its body is not missing, also where it is in tables twice. */
  readonly #bodies = new Set<string>();
  /** When this object posted a message last, by its header, in milliseconds. */
  readonly #lastPosts = new Map<string, number>();
  readonly #registrar: Registrar;
  readonly #minter: Minter;
  readonly #tokens: Tokens;
  /** The recovers that this object proved, by their cores. */
  readonly #proved = new Map<string, OwnRecover>();
  #locked = false;
  #recoverCircuit: RecoverOf | undefined;
  #connected = false;
  /** Whether this object asked for the compliance coin and alone has moved it since (W-03). */
  #free = false;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(profile: Profile, host: Host, store: Store, keys: WalletKeys, manifest: Manifest) {
    this.#network = profile.network;
    this.#profile = profile;
    const { prove, progress = () => undefined } = host;
    const told: Prove = (family, witness) => {
      progress({ step: 'proof' });
      return prove(family, witness);
    };
    this.#host = { now: Date.now, pause: wait, patience: 60_000, mailboxDelay: 3_000, ...host, progress, prove: told };
    this.#keys = keys;
    this.#manifest = manifest;
    this.#committee = manifest.committee;
    this.#evidence = { network: profile.network, committee: manifest.committee.key, circuit: circuitOf(manifest, 'transfer', profile.transferKey, TRANSFER_INPUTS) };
    this.#hasher = new Hasher(profile.network);
    this.#rules = new RuleBook(profile.network, manifest.committee, host.gateway);
    this.#store = store;
    const own = this.#bucketOf(keys.apk);
    this.#bucket = own === undefined ? undefined : Number(own);
    const { replicas = [] } = profile;
    demand(replicas.length === 0 || replicas.length === manifest.committee.noteKeys.length, 'manifest-untrusted', 'not one replica for each authority');
    this.#detector = new Detector(keys);
    const mailKeys = { detect: (headers: readonly Bytes[]) => this.#detector.detect(headers), opens: (blob: Bytes) => this.#open(blob) !== undefined };
    this.#private = replicas.length === 0 ? undefined : new PrivateMailbox(profile.network, patient(host.gateway, this.#host), replicas, this.#bucket ?? WHOLE, mailKeys);
    const shared = {
      ...{ network: profile.network, keys, store, gateway: host.gateway, prove: told, bucket: own },
      again: <T>(step: () => Promise<T>) => this.#again(step),
      signatures: (plan: Plan<Statement>, answer: SignedAnswer) => this.#signatures(plan, answer),
    };
    const ofTokens = { network: profile.network, keys, authorities: this.#committee.noteKeys, store, gateway: host.gateway };
    this.#tokens = new Tokens({ ...ofTokens, service: host.registration, now: () => this.#host.now() });
    host.gateway.spend(this.#tokens);
    const registerCircuit = () => circuitOf(manifest, 'register', profile.registerKey, REGISTER_INPUTS);
    const mintCircuit = () => circuitOf(manifest, 'mint', profile.mintKey, MINT_INPUTS);
    this.#registrar = new Registrar({ ...shared, circuit: registerCircuit, service: host.registration });
    this.#minter = new Minter({ ...shared, circuit: mintCircuit, service: host.issuance, now: () => this.#host.now() });
  }

  /**
   * A new wallet in an empty storage. Without words it gets new ones, for its owner to write down. Whether given words were used before
   * shows `restore`, which every other call finishes first.
   */
  static async create(profile: Profile, host: Host, words?: string): Promise<Wallet> {
    const manifest = manifestOf(profile);
    const phrase = words ?? newPhrase();
    const keys = new WalletKeys(profile.network, seedOf(phrase));
    const store = await Store.create(host.storage, profile.network.id, phrase, words !== undefined);
    return new Wallet(profile, host, store, keys, manifest);
  }

  static async open(profile: Profile, host: Host): Promise<Wallet> {
    const manifest = manifestOf(profile);
    const store = await Store.open(host.storage, profile.network.id);
    return new Wallet(profile, host, store, new WalletKeys(profile.network, seedOf(store.state.phrase)), manifest);
  }

  get address(): string {
    return encodeAddress(this.#network, this.#self);
  }

  /** Everything follows from them: for the owner's eyes only, and for no log. */
  get words(): string {
    return this.#state.phrase;
  }

  /** Whether a restore is not finished, so that balance and history are not complete. */
  get restoring(): boolean {
    return this.#state.restoring;
  }

  /** The coins that were received and are not claimed. */
  get received(): readonly (Received & { readonly time: bigint })[] {
    return this.#state.coins.map(({ value, text, time }) => ({ value, text, time }));
  }

  /** How far the registration is, without asking anybody. */
  get registration(): Registration {
    return this.#registrar.state;
  }

  get balance(): Balance {
    const { compliance, coins } = this.#state;
    return { held: compliance?.coin.held ?? 0n, unclaimed: coins.reduce((sum, coin) => sum + coin.value, 0n) };
  }

  /** Whether a transfer was sent, or stored to be sent, and is not finished. */
  get inFlight(): boolean {
    return this.#state.pending !== undefined;
  }

  /** The finished transfers, the oldest first. */
  get history(): readonly { readonly core: string; readonly memo: Memo }[] {
    return this.#state.transfers.map(({ core: id, memo }) => ({ core: toHex(id), memo }));
  }

  /** The recovers of these words, the oldest first: what each burnt, returned and lost. */
  get recovers(): readonly { readonly core: string; readonly memo: RecoverMemo; readonly lost: bigint }[] {
    return this.#recovers.map(({ core: id, memo, lost = 0n }) => ({ core: toHex(id), memo, lost }));
  }

  /** Whether the last call found that this wallet's own cores keep each other from completing: `recover` frees the account. */
  get locked(): boolean {
    return this.#locked;
  }

  /** Finds the wallet's coins, transfers and recovers (W-05). Goes on where an earlier call stopped. */
  restore(): Promise<{ readonly registered: boolean; readonly transfers: number; readonly coins: number }> {
    return this.#inTurn(async () => {
      await this.#restore();
      const { compliance, transfers, coins } = this.#state;
      return { registered: compliance !== undefined, transfers: transfers.length, coins: coins.length };
    });
  }

  /** The banks of the registration service; a person becomes the customer of one. */
  banks(): Promise<readonly Bank[]> {
    return this.#registrar.banks();
  }

  /**
   * Asks for a registration, or goes on with one, and gets the first compliance coin where officers have approved it. Details and
   * request go to the registration service alone. May be called again after any failure and after a kill.
   *
   * @param bank may be left out where there is one
   */
  register(who: Person, bank?: string): Promise<Registration> {
    return this.#registering(() => this.#registrar.register(who, bank));
  }

  /** Asks what became of the case: when the application is opened, and not in a loop. Gets the coin when it is ready. */
  collectRegistration(): Promise<Registration> {
    return this.#registering(() => this.#registrar.collect());
  }

  /**
   * Reads the mailbox, and gives the coins that are new (W-06). With private queries not all that came is read: `mail` says what waits
   * (W-36). Refuses with `mailbox-stale` when the gateway has no signed list of the last hour (W-38).
   */
  receive(): Promise<readonly Received[]> {
    return this.#received(() => (this.#private === undefined ? this.#readMailbox() : this.#readPrivately(this.#private)));
  }

  /**
   * Reads the mailbox whole, which only its owner decides: the gateway sees that this wallet does not wait, and alone says what there is
   * (W-38).
   */
  receiveWhole(): Promise<readonly Received[]> {
    return this.#received(() => this.#readMailbox());
  }

  /** How far the wallet has read its mail, and what waits. */
  get mail(): MailStatus {
    return mailStatus(this.#state, this.#private !== undefined);
  }

  #received(read: () => Promise<unknown>): Promise<readonly Received[]> {
    return this.#inTurn(async () => {
      const before = new Set(this.#state.coins.map((coin) => coin.rho));
      await this.#restoreFirst();
      // before the reading: a request behind it would show how long it took to open what came
      await this.#tokens.fetchIfDue();
      await read();
      await this.#deliver();
      return this.#state.coins.filter((coin) => !before.has(coin.rho)).map(({ value, text }) => ({ value, text }));
    });
  }

  /** Finishes what is in flight, then pays. `claimed` is what the payment's own transfer claimed. */
  pay(to: string, amount: bigint, text = ''): Promise<Payment> {
    return this.#inTurn(() => this.#pay(refusedAs('address-invalid', () => decodeAddress(this.#network, to)), amount, text));
  }

  /**
   * Finishes what is in flight, then pays a request. One with an id is paid once, by a restored wallet too: another call gives the payment
   * that was made, also when the request has expired (F-39). Refuses with `idempotency-mismatch` where that was another amount or text, and
   * with `payment-burnt` where a recover burnt it.
   *
   * @param amount may be left out where the request names one
   * @param text for a request that has neither an id nor a label
   */
  payRequest(request: PaymentRequest, amount = request.price?.amount ?? 0n, text = ''): Promise<Payment> {
    return this.#inTurn(() => {
      const { price } = request;
      demand(price === undefined || price.currency === this.#profile.currency, 'network-mismatch', 'an amount in another currency than the network’s');
      demand(price === undefined || price.amount === amount, 'malformed-request', 'another amount than that of the request');
      const named = request.id !== undefined || request.label !== undefined;
      return this.#pay(request.payee, amount, named ? paymentText(request) : text, request);
    });
  }

  /** When the request was paid, in milliseconds, as far as this wallet knows (F-39). One without an id may be paid again. */
  paid({ id, payee }: PaymentRequest): bigint | undefined {
    return id === undefined ? undefined : this.#state.transfers.find(pays(payee, id))?.memo.time;
  }

  async #pay(payee: Address, amount: bigint, text: string, request?: PaymentRequest): Promise<Payment> {
    demand(amount > 0n && amount < AMOUNT_LIMIT, 'malformed-request', 'a payment is more than zero');
    demand(utf8(text).length <= 140, 'malformed-request', 'a text has at most 140 bytes');
    demand(payee.mailbox === '', 'foreign-mailbox', 'the payee reads another mailbox than the network’s');
    await this.#ready();
    const before = await this.#paidFor(request, amount, text);
    if (before !== undefined) return before;
    const { expires } = request ?? {};
    demand(expires === undefined || this.#host.now() < Number(expires), 'request-expired', 'the request was to be paid earlier: ask for another one');
    const rules = await this.#rulesFor(payee.apk);
    // what another copy of this wallet paid is known now
    const found = await this.#paidFor(request, amount, text);
    if (found !== undefined) return found;
    const { compliance, coins } = this.#registered();
    const plan = planPayment(compliance.coin, limitsOf(rules), rules.policy.period, coins, amount);
    for (const claim of plan.claims) await this.#transfer(this.#self, 0n, claim, '');
    return this.#transfer(payee, amount, plan.inputs, text);
  }

  /** The payment that was made of a request with an id. Its coin is posted if that is not done. */
  async #paidFor(request: PaymentRequest | undefined, amount: bigint, text: string): Promise<Payment | undefined> {
    if (request?.id === undefined) return undefined;
    const { id, payee } = request;
    const isFor = pays(payee, id);
    const made = this.#state.transfers.find(isFor);
    if (made === undefined) {
      demand(!(this.#state.burnt ?? []).some(isFor), 'payment-burnt', 'a recover burnt the payment of this request; ask the payee whether it was paid');
      return undefined;
    }
    demand(made.memo.paid === amount && made.memo.text === text, 'idempotency-mismatch', 'another payment was made for a request with this id');
    await this.#deliver();
    return this.#paymentOf(toHex(made.core), made.memo);
  }

  #paymentOf(id: string, memo: Memo): Payment {
    const claimed = memo.claimed.reduce((sum, coin) => sum + coin.value, 0n);
    const index = this.#state.transfers.findIndex((record) => equal(record.core, fromHex(id)));
    const delivered = this.#state.deliveries.every((one) => one.transfer !== BigInt(index) || one.stage !== 'waiting');
    return { core: id, paid: memo.paid, claimed, withdrawn: memo.withdrawn, delivered, redeemed: false };
  }

  /** Finishes what is in flight, then takes money out of the network. The amount is public; the account is sealed to the issuance service. */
  withdraw(amount: bigint, payout: Payout): Promise<Payment> {
    return this.#inTurn(async () => {
      const { redemptionKey } = this.#profile;
      demand(redemptionKey !== undefined, 'not-supported', 'the profile has no key for payout instructions');
      demand(amount > 0n && amount < AMOUNT_LIMIT, 'malformed-request', 'a withdrawal is more than zero');
      const content = encodePayout(payout);
      await this.#ready();
      const rules = await this.#rulesFor(this.#keys.apk);
      const { compliance, coins } = this.#registered();
      const plan = planPayment(compliance.coin, limitsOf(rules), rules.policy.period, coins, 0n, amount);
      for (const claim of plan.claims) await this.#transfer(this.#self, 0n, claim, '');
      const block = sealPayout(this.#network, redemptionKey, content);
      const made = await this.#transfer(this.#self, 0n, plan.inputs, '', { amount, block });
      await this.#redeem();
      const asked = this.#state.redemptions.every(({ request }) => toHex(core(this.#network, request.statement)) !== made.core);
      return { ...made, redeemed: asked };
    });
  }

  /** The mints whose coins are not here. */
  get mints(): readonly MintOf[] {
    return this.#minter.waiting;
  }

  /**
   * Asks for a coin out of a funding that the bank has recorded, or goes on with it. The same arguments give the same mint.
   *
   * @param accessToken of the funding
   * @param ordinal tells several coins of one funding apart
   */
  requestMint(fundingId: string, accessToken: string, value: bigint, ordinal = 0): Promise<MintOf> {
    return this.#minting(() => {
      this.#registered();
      return this.#minter.request(fundingId, accessToken, value, ordinal);
    });
  }

  /** Asks what became of a mint, and gets the coin, unclaimed, when it is approved. Refuses with `mint-refused` when the issuer did. */
  collectMint(id: string): Promise<MintOf> {
    return this.#minting(() => this.#minter.collect(id));
  }

  /** Claims up to two received coins. */
  claim(): Promise<Payment | undefined> {
    return this.#inTurn(async () => {
      await this.#ready();
      if (this.#state.coins.length === 0) return undefined;
      const rules = await this.#rulesFor(this.#keys.apk);
      const { compliance, coins } = this.#registered();
      return this.#transfer(this.#self, 0n, chooseClaim(compliance.coin, limitsOf(rules), coins), '');
    });
  }

  /** What may be paid, before a proof is made for nothing. */
  limits(): Promise<Allowance> {
    return this.#inTurn(async () => {
      await this.#restoreFirst();
      const rules = await this.#newestRules();
      const { perTransfer, perPeriod, transfers, held } = limitsOf(rules);
      const { sent, count } = accountAfter(this.#registered().compliance.coin, rules.policy.period, 0n, 0n, 0n);
      const [leftInPeriod, transfersLeft] = [notBelowZero(perPeriod - sent), notBelowZero(transfers - (count - 1n))];
      const largestPayment = transfersLeft === 0n ? 0n : lesser(perTransfer, leftInPeriod);
      return { perTransfer, perPeriod, leftInPeriod, transfersLeft, held, largestPayment };
    });
  }

  /** Finishes the transfer in flight, if there is one, and what else waits: messages and payouts. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#ready();
      await this.#deliver();
    });
  }

  /**
   * Finishes what can be finished, and else frees an account whose own cores keep each other from completing (W-10). That burns the
   * largest payment among them, whose payee may have been paid all the same: its owner is to be told before. Nothing is kept before it has
   * completed; after any failure and after a kill it is called again. Refuses with `own-prover-needed` where the host's proofs come from a
   * prover, with `recover-impossible` when the rules leave no recover, and with `no-quorum` when a core may complete yet, or may have
   * completed: asking again, or another gateway, may help.
   *
   * @param evenIfPaid whether its owner waits no longer for authorities that do not answer: payments are burnt, too, of which too few answer
   *   to tell whether they have completed
   */
  recover(evenIfPaid = false): Promise<Recovered> {
    return this.#inTurn(async () => {
      await this.#connect();
      const before = this.#recovers.length;
      if (!(await this.#catchesUp())) {
        await this.#freeAccount(evenIfPaid);
        if (this.#state.restoring) await this.#restore();
      }
      await this.#redeem();
      await this.#deliver();
      const made = this.#recovers.slice(before);
      const sum = (of: (one: (typeof made)[number]) => bigint): bigint => made.reduce((total, one) => total + of(one), 0n);
      return { recovers: made.length, burnt: sum(({ memo }) => memo.outflow), returned: sum(({ memo }) => memo.returned), lost: sum(({ lost = 0n }) => lost) };
    });
  }

  /** A log that is given the wallet says nothing. */
  toJSON(): string {
    return 'Wallet[redacted]';
  }

  get #state(): State {
    return this.#store.state;
  }

  get #recovers(): NonNullable<State['recovers']> {
    return this.#state.recovers ?? [];
  }

  get #self(): Address {
    return { apk: this.#keys.apk, encryptionKey: this.#keys.encryptionKey, mailbox: '' };
  }

  #registered(): State & { readonly compliance: NonNullable<State['compliance']> } {
    const { compliance } = this.#state;
    demand(compliance !== undefined, 'not-registered', 'the wallet has no compliance coin');
    return { ...this.#state, compliance };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  // The network

  /** Compares the gateway with what is pinned, once. */
  async #connect(): Promise<void> {
    if (this.#connected) return;
    const info = await this.#host.gateway.info();
    const same = info.networkId === this.#network.id && info.networkKind === 'regulated';
    demand(same, 'network-mismatch', 'the gateway serves another network');
    const served = await this.#host.gateway.keys();
    demand(this.#trusts(served), 'manifest-untrusted', 'the gateway serves other keys than the pinned key signed');
    this.#connected = true;
  }

  /** Whether a gateway has, as bytes of both files, the wallet's manifest, one that it names as former, or one that names the wallet's as former (F-29). */
  #trusts({ manifest, signature }: { readonly manifest: Bytes; readonly signature: Bytes }): boolean {
    const { manifest: own, manifestKey, classes } = this.#profile;
    const isFormerOf = ({ committee }: Manifest, bytes: Bytes): boolean =>
      committee.former.some((former) => equal(former.manifestSha256, sha256(bytes)));
    if (equal(manifest, own) || isFormerOf(this.#manifest, manifest)) return true;
    const newer = refusedAs('manifest-untrusted', () =>
      readManifest(this.#network, { kind: 'regulated', classes }, manifestKey, manifest, fromUtf8(signature)),
    );
    return isFormerOf(newer, own);
  }

  async #newestRules(): Promise<Rules> {
    this.#host.progress({ step: 'rules' });
    const rules = await this.#rules.newest(this.#state.marks);
    const seen = this.#state.marks;
    const same = seen?.policy.version === rules.marks.policy.version && seen.checkpoint.version === rules.marks.checkpoint.version;
    if (!same) await this.#store.update({ marks: rules.marks });
    return rules;
  }

  /** The rules for a transfer to a payee, on a compliance coin that no other copy of this wallet has spent. */
  async #rulesFor(payee: bigint): Promise<Rules> {
    this.#registered();
    const rules = await this.#newestRules();
    absence(rules.tree, this.#keys.apk);
    absence(rules.tree, payee);
    await this.#requireFree();
    return rules;
  }

  async #requireFree(): Promise<void> {
    if (this.#free) return;
    const { coin, signature } = this.#registered().compliance;
    await this.#catchUp(coin, signature);
  }

  #registering(step: () => Promise<Registration>): Promise<Registration> {
    return this.#inTurn(async () => {
      await this.#restoreFirst();
      if (this.#state.compliance === undefined) {
        this.#host.progress({ step: 'case' });
        await step();
      }
      await this.#deliver();
      await this.#tokens.fetchIfDue();
      return this.#registrar.state;
    });
  }

  #minting(step: () => Promise<MintOf>): Promise<MintOf> {
    return this.#inTurn(async () => {
      await this.#restoreFirst();
      this.#host.progress({ step: 'mint' });
      const made = await step();
      await this.#deliver();
      return made;
    });
  }

  /** Tries again for a while what may succeed later. */
  async #again<T>(step: () => Promise<T>): Promise<T> {
    const end = this.#host.now() + this.#host.patience;
    for (;;) {
      this.#host.progress({ step: 'signatures' });
      try {
        return await step();
      } catch (e) {
        const later = isRetryable(e) || reasonOf(e) === 'gateway-unreachable';
        // The rest of the day's cap for mints is larger on another day only.
        if (!later || reasonOf(e) === 'mint-cap-used-up' || this.#host.now() >= end) throw e;
      }
      await this.#host.pause(RETRY_PAUSE);
    }
  }

  /** Nothing is in flight, and the file is whole. */
  async #ready(): Promise<void> {
    await this.#restoreFirst();
    if (this.#state.pending !== undefined) {
      this.#free = false;
      await this.#orCatchUp(() => this.#finish());
    }
    await this.#redeem();
  }

  // Transfers

  async #transfer(payee: Address, paid: bigint, claimed: readonly OwnedCoin[], text: string, payout?: SealedPayout): Promise<Payment> {
    const rules = await this.#rulesFor(payee.apk);
    const { compliance, pending } = this.#registered();
    demand(pending === undefined, 'transfer-in-flight', 'an earlier transfer has to be finished first');
    requireWithinLimits(compliance.coin, limitsOf(rules), rules.policy.period, paid);
    const snCc = this.#hasher.serial(this.#keys.snk, compliance.coin.rho);
    const memo: Memo = {
      counter: this.#freshCounter(snCc),
      time: BigInt(this.#host.now()),
      paid,
      payee: payee.apk,
      payeeKey: payee.encryptionKey,
      mailbox: payee.mailbox,
      withdrawn: payout?.amount ?? 0n,
      unfinished: unfinished(this.#state),
      claimed: claimed.map(({ origin, value, rho }) => ({ origin, value, rho })),
      text,
    };
    const plan = planTransfer(this.#network, this.#keys, compliance.coin, rules.policy.period, memo, payout?.block ?? unusedPayoutBlock());
    const evidence = await this.#prove(plan, rules);
    const { statement, payoutBlock, memoBlock } = plan;
    // The whole request is on disk before its first byte leaves.
    const request = { statement, evidence, attachments: { payoutBlock, memoBlock }, certificate: undefined };
    await this.#store.update({ pending: request, proved: provedUnder(undefined, [request]) });
    const made = await this.#orCatchUp(() => this.#finish());
    await this.#deliver();
    return this.#paymentOf(made.id, made.memo);
  }

  /** A counter that no transfer given up out of this compliance coin has (W-02). */
  #freshCounter(lead: bigint): number {
    return this.#state.abandoned.filter((one) => one.lead === lead).reduce((next, one) => Math.max(next, one.memo.counter + 1), 0);
  }

  #prove(plan: TransferPlan, rules: Rules): ReturnType<typeof makeEvidence> {
    const { compliance, coins } = this.#registered();
    const claimed = plan.memo.claimed.map(({ rho }) => {
      const coin = coins.find((one) => one.rho === rho);
      demand(coin !== undefined, 'not-found', 'a coin that the transfer in flight claims is not in this wallet');
      return coin.signature;
    });
    return makeEvidence(this.#evidence, this.#keys, plan, compliance.signature, claimed, rules, this.#host.prove);
  }

  /** The plan of a stored request that this wallet made out of a compliance coin (W-08). */
  #reopen(cc: ComplianceCoin, { statement, attachments }: TransferRequest): TransferPlan | undefined {
    const { payoutBlock, memoBlock } = attachments;
    const lead = this.#hasher.serial(this.#keys.snk, cc.rho);
    const { family } = statement;
    if ((family !== 'transfer' && family !== 'claim-16') || statement.serials[0] !== lead) return undefined;
    if (!equal(context(this.#network, payoutBlock, memoBlock), statement.context)) return undefined;
    let content: Bytes;
    try {
      content = openMemo(this.#keys.memoKey, lead, memoBlock);
    } catch (e) {
      if (e instanceof Refusal) return undefined;
      throw e;
    }
    // A memo that opens and is refused is of a newer wallet, and stops this one (F-05).
    const memo = decodeMemo(content, MANY);
    // A liar may show it in a statement of another family: that cannot be planned, and counts for nothing.
    try {
      const plan = planTransfer(this.#network, this.#keys, cc, statement.period, memo, payoutBlock, family);
      return equal(core(this.#network, plan.statement), core(this.#network, statement)) ? plan : undefined;
    } catch (e) {
      if (e instanceof Refusal) return undefined;
      throw e;
    }
  }

  /** Sends the stored transfer until it is signed (W-03). */
  async #finish(): Promise<{ readonly id: string; readonly memo: Memo }> {
    const { compliance, pending } = this.#registered();
    const plan = pending === undefined ? undefined : this.#reopen(compliance.coin, pending);
    demand(pending !== undefined && plan !== undefined, 'store-corrupt', 'the stored transfer does not spend the stored compliance coin');
    try {
      return await this.#send(plan, pending);
    } catch (e) {
      throw e instanceof Unfinishable ? await this.#giveUp(plan, e.refusal) : e;
    }
  }

  async #send(plan: TransferPlan, stored: TransferRequest): Promise<{ readonly id: string; readonly memo: Memo }> {
    const id = core(this.#network, plan.statement);
    const end = this.#host.now() + this.#host.patience;
    let request = stored;
    let renewed = false;
    for (;;) {
      let refusal: Refusal;
      this.#host.progress({ step: 'signatures' });
      try {
        const answer = await this.#host.gateway.submitTransfer(id, request);
        return await this.#commit(plan, request, answer);
      } catch (e) {
        if (!(e instanceof Refusal)) throw e;
        refusal = e;
      }
      if (!renewed && EVIDENCE_REFUSALS.includes(refusal.reason)) {
        renewed = true;
        request = await this.#renewed(plan, request, await this.#newestRules(), refusal);
        continue;
      }
      const away = refusal.reason === 'gateway-unreachable';
      if (!away && !isRetryable(refusal)) throw refusal;
      if (this.#host.now() >= end) throw away ? new Refusal('transfer-in-flight', `${toHex(id)} waits for its answer`) : refusal;
      await this.#host.pause(RETRY_PAUSE);
      if (OTHER_RULES.includes(refusal.reason)) request = await this.#underNewestRules(plan, request, refusal);
    }
  }

  /** The same core under newer rules, or the same request where there are none. */
  async #underNewestRules(plan: TransferPlan, request: TransferRequest, refusal: Refusal): Promise<TransferRequest> {
    const rules = await this.#newestRules();
    const { policyVersion, checkpointVersion } = request.evidence;
    if (rules.policy.version !== policyVersion || rules.checkpoint.version !== checkpointVersion) {
      return this.#renewed(plan, request, rules, refusal);
    }
    // Periods only grow, so one before that of the countersigned policy stays refused.
    if (refusal.reason === 'stale-period' && rules.policy.period > plan.statement.period) throw new Unfinishable(refusal);
    return request;
  }

  /** The same core with evidence under these rules, on disk in place of the old. */
  async #renewed(plan: TransferPlan, request: TransferRequest, rules: Rules, refusal: Refusal): Promise<TransferRequest> {
    const { cc, statement, memo } = plan;
    // Another program of the same words made the proof; this one makes none of many coins.
    if (statement.family !== 'transfer') throw new Unfinishable(refusal);
    try {
      requireWithinLimits(cc, limitsOf(rules), statement.period, memo.paid);
      demand(mayHold(cc, limitsOf(rules), plan.next.held), 'over-limit-held', 'the limit on holding was lowered');
      absence(rules.tree, cc.apk);
      absence(rules.tree, memo.payee);
    } catch (e) {
      throw new Unfinishable(e instanceof Refusal ? e : refusal);
    }
    const next = { ...request, evidence: await this.#prove(plan, rules) };
    await this.#store.update({ pending: next, proved: provedUnder(this.#state.proved, [next]) });
    return next;
  }

  /** Verifies the signatures, then keeps the successor, the record and the payee's sealed coin in one write. */
  async #commit(plan: TransferPlan, request: TransferRequest, answer: SignedAnswer): Promise<{ readonly id: string; readonly memo: Memo }> {
    await this.#store.update({ ...this.#recorded([plan]), ...this.#outcome(plan, request, answer, this.#state.transfers.length, true) });
    this.#locked = false;
    return { id: toHex(core(this.#network, plan.statement)), memo: plan.memo };
  }

  /**
   * What the file has of a signed transfer beside its record: its successor, and what is to be done for it.
   *
   * @param index of the record
   * @param due whether its coin may be undelivered or its payout not asked for
   */
  #outcome(plan: TransferPlan, request: TransferRequest, answer: SignedAnswer, index: number, due: boolean): Partial<State> {
    const { statement, memo, next } = plan;
    const { deliveries, redemptions } = this.#state;
    const [payment, compliance] = this.#signatures(plan, answer) as [Signature, Signature];
    const transfer = BigInt(index);
    const payout = () => ({ transfer, request, partials: quorumOf(this.#network, this.#committee, statement, answer.partials) });
    return {
      compliance: { coin: next, signature: compliance },
      pending: undefined,
      proved: undefined,
      overtaken: undefined,
      deliveries: !due || memo.paid === 0n ? deliveries : [...deliveries, this.#delivery(plan, payment, transfer)],
      redemptions: !due || memo.withdrawn === 0n ? redemptions : [...redemptions, payout()],
    };
  }

  #signatures(plan: Plan<Statement>, answer: SignedAnswer): readonly Signature[] {
    const openings = plan.outputs.map(({ message, secrets }) => ({ message, b: secrets.b }));
    try {
      return signaturesFrom(this.#network, this.#committee, plan.statement, openings, answer);
    } catch (e) {
      throw reasonOf(e) === 'signature-invalid' ? new Refusal('signature-unverified', 'no signature verifies') : e;
    }
  }

  /**
   * What the file has after transfers and recovers: their records, without the coins that they claimed.
   *
   * @param returned coins of the recovers
   * @param places how many of the transfers come before each recover
   */
  #recorded(
    plans: readonly TransferPlan[],
    recovers: readonly OwnRecover[] = [],
    returned: readonly OwnedCoin[] = [],
    places: readonly number[] = [],
  ): Pick<State, 'transfers' | 'recovers' | 'abandoned' | 'coins' | 'seen'> {
    const { transfers, abandoned, coins, seen } = this.#state;
    const records = plans.map(({ statement, memo }) => this.#record(statement, memo));
    const claimed = claimedBy(plans, recovers);
    const done = new Set(records.map((record) => toHex(record.core)));
    // A recover names coins that those below it returned.
    const spent = new Set(recovers.flatMap(({ statement }) => statement.serials));
    const isLeft = ({ rho }: OwnedCoin): boolean => !claimed.has(rho) && (spent.size === 0 || !spent.has(this.#hasher.serial(this.#keys.snk, rho)));
    return {
      transfers: [...transfers, ...records],
      recovers: [...this.#recovers, ...recovers.map((one, i) => this.#recordOf(one, transfers.length + (places[i] ?? 0)))],
      abandoned: abandoned.filter((one) => !done.has(toHex(one.core))),
      coins: [...coins, ...returned].filter(isLeft),
      seen: [...new Set([...seen, ...claimed, ...returned.map(({ rho }) => rho)])],
    };
  }

  /** @param transfers how many were recorded before it */
  #recordOf({ id, memo, below, statement }: OwnRecover, transfers: number): NonNullable<State['recovers']>[number] {
    const named = new Set(statement.serials);
    const gone = this.#state.coins.filter(({ rho }) => memo.claimed.includes(rho) && !named.has(this.#serial(rho)));
    const lost = gone.reduce((sum, { value }) => sum + value, 0n);
    return { core: fromHex(id), memo, below: below.map(fromHex), lead: at(statement.serials, 0), transfers: BigInt(transfers), lost };
  }

  #record(statement: TransferPlan['statement'], memo: Memo): TransferRecord {
    return { core: core(this.#network, statement), lead: at(statement.serials, 0), period: statement.period, memo };
  }

  /** The payee's coin. Its signature is randomised: as signed it has a base that shows the transfer (W-06). */
  #delivery({ memo, outputs }: TransferPlan, signed: Signature, transfer: bigint): Delivery {
    const parcel: Parcel = {
      kind: 'payment',
      origin: memo.payee === this.#keys.apk ? ORIGIN_OWN : ORIGIN_PAYMENT,
      value: memo.paid,
      rho: at(outputs, 0).rho,
      signature: randomise(signed, randomScalar()),
      time: memo.time,
      text: memo.text,
    };
    const blob = sealParcel(this.#network, memo.payeeKey, encodeParcel(parcel));
    return unposted({ transfer, copy: undefined, blob, bucket: this.#bucketOf(memo.payee) });
  }

  /** Gives the transfer in flight up, if 2f + 1 authorities sign that they never take it (W-03, W-09). Returns what to throw. */
  async #giveUp(plan: TransferPlan, reason: Refusal): Promise<Refusal> {
    const { statement, memo, cc } = plan;
    const id = toHex(core(this.#network, statement));
    const waits = (why: string): Refusal => new Waits('transfer-in-flight', `${id} waits (${reason.reason}): ${why}`);
    let verdict: LookedUp;
    try {
      verdict = await this.#lookUp(cc);
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      return waits(`the authorities cannot be asked: ${e.reason}`);
    }
    if (!verdict.unspent) {
      const other = verdict.own.some((own) => own.id !== id) || verdict.recovers.length > 0;
      return other ? new Refusal('serial-conflict', 'another transfer or a recover of this wallet spends the compliance coin') : waits('authorities may hold it');
    }
    const { proved, marks } = this.#state;
    // What a liar shows may name versions that nobody has published.
    const seen = proved && marks && { policy: lesser(proved.policy, marks.policy.version), checkpoint: lesser(proved.checkpoint, marks.checkpoint.version) };
    const shut = [...verdict.free.values()].filter((floors) => seen !== undefined && !mayTake(floors, seen, statement.period));
    if (shut.length < 2 * this.#committee.f + 1) return waits('authorities still take it for a while');
    const abandoned = this.#gaveUp(id) ? this.#state.abandoned : [...this.#state.abandoned, this.#record(statement, memo)];
    await this.#store.update({ pending: undefined, proved: undefined, abandoned });
    return new Refusal(reason.reason, `${id} was given up, and nothing was paid`);
  }

  // The chain of compliance coins

  /**
   * What the authorities say of serial numbers, for a nonce that is drawn for this question; only answers whose signatures hold.
   *
   * @param coinOf the compliance coin with a serial number, if it is known
   */
  async #ask(serials: readonly bigint[], coinOf: (serial: bigint) => ComplianceCoin | undefined = () => undefined): Promise<{ readonly states: readonly CoinState[]; readonly signed: readonly SignedStates[] }> {
    const nonce = randomBytes(32);
    const { states, signed } = await this.#host.gateway.coinStates(serials, nonce);
    const now = this.#host.now();
    const counted = signed.filter((answer) => isSignedState(this.#network, this.#committee, nonce, answer, now));
    for (const coin of states) this.#requireNotSeveral(coin, counted, coinOf(coin.serial));
    return { states, signed: counted };
  }

  /** Whoever shows such a memo cannot have made it, and the coin may be spent by its transfer. */
  #requireNotSeveral(coin: CoinState, signed: readonly SignedStates[], cc: ComplianceCoin | undefined): void {
    const opened = (coin.memos ?? []).flatMap((block) => {
      const memo = severalMemo(this.#keys.memoKey, coin.serial, block);
      return memo === undefined ? [] : [[block, memo] as const];
    });
    if (opened.length === 0) return;
    const verdict = verdictOn(this.#network, this.#committee, coin, signed, (request) => cc && this.#reopen(cc, request));
    const recovers = this.#ownRecovers(coin.serial, (coin.recovers ?? []).map(({ request }) => request));
    const followed = new Set([...verdict.own, ...recovers].map(({ id }) => id));
    requireGivenUp(this.#network, this.#keys, this.#committee, coin.serial, new Map(opened), coin.several ?? [], verdict, followed);
  }

  #serial(rho: bigint): bigint {
    return this.#hasher.serial(this.#keys.snk, rho);
  }

  async #lookUp(cc: ComplianceCoin): Promise<LookedUp> {
    const serial = this.#serial(cc.rho);
    const { states, signed } = await this.#ask([serial], () => cc);
    const coin = at(states, 0);
    const verdict = verdictOn(this.#network, this.#committee, coin, signed, (request) => this.#reopen(cc, request));
    return { ...verdict, recovers: this.#ownRecovers(serial, (coin.recovers ?? []).map(({ request }) => request)) };
  }

  /** The wallet's own among recovers that were shown for a lead, the one with most below it first (W-05). */
  #ownRecovers(lead: bigint, shown: readonly RecoverRequest[]): ShownRecover[] {
    const own = new Map<string, ShownRecover>();
    for (const request of shown) {
      const recover = reopenRecover(this.#network, this.#keys, lead, request);
      if (recover === undefined || !this.#mayHold(request)) continue;
      own.set(recover.id, { id: recover.id, recover, requests: [...(own.get(recover.id)?.requests ?? []), request] });
    }
    return [...own.values()].sort((one, other) => other.recover.below.length - one.recover.below.length || (one.id < other.id ? -1 : 1));
  }

  /** Whether a shown recover verifies, where the profile has the key for it: one authority may show a spoilt one. */
  #mayHold(request: RecoverRequest): boolean {
    return this.#profile.recoverKey === undefined || verifiesRecover(this.#recoverOf, request);
  }

  /** The circuit of recovers. */
  get #recoverOf(): RecoverOf {
    const { recoverKey } = this.#profile;
    demand(recoverKey !== undefined, 'recover-impossible', 'the profile has no key for recovers');
    this.#recoverCircuit ??= { network: this.#network, circuit: circuitOf(this.#manifest, 'recover', recoverKey, RECOVER_INPUTS) };
    return this.#recoverCircuit;
  }

  /**
   * Brings the wallet to the end of its chain, and finishes the last transfer if it was in flight (W-05). Returns how many were found.
   *
   * @param signature of the coin; undefined where it is lost, which matters only if the coin is unspent
   */
  async #catchUp(start: ComplianceCoin, signature: Signature | undefined): Promise<number> {
    await this.#connect();
    const known = (): number => this.#state.transfers.length + this.#recovers.length;
    const before = known();
    const overtaken = new Set<string>();
    let [coin, signed] = [start, signature];
    for (;;) {
      const links = await this.#walk(coin, overtaken);
      const conflicting = links.length === 0 ? undefined : await this.#adoptOrFinish(links, signed);
      if (conflicting === undefined) {
        this.#free = true;
        this.#locked = false;
        return known() - before;
      }
      overtaken.add(conflicting);
      ({ coin, signature: signed } = this.#state.compliance ?? { coin, signature: signed });
    }
  }

  async #walk(start: ComplianceCoin, overtaken: ReadonlySet<string>): Promise<Link[]> {
    const links: Link[] = [];
    let coin = start;
    while (links.length < MAX_LINKS) {
      this.#host.progress({ step: 'coins', count: links.length });
      const verdict = await this.#lookUp(coin);
      // a transfer that was given up is in the chain only where an honest authority holds it (W-09)
      const transfers = verdict.own.filter(({ id, holders }) => !this.#gaveUp(id) || (!verdict.unspent && holders > this.#committee.f));
      const decided = verdict.recovers.length > 0 || transfers.length > 0 || verdict.unspent;
      demand(decided, 'no-quorum', 'too few authorities signed whether a compliance coin of this wallet is spent');
      const own: readonly (ShownRecover | OwnTransfer)[] = [...verdict.recovers, ...transfers];
      if (own.length === 0) return links;
      const left = own.filter(({ id }) => !overtaken.has(id));
      const [next] = left;
      if (next === undefined) throw this.#lockedBy('transfers of this wallet prevent each other; a recover frees the account');
      links.push({ ...next, lone: left.length === 1, burns: 'recover' in next ? await this.#burns(next.recover, verdict) : [] });
      coin = 'recover' in next ? next.recover.next : next.plan.next;
    }
    throw new Refusal('gateway-misbehaved', 'the chain of transfers does not end');
  }

  /** The transfers below a recover, as far as authorities show them: those beside it, and those behind the cores below it. */
  async #burns({ below }: OwnRecover, beside: LookedUp): Promise<readonly TransferPlan[]> {
    const names = new Set(below);
    const plans: TransferPlan[] = [];
    const found = [beside];
    for (let verdict = found.pop(); verdict !== undefined; verdict = found.pop()) {
      const own = verdict.own.filter(({ id }) => names.delete(id));
      plans.push(...own.map(({ plan }) => plan));
      const recovers = verdict.recovers.filter(({ id }) => names.delete(id));
      const coins = [...own.map(({ plan }) => plan.next), ...recovers.map(({ recover }) => recover.next)];
      // at most 16 cores are below a recover
      for (const coin of names.size === 0 ? [] : coins) found.push(await this.#lookUp(coin));
    }
    return plans;
  }

  #lockedBy(why: string): Refusal {
    this.#locked = true;
    return new Refusal('serial-conflict', why);
  }

  #gaveUp(id: string): boolean {
    return this.#state.abandoned.some((one) => toHex(one.core) === id);
  }

  /** Records finished transfers and finishes the others. Returns the core that another transfer of this wallet keeps from being signed. */
  async #adoptOrFinish(links: readonly Link[], signature: Signature | undefined): Promise<string | undefined> {
    await this.#readMailbox(); // a transfer that is proved again needs the coins that it claims
    let first = firstToFinish(links);
    // Without the signature on the first coin its transfer cannot be proved again, and is answered or nothing.
    const lost = first === 0 && signature === undefined;
    if (lost) first = 1;
    if (first > 0) {
      const done = links.slice(0, first);
      const newest = at(done, first - 1);
      if (!(await this.#unlessOvertaken(newest, () => this.#adopt(done, lost)))) return newest.id;
    }
    for (const link of links.slice(first)) {
      if (!(await this.#unlessOvertaken(link, () => ('recover' in link ? this.#adopt([link], true) : this.#finishShown(link))))) return link.id;
    }
    return undefined;
  }

  /** False when another transfer out of the coin takes the place of one that can no longer be signed. */
  async #unlessOvertaken(link: Link, step: () => Promise<void>): Promise<boolean> {
    const before = this.#gaveUp(link.id);
    try {
      await step();
      return true;
    } catch (e) {
      if (!before && this.#gaveUp(link.id)) return false;
      const reason = reasonOf(e);
      const spoilt = 'recover' in link && reason !== undefined && EVIDENCE_REFUSALS.includes(reason);
      const replaced = spoilt || ['serial-conflict', 'stale-period', 'transfer-in-flight'].includes(reason ?? '');
      if (link.lone && reasonOf(e) === 'serial-conflict') this.#locked = true;
      if (link.lone || !replaced) throw e;
      return false;
    }
  }

  /**
   * Records finished transfers and recovers in one write, with the signature of the last one's successor, and what is to be done for the
   * last one if it may be unfinished.
   */
  async #adopt(links: readonly Link[], mayBeUnfinished: boolean): Promise<void> {
    const plans = links.flatMap((link) => ('recover' in link ? [] : [link.plan]));
    const recovers = links.filter((link) => 'recover' in link);
    const claimed = claimedBy(plans, recovers.map(({ recover }) => recover));
    const signed = new Map<string, readonly Signature[]>();
    const last = at(links, links.length - 1);
    for (const link of recovers) {
      const { returned } = link.recover;
      // A coin of value 0 is none.
      if (link === last || (returned.value > 0n && !claimed.has(returned.rho))) signed.set(link.id, await this.#signaturesOnRecover(link));
    }
    const returned = recovers.flatMap(({ id, recover: { returned: { origin, value, rho }, memo: { time } } }): OwnedCoin[] => {
      const signature = signed.get(id)?.[0];
      return signature === undefined || value === 0n ? [] : [{ origin, value, rho, signature, time: lesser(time, BigInt(this.#host.now())), text: '' }];
    });
    const outcome = 'recover' in last ? this.#successor(last.recover, signed.get(last.id) ?? []) : await this.#outcomeOf(last, plans.length, mayBeUnfinished);
    const burnt = this.#burntBy(recovers.map(({ recover }) => recover), links.flatMap(({ burns }) => burns));
    const places = recovers.map((link) => links.slice(0, links.indexOf(link)).filter((one) => !('recover' in one)).length);
    await this.#store.update({ ...this.#recorded(plans, recovers.map(({ recover }) => recover), returned, places), burnt, ...outcome });
  }

  /** The transfers that recovers burnt, as far as the file and the authorities show them: they stay named (W-10). */
  #burntBy(recovers: readonly OwnRecover[], known: readonly TransferPlan[]): State['burnt'] {
    const { pending, compliance, transfers, burnt = [], overtaken = [] } = this.#state;
    const plan = pending && compliance && this.#reopen(compliance.coin, pending);
    const plans = plan === undefined ? known : [plan, ...known];
    const records = [...overtaken, ...plans.map(({ statement, memo }) => this.#record(statement, memo))];
    const done = new Set([...transfers, ...burnt].map((record) => toHex(record.core)));
    const below = new Set(recovers.flatMap((recover) => recover.below).filter((name) => !done.has(name)));
    const named = new Map(records.map((record) => [toHex(record.core), record]));
    return [...burnt, ...[...named].filter(([name]) => below.has(name)).map(([, record]) => record)];
  }

  #successor({ next }: OwnRecover, signatures: readonly Signature[]): Partial<State> {
    return { compliance: { coin: next, signature: at(signatures, 1) }, pending: undefined, proved: undefined, overtaken: undefined };
  }

  /** What the file has of the last of so many transfers that are recorded now. */
  async #outcomeOf({ id, requests, plan }: OwnTransfer, recorded: number, mayBeUnfinished: boolean): Promise<Partial<State>> {
    const { request, answer } = await this.#answer(requests, (one) => this.#host.gateway.submitTransfer(fromHex(id), one));
    return this.#outcome(plan, request, answer, this.#state.transfers.length + recorded - 1, mayBeUnfinished);
  }

  /** Of the returned coin and the compliance coin. A recover whose signatures were collected is answered again. */
  async #signaturesOnRecover({ id, requests, recover }: ShownRecover): Promise<readonly Signature[]> {
    const { answer } = await this.#answer(requests, (one) => this.#host.gateway.submitRecover(fromHex(id), one));
    return this.#signatures(recover, answer);
  }

  /** Sends one request after the other until one is answered. */
  async #answer<R>(requests: readonly R[], submit: (request: R) => Promise<SignedAnswer>): Promise<{ readonly request: R; readonly answer: SignedAnswer }> {
    let refusal: unknown;
    for (const request of requests) {
      try {
        return { request, answer: await submit(request) };
      } catch (e) {
        if (reasonOf(e) === 'serial-conflict') throw e;
        refusal ??= e;
      }
    }
    throw refusal;
  }

  async #finishShown(link: OwnTransfer): Promise<void> {
    const [first, ...others] = link.requests;
    let chosen = first as TransferRequest;
    for (const request of others.length === 0 ? [] : link.requests) {
      try {
        await this.#host.gateway.submitTransfer(fromHex(link.id), request);
        chosen = request;
        break;
      } catch (e) {
        if (!(e instanceof Refusal) || e.reason === 'serial-conflict') throw e;
      }
    }
    const { pending, proved, compliance, overtaken = [] } = this.#state;
    const same = pending !== undefined && toHex(core(this.#network, pending.statement)) === link.id;
    // what a recover may burn stays named
    const replaced = same ? undefined : pending && compliance && this.#reopen(compliance.coin, pending);
    const records = replaced === undefined ? overtaken : [...overtaken, this.#record(replaced.statement, replaced.memo)];
    const named = [...new Map(records.map((record) => [toHex(record.core), record])).values()];
    await this.#store.update({ pending: chosen, proved: provedUnder(same ? proved : undefined, link.requests), overtaken: named });
    await this.#finish();
  }

  /** On a conflict over the compliance coin follows the chain: another copy of this wallet paid first. */
  async #orCatchUp(step: () => Promise<{ readonly id: string; readonly memo: Memo }>): Promise<{ readonly id: string; readonly memo: Memo }> {
    await this.#connect();
    const { pending, compliance } = this.#state;
    try {
      return await step();
    } catch (e) {
      if (reasonOf(e) !== 'serial-conflict' || pending === undefined || compliance === undefined) throw e;
      if ((await this.#catchUp(compliance.coin, compliance.signature)) === 0) throw this.#lockedBy(e instanceof Error ? e.message : 'another core');
      const id = core(this.#network, pending.statement);
      const made = this.#state.transfers.find((record) => equal(record.core, id));
      const burnt = this.#recovers.some(({ below }) => below.some((one) => equal(one, id)));
      demand(!burnt, 'payment-burnt', 'a recover of another copy of this wallet burnt the transfer; ask the payee whether it was paid');
      demand(made !== undefined, 'serial-conflict', 'another copy of this wallet paid first; this copy is up to date, and its own transfer was not made');
      return { id: toHex(id), memo: made.memo };
    }
  }

  // Recovers

  /** Whether the wallet reaches the end of its chain without a recover. */
  async #catchesUp(): Promise<boolean> {
    if (!this.#state.restoring) this.#registered();
    this.#free = false;
    try {
      if (this.#state.restoring) await this.#restore();
      else if (this.#state.pending !== undefined) await this.#orCatchUp(() => this.#finish());
      await this.#requireFree();
      return true;
    } catch (e) {
      const reason = reasonOf(e);
      const goesOn = reason !== undefined && (serviceCode(reason) !== undefined || reason === 'transfer-in-flight' || reason === 'payment-burnt');
      if (!goesOn) throw e;
      return false;
    }
  }

  async #freeAccount(evenIfPaid: boolean): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const tip = this.#graph(this.#tip, evenIfPaid);
      this.#host.progress({ step: 'coins', count: step });
      if (this.#state.pending !== undefined) await tip.addTransfer(this.#state.pending);
      await tip.look();
      const graph = (await this.#earlier(tip, evenIfPaid)) ?? tip;
      if (graph.isEmpty) {
        demand(graph.leadIsFree, 'no-quorum', 'too few authorities signed whether the account is free');
        this.#free = true;
        this.#locked = false;
        return;
      }
      await this.#complete(graph);
    }
    throw new Refusal('recover-impossible', 'the account stays locked for now: its cores do not end');
  }

  /** The last compliance coin that is known. A restored wallet may not have the signature on its first one, which a recover does not need. */
  get #tip(): ComplianceCoin {
    return this.#state.compliance?.coin ?? firstCoin(this.#network, this.#keys).coin;
  }

  #graph(tip: ComplianceCoin, evenIfPaid: boolean): Graph {
    const of = {
      evenIfPaid,
      ...{ evidence: this.#evidence, recover: this.#recoverOf, f: this.#committee.f, keys: this.#keys, prove: this.#host.prove },
      serial: (rho: bigint) => this.#serial(rho),
      reopen: (coin: ComplianceCoin, request: TransferRequest) => this.#reopen(coin, request),
      gaveUp: (name: string) => this.#gaveUp(name),
      ask: (serials: readonly bigint[], coinOf: (serial: bigint) => ComplianceCoin | undefined) => this.#ask(serials, coinOf),
      rules: () => this.#newestRules(),
    };
    return new Graph(of, tip);
  }

  /** Completes one core that spends the lead: one that still can, or a recover over all of them. */
  async #complete(graph: Graph): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const known of graph.toSend) if (await this.#completes(graph, known)) return;
      for (const known of graph.waitedFor) demand(this.#hasLost(graph, known), 'no-quorum', MAY_BE_PAID);
      const before = graph.knowledge();
      let recover = await graph.recover(this.#proved);
      let refusal: Refusal | undefined;
      while (!graph.has(recover.id)) {
        graph.add(recover);
        try {
          return await this.#take(graph, recover);
        } catch (e) {
          if (!(e instanceof Refusal) || serviceCode(e.reason) === undefined) throw e;
          refusal = e;
        }
        if (!EVIDENCE_REFUSALS.includes(refusal.reason)) break;
        // any of the requests below it may be spoilt, though not its own proof
        graph.forget(recover);
        if (!graph.chooseNext()) break;
        recover = await graph.recover(this.#proved);
      }
      await graph.look();
      if (graph.knowledge(recover.id) !== before) continue;
      const why = refusal?.reason ?? 'no answer';
      if (isRetryable(refusal)) throw refusal;
      throw new Refusal('recover-impossible', `the account stays locked for now: authorities hold what this wallet cannot find (${why})`);
    }
    throw new Refusal('recover-impossible', `the account stays locked for now: no recover of ${MAX_ROUNDS} completed`);
  }

  /** Whether a known core completes. One that no authority is known to refuse may complete yet, and a recover would burn it for nothing. */
  async #completes(graph: Graph, known: Known): Promise<boolean> {
    if ('recover' in known) return this.#completesRecover(graph, known.own.name);
    const { own, plan, requests } = known;
    if (this.#hasLost(graph, known)) return false;
    for (const request of requests) {
      this.#host.progress({ step: 'signatures' });
      try {
        await this.#host.gateway.submitTransfer(fromHex(own.name), request);
        break;
      } catch (e) {
        if (await isRefused(graph, known, e)) return false;
        if (reasonOf(e) === 'serial-conflict') break;
      }
    }
    const link: OwnTransfer & Link = { id: own.name, plan, requests, holders: 0, lone: true, burns: [] };
    try {
      await (this.#state.compliance === undefined ? this.#again(() => this.#adopt([link], true)) : this.#finishShown(link));
      return true;
    } catch (e) {
      if (e instanceof Refusal && this.#gaveUp(own.name)) return true;
      if (!(await isRefused(graph, known, e))) throw orDoubtful(graph, known, e);
      return false;
    }
  }

  /** A transfer from before the newest compliance coin has completed, or never will; one that was given up is never sent again (W-09). */
  #hasLost(graph: Graph, known: Known): boolean {
    const isPassed = known.own.lead === graph.lead && graph.lead !== this.#serial(this.#tip.rho);
    return 'plan' in known && (isPassed || this.#gaveUp(known.own.name));
  }

  /** Whether a known recover completes, with any of the requests that authorities show of it. */
  async #completesRecover(graph: Graph, name: string): Promise<boolean> {
    for (let choice = 0; choice < MAX_CHOICES; choice++) {
      const known = graph.known(name);
      if (known === undefined || !('recover' in known)) return false;
      try {
        await this.#take(graph, known.recover);
        return true;
      } catch (e) {
        if (!(e instanceof Refusal)) throw e;
        if (!EVIDENCE_REFUSALS.includes(e.reason)) {
          if (!(await isRefused(graph, known, e))) throw orDoubtful(graph, known, e);
          return false;
        }
        graph.forget(known.recover);
        await graph.look();
      }
    }
    return false;
  }

  /** Sends a recover until it is answered or the patience is over, and keeps all that follows from it in one write. */
  async #take(graph: Graph, recover: OwnRecover): Promise<void> {
    const end = this.#host.now() + this.#host.patience;
    for (;;) {
      this.#host.progress({ step: 'signatures' });
      try {
        return await this.#adopt([{ id: recover.id, recover, requests: [recover.request], lone: true, burns: graph.plans }], true);
      } catch (e) {
        const later = reasonOf(e) === 'gateway-unreachable' || (isRetryable(e) && reasonOf(e) !== 'no-quorum');
        if (!later || this.#host.now() >= end) throw e;
      }
      await this.#host.pause(RETRY_PAUSE);
    }
  }

  /**
   * The cores on an earlier lead of the chain, where a recover burns a core behind which this wallet went on. Whatever else with an earlier
   * lead holds a serial number has lost.
   */
  async #earlier(tip: Graph, evenIfPaid: boolean): Promise<Graph | undefined> {
    const { strangers } = tip;
    const passed = this.#passed();
    const leads = strangers.size === 0 ? [] : passed.slice(0, MAX_LEADS).map(({ lead }) => lead);
    const done = new Set(passed.map(({ name }) => name));
    for (const lead of leads) {
      const { states } = await this.#ask([lead]);
      const shown = (at(states, 0).recovers ?? []).map(({ request }) => request);
      const back = this.#ownRecovers(lead, shown).find(({ id, recover }) => strangers.has(id) && recover.below.some((name) => done.has(name)));
      const coin = back && (await this.#coinAt(lead, done));
      if (back === undefined || coin === undefined) continue;
      const graph = this.#graph(coin, evenIfPaid);
      for (const request of back.requests) await graph.addRecover(request);
      await graph.look();
      if (this.#state.pending !== undefined) await graph.addTransfer(this.#state.pending);
      await graph.look();
      return graph;
    }
    return undefined;
  }

  /** The finished cores, the newest first. */
  #passed(): readonly { readonly name: string; readonly lead: bigint }[] {
    const passed = this.#state.transfers.map(({ core: id, lead }, i) => ({ name: toHex(id), lead, place: 2 * i }));
    for (const { core: id, lead, transfers } of this.#recovers) {
      if (lead !== undefined && transfers !== undefined) passed.push({ name: toHex(id), lead, place: 2 * Number(transfers) - 1 });
    }
    return passed.sort((one, other) => other.place - one.place);
  }

  /** The compliance coin with this serial number, found from the first one by cores that the file has. */
  async #coinAt(lead: bigint, done: ReadonlySet<string>): Promise<ComplianceCoin | undefined> {
    let { coin } = firstCoin(this.#network, this.#keys);
    for (let i = 0; i <= done.size; i++) {
      if (this.#serial(coin.rho) === lead) return coin;
      const { own, recovers } = await this.#lookUp(coin);
      const next = recovers.find(({ id }) => done.has(id))?.recover.next ?? own.find(({ id }) => done.has(id))?.plan.next;
      if (next === undefined) return undefined;
      coin = next;
    }
    return undefined;
  }

  async #restoreFirst(): Promise<void> {
    await this.#connect();
    if (this.#state.restoring) await this.#restore();
  }

  async #restore(): Promise<void> {
    await this.#connect();
    await this.#store.update({ restoring: true, place: undefined, mail: undefined });
    const found = await this.#readMailbox();
    const { plan, coin } = firstCoin(this.#network, this.#keys);
    if (this.#state.compliance === undefined) {
      const { message } = at(plan.outputs, 0);
      const signature = found.signatures.find((one) => verify(this.#committee.key, message, one));
      if (signature !== undefined) await this.#store.update({ compliance: { coin, signature } });
    }
    const { compliance } = this.#state;
    await this.#catchUp(compliance?.coin ?? coin, compliance?.signature);
    // A transfer that a walk before this one found, and no authority shows now.
    if (this.#state.pending !== undefined) await this.#orCatchUp(() => this.#finish());
    const registered = this.#state.compliance === undefined ? undefined : (found.opened ?? this.#state.registered);
    await this.#store.update({ restoring: false, registration: this.#unfinishedRegistration(found.opened), registered });
    await this.#redeem();
    await this.#deliver();
  }

  /** The registration of the file, or the one that the newest copy of a case in the mailbox names. */
  #unfinishedRegistration(opened: OpenedCase | undefined): State['registration'] {
    const { compliance, registration } = this.#state;
    if (compliance !== undefined) return undefined;
    return registration ?? (opened && { request: undefined, opened, refused: undefined });
  }

  // The mailbox

  /** Reads on from the place in the file. Returns what it found of a registration. */
  async #readMailbox(): Promise<Found> {
    const found: Found = { signatures: [], opened: undefined };
    let again = false;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      this.#host.progress({ step: 'mailbox', count: pages * PAGE });
      const { place } = this.#state;
      const after = place?.sequence ?? 0n;
      const page = await (this.#bucket === undefined ? this.#host.gateway.mailbox(after, PAGE) : this.#host.gateway.bucket(this.#bucket, after, PAGE));
      if (place !== undefined && (page.at === undefined || !equal(page.at, place.digest))) {
        demand(!again, 'gateway-misbehaved', 'the mailbox changed twice while it was read');
        again = true;
        await this.#startAgain();
        continue;
      }
      if (page.place !== undefined) {
        const blobs = page.entries.map(({ blob }) => blob);
        await this.#accept(blobs, { place: page.place }, found);
        if (this.#private !== undefined) await this.#noteRead(blobs);
      }
      if (page.entries.length < PAGE) {
        await this.#lookForPosted();
        await this.#endOfMailbox();
        return found;
      }
    }
    throw new Refusal('gateway-misbehaved', 'the mailbox does not end');
  }

  /** Nothing is known of the mailbox any more, nor of what this wallet posted. */
  #startAgain(): Promise<void> {
    this.#bodies.clear();
    const deliveries = this.#state.deliveries.map((one): Delivery => (one.stage === 'seen' ? { ...one, stage: 'posted' } : one));
    return this.#store.update({ place: undefined, mail: undefined, deliveries });
  }

  /** Notes the messages of this wallet that were read whole, and accepted: received ones, and posted ones that are seen. The others go on waiting. */
  async #noteRead(blobs: readonly Bytes[]): Promise<void> {
    const posts = new Map(this.#state.deliveries.map(({ blob, stage }) => [headerOf(blob), stage]));
    for (const blob of await this.#detected(blobs)) {
      const header = headerOf(blob);
      if (!posts.has(header) && this.#open(blob) !== undefined) this.#bodies.add(header);
    }
    for (const blob of blobs) {
      const header = headerOf(blob);
      if (posts.get(header) === 'seen') this.#bodies.add(header);
    }
  }

  /** Those of the messages that may be this wallet's: to try to open one takes ten times as long. */
  async #detected(blobs: readonly Bytes[]): Promise<readonly Bytes[]> {
    const detected = await this.#detector.detect(blobs.map((blob) => blob.subarray(0, HEADER)));
    return blobs.filter((_, i) => detected[i] === true);
  }

  /**
   * Reads on with private queries (W-36). What was read is opened and accepted behind the last request of the reading, because that takes
   * time which depends on what came. Before, the wallet writes the schedule, the tokens that it spends, and what became of its own posts to
   * buckets that it does not read. Only a post comes behind it, after a pause that is drawn at random.
   */
  async #readPrivately(own: PrivateMailbox): Promise<void> {
    this.#host.progress({ step: 'mailbox', count: 0 });
    const now = this.#host.now();
    const list = await own.newest(now);
    const { place, kept, overdue } = await this.#readOn(own, list);
    const planned = this.#state.nextQuery;
    const { queries, next } = queriesAt(Number(planned ?? 0n), !this.#asked, now);
    this.#asked = true;
    if (BigInt(next) !== planned) await this.#store.update({ nextQuery: BigInt(next) });
    const asked = await own.ask(without(place, this.#bodies), queries);
    await this.#lookForPosted(asked.place);
    const { place: mail, blobs } = own.open(asked, postedOf(this.#state.deliveries));
    await this.#accept([...kept, ...blobs], { mail }, { signatures: [], opened: undefined }, overdue);
    // behind the write: what could not be stored waits on
    for (const blob of blobs) this.#bodies.add(headerOf(blob));
    await this.#endOfMailbox(mail);
  }

  /** Reads headers on from the place. A wallet that has none, or whose mailbox is another one, reads it whole first. */
  async #readOn(own: PrivateMailbox, list: MailList): Promise<Reading> {
    const { mail, deliveries } = this.#state;
    const reading = mail && (await own.read(mail, list, postedOf(deliveries)));
    if (reading !== undefined) return reading;
    if (mail?.bucket === (this.#bucket ?? WHOLE)) await this.#startAgain();
    await this.#readMailbox();
    return { place: await own.begin(list), kept: [], overdue: new Set() };
  }

  /**
   * The accepted coins of messages and the new place, in one write.
   *
   * @param inTables headers of own posts that are in signed tables, and whose bodies nobody asks for
   */
  async #accept(blobsRead: readonly Bytes[], change: Pick<Partial<State>, 'place' | 'mail'>, found: Found, inTables: ReadonlySet<string> = new Set()): Promise<void> {
    const accepted: OwnedCoin[] = [];
    const detected = await this.#detected(blobsRead);
    const seen = new Set(this.#state.seen);
    for (const blob of detected) {
      const parcel = this.#open(blob);
      if (parcel?.kind === 'first-signature') found.signatures.push(parcel.signature);
      if (parcel?.kind === 'registration-case' && this.#registrar.isOwn(parcel, parcel.tag)) {
        found.opened = { caseId: parcel.caseId, accessToken: parcel.accessToken };
      }
      const coin = parcel === undefined ? undefined : this.#coinIn(parcel);
      if (coin === undefined || seen.has(coin.rho) || !this.#isValid(coin)) continue;
      seen.add(coin.rho);
      accepted.push(coin);
    }
    const blobs = new Set(blobsRead.map(toHex));
    const isThere = ({ blob }: Delivery): boolean => blobs.has(toHex(blob)) || inTables.has(headerOf(blob));
    // A message whose post got no answer may be there as well.
    const asSeen = (one: Delivery): Delivery => ({ ...one, stage: 'seen', firstPost: one.firstPost ?? BigInt(this.#host.now()) });
    await this.#store.update({
      coins: [...this.#state.coins, ...accepted],
      seen: [...seen],
      deliveries: this.#state.deliveries.map((one) => (one.stage !== 'seen' && isThere(one) ? asSeen(one) : one)),
      ...change,
    });
  }

  /**
   * Looks for messages that went to buckets which this wallet does not read, each once after its post, in a page of the whole mailbox that
   * does not show which of 200 it is (W-06). What is not there waits again.
   *
   * @param mail up to which the wallet has read in private, where nobody looks for what is in no table yet (W-39)
   */
  async #lookForPosted(mail?: MailPlace): Promise<void> {
    const own = this.#bucket;
    if (own === undefined) return;
    const end = (one: Delivery): bigint => (mail === undefined ? (this.#state.place?.sequence ?? 0n) : coveredUpTo(one, mail, this.#lastPost(one)));
    const elsewhere = (one: Delivery): boolean =>
      one.stage === 'posted' && one.bucket !== undefined && one.sequence !== undefined && !reads(own, Number(one.bucket));
    const isCovered = (one: Delivery): boolean => mail === undefined || (one.sequence ?? 0n) <= end(one);
    for (const one of this.#state.deliveries.filter((each) => elsewhere(each) && isCovered(each)).slice(0, MAX_LOOKS)) {
      const begin = notBelowZero((one.sequence ?? 0n) - 1n - (one.skip ?? 0n));
      const full = notBelowZero(end(one) - BigInt(PAGE));
      let page: Page;
      try {
        page = await this.#host.gateway.mailbox(lesser(begin, full), PAGE);
      } catch (e) {
        if (e instanceof Refusal) return; // what was read counts, and the next reading looks again
        throw e;
      }
      const stage = page.entries.some(({ blob }) => equal(blob, one.blob)) ? 'seen' : 'waiting';
      await this.#store.update({ deliveries: this.#state.deliveries.map((each) => (each === one ? { ...one, stage } : each)) });
    }
  }

  /** A blob that is not for this wallet, or no parcel, is passed over. */
  #open(blob: Bytes): Parcel | undefined {
    try {
      return decodeParcel(openParcel(this.#network, this.#keys.decryptionKey, blob));
    } catch (e) {
      if (e instanceof Refusal) return undefined;
      throw e;
    }
  }

  #coinIn(parcel: Parcel): OwnedCoin | undefined {
    if (parcel.kind !== 'payment' && parcel.kind !== 'minted') return undefined;
    const { value, rho, signature, time } = parcel;
    const now = BigInt(this.#host.now());
    const [origin, text] = parcel.kind === 'payment' ? [parcel.origin, parcel.text] : [ORIGIN_MINT, ''];
    return { origin, value, rho, signature, time: time < now ? time : now, text };
  }

  /** Whether the committee signed the coin for this wallet's apk. A coin of value 0 is none. */
  #isValid({ origin, value, rho, signature }: OwnedCoin): boolean {
    return value > 0n && verify(this.#committee.key, this.#hasher.coin({ origin, value, apk: this.#keys.apk, rho }), signature);
  }

  #lastPost({ blob }: Delivery): number {
    return this.#lastPosts.get(headerOf(blob)) ?? 0;
  }

  /**
   * What was posted and not seen is lost, and waits again; what no mailbox keeps any longer is forgotten.
   *
   * @param mail up to which the wallet has read in private; nothing after it has read all
   */
  async #endOfMailbox(mail?: MailPlace): Promise<void> {
    const now = this.#host.now();
    const lost = (one: Delivery): boolean => this.#isRead(one) && (mail === undefined || isLost(one, mail, this.#lastPost(one)));
    const kept = this.#state.deliveries
      .map((one): Delivery => (one.stage === 'posted' && lost(one) ? { ...one, stage: 'waiting' } : one))
      .filter((one) => one.firstPost === undefined || Number(one.firstPost) > now - RETENTION);
    const headers = new Set(this.#lastPosts.size === 0 ? [] : kept.map(({ blob }) => headerOf(blob)));
    for (const header of this.#lastPosts.keys()) if (!headers.has(header)) this.#lastPosts.delete(header);
    const known = this.#state.mail;
    const readWhole = mail === undefined && known !== undefined ? { mail: { ...without(known, this.#bodies), overdue: 0 } } : {};
    await this.#store.update({ deliveries: [...kept, ...this.#copies(kept, now - COPY_AGE)], ...readWhole });
  }

  /** Whether the wallet's own reading shows the message. */
  #isRead({ bucket, sequence }: Delivery): boolean {
    return this.#bucket === undefined || bucket === undefined || sequence === undefined || reads(this.#bucket, Number(bucket));
  }

  /** The bucket that a message for an address goes to; none where the mailbox has no buckets. */
  #bucketOf(apk: bigint): bigint | undefined {
    const { mailboxBits = 0 } = this.#profile;
    return mailboxBits === 0 ? undefined : BigInt(bucketOf(this.#network, apk, mailboxBits));
  }

  /** Copies of coins that are unclaimed for so long that the mailbox will forget them. */
  #copies(deliveries: readonly Delivery[], old: number): Delivery[] {
    const fresh = new Set(deliveries.filter((one) => one.firstPost === undefined || Number(one.firstPost) >= old).flatMap((one) => one.copy ?? []));
    const aged = this.#state.coins.filter((coin) => Number(coin.time) < old && !fresh.has(coin.rho));
    return aged.slice(0, MAX_COPIES).map((coin) => {
      const { origin, value, rho, signature, time, text } = coin;
      const parcel: Parcel =
        origin === ORIGIN_MINT ? { kind: 'minted', value, rho, signature, time } : { kind: 'payment', origin, value, rho, signature, time, text };
      const blob = sealParcel(this.#network, this.#keys.encryptionKey, encodeParcel(parcel));
      return unposted({ transfer: undefined, copy: rho, blob, bucket: this.#bucketOf(this.#keys.apk) });
    });
  }

  /** Posts what waits. What cannot be posted now stays in the file for a later call. */
  async #deliver(): Promise<void> {
    for (const delivery of this.#state.deliveries.filter((one) => one.stage === 'waiting')) {
      this.#host.progress({ step: 'delivery' });
      let sequence: bigint;
      try {
        await this.#host.pause(randomBelow(this.#host.mailboxDelay));
        sequence = await this.#host.gateway.post(delivery.blob, delivery.bucket);
      } catch (e) {
        if (!(e instanceof Refusal)) throw e;
        if (e.reason === 'gateway-unreachable') return;
        continue;
      }
      const skip = delivery.skip ?? BigInt(randomBelow(PAGE - 1));
      const posted: Delivery = { ...delivery, ...{ stage: 'posted', sequence, skip }, firstPost: delivery.firstPost ?? BigInt(this.#host.now()) };
      if (this.#private !== undefined) this.#lastPosts.set(headerOf(delivery.blob), this.#host.now());
      await this.#store.update({ deliveries: this.#state.deliveries.map((one) => (one === delivery ? posted : one)) });
    }
  }

  /** Asks for the payouts of withdrawals that were signed; each is paid once. */
  async #redeem(): Promise<void> {
    const { issuance } = this.#host;
    if (issuance === undefined) return;
    for (const waiting of this.#state.redemptions) {
      const { request, partials } = waiting;
      this.#host.progress({ step: 'payout' });
      try {
        accepted(await issuance({ method: 'POST', path: '/v1/redemptions', body: writeBody(redemption, { request, partials }), limit: 1 << 20 }));
      } catch (e) {
        if (!(e instanceof Refusal)) throw e;
        continue;
      }
      await this.#store.update({ redemptions: this.#state.redemptions.filter((one) => one !== waiting) });
    }
  }
}

const mayBeRefused = (e: Refusal): boolean => MAY_BE_REFUSED.includes(e.reason) || e instanceof Waits;

/**
 * Whether authorities refuse a core, by what they signed. A core that did not get such an answer of a service may have completed: silence,
 * overload and a wrong answer say nothing of it.
 *
 * @param e what the core met when it was sent
 */
async function isRefused(graph: Graph, known: Known, e: unknown): Promise<boolean> {
  if (!(e instanceof Refusal)) throw e;
  if (!mayBeRefused(e)) return false;
  // also where an earlier look showed that it is: it may have completed when it was sent
  await graph.look();
  return graph.isRefused(known);
}

/** What it waits for where another core may be in its way, and too few authorities signed so to burn it. */
function orDoubtful(graph: Graph, known: Known, e: unknown): unknown {
  const isDoubtful = e instanceof Refusal && mayBeRefused(e) && graph.isDoubtful(known);
  return isDoubtful ? new Refusal('no-quorum', MAY_BE_PAID) : e;
}

const notBelowZero = (value: bigint): bigint => (value < 0n ? 0n : value);

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The newest rules of evidence for one core, and of what is known of it. */
function provedUnder(known: State['proved'], requests: readonly TransferRequest[]): NonNullable<State['proved']> {
  const newest = (versions: readonly bigint[]): bigint => versions.reduce((one, other) => (one > other ? one : other));
  return {
    policy: newest([known?.policy ?? 0n, ...requests.map(({ evidence }) => evidence.policyVersion)]),
    checkpoint: newest([known?.checkpoint ?? 0n, ...requests.map(({ evidence }) => evidence.checkpointVersion)]),
  };
}

/** A withdrawal of a transfer. */
interface SealedPayout {
  readonly amount: bigint;
  /** 512 bytes. */
  readonly block: Bytes;
}

/** What the mailbox has of a registration: candidates for the first compliance coin's signature, which anybody can send, and the newest case. */
interface Found {
  readonly signatures: Signature[];
  opened: OpenedCase | undefined;
}

/** A recover of this wallet's with the coin that was asked for as its lead. */
interface ShownRecover {
  /** The core in hexadecimal. */
  readonly id: string;
  readonly recover: OwnRecover;
  /** They differ in their evidence. */
  readonly requests: readonly RecoverRequest[];
}

interface LookedUp extends Verdict {
  /** In the order to try them. */
  readonly recovers: readonly ShownRecover[];
}

/** A transfer or a recover in the chain. */
type Link = (OwnTransfer | ShownRecover) & {
  /** Whether it is the only one out of its coin that can still be signed. */
  readonly lone: boolean;
  /** Of a recover the transfers that it may burn, as far as authorities show them. */
  readonly burns: readonly TransferPlan[];
};

/** The place of the oldest core whose coin may be undelivered or whose payout may not be asked for, by the memo of the newest one, which is always finished. */
function firstToFinish(links: readonly Link[]): number {
  let first = links.length - 1;
  const newest = at(links, first);
  let left = 'recover' in newest ? Number(newest.recover.memo.unfinished) : newest.plan.memo.unfinished;
  while (first > 0 && left > 0) {
    first--;
    if (!('recover' in at(links, first))) left--;
  }
  return first;
}

/** rho of the coins that transfers claim, and of those that cores below recovers claim. */
const claimedBy = (plans: readonly TransferPlan[], recovers: readonly OwnRecover[]): ReadonlySet<bigint> =>
  new Set([...plans.flatMap(({ memo }) => memo.claimed.map(({ rho }) => rho)), ...recovers.flatMap(({ memo }) => memo.claimed)]);

/** Manifests that were verified: it takes half a second. */
const verified = new WeakMap<Profile, Manifest>();

function manifestOf(profile: Profile): Manifest {
  const { network, classes, manifestKey, manifest, manifestSignature } = profile;
  const read = verified.get(profile) ?? readManifest(network, { kind: 'regulated', classes }, manifestKey, manifest, manifestSignature);
  verified.set(profile, read);
  return read;
}

/** A circuit, whose verifying key the manifest's digest vouches for. */
function circuitOf({ circuits }: Manifest, name: 'transfer' | 'register' | 'mint' | 'recover', file: Bytes, inputs: number): CircuitKey {
  const circuit = circuits.get(name);
  const named = circuit?.verifyingKey;
  const same = named !== undefined && BigInt(file.length) === named.size && equal(sha256(file), named.sha256);
  demand(circuit !== undefined && same, 'manifest-untrusted', `${name}.vk is not the file that the manifest names`);
  return { version: circuit.version, key: decodeVerifyingKey(file, inputs) };
}

/** Random bytes that look like a sealed block (E-13). */
function unusedPayoutBlock(): Bytes {
  const block = randomBytes(512);
  block[31] = (block[31] as number) & 0x7f;
  return block;
}
