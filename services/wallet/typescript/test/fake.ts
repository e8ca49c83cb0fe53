import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, at, concat, toHex, type Bytes } from '../src/bytes.js';
import { context, core, outputBase, type Transfer } from '../src/digests.js';
import { limitsOf, publicInputs, verifyEvidence, type EvidenceOf } from '../src/evidence.js';
import { decodeField, decodeScalar, modulo, R } from '../src/field.js';
import { Gateway, type TransferRequest } from '../src/gateway.js';
import { encodeVerifyingKey, type VerifyingKey } from '../src/groth16.js';
import { decodeG1, g1, g2, power, type G1 } from '../src/groups.js';
import { Hasher } from '../src/hash.js';
import { writeJson } from '../src/json.js';
import type { Transport } from '../src/http.js';
import { add, BASE, decodeKeyPoint, decodeKeyScalar, multiply } from '../src/jubjub.js';
import { seedOf, WalletKeys } from '../src/keys.js';
import { linkChallenge, proveLink, type LinkStatement } from '../src/link.js';
import { checkedCommittee, committee as committeeCodec, type Committee } from '../src/manifest.js';
import {
  coinQuestion,
  coinStates,
  mailboxPage,
  networkInfo,
  posted,
  readBody,
  sealedProof,
  sealedWitness,
  servedKeys,
  signed,
  transferRequest,
  writeBody,
} from '../src/messages.js';
import { Network } from '../src/network.js';
import { listDigest, signNote, writeText, type TextOf } from '../src/notes.js';
import { encodeParcel, sealParcel, type Parcel } from '../src/parcel.js';
import { blindOutputs, planRegistration } from '../src/plan.js';
import { encodeProof, type Proof } from '../src/proof.js';
import { delegatedProofs } from '../src/proving.js';
import { Reader } from '../src/reader.js';
import { demand, Refusal, type Reason } from '../src/refusal.js';
import { rootOf, SanctionTree, type Absence } from '../src/sanctions.js';
import { inverse, signPartially, type Signature } from '../src/signatures.js';
import { stateMessage } from '../src/states.js';
import type { Storage } from '../src/store.js';
import { fromUtf8, utf8 } from '../src/text.js';
import { bases, signVote } from '../src/votes.js';
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

/** A set-up whose exponents are known, so that proofs are made without a prover's key. */
const SETUP = { alpha: element(1040), beta: element(1041), gamma: element(1042), delta: element(1043), inputs: Array.from({ length: 24 }, (_, i) => element(1050 + i)) };

const transferKey: VerifyingKey = {
  alpha: power(g1, SETUP.alpha),
  beta: power(g2, SETUP.beta),
  gamma: power(g2, SETUP.gamma),
  delta: power(g2, SETUP.delta),
  inputs: SETUP.inputs.map((exponent) => power(g1, exponent)),
};

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

const keyFile = (file: string, content: Bytes) => ({ file, size: content.length, sha256: toHex(sha256(content)) });
const vk = encodeVerifyingKey(transferKey);

