import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad } from '@scure/base';
import { reads, WHOLE } from '../src/bucket.js';
import { ascii, at, concat, equal, fromHex, toHex, u64, u8, type Bytes } from '../src/bytes.js';
import { context, core, outputBase, type Blinded, type Statement } from '../src/digests.js';
import { limitsOf, publicInputs, verifyEvidence, type EvidenceOf } from '../src/evidence.js';
import { decodeField, decodeScalar, modulo, R } from '../src/field.js';
import { Gateway, type TransferRequest } from '../src/gateway.js';
import { encodeVerifyingKey, type VerifyingKey } from '../src/groth16.js';
import { decodeG1, g1, g2, power, type G1 } from '../src/groups.js';
import { Hasher } from '../src/hash.js';
import type { Exchange, Transport } from '../src/http.js';
import { verifyMint, verifyRegistration } from '../src/issuing.js';
import { writeJson, type Of } from '../src/json.js';
import { add, BASE, decodeKeyPoint, decodeKeyScalar, multiply } from '../src/jubjub.js';
import { seedOf, WalletKeys } from '../src/keys.js';
import { linkChallenge, proveLink, type Link, type LinkStatement } from '../src/link.js';
import { checkedCommittee, committee as committeeCodec, type Committee } from '../src/manifest.js';
import {
  attestedRegistration,
  coinQuestion,
  coinStates,
  mailboxPage,
  mint,
  mintRequest,
  mintState,
  mintSubmission,
  networkInfo,
  openedCase,
  posted,
  postedAs,
  readBody,
  recoverRequest,
  redemption,
  registration,
  registrationCase,
  registrationInfo,
  sealedProof,
  sealedWitness,
  servedKeys,
  signed,
  submission,
  transferRequest,
  writeBody,
  type RecoverRequest,
} from '../src/messages.js';
import { Network } from '../src/network.js';
import { approvalMessage, listDigest, parseNote, readText, signedBy, signNote, writeText, type TextOf } from '../src/notes.js';
import { encodeParcel, sealParcel, type Parcel } from '../src/parcel.js';
import { decodePayout, openPayout, type Payout } from '../src/payout.js';
import { blindOutputs, planRegistration } from '../src/plan.js';
import { encodeProof, type Proof } from '../src/proof.js';
import { delegatedProofs } from '../src/proving.js';
import { Reader } from '../src/reader.js';
import { resolveRecover } from '../src/recover.js';
import { verifiesRecover } from '../src/recovering.js';
import { demand, Refusal, type Reason } from '../src/refusal.js';
import { rootOf, SanctionTree, type Absence } from '../src/sanctions.js';
import { inverse, signPartially, type Signature } from '../src/signatures.js';
import { stateMessage } from '../src/states.js';
import type { Storage } from '../src/store.js';
import { fromUtf8, utf8 } from '../src/text.js';
import { bases, outputsOf, signVote, voters } from '../src/votes.js';
import type { Host, Profile } from '../src/wallet.js';
import { openWitness, sealProof } from '../src/witness.js';
import { element, wide } from './refused.js';

// A network of four authorities in memory: it verifies requests as validators do. Its keys follow from texts that anybody can read.

const N = 4;
const F = 1;
const secret = (n: number): Bytes => wide(n).subarray(0, 32);

/** The value at i of the polynomial with these coefficients. */
const valueAt = (coefficients: readonly bigint[], i: bigint): bigint =>
  modulo(coefficients.reduceRight((value, coefficient) => value * i + coefficient, 0n), R);

const X = [element(1001), element(1002), element(1003)];
const Y = [element(1011), element(1012), element(1013)];
const NOTE_SECRETS = Array.from({ length: N }, (_, i) => secret(1020 + i));
const MANIFEST_SECRET = secret(1030);
const PROVER_SECRET = secret(1031);
const REDEMPTION_SECRET = secret(1033);
const APPROVERS = [secret(1034), secret(1035)];
const ATTESTOR = 'solidus-registration';
const ATTESTOR_SECRET = secret(1032);

/** A set-up whose exponents are known, so that proofs are made without a prover's key. */
interface Setup {
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
  /** Of the constant one and of each public input. */
  readonly inputs: readonly bigint[];
}

const setup = (delta: number, publicInputs: number): Setup => ({
  alpha: element(1040),
  beta: element(1041),
  gamma: element(1042),
  delta: element(delta),
  inputs: Array.from({ length: publicInputs + 1 }, (_, i) => element(1050 + i)),
});

const SETUPS = { transfer: setup(1043, 23), register: setup(1044, 8), mint: setup(1045, 6), recover: setup(1046, 25) } as const;

const keyOf = ({ alpha, beta, gamma, delta, inputs }: Setup): VerifyingKey => ({
  alpha: power(g1, alpha),
  beta: power(g2, beta),
  gamma: power(g2, gamma),
  delta: power(g2, delta),
  inputs: inputs.map((exponent) => power(g1, exponent)),
});

const transferKey = keyOf(SETUPS.transfer);
const registerKey = keyOf(SETUPS.register);
const mintKey = keyOf(SETUPS.mint);
const recoverKey = keyOf(SETUPS.recover);

const members = Array.from({ length: N }, (_, i) => {
  const [x, y] = [valueAt(X, BigInt(i + 1)), valueAt(Y, BigInt(i + 1))];
  const noteKey = ed25519.getPublicKey(at(NOTE_SECRETS, i));
  return { index: BigInt(i + 1), x: power(g2, x), y: power(g2, y), gamma: power(g1, y), noteKey };
});
const committeeMembers = {
  epoch: 0n,
  f: BigInt(F),
  x: power(g2, at(X, 0)),
  y: power(g2, at(Y, 0)),
  y1: power(g1, at(Y, 0)),
  members,
};
const committee: Committee = checkedCommittee(committeeMembers);

export const network = new Network('second-implementation');

/** What verifies recovers of the network. */
export const recoverOf = { network, circuit: { version: 1n, key: recoverKey } };

const keyFile = (file: string, content: Bytes) => ({ file, size: content.length, sha256: toHex(sha256(content)) });
const verifyingKeys: Readonly<Record<string, Bytes>> = {
  transfer: encodeVerifyingKey(transferKey),
  register: encodeVerifyingKey(registerKey),
  mint: encodeVerifyingKey(mintKey),
  recover: encodeVerifyingKey(recoverKey),
};