/** The manifest of an epoch. Epoch 1 names another manifest as that of epoch 0. */
export function manifestText(former?: Bytes): string {
  const circuits = ['transfer', 'register', 'mint', 'recover'].map((name) => ({
    name,
    version: 1,
    r1csSha256: '00'.repeat(32),
    constraints: 1,
    publicInputs: 1,
    provingKey: keyFile(`${name}.pk`, ascii(name)),
    verifyingKey: keyFile(`${name}.vk`, name === 'transfer' ? vk : ascii(name)),
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
  manifest: files.manifest,
  manifestSignature: fromUtf8(files.signature),
  transferKey: vk,
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

interface Held {
  readonly core: Bytes;
  readonly request: TransferRequest;
}

/** What a gateway or an authority may do wrong. */
export interface Faults {
  /** Authorities that answer nothing. */
  readonly away?: readonly number[];
  /** Authorities whose partial signatures are wrong. */
  readonly lying?: readonly number[];
  /** The combined points are wrong. */
  readonly wrongCombined?: boolean;
  /** The answer of a transfer that was signed does not arrive. */
  readonly answerLost?: boolean;
  /** Transfers do not arrive. */
  readonly withheld?: boolean;
  /** The prover proves another statement. */
  readonly wrongProof?: boolean;
  /** Messages are refused. */
  readonly mailboxAway?: boolean;
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

export class FakeNetwork {
  faults: Faults = {};
  files = files;
  policy: Policy = POLICY;
  listed: readonly Bytes[] = [];
  /** Which signs the policy beside the first authority; a wallet wants f + 1. */
  countersigners = 2;
  floors = { policyVersion: 0n, checkpointVersion: 0n, period: 0n };
  blobs: Bytes[] = [];
  now = Date.UTC(2026, 10, 15);
  /** Called when a transfer arrives, before anything is looked at. */
  onTransfer: (request: TransferRequest) => void = () => {};
  readonly cores: string[] = [];
  readonly routes: string[] = [];
  #checkpoint = 1n;
  readonly #held = new Map<bigint, Held>();

  /** Every core that was signed, or only reserved, by lead. */
  get reserved(): number {
    return new Set([...this.#held.values()].map(({ core: id }) => toHex(id))).size;
  }

  host(storage: Storage): Host {
    const gateway = new Gateway(this.transport);
    const prove = delegatedProofs(network, x25519.getPublicKey(PROVER_SECRET), gateway);
    return { gateway, storage, prove, now: () => this.now, pause: async (ms) => void (this.now += ms), patience: 2_000 };
  }

  readonly transport: Transport = async ({ method, path, body }) => {
    const [route] = path.split('?') as [string];
    this.routes.push(`${method} ${route}`);
    try {
      return { status: 200, body: await this.#answer(route, path, body ?? '') };
    } catch (e) {
      if (!(e instanceof Refusal) || e.reason === 'gateway-unreachable') throw e;
      return { status: 409, body: utf8(JSON.stringify({ code: e.reason, detail: e.message })) };
    }
  };

  async #answer(route: string, path: string, body: string): Promise<Bytes> {
    switch (route) {
      case '/v1/info':
        return utf8(writeBody(networkInfo, { networkId: network.id, networkKind: 'regulated' }));
      case '/v1/keys':
        return utf8(writeBody(servedKeys, this.files));
      case '/v1/policy':
        return utf8(this.#note(writeText(network, 'policy', this.policy)));
      case '/v1/sanctions/checkpoint':
        return utf8(this.#note(this.#checkpointText()));
      case `/v1/sanctions/checkpoints/${this.#checkpoint}/list`:
        return concat(...this.listed);
      case '/v1/transfers':
        return utf8(writeBody(signed, this.#transfer(readBody(transferRequest, body))));
      case '/v1/coins/state':
        return utf8(this.#states(readBody(coinQuestion, body)));
      case '/v1/proofs':
        return utf8(writeBody(sealedProof, { sealedProof: this.#prove(readBody(sealedWitness, body)) }));
      default:
        return this.#mailbox(path, body);
    }
  }

  list(...keys: Bytes[]): void {
    this.listed = keys;
    this.#checkpoint++;
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
    const { statement, evidence, attachments } = request;
    const id = core(network, statement);
    this.cores.push(toHex(id));
    demand(toHex(context(network, attachments.payoutBlock, attachments.memoBlock)) === toHex(statement.context), 'context-mismatch', '');
    const other = statement.serials.some((serial) => this.#held.has(serial) && toHex((this.#held.get(serial) as Held).core) !== toHex(id));
    demand(!other, 'serial-conflict', 'another core');
    if (!this.#held.has(at(statement.serials, 0))) {
      demand(evidence.policyVersion === this.policy.version, 'stale-policy', 'another policy');
      demand(evidence.checkpointVersion === this.#checkpoint, 'stale-checkpoint', 'another checkpoint');
      demand(statement.period === this.policy.period, 'stale-period', 'another period');
      const of: EvidenceOf = { network, committee: committee.key, circuit: { version: 1n, key: transferKey } };
      verifyEvidence(of, statement, evidence, limitsOf({ policy: this.policy }), new SanctionTree(network, this.listed).root);
      statement.serials.forEach((serial) => this.#held.set(serial, { core: id, request }));
    }
    const answer = this.#sign(statement, id);
    demand(this.faults.answerLost !== true, away, 'the answer is lost');
    return answer;
  }

  #sign(statement: Transfer, id: Bytes): { partials: Partial[]; combined: G1[] } {
    const h = bases(network, statement);
    const points = (i: number): G1[] =>
      statement.outputs.map(({ k }, j) => signPartially(valueAt(X, BigInt(i)), valueAt(Y, BigInt(i)), at(h, j), k));
    const present = this.#present();
    const partials = present.map((i): Partial => {
      const own = this.faults.lying?.includes(i) ? points(i).map((point) => point.add(g1)) : points(i);
      return { authority: BigInt(i), shareEpoch: 0n, points: own, vote: signVote(at(NOTE_SECRETS, i - 1), id, 0n, own) };
    });
    const combined = statement.outputs.map(({ k }, j) => signPartially(at(X, 0), at(Y, 0), at(h, j), k));
    return { partials, combined: this.faults.wrongCombined ? combined.map((point) => point.add(g1)) : combined };
  }

  #states({ serials, nonce }: { readonly serials: readonly bigint[]; readonly nonce: Bytes }): string {
    const states = serials.map((serial) => {
      const held = this.#held.get(serial);
      return { serial, core: held?.core, request: held === undefined ? undefined : sha256(ascii('request')) };
    });
    const shown = serials.map((serial) => {
      const held = this.#held.get(serial);
      return { serial, requests: held === undefined ? [] : [{ request: held.request }], recovers: undefined };
    });
    const answers = this.#present().map((i) => {
      const answer = { mapVersion: 1n, floors: this.floors, states };
      return { ...answer, authority: BigInt(i), signature: ed25519.sign(stateMessage(network, nonce, answer), at(NOTE_SECRETS, i - 1)) };
    });
    return writeBody(coinStates, { states: shown, signed: answers });
  }

  // The mailbox, and what authorities sign without a statement

  #mailbox(path: string, body: string): Bytes {
    if (body !== '') {
      demand(this.faults.mailboxAway !== true, 'unavailable', 'no mailbox');
      this.blobs.push(readBody(posted, body).blob);
      return utf8('{}');
    }
    const query = new URL(path, 'http://gateway').searchParams;
    const [after, limit] = [Number(query.get('after')), Number(query.get('limit'))];
    const entries = this.blobs.slice(after, after + limit).map((blob, i) => ({ sequence: BigInt(after + i + 1), blob }));
    const before = this.blobs[after - 1];
    return utf8(writeBody(mailboxPage, { entries, next: BigInt(after + entries.length), at: before === undefined ? undefined : sha256(before) }));
  }

  /** A signature of the committee on a message. */
  static sign(message: bigint, h: G1 = power(g1, element(1090))): Signature {
    return { s1: h, s2: power(h, at(X, 0) + modulo(at(Y, 0) * message, R)) };
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

/** A proof of a transfer's witness (F-45), read byte by byte. */
function proofOf(witness: Bytes, wrong: boolean): Bytes {
  const r = new Reader(witness);
  const field = (): bigint => decodeField(r.take(32));
  const hasher = new Hasher(network);
  demand(r.small(1) === 2 && r.small(1) === 3, 'malformed-request', 'not the witness of a transfer');
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
  return encodeProof({ ...simulated(publicInputs(statement, d, rk, limits, wrong ? root + 1n : root, link, c)), link });
}

/** A, B and C for any public inputs, which takes the exponents of the set-up. */
function simulated(inputs: readonly bigint[]): Omit<Proof, 'link'> {
  const [a, b] = [element(1120), element(1121)];
  const l = inputs.reduce((sum, input, i) => modulo(sum + input * at(SETUP.inputs, i + 1), R), at(SETUP.inputs, 0));
  const c = modulo((a * b - SETUP.alpha * SETUP.beta - l * SETUP.gamma) * inverse(SETUP.delta), R);
  return { a: power(g1, a), b: power(g2, b), c: power(g1, c) };
}