/** The manifest of an epoch. Epoch 1 names another manifest as that of epoch 0. */
export function manifestText(former?: Bytes): string {
  const circuits = ['transfer', 'register', 'mint', 'recover'].map((name) => ({
    name,
    version: 1,
    r1csSha256: '00'.repeat(32),
    constraints: 1,
    publicInputs: 1,
    provingKey: keyFile(`${name}.pk`, ascii(name)),
    verifyingKey: keyFile(`${name}.vk`, verifyingKeys[name] ?? ascii(name)),
  }));
  const about = { format: 'solidus/keys/v1', networkId: network.id, kind: 'regulated', class: 'development', provenance: 'test', createdAt: 'now', circuits };
  const present = writeJson(committeeCodec.write({ ...committeeMembers, epoch: former === undefined ? 0n : 1n }));
  const until = '"sharesUntil":"2026-12-01T00:00:00Z","noteKeysUntil":"2026-12-01T00:00:00Z"';
  const past = writeJson(committeeCodec.write(committeeMembers));
  const list = former === undefined ? '' : `,"former":[{"manifestSha256":"${toHex(sha256(former))}",${until},"committee":${past}}]`;
  return `${JSON.stringify(about).slice(0, -1)},"committee":${present}${list}}`;
}

/** The bytes of both files. */
export const signedManifest = (text: string): { manifest: Bytes; signature: Bytes } => ({
  manifest: utf8(text),
  signature: utf8(`${toHex(ed25519.sign(utf8(text), MANIFEST_SECRET))}\n`),
});

const files = signedManifest(manifestText());

export const profile: Profile = {
  network,
  manifestKey: ed25519.getPublicKey(MANIFEST_SECRET),
  classes: ['development'],
  currency: 'EUR',
  manifest: files.manifest,
  manifestSignature: fromUtf8(files.signature),
  transferKey: verifyingKeys['transfer'] as Bytes,
  registerKey: verifyingKeys['register'] as Bytes,
  mintKey: verifyingKeys['mint'] as Bytes,
  recoverKey: verifyingKeys['recover'] as Bytes,
  redemptionKey: x25519.getPublicKey(REDEMPTION_SECRET),
};

/** Bytes in memory, as they are after the last write. */
export class Memory implements Storage {
  content: Bytes | undefined;
  writes = 0;

  constructor(content?: Bytes) {
    this.content = content;
  }

  async read(): Promise<Bytes | undefined> {
    return this.content;
  }

  async write(content: Bytes): Promise<void> {
    this.content = content;
    this.writes++;
  }
}

/** Bytes in memory, with those of every write. */
export class Log extends Memory {
  readonly contents: Bytes[] = [];

  override async write(content: Bytes): Promise<void> {
    await super.write(content);
    this.contents.push(content);
  }
}

/** What a registration service and a gateway know of tokens. */
export interface TokenIssuer {
  /** The text of the keys of days. */
  keys(): string;
  /** The answer to a batch of a case. */
  sign(caseId: string, body: string): string;
}

/** A row of an authority: a serial number is held by a transfer, or by a recover that found it free. */
interface Held {
  readonly core: Bytes;
  readonly request?: TransferRequest;
  readonly recover?: RecoverRequest;
}

/** What a dishonest authority signs: that another core holds a serial number. */
export interface Lie {
  readonly authority: number;
  readonly serial: bigint;
  readonly core: Bytes;
}

/** What a gateway or an authority may do wrong. */
export interface Faults {
  /** Authorities that answer nothing. */
  readonly away?: readonly number[];
  /** The authorities whose signed answers about serial numbers the gateway passes on; all where it is missing. */
  readonly passesOn?: readonly number[];
  /** Authorities whose partial signatures are wrong. */
  readonly lying?: readonly number[];
  /** What authorities sign of serial numbers that they do not hold so. */
  readonly lies?: readonly Lie[];
  /** Authorities that show requests with other evidence than they got. */
  readonly spoils?: readonly number[];
  /** The combined points are wrong. */
  readonly wrongCombined?: boolean;
  /** The answer to a request that was signed does not arrive. */
  readonly answerLost?: boolean;
  /** The answer to a submission, of which a case was made, does not arrive. */
  readonly caseLost?: boolean;
  /** The answer of the issuance service to what it has taken does not arrive. */
  readonly issuanceLost?: boolean;
  /** Only one approver signs. */
  readonly oneApproval?: boolean;
  /** What the registration service says of an approved case in place of its attestation. */
  readonly attests?: 'another core' | 'nothing' | 'no note';
  /** Transfers do not arrive. */
  readonly withheld?: boolean;
  /** What the gateway answers to transfers that are signed. */
  readonly denies?: Reason;
  /** What the gateway answers to every transfer. */
  readonly refuses?: Reason;
  /** The prover proves another statement. */
  readonly wrongProof?: boolean;
  /** Messages are refused. */
  readonly mailboxAway?: boolean;
  /** Pages of the whole mailbox are refused; those of buckets are not. */
  readonly wholeMailboxAway?: boolean;
}

type Policy = TextOf<'policy'>;

const POLICY: Policy = {
  version: 1n,
  period: 202611n,
  'max-per-transfer-minor': 100_000n,
  'max-per-period-minor': 150_000n,
  'max-held-minor': 300_000n,
  'max-escrow-minor': 0n,
  'max-transfers-per-period': 200n,
  'mint-cap-per-day-minor': 1_000_000n,
  'effective-at-millis': 0n,
};

/** A case of the registration service. */
export interface Case {
  readonly caseId: string;
  readonly accessToken: string;
  /** Who asked, and for which bank, as text. */
  readonly asked: string;
  readonly registration: Of<typeof registration>;
  status: string;
}

/** A mint of the issuance service. */
export interface AskedMint {
  readonly fundingId: string;
  readonly mint: Of<typeof mint>;
  status: string;
}

export class FakeNetwork {
  faults: Faults = {};
  files = files;
  /** Every policy by its version, and every list of a checkpoint: requests below a recover were proved under older ones. */
  readonly #policies = new Map([[POLICY.version, POLICY]]);
  readonly #lists = new Map<bigint, readonly Bytes[]>([[1n, []]]);
  #policy: Policy = POLICY;
  /** Which signs the policy beside the first authority; a wallet wants f + 1. */
  countersigners = 2;
  floors = { policyVersion: 0n, checkpointVersion: 0n, period: 0n };
  /** Those of authorities that sign others. */
  readonly floorsOf = new Map<number, { readonly policyVersion: bigint; readonly checkpointVersion: bigint; readonly period: bigint }>();
  blobs: Bytes[] = [];
  /** To which bucket a message went that named one. */
  readonly #buckets = new Map<Bytes, number>();
  now = Date.UTC(2026, 10, 15);
  /** Called when a transfer arrives, before anything is looked at. */
  onTransfer: (request: TransferRequest) => void = () => {};
  /** Called when a recover arrives, before anything is looked at. */
  onRecover: (request: RecoverRequest) => void = () => {};
  readonly cores: string[] = [];
  /** The families of the proofs that wallets made themselves. */
  readonly ownProofs: number[] = [];
  readonly routes: string[] = [];
  /** Of each request at the gateway its route and the token that it spent, if any. */
  readonly spent: (readonly [route: string, header: string | undefined])[] = [];
  /** Signs blind tokens. Without it the gateway takes none. */
  issuer: TokenIssuer | undefined;
  readonly cases: Case[] = [];
  readonly mints: AskedMint[] = [];
  /** The instructions and amounts of the payouts that were asked for, by core. */
  readonly payouts = new Map<string, readonly [Payout, bigint]>();
  /** What wallets told that they do, in order. */
  readonly steps: string[] = [];
  /** Recovers by their leads, as authorities show them. */
  readonly recovers = new Map<bigint, readonly RecoverRequest[]>();
  /** Recovers by their leads that one authority shows before those that others hold. */
  readonly shownRecovers = new Map<bigint, RecoverRequest>();
  /** Texts of requests that one authority shows beside those that it holds. */
  shown: readonly string[] = [];
  readonly #recovered = new Set<string>();
  readonly #registered = new Map<bigint, string>();
  #checkpoint = 1n;
  /** What each authority holds, by serial number, and the recovers that it took. */
  readonly #rows = Array.from({ length: N }, () => new Map<bigint, Held>());
  readonly #taken = Array.from({ length: N }, (): RecoverRequest[] => []);

  /** Every core that was signed, or only reserved, by lead. */
  get reserved(): number {
    return new Set(this.#rows.flatMap((rows) => [...rows.values()].map(({ core: id }) => toHex(id)))).size;
  }

  #rowsOf(authority: number): Map<bigint, Held> {
    return at(this.#rows, authority - 1);
  }

  /** The core that an authority says holds a serial number. */
  #holderAt(authority: number, serial: bigint): Bytes | undefined {
    const lie = this.faults.lies?.find((one) => one.authority === authority && one.serial === serial);
    return lie?.core ?? this.#rowsOf(authority).get(serial)?.core;
  }

  #holdEverywhere(serials: readonly bigint[], held: Held): void {
    for (const rows of this.#rows) serials.forEach((serial) => rows.set(serial, held));
  }

  host(storage: Storage, gateway = new Gateway(this.transport, 'pay.example')): Host {
    const prove = delegatedProofs(network, x25519.getPublicKey(PROVER_SECRET), gateway);
    return {
      ...{ gateway, storage, prove, registration: this.registrationService, issuance: this.issuance },
      ...{ now: () => this.now, pause: async (ms) => void (this.now += ms), patience: 2_000 },
      progress: ({ step }) => void this.steps.push(step),
    };
  }

  /** A host that makes its proofs itself. */
  ownHost(storage: Storage): Host {
    const prove = async (family: number, witness: Bytes): Promise<Bytes> => {
      this.ownProofs.push(family);
      const proof = proofOf(witness, this.faults.wrongProof === true);
      witness.fill(0);
      return proof;
    };
    return { ...this.host(storage), prove };
  }

  #served(answer: (route: string, path: string, exchange: Exchange) => Promise<Bytes> | Bytes): Transport {
    return async (exchange) => {
      const { method, path } = exchange;
      const [route] = path.split('?') as [string];
      this.routes.push(`${method} ${route}`);
      try {
        return { status: 200, body: await answer(route, path, exchange) };
      } catch (e) {
        if (!(e instanceof Refusal) || e.reason === 'gateway-unreachable') throw e;
        return { status: 409, body: utf8(JSON.stringify({ code: e.reason, detail: e.message })) };
      }
    };
  }

  readonly transport: Transport = this.#served((route, path, { body, method, headers }) => {
    this.spent.push([`${method} ${route}`, headers?.['Authorization']]);
    return this.#answer(route, path, body ?? '');
  });

  async #answer(route: string, path: string, body: string): Promise<Bytes> {
    switch (route) {
      case '/v1/info':
        return utf8(writeBody(networkInfo, { networkId: network.id, networkKind: 'regulated' }));
      case '/v1/keys':
        return utf8(writeBody(servedKeys, this.files));
      case '/v1/tokens/keys':
        demand(this.issuer !== undefined, 'not-found', 'no tokens');
        return utf8(this.#note(this.issuer.keys()));
      case '/v1/policy':
        return utf8(this.#note(writeText(network, 'policy', this.policy)));
      case '/v1/sanctions/checkpoint':
        return utf8(this.#note(this.#checkpointText()));
      case `/v1/sanctions/checkpoints/${this.#checkpoint}/list`:
        return concat(...this.listed);
      case '/v1/transfers':
        return utf8(writeBody(signed, this.#transfer(readBody(transferRequest, body))));
      case '/v1/recovers':
        return utf8(writeBody(signed, this.#recover(readBody(recoverRequest, body))));
      case '/v1/registrations/signatures':
        return utf8(writeBody(signed, this.#registration(readBody(attestedRegistration, body))));
      case '/v1/mints':
        return utf8(writeBody(signed, this.#mint(readBody(mintRequest, body))));
      case '/v1/coins/state':
        return utf8(this.#states(readBody(coinQuestion, body)));
      case '/v1/proofs':
        return utf8(writeBody(sealedProof, { sealedProof: this.#prove(readBody(sealedWitness, body)) }));
      default:
        return this.#mailbox(path, body);
    }
  }

  list(...keys: Bytes[]): void {
    this.#checkpoint++;
    this.#lists.set(this.#checkpoint, keys);
  }

  get listed(): readonly Bytes[] {
    return this.#lists.get(this.#checkpoint) ?? [];
  }

  get policy(): Policy {
    return this.#policy;
  }

  set policy(policy: Policy) {
    this.#policy = policy;
    this.#policies.set(policy.version, policy);
  }

  #checkpointText(): string {
    const tree = new SanctionTree(network, this.listed);
    const about = { version: this.#checkpoint, root: tree.root, size: BigInt(this.listed.length), 'published-at-millis': 0n };
    return writeText(network, 'sanction-checkpoint', { ...about, 'list-digest': listDigest(network, this.listed) });
  }

  #note(text: string): string {
    const lines = NOTE_SECRETS.slice(0, this.countersigners).map((key, i) => signNote(text, `solidus-authority-${i + 1}`, key).slice(text.length + 1));
    return `${text}\n${lines.join('')}`;
  }

  // Authorities

  #present(): number[] {
    return Array.from({ length: N }, (_, i) => i + 1).filter((i) => !this.faults.away?.includes(i));
  }

  #transfer(request: TransferRequest): { partials: Partial[]; combined: G1[] } {
    this.onTransfer(request);
    const away: Reason = 'gateway-unreachable';
    demand(this.faults.withheld !== true, away, 'not delivered');
    demand(this.faults.refuses === undefined, this.faults.refuses ?? away, 'so says the gateway');
    const { statement, evidence, attachments } = request;
    const id = core(network, statement);
    this.cores.push(toHex(id));
    demand(toHex(context(network, attachments.payoutBlock, attachments.memoBlock)) === toHex(statement.context), 'context-mismatch', '');
    const lead = at(statement.serials, 0);
    const free = this.#present().filter((i) => statement.serials.every((serial) => equal(this.#holderAt(i, serial) ?? id, id)));
    demand(!this.recovers.has(lead), 'serial-conflict', 'another core');
    const fresh = free.filter((i) => !this.#rowsOf(i).has(lead));
    if (fresh.length > 0) {
      demand(evidence.policyVersion === this.policy.version, 'stale-policy', 'another policy');
      demand(evidence.checkpointVersion === this.#checkpoint, 'stale-checkpoint', 'another checkpoint');
      demand(statement.period === this.policy.period, 'stale-period', 'another period');
      this.#verifyTransfer(request);
      for (const i of fresh) statement.serials.forEach((serial) => this.#rowsOf(i).set(serial, { core: id, request }));
    }
    const answer = this.#signedBy(free, statement, id);
    demand(this.faults.answerLost !== true, away, 'the answer is lost');
    demand(this.faults.denies === undefined, this.faults.denies ?? away, 'so says the gateway');
    return answer;
  }

  #verifyTransfer({ statement, evidence }: Pick<TransferRequest, 'statement' | 'evidence'>): void {
    const of: EvidenceOf = { network, committee: committee.key, circuit: { version: 1n, key: transferKey } };
    const policy = this.#policies.get(evidence.policyVersion);
    const list = this.#lists.get(evidence.checkpointVersion);
    demand(policy !== undefined, 'unknown-policy', 'a policy that nobody published');
    demand(list !== undefined, 'unknown-checkpoint', 'a checkpoint that nobody published');
    verifyEvidence(of, statement, evidence, limitsOf({ policy }), new SanctionTree(network, list).root);
  }

  /** The signatures of the authorities that hold the statement, if they are enough. */
  #signedBy(holders: readonly number[], statement: Statement, id: Bytes): { partials: Partial[]; combined: G1[] } {
    const enough = holders.length >= 2 * F + 1;
    demand(enough || this.#present().length - holders.length <= F, 'serial-conflict', 'another core');
    demand(enough, 'no-quorum', 'too few authorities');
    return this.#sign(statement, id, holders);
  }

  /** The authorities hold a claim of 16 that another program of a wallet's words made: they verified its proof, which this one cannot make. */
  claimed(request: TransferRequest): void {
    const { statement } = request;
    demand(statement.serials.every((serial) => this.#rows.every((rows) => !rows.has(serial))), 'serial-conflict', 'another core');
    this.#holdEverywhere(statement.serials, { core: core(network, statement), request });
  }

  /** No authority holds a request any more that was only shown. */
  forget({ statement }: TransferRequest): void {
    for (const rows of this.#rows) statement.serials.forEach((serial) => rows.delete(serial));
  }

  /** Some authorities hold a transfer of a wallet's that a recover of another device burnt; all of them hold the recover. */
  locked(first: TransferRequest, ...recovers: readonly RecoverRequest[]): void {
    const lead = at(first.statement.serials, 0);
    this.recovers.set(lead, recovers);
    for (const recover of recovers) {
      const statement = resolveRecover(network, recover).recover;
      this.#recovered.add(toHex(core(network, statement)));
      this.#holdEverywhere(statement.serials, { core: core(network, first.statement), request: first });
    }
  }

  #recover(request: RecoverRequest): { partials: Partial[]; combined: G1[] } {
    this.onRecover(request);
    const { recover: statement, below, made } = resolveRecover(network, request);
    const id = made.name;
    this.cores.push(id);
    if (!this.#recovered.has(id)) this.#verifyRecover(request);
    const family = new Set([...below, id]);
    const free = this.#recovered.has(id)
      ? this.#present()
      : this.#present().filter((i) => statement.serials.every((serial) => family.has(toHex(this.#holderAt(i, serial) ?? made.id))));
    for (const i of free) {
      const rows = this.#rowsOf(i);
      for (const serial of statement.serials) if (!rows.has(serial)) rows.set(serial, { core: made.id, recover: request });
      at(this.#taken, i - 1).push(request);
    }
    const answer = this.#signedBy(free, statement, fromHex(id));
    demand(this.faults.answerLost !== true, 'gateway-unreachable', 'the answer is lost');
    return answer;
  }

  /** A recover and every request below it (X-25). */
  #verifyRecover(request: RecoverRequest): void {
    demand(equal(context(network, request.attachments.payoutBlock, request.attachments.memoBlock), request.statement.context), 'context-mismatch', '');
    for (const { transfer } of request.below) if (transfer !== undefined) this.#verifyTransfer(transfer);
    demand(verifiesRecover(recoverOf, request), 'proof-invalid', 'a recover does not hold');
  }

  /** A registration, whose attestation has to be the registration service's for its core. */
  #registration({ request, attestationNote }: Of<typeof attestedRegistration>): { partials: Partial[]; combined: G1[] } {
    const { statement } = request;
    const id = core(network, statement);
    this.cores.push(toHex(id));
    const note = parseNote(attestationNote);
    demand(signedBy(note, { name: ATTESTOR, key: ed25519.getPublicKey(ATTESTOR_SECRET) }), 'attestation-invalid', 'another signer');
    const attestation = readText(network, 'attestation', note.text);
    demand(equal(attestation['register-core'], id) && attestation.apk === statement.apk, 'attestation-invalid', 'another registration');
    verifyRegistration({ network, circuit: { version: 1n, key: registerKey } }, request);
    demand((this.#registered.get(statement.apk) ?? toHex(id)) === toHex(id), 'already-registered', 'another core');
    this.#registered.set(statement.apk, toHex(id));
    const answer = this.#sign(statement, id);
    demand(this.faults.answerLost !== true, 'gateway-unreachable', 'the answer is lost');
    return answer;
  }

  /** A mint, which two approvers have signed. */
  #mint(request: Of<typeof mintRequest>): { partials: Partial[]; combined: G1[] } {
    const { statement, approvals } = request;
    const id = core(network, statement);
    this.cores.push(toHex(id));
    const message = approvalMessage(network, statement);
    const approved = APPROVERS.every((key, i) => approvals.some(({ approver, signature }) => approver === `approver-${i}` && ed25519.verify(signature, message, ed25519.getPublicKey(key))));
    demand(approved, 'approval-invalid', 'two approvers');
    verifyMint({ network, circuit: { version: 1n, key: mintKey } }, request);
    const answer = this.#sign(statement, id);
    demand(this.faults.answerLost !== true, 'gateway-unreachable', 'the answer is lost');
    return answer;
  }

  #sign(statement: Statement, id: Bytes, present: readonly number[] = this.#present()): { partials: Partial[]; combined: G1[] } {
    const h = bases(network, statement);
    const outputs = outputsOf(statement);
    const points = (i: number): G1[] =>
      outputs.map(({ k }, j) => signPartially(valueAt(X, BigInt(i)), valueAt(Y, BigInt(i)), at(h, j), k));
    const partials = present.map((i): Partial => {
      const own = this.faults.lying?.includes(i) ? points(i).map((point) => point.add(g1)) : points(i);
      return { authority: BigInt(i), shareEpoch: 0n, points: own, vote: signVote(at(NOTE_SECRETS, i - 1), id, 0n, own) };
    });
    const combined = outputs.map(({ k }, j) => signPartially(at(X, 0), at(Y, 0), at(h, j), k));
    return { partials, combined: this.faults.wrongCombined ? combined.map((point) => point.add(g1)) : combined };
  }

  #states({ serials, nonce }: { readonly serials: readonly bigint[]; readonly nonce: Bytes }): string {
    const shown = serials.map((serial) => {
      const held = this.#present().flatMap((i) => {
        const { request, recover } = this.#rowsOf(i).get(serial) ?? {};
        const taken = at(this.#taken, i - 1).filter((one) => resolveRecover(network, one).made.lead === serial).slice(-4);
        const leads = request !== undefined && at(request.statement.serials, 0) === serial;
        return [{ request: leads ? this.#asShownBy(i, request) : undefined, recovers: recover === undefined ? taken : [recover, ...taken] }];
      });
      const alone = this.shownRecovers.get(serial);
      const requests = distinct(held.flatMap(({ request }) => (request === undefined ? [] : [request])), (one) => writeBody(transferRequest, one));
      const recovers = distinct([...(alone === undefined ? [] : [alone]), ...(this.recovers.get(serial) ?? []), ...held.flatMap((one) => one.recovers)], (one) => writeBody(recoverRequest, one));
      return { serial, requests: requests.map((request) => ({ request })), recovers: recovers.map((request) => ({ request })) };
    });
    const passedOn = this.#present().filter((i) => this.faults.passesOn?.includes(i) ?? true);
    const answers = passedOn.map((i) => {
      const states = serials.map((serial) => {
        const held = this.#holderAt(i, serial);
        return { serial, core: held, request: held === undefined ? undefined : sha256(ascii('request')) };
      });
      const answer = { mapVersion: 1n, floors: this.floorsOf.get(i) ?? this.floors, states };
      return { ...answer, authority: BigInt(i), signature: ed25519.sign(stateMessage(network, nonce, answer), at(NOTE_SECRETS, i - 1)) };
    });
    const answer = writeBody(coinStates, { states: shown, signed: answers });
    const also = this.shown.map((request) => `{"request":${request}}`);
    return also.length === 0 ? answer : answer.replace(/"requests":\[(\{?)/, (_, more: string) => `"requests":[${also.join(',')}${more && `,${more}`}`);
  }

  #asShownBy(authority: number, request: TransferRequest): TransferRequest {
    if (!this.faults.spoils?.includes(authority)) return request;
    const { evidence } = request;
    const [first, ...others] = evidence.shows;
    return { ...request, evidence: { ...evidence, shows: [...others, first as (typeof evidence.shows)[number]] } };
  }

  // The registration service

  readonly registrationService: Transport = this.#served((route, _, { method, body, headers }) => {
    if (route === '/v1/registration/info') return utf8(writeBody(registrationInfo, { networkId: network.id, banks: [{ id: 'one', name: 'One' }] }));
    if (route.endsWith('/tokens')) return utf8(this.#signTokens(route, headers?.['X-Case-Token'], body ?? ''));
    return utf8(method === 'POST' ? this.#submit(body ?? '') : this.#case(route, headers?.['X-Case-Token']));
  });

  #signTokens(route: string, token: string | undefined, body: string): string {
    const found = this.cases.find((one) => route === `/v1/registrations/${one.caseId}/tokens` && token === one.accessToken);
    demand(found?.status === 'approved' && this.issuer !== undefined, 'not-found', 'no such case');
    return this.issuer.sign(found.caseId, body);
  }

  #submit(body: string): string {
    const { person, bank, registration: asked } = readBody(submission, body);
    const who = JSON.stringify([person, bank]);
    const same = this.cases.find((one) => one.asked === who && one.registration.cm === asked.cm);
    demand(same !== undefined || !this.cases.some((one) => one.registration.apk === asked.apk && one.status !== 'refused'), 'already-registered', '');
    const { apk, cm, k, ...evidence } = asked;
    verifyRegistration({ network, circuit: { version: 1n, key: registerKey } }, { statement: { family: 'register', apk, output: { cm, k } }, ...evidence });
    const made = same ?? { caseId: `case-${this.cases.length}`, accessToken: `token-${this.cases.length}`, asked: who, registration: asked, status: 'pending' };
    if (same === undefined) this.cases.push(made);
    demand(this.faults.caseLost !== true, 'gateway-unreachable', 'the answer is lost');
    return writeBody(openedCase, { caseId: made.caseId, accessToken: made.accessToken });
  }

  #case(route: string, token: string | undefined): string {
    const found = this.cases.find((one) => route === `/v1/registrations/${one.caseId}` && token === one.accessToken);
    demand(found !== undefined, 'not-found', 'no such case');
    const { status } = found;
    const reasonCode = status === 'refused' ? 'details-differ' : undefined;
    const attestationNote = status === 'approved' && this.faults.attests !== 'nothing' ? this.#attestation(found) : undefined;
    return writeBody(registrationCase, { status, attestationNote, reasonCode, reason: reasonCode && 'The details differ.' });
  }

  #attestation({ registration: { apk, cm, k } }: Case): string {
    if (this.faults.attests === 'no note') return 'approved\n';
    const id = this.faults.attests === undefined ? core(network, { family: 'register', apk, output: { cm, k } }) : secret(1092);
    const text = writeText(network, 'attestation', { 'person-tag': secret(1093), 'register-core': id, apk, 'issued-at-millis': 0n });
    return signNote(text, ATTESTOR, ATTESTOR_SECRET);
  }

  /** Officers decide every case that waits. */
  decide(status: string): void {
    for (const one of this.cases) if (one.status === 'pending') one.status = status;
  }

  // The issuance service

  readonly issuance: Transport = this.#served((route, _, { method, body = '' }) => {
    const answer = route === '/v1/redemptions' ? this.#redeem(body) : method === 'POST' ? this.#askMint(body) : this.#mintState(route);
    demand(this.faults.issuanceLost !== true, 'gateway-unreachable', 'the answer is lost');
    return utf8(answer);
  });

  #askMint(body: string): string {
    const { fundingId, accessToken, mint: asked } = readBody(mintSubmission, body);
    demand(accessToken === `token of ${fundingId}`, 'unauthorized', 'another token');
    const { mintId, valueMinor: value, cm, k, ...evidence } = asked;
    const same = this.mints.find((one) => equal(one.mint.mintId, mintId));
    demand(same === undefined || (same.mint.cm === cm && same.mint.valueMinor === value), 'mint-conflict', 'another coin');
    verifyMint({ network, circuit: { version: 1n, key: mintKey } }, { statement: { family: 'mint', mintId, value, output: { cm, k } }, ...evidence });
    if (same === undefined) this.mints.push({ fundingId, mint: asked, status: 'awaiting-approval' });
    return '{}';
  }

  #mintState(route: string): string {
    const found = this.mints.find(({ mint: { mintId } }) => route === `/v1/mints/${base64urlnopad.encode(mintId)}`);
    demand(found !== undefined, 'not-found', 'no such mint');
    const { mintId, valueMinor: value, cm, k } = found.mint;
    const message = approvalMessage(network, { family: 'mint', mintId, value, output: { cm, k } });
    const signers = found.status === 'approved' ? APPROVERS.slice(this.faults.oneApproval ? 1 : 0) : [];
    const approvals = signers.map((key) => ({ approver: `approver-${APPROVERS.indexOf(key)}`, signature: ed25519.sign(message, key) }));
    return writeBody(mintState, { status: found.status, approvals });
  }

  /** Approvers decide every mint that waits. */
  decideMints(status: string): void {
    for (const one of this.mints) if (one.status === 'awaiting-approval') one.status = status;
  }

  /** One payout for each transfer, for ever. */
  #redeem(body: string): string {
    const { request, partials } = readBody(redemption, body);
    const id = core(network, request.statement);
    demand(voters(committee, id, partials).size >= 2 * F + 1, 'signature-invalid', 'too few signed');
    demand(toHex(context(network, request.attachments.payoutBlock, request.attachments.memoBlock)) === toHex(request.statement.context), 'context-mismatch', '');
    const instruction = decodePayout(openPayout(network, REDEMPTION_SECRET, request.attachments.payoutBlock));
    this.payouts.set(toHex(id), [instruction, request.statement.withdrawn]);
    return '{}';
  }

  // The mailbox, and what authorities sign without a statement

  #mailbox(path: string, body: string): Bytes {
    if (body !== '') {
      demand(this.faults.mailboxAway !== true, 'unavailable', 'no mailbox');
      const { blob, bucket } = readBody(posted, body);
      this.blobs.push(blob);
      this.#buckets.set(blob, Number(bucket ?? WHOLE));
      return utf8(writeBody(postedAs, { sequence: BigInt(this.blobs.length) }));
    }
    const { searchParams: query, pathname } = new URL(path, 'http://gateway');
    const [after, limit] = [Number(query.get('after')), Number(query.get('limit'))];
    demand(this.faults.wholeMailboxAway !== true || pathname !== '/v1/mailbox', 'overloaded', 'too many pages');
    if (pathname.startsWith('/v1/mailbox/buckets/')) return this.#bucket(Number(pathname.split('/').at(-1)), after, limit);
    const entries = this.blobs.slice(after, after + limit).map((blob, i) => ({ sequence: BigInt(after + i + 1), blob }));
    const before = this.blobs[after - 1];
    return utf8(writeBody(mailboxPage, { entries, next: BigInt(after + entries.length), at: before === undefined ? undefined : sha256(before) }));
  }

  /** F-49. */
  #bucket(own: number, after: number, limit: number): Bytes {
    const numbers = this.blobs.map((_, i) => i + 1).filter((number) => number > after && reads(own, this.bucketOf(number)));
    const page = numbers.slice(0, limit);
    const next = page.length === limit ? (page.at(-1) ?? after) : Math.max(after, this.blobs.length);
    const digest = (number: number): Bytes => {
      const blob = this.blobs[number - 1];
      return blob === undefined ? new Uint8Array(32) : sha256(blob);
    };
    return concat(u8(1), digest(after), u64(BigInt(next)), digest(next), ...page.map((number) => concat(u64(BigInt(number)), at(this.blobs, number - 1))));
  }

  /** The bucket that the message with the number went to. */
  bucketOf(number: number): number {
    return this.#buckets.get(at(this.blobs, number - 1)) ?? WHOLE;
  }

  /** A signature of the committee on a message. */
  static sign(message: bigint, h: G1 = power(g1, element(1090))): Signature {
    return { s1: h, s2: power(h, at(X, 0) + modulo(at(Y, 0) * message, R)) };
  }

  static readonly committee = committee;

  /** Votes of authorities for a statement, with points that nobody verifies. */
  static votes(statement: Statement, authorities: readonly number[]): Partial[] {
    const points = outputsOf(statement).map(() => g1);
    const id = core(network, statement);
    return authorities.map((i) => ({ authority: BigInt(i), shareEpoch: 0n, points, vote: signVote(at(NOTE_SECRETS, i - 1), id, 0n, points) }));
  }

  post(keys: WalletKeys, parcel: Parcel): void {
    this.blobs.push(sealParcel(network, keys.encryptionKey, encodeParcel(parcel)));
  }

  /** The committee signs the first compliance coin of a phrase. */
  register(phrase: string): WalletKeys {
    const keys = new WalletKeys(network, seedOf(phrase));
    const { message } = at(planRegistration(network, keys).outputs, 0);
    this.post(keys, { kind: 'first-signature', signature: FakeNetwork.sign(message) });
    return keys;
  }

  /** A minted coin. */
  mint(keys: WalletKeys, value: bigint, rho: bigint): void {
    const message = new Hasher(network).coin({ value, origin: 1, apk: keys.apk, rho });
    this.post(keys, { kind: 'minted', value, rho, signature: FakeNetwork.sign(message), time: BigInt(this.now) });
  }

  // The prover

  #prove({ family, encapsulatedKey, sealedWitness: sealed }: { family: bigint; encapsulatedKey: Bytes; sealedWitness: Bytes }): Bytes {
    const { witness, proofKey } = openWitness(network, PROVER_SECRET, Number(family), encapsulatedKey, sealed);
    const proof = proofOf(witness, this.faults.wrongProof === true);
    return sealProof(proofKey, secret(1091).subarray(0, 12), proof);
  }
}

interface Partial {
  authority: bigint;
  shareEpoch: bigint;
  points: G1[];
  vote: Bytes;
}

/** A proof of a witness (F-45), read byte by byte. */
function proofOf(witness: Bytes, wrong: boolean): Bytes {
  const r = new Reader(witness);
  demand(r.small(1) === 2, 'malformed-request', 'a witness of another version');
  switch (r.small(1)) {
    case 1:
      return registrationProof(r, wrong);
    case 2:
      return mintProof(r, wrong);
    case 3:
      return transferProof(r, wrong);
    case 5:
      return recoverProof(r, wrong);
    default:
      return demand(false, 'malformed-request', 'a witness of another family') as never;
  }
}

function registrationProof(r: Reader, wrong: boolean): Bytes {
  const field = (): bigint => decodeField(r.take(32));
  const hasher = new Hasher(network);
  const [id, nk, pkAuth] = [r.take(32), field(), decodeKeyPoint(r.take(64))];
  const [d, seed, s, b] = [field(), field(), field(), decodeScalar(r.take(32))];
  const alpha = decodeKeyScalar(r.take(32));
  r.end();
  const { apk } = hasher.address(nk, pkAuth);
  const [rho] = hasher.rhos(seed, d);
  const message = hasher.complianceCoin({ apk, rho, period: 0n, sent: 0n, count: 0n, held: 0n, com: 0n });
  const output = at(blindOutputs(network, d, 0n, [message], [{ s, b }]), 0);
  const rk = add(pkAuth, multiply(BASE, alpha));
  const { link, inputs } = linkOfOutput({ core: id, d, rk }, output, message, b);
  const { x, y } = rk.toAffine();
  return encodeProof({ ...simulated(SETUPS.register, [wrong ? apk + 1n : apk, d, output.cm, x, y, ...inputs]), link });
}

function mintProof(r: Reader, wrong: boolean): Bytes {
  const field = (): bigint => decodeField(r.take(32));
  const hasher = new Hasher(network);
  const [id, apk, value, d, seed, s, b] = [r.take(32), field(), r.amount(), field(), field(), field(), decodeScalar(r.take(32))];
  r.end();
  const [rho] = hasher.rhos(seed, d);
  const message = hasher.coin({ value, origin: 1, apk, rho });
  const output = at(blindOutputs(network, d, 0n, [message], [{ s, b }]), 0);
  const { link, inputs } = linkOfOutput({ core: id, d, rk: undefined }, output, message, b);
  return encodeProof({ ...simulated(SETUPS.mint, [wrong ? value + 1n : value, d, output.cm, ...inputs]), link });
}

/** The link of a statement with one output, and its public inputs. */
function linkOfOutput(of: Pick<LinkStatement, 'core' | 'd' | 'rk'>, { cm, k }: Blinded, message: bigint, b: bigint): { link: Link; inputs: bigint[] } {
  const about = { ...of, h: [outputBase(network, { d: of.d, period: 0n, cms: [cm] }, 0)], m: [k] };
  const link = proveLink(network, about, { kappa: [element(1100)], kappaBlind: element(1110), salt: element(1111) }, [message], [b]);
  return { link, inputs: [link.a, linkChallenge(about, link.t, link.a), at(link.z, 0)] };
}

function transferProof(r: Reader, wrong: boolean): Bytes {
  const field = (): bigint => decodeField(r.take(32));
  const hasher = new Hasher(network);
  const id = r.take(32);
  const [nk, pkAuth] = [field(), decodeKeyPoint(r.take(64))];
  const cc = { apk: field(), rho: field(), period: r.integer(4), sent: r.amount(), count: r.integer(4), held: r.amount(), com: field() };
  const inputs = [0, 1].map(() => ({ value: r.amount(), origin: r.small(1), rho: field(), dummy: r.small(1) === 1 }));
  demand(r.small(1) === 0, 'malformed-request', 'an escrow');
  const [recipient, paid, withdrawn, period] = [field(), r.amount(), r.amount(), r.integer(4)];
  const [d, seed, entryR] = [field(), field(), field()];
  const secrets = [0, 1].map(() => ({ s: field(), b: decodeScalar(r.take(32)) }));
  const alpha = decodeKeyScalar(r.take(32));
  const shows = [0, 1, 2].map(() => ({
    shown: { h: decodeG1(r.take(96)), m: decodeG1(r.take(96)), s: decodeG1(r.take(96)) },
    o: decodeScalar(r.take(32)),
    message: field(),
  }));
  const limits = { perTransfer: r.amount(), perPeriod: r.amount(), held: r.amount(), escrow: r.amount(), transfers: r.integer(4) };
  const root = field();
  const path = (): Absence => ({ low: r.take(20), high: r.take(20), index: r.small(4), siblings: Array.from({ length: 24 }, field) });
  for (const one of [path(), path()]) demand(rootOf(network, one) === root, 'malformed-request', 'a path leads to another root');
  r.end();

  const { apk, snk } = hasher.address(nk, pkAuth);
  demand(apk === cc.apk, 'malformed-request', 'the compliance coin has another owner');
  const serials = [cc.rho, ...inputs.map((input) => input.rho)].map((rho) => hasher.serial(snk, rho));
  const [rho0, rho1] = hasher.rhos(seed, d);
  const [in1, in2] = [at(inputs, 0), at(inputs, 1)];
  const origins = { origin1: in1.origin, origin2: in2.origin, escrow: false };
  const com = hasher.entry({ com: cc.com, paid, in1: in1.value, in2: in2.value, withdrawn, ...origins, period, counterparty: recipient, r: entryR });
  const same = cc.period === period;
  const held = cc.held + in1.value + in2.value - paid - withdrawn;
  const next = { apk, rho: rho1, period, sent: (same ? cc.sent : 0n) + paid, count: (same ? cc.count : 0n) + 1n, held, com };
  const messages = [hasher.coin({ value: paid, origin: recipient === apk ? 2 : 0, apk: recipient, rho: rho0 }), hasher.complianceCoin(next)];
  const outputs = blindOutputs(network, d, period, messages, secrets);
  const cms = outputs.map(({ cm }) => cm);
  const rk = add(pkAuth, multiply(BASE, alpha));
  const about: LinkStatement = {
    core: id,
    d,
    rk,
    h: [...shows.map(({ shown }) => shown.h), ...outputs.map((_, j) => outputBase(network, { d, period, cms }, j))],
    m: [...shows.map(({ shown }) => shown.m), ...outputs.map(({ k }) => k)],
  };
  const nonces = { kappa: [1, 2, 3, 4, 5].map((n) => element(1100 + n)), kappaBlind: element(1110), salt: element(1111) };
  const openings = [...shows.map(({ o }) => o), ...secrets.map(({ b }) => b)];
  const link = proveLink(network, about, nonces, [...shows.map((one) => one.message), ...messages], openings);
  const c = linkChallenge(about, link.t, link.a);
  // The context is not in a witness; the core and D cover it.
  const statement = { family: 'transfer', serials, outputs, period, withdrawn, context: new Uint8Array(32) } as const;
  return encodeProof({ ...simulated(SETUPS.transfer, publicInputs(statement, d, rk, limits, wrong ? root + 1n : root, link, c)), link });
}

/** The clauses X-01 to X-10, computed from the witness alone. */
function recoverProof(r: Reader, wrong: boolean): Bytes {
  const field = (): bigint => decodeField(r.take(32));
  const bit = (): boolean => {
    const value = r.small(1);
    demand(value <= 1, 'malformed-request', 'a flag is 0 or 1');
    return value === 1;
  };
  const hasher = new Hasher(network);
  const id = r.take(32);
  const [nk, pkAuth, d] = [field(), decodeKeyPoint(r.take(64)), field()];
  const { apk, snk } = hasher.address(nk, pkAuth);
  const core = () => ({
    ...{ isRecover: bit(), credits: [bit(), bit()], d: field(), seed: field(), s: field() },
    ...{ period: r.integer(4), sent: r.integer(8), count: r.integer(4), held: r.integer(8), com: field(), other: field() },
    ...{ first: r.integer(8), second: r.integer(8), third: r.integer(8), withdrawn: r.integer(8) },
    ...{ origin1: r.small(1), origin2: r.small(1), escrow: bit(), r: field() },
  });
  const cores = [core(), core()] as const;
  const [chain, covered, held, seed, entryR] = [bit(), bit(), r.integer(8), field(), field()];
  const secrets = [0, 1].map(() => ({ s: field(), b: decodeScalar(r.take(32)) }));
  const alpha = decodeKeyScalar(r.take(32));
  r.end();

  const opened = cores.map((x) => {
    const [rho0, rho1] = hasher.rhos(x.seed, x.d);
    const com = x.isRecover
      ? hasher.recoverEntry({ coms: [x.com, x.other], returned: x.first, outflow: x.second, budget: x.third, period: x.period, r: x.r })
      : hasher.entry({ ...x, paid: x.first, in1: x.second, in2: x.third, counterparty: x.other });
    const cm = hasher.commitment(x.s, hasher.complianceCoin({ apk, rho: rho1, period: x.period, sent: x.sent, count: x.count, held: x.held, com }));
    const next = hasher.serial(snk, rho1);
    return { com, cm, next, returned: x.isRecover ? hasher.serial(snk, rho0) : 0n, w: x.isRecover ? x.second : x.first + x.withdrawn };
  });
  const [x1, x2] = cores;
  const [o1, o2] = [at(opened, 0), at(opened, 1)];
  const credited = (x: typeof x1): bigint => (x.credits[0] ? x.second : 0n) + (x.credits[1] ? x.third : 0n);
  const before = x1.held + x1.first + x1.withdrawn - x1.second - x1.third;
  const kept = x1.isRecover ? x1.held : before;
  const budget = (x1.isRecover ? x1.third : before + credited(x1)) + credited(x2);
  const outflow = covered ? o1.w : chain ? o1.w + o2.w : o1.w > o2.w ? o1.w : o2.w;
  const issued = budget > outflow ? budget - outflow : 0n;
  demand(held <= issued && held <= kept, 'malformed-request', 'X-08');
  const period = x1.period > x2.period ? x1.period : x2.period;
  const largest = (of: (x: typeof x1) => bigint): bigint => cores.filter((x) => x.period === period).reduce((most, x) => (of(x) > most ? of(x) : most), 0n);
  const returned = issued - held;
  const [rho0, rho1] = hasher.rhos(seed, d);
  const com = hasher.recoverEntry({ coms: [o1.com, o2.com], returned, outflow, budget, period, r: entryR });
  const next = { apk, rho: rho1, period, sent: largest((x) => x.sent), count: largest((x) => x.count) + 1n, held, com };
  const messages = [hasher.coin({ value: returned, origin: 2, apk, rho: rho0 }), hasher.complianceCoin(next)];
  const outputs = blindOutputs(network, d, 0n, messages, secrets);
  const cms = outputs.map(({ cm }) => cm);
  const rk = add(pkAuth, multiply(BASE, alpha));
  const about = { core: id, d, rk, h: outputs.map((_, j) => outputBase(network, { d, period: 0n, cms }, j)), m: outputs.map(({ k }) => k) };
  const nonces = { kappa: [element(1100), element(1101)], kappaBlind: element(1110), salt: element(1111) };
  const link = proveLink(network, about, nonces, messages, secrets.map(({ b }) => b));
  const bits = [x1.isRecover, x2.isRecover, ...cores.flatMap((x) => x.credits), chain, covered].map((one) => (one ? 1n : 0n));
  const { x, y } = rk.toAffine();
  const inputs = [...opened.map((one) => one.next), ...opened.map((one) => one.returned), ...opened.map((one) => one.cm), ...cores.map((one) => one.d)];
  const all = [...inputs, ...bits, x, y, wrong ? d + 1n : d, ...cms, link.a, linkChallenge(about, link.t, link.a), ...link.z];
  return encodeProof({ ...simulated(SETUPS.recover, all), link });
}

/** One of each, by a text of it. */
const distinct = <T>(all: readonly T[], text: (one: T) => string): T[] => [...new Map(all.map((one) => [text(one), one])).values()];

/** A, B and C for any public inputs, which takes the exponents of the set-up. */
function simulated(of: Setup, inputs: readonly bigint[]): Omit<Proof, 'link'> {
  const [a, b] = [element(1120), element(1121)];
  const l = inputs.reduce((sum, input, i) => modulo(sum + input * at(of.inputs, i + 1), R), at(of.inputs, 0));
  const c = modulo((a * b - of.alpha * of.beta - l * of.gamma) * inverse(of.delta), R);
  return { a: power(g1, a), b: power(g2, b), c: power(g1, c) };
}
