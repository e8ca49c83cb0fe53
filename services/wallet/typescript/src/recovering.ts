import { at, concat, fromHex, toHex, u32, u64, u8, type Bytes } from './bytes.js';
import { context, core, inputDigest, type Recover } from './digests.js';
import type { CircuitKey, Prove } from './evidence.js';
import { encodeField } from './field.js';
import { verifyGroth16 } from './groth16.js';
import { Hasher, ORIGIN_PAYMENT, type ComplianceCoin } from './hash.js';
import { encodeKeyPoint, encodeKeyScalar, type KeyPoint } from './jubjub.js';
import type { WalletKeys } from './keys.js';
import { randomisedKey, signCore, verifyCore } from './keysig.js';
import { verifyLink, type Link } from './link.js';
import { sealRecoverMemo } from './memo.js';
import type { RecoverRequest, RecoverStatement } from './messages.js';
import type { Network } from './network.js';
import { entryOf, type TransferPlan } from './plan.js';
import { decodeProof } from './proof.js';
import { randomKeyScalar } from './random.js';
import {
  encodeRecoverMemo,
  planRecover,
  relationOf,
  reopenRecover,
  resolveRecover,
  type OwnRecover,
  type RecoverMemo,
  type Relation,
  type Resolved,
} from './recover.js';
import { demand, Refusal, refusedAs } from './refusal.js';
import { bases } from './votes.js';
import { head, RECOVER } from './witness.js';

// How a wallet makes a recover over two of its cores (page 9, W-10). Everything but the proof and its key's randomisation follows from the
// seed, the cores and the credits, so two devices that know the same cores make the same core.

/** How many public inputs the circuit has (F-47). */
export const RECOVER_INPUTS = 25;

const CLAIMED_LIMIT = 26;
const AMOUNT_LIMIT = 1n << 64n;
const COUNT_LIMIT = 1n << 32n;

export type RequestBelow = RecoverRequest['below'][number];

/** A request of a list, with the cores that a recover is over. */
export interface Entry {
  /** The core in hexadecimal. */
  readonly name: string;
  readonly request: RequestBelow;
  readonly over: readonly string[];
}

/** The opening of the compliance coin that a core creates, as the circuit takes it. */
interface Opening {
  readonly d: bigint;
  readonly seed: bigint;
  readonly s: bigint;
  readonly period: bigint;
  readonly sent: bigint;
  readonly count: bigint;
  readonly held: bigint;
  /** The history before a transfer, and what stands there for its payee; of a recover both histories. */
  readonly coms: readonly [bigint, bigint];
  /** What a transfer paid and claimed in both parts; of a recover returned, outflow and budget. */
  readonly values: readonly [bigint, bigint, bigint];
  readonly withdrawn: bigint;
  readonly origins: readonly [number, number];
  readonly r: bigint;
}

/** A core of this wallet, as a recover over it needs it. */
export interface OwnCore {
  /** The core in hexadecimal. */
  readonly name: string;
  readonly isRecover: boolean;
  readonly lead: bigint;
  readonly serials: readonly bigint[];
  /** The compliance coin that it creates. */
  readonly next: ComplianceCoin;
  readonly nextSerial: bigint;
  /** The serial number of the coin that a recover returns; 0 of a transfer. */
  readonly returned: bigint;
  /** The requests below it, each after those that it is over, then its own. */
  readonly list: readonly Entry[];
  /** The serial numbers of the coins that a transfer claims, without dummies, in the two parts that a recover credits. */
  readonly parts: readonly (readonly bigint[])[];
  /** The coins that a recover credits. */
  readonly credited: ReadonlySet<bigint>;
  /** The coins that it and the recovers below it return. */
  readonly returnedBelow: ReadonlySet<bigint>;
  /** What the account held before it: the most that a recover over it leaves there. */
  readonly before: bigint;
  readonly time: bigint;
  readonly unfinished: bigint;
  /** rho of each coin that it and the cores below it claim. */
  readonly claimed: readonly bigint[];
  readonly opening: Opening;
}

/** Whether the core is this one or below it. */
export const covers = ({ list }: OwnCore, name: string): boolean => list.some((entry) => entry.name === name);

/** How many coins a transfer of many claims; of two claims of 16 the longer one has the coins of the other (W-48). */
export const manyOf = ({ isRecover, claimed, list }: OwnCore): number =>
  !isRecover && list.some(({ request }) => request.transfer?.statement.family === 'claim-16') ? claimed.length : 0;

/** A transfer of this wallet, with evidence that a recover over it shows. */
export function ownTransfer(network: Network, keys: WalletKeys, plan: TransferPlan, evidence: NonNullable<RequestBelow['transfer']>['evidence']): OwnCore {
  const { statement, memo, cc, next } = plan;
  const hasher = new Hasher(network);
  const name = toHex(core(network, statement));
  const { in1, in2, origin1, origin2, counterparty } = entryOf(hasher, plan.inputs, memo);
  const [lead, ...coins] = statement.serials;
  const half = coins.length / 2;
  const real = (part: number): bigint[] => coins.filter((_, i) => i >= part * half && i < (part + 1) * half && !at(plan.inputs, i).dummy);
  return {
    ...{ name, isRecover: false, lead: lead as bigint, serials: statement.serials, next, nextSerial: hasher.serial(keys.snk, next.rho), returned: 0n },
    list: [{ name, request: { transfer: { statement, evidence }, recover: undefined }, over: [] }],
    ...{ parts: [real(0), real(1)], credited: new Set(), returnedBelow: new Set(), before: cc.held },
    ...{ time: memo.time, unfinished: BigInt(memo.unfinished), claimed: memo.claimed.map(({ rho }) => rho) },
    opening: {
      ...{ d: plan.d, seed: plan.seed, s: at(plan.outputs, 1).secrets.s, r: plan.r },
      ...{ period: next.period, sent: next.sent, count: next.count, held: next.held },
      ...{ coms: [cc.com, counterparty], values: [memo.paid, in1, in2], withdrawn: memo.withdrawn, origins: [origin1, origin2] },
    },
  };
}

/** A recover of this wallet, which a further one may be over. */
export function ownRecover(network: Network, keys: WalletKeys, made: OwnRecover): OwnCore {
  const { request, memo, next, returned, statement } = made;
  const hasher = new Hasher(network);
  const resolved = resolveRecover(network, request);
  const [x1, x2] = statement.over;
  const lead = at(statement.serials, 0);
  const { seed, outputs, r } = keys.recover({ lead, x1, x2, credits: statement.credits });
  const returnedSerial = hasher.serial(keys.snk, returned.rho);
  const below = [...resolved.made.below.values()].flatMap((one) => (one.returned === 0n ? [] : [one.returned]));
  return {
    ...{ name: made.id, isRecover: true, lead, serials: statement.serials, next, nextSerial: hasher.serial(keys.snk, next.rho), returned: returnedSerial },
    list: [...entriesOf(request, resolved), { name: made.id, request: { transfer: undefined, recover: request }, over: [toHex(x1), toHex(x2)] }],
    ...{ parts: [], credited: resolved.made.credited, returnedBelow: new Set([...below, returnedSerial]), before: memo.held },
    ...{ time: memo.time, unfinished: memo.unfinished, claimed: memo.claimed },
    opening: {
      ...{ d: made.d, seed, s: at(outputs, 1).s, r, period: memo.period, sent: memo.sent, count: memo.count, held: memo.held },
      ...{ coms: [at(memo.coms, 0), at(memo.coms, 1)], values: [memo.returned, memo.outflow, memo.budget], withdrawn: 0n, origins: [ORIGIN_PAYMENT, ORIGIN_PAYMENT] },
    },
  };
}

function entriesOf({ below }: RecoverRequest, { cores }: Resolved): Entry[] {
  return below.map((request, i) => {
    const pair = request.recover === undefined ? [] : [request.recover.statement.first, request.recover.statement.second];
    return { name: at(cores, i).name, request, over: pair.map((position) => at(cores, Number(position)).name) };
  });
}

/** The requests of both lists, each once. A recover names its own by their positions, so they are written anew. */
function merged(...lists: readonly (readonly Entry[])[]): { readonly below: RequestBelow[]; readonly position: (name: string) => bigint } {
  const entries = [...new Map(lists.flat().map((entry) => [entry.name, entry])).values()];
  const position = (name: string): bigint => BigInt(entries.findIndex((entry) => entry.name === name));
  const below = entries.map(({ request: { transfer, recover }, over }): RequestBelow => {
    if (recover === undefined) return { transfer, recover };
    const { statement, evidence } = recover;
    return { transfer, recover: { statement: { ...statement, first: position(at(over, 0)), second: position(at(over, 1)) }, evidence } };
  });
  return { below, position };
}

/** Each coin once, without those of another core and those that a recover below returned (X-24, W-10). */
function creditsOf(x1: OwnCore, x2: OwnCore, elsewhere: ReadonlySet<bigint>): readonly (readonly [boolean, boolean])[] {
  const counted = new Set([...x1.credited, ...elsewhere, ...x1.returnedBelow, ...x2.returnedBelow]);
  const credit = (part: readonly bigint[] | undefined): boolean => {
    if (part === undefined || part.length === 0 || part.some((coin) => counted.has(coin))) return false;
    part.forEach((coin) => counted.add(coin));
    return true;
  };
  return [x1, x2].map(({ parts }): [boolean, boolean] => [credit(parts[0]), credit(parts[1])]);
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** A recover that is not proved yet. */
export interface RecoverDraft {
  /** The core in hexadecimal. */
  readonly name: string;
  readonly recover: Recover;
  readonly memo: RecoverMemo;
  readonly request: Omit<RecoverRequest, 'evidence'>;
  readonly witness: (core: Bytes, alpha: bigint) => Bytes;
}

const possible = (condition: boolean, why: string): void => demand(condition, 'recover-impossible', why);

/**
 * Plans a recover over two cores of this wallet.
 *
 * @param x2 spends the lead of x1, or a successor of it or of a core below it; x1 itself for a recover over one core
 * @param elsewhere coins that other cores hold, which are not credited
 */
export function draftRecover(network: Network, keys: WalletKeys, x1: OwnCore, x2: OwnCore, elsewhere: ReadonlySet<bigint> = new Set()): RecoverDraft {
  const hasher = new Hasher(network);
  const { below, position } = merged(x1.list, x2.list);
  const pair = [x1, x2] as const;
  const chosen = creditsOf(x1, x2, elsewhere);
  const credits = chosen.flat().reduce((sum, bit, place) => sum + (bit ? 1n << BigInt(place) : 0n), 0n);
  const about: RecoverStatement = {
    ...{ first: position(x1.name), second: position(x2.name), credits },
    ...{ next: pair.map((x) => x.nextSerial), returned: pair.map((x) => x.returned) },
    ...{ outputs: [], context: new Uint8Array(32) },
  };
  // Chain, covered, and whether a recover is allowed at all, do not depend on the outputs.
  const { made, pair: cores, recover: named } = resolveRecover(network, { below, statement: about });
  const relation = relationOf(...cores, made, about);
  const secrets = keys.recover({ lead: x1.lead, x1: fromHex(x1.name), x2: fromHex(x2.name), credits: Number(credits) });

  const outflowOf = ({ isRecover, opening: { values, withdrawn } }: OwnCore): bigint => (isRecover ? values[1] : values[0] + withdrawn);
  const creditOf = ({ opening: { values } }: OwnCore, j: number): bigint => (at(chosen, j)[0] ? values[1] : 0n) + (at(chosen, j)[1] ? values[2] : 0n);
  const [w1, w2] = [outflowOf(x1), outflowOf(x2)];
  const budget = (x1.isRecover ? x1.opening.values[2] : x1.before + creditOf(x1, 0)) + creditOf(x2, 1);
  const outflow = relation.covered ? w1 : relation.chain ? w1 + w2 : larger(w1, w2);
  const issued = larger(budget - outflow, 0n);
  const held = issued < x1.before ? issued : x1.before;
  const returned = issued - held;
  const period = larger(x1.opening.period, x2.opening.period);
  const newest = pair.map(({ opening }) => opening).filter((opening) => opening.period === period);
  const sent = newest.reduce((most, opening) => larger(most, opening.sent), 0n);
  const count = newest.reduce((most, opening) => larger(most, opening.count), 0n) + 1n;
  possible(budget < AMOUNT_LIMIT && outflow < AMOUNT_LIMIT && count < COUNT_LIMIT, 'the cores do not fit 64 bits');
  const claimed = [...new Set([...x1.claimed, ...x2.claimed])].sort((one, other) => (one < other ? -1 : 1));
  possible(claimed.length <= CLAIMED_LIMIT, 'the cores below a recover claim too many coins');

  const coms = [x1.next.com, x2.next.com] as const;
  const memo: RecoverMemo = {
    time: larger(x1.time, x2.time),
    ...{ period, sent, count, held, com: hasher.recoverEntry({ coms, returned, outflow, budget, period, r: secrets.r }) },
    ...{ returned, outflow, budget, coms, unfinished: larger(x1.unfinished, x2.unfinished), claimed },
  };
  const { payoutBlock } = secrets;
  const memoBlock = sealRecoverMemo(keys.memoKey, x1.lead, encodeRecoverMemo(memo));
  const bound = context(network, payoutBlock, memoBlock);
  const { statement: recover } = planRecover(network, keys, { ...named, context: bound }, memo);
  const statement = { ...about, outputs: recover.outputs, context: bound };
  return {
    name: toHex(core(network, recover)),
    recover,
    memo,
    request: { statement, attachments: { payoutBlock, memoBlock }, below },
    witness: (id, alpha) =>
      concat(
        head(RECOVER, id),
        ...[encodeField(keys.nk), encodeKeyPoint(keys.pkAuth), encodeField(inputDigest(network, recover))],
        ...pair.map((x, j) => openingBytes(x, at(chosen, j))),
        ...[flag(relation.chain), flag(relation.covered), u64(held), encodeField(secrets.seed), encodeField(secrets.r)],
        ...secrets.outputs.map(({ s, b }) => concat(encodeField(s), encodeField(b))),
        encodeKeyScalar(alpha),
      ),
  };
}

const flag = (bit: boolean): Bytes => u8(bit ? 1 : 0);

function openingBytes({ isRecover, opening }: OwnCore, credits: readonly [boolean, boolean]): Bytes {
  const { d, seed, s, period, sent, count, held, coms, values, withdrawn, origins, r } = opening;
  const noEscrow = u8(0);
  return concat(
    ...[flag(isRecover), ...credits.map(flag), encodeField(d), encodeField(seed), encodeField(s)],
    ...[u32(period), u64(sent), u32(count), u64(held), ...coms.map(encodeField), ...values.map(u64), u64(withdrawn)],
    ...[...origins.map(u8), noEscrow, encodeField(r)],
  );
}

/** What makes and verifies recovers of a network. */
export interface RecoverOf {
  readonly network: Network;
  readonly circuit: CircuitKey;
}

/** A recover with its proof, which is verified as a validator would before anything leaves (W-07). */
export async function proveRecover(of: RecoverOf, keys: WalletKeys, draft: RecoverDraft, prove: Prove): Promise<OwnRecover> {
  const alpha = randomKeyScalar();
  const id = fromHex(draft.name);
  const proof = await prove(RECOVER, draft.witness(id, alpha));
  const rk = randomisedKey(keys.pkAuth, alpha);
  return withEvidence(of, keys, draft, { circuitVersion: of.circuit.version, rk, proof, rkSignature: signCore(keys.a, alpha, id, randomKeyScalar()) });
}

/** A recover with evidence that was made for it before, which does not depend on what the requests below it show. */
export function withEvidence(of: RecoverOf, keys: WalletKeys, draft: RecoverDraft, evidence: RecoverRequest['evidence']): OwnRecover {
  const request: RecoverRequest = { ...draft.request, evidence };
  refusedAs('proof-unverified', () => verifyOwnerEvidence(of, resolveRecover(of.network, request), request));
  const made = reopenRecover(of.network, keys, at(draft.recover.serials, 0), request);
  demand(made?.id === draft.name, 'store-corrupt', 'a recover of this wallet does not open again');
  return made;
}

type OwnStatement = Pick<RecoverRequest, 'statement' | 'evidence'>;

/** Verifies what a recover shows for itself, as a validator does, and refuses what does not hold. */
export function verifyOwnerEvidence({ network, circuit }: RecoverOf, { made, pair }: Pick<Resolved, 'made' | 'pair'>, { statement, evidence }: OwnStatement): void {
  const relation = relationOf(...pair, made, statement);
  const recover = made.recover as Recover;
  demand(evidence.circuitVersion === circuit.version, 'unknown-version', 'another version of the circuit');
  verifyCore(evidence.rk, made.id, evidence.rkSignature);
  const about = { core: made.id, d: made.d, rk: evidence.rk, h: bases(network, recover), m: recover.outputs.map(({ k }) => k) };
  const proof = decodeProof(evidence.proof, about.h.length);
  const c = verifyLink(about, proof.link);
  const inputs = recoverInputs({ pair, statement, relation, rk: evidence.rk, d: made.d, link: proof.link, c });
  demand(verifyGroth16(circuit.key, proof, inputs), 'proof-invalid', 'the proof does not hold');
}

interface RecoverInputsOf {
  readonly pair: Resolved['pair'];
  readonly statement: RecoverStatement;
  readonly relation: Relation;
  readonly rk: KeyPoint;
  readonly d: bigint;
  readonly link: Link;
  readonly c: bigint;
}

/** The public inputs of the circuit of recovers (F-47). */
export function recoverInputs({ pair, statement, relation, rk, d, link, c }: RecoverInputsOf): bigint[] {
  const { x, y } = rk.toAffine();
  const bit = (value: boolean): bigint => (value ? 1n : 0n);
  return [
    ...[...statement.next, ...statement.returned, ...pair.map(({ cm }) => cm), ...pair.map((one) => one.d)],
    ...[...pair.map(({ isRecover }) => bit(isRecover)), ...[0n, 1n, 2n, 3n].map((place) => (statement.credits >> place) & 1n)],
    ...[bit(relation.chain), bit(relation.covered), x, y, d, ...statement.outputs.map(({ cm }) => cm)],
    ...[link.a, c, ...link.z],
  ];
}

/**
 * Whether a recover that was shown verifies, with every recover below it, and its list has exactly the cores below it, each once. What
 * transfers below it show is judged beside it.
 */
export function verifiesRecover(of: RecoverOf, request: RecoverRequest): boolean {
  try {
    const { made, pair, cores } = resolveRecover(of.network, request);
    const listed = new Set(cores.map(({ name }) => name));
    if (listed.size !== cores.length || listed.size !== made.below.size || cores.some(({ name }) => !made.below.has(name))) return false;
    for (const [i, { recover }] of request.below.entries()) {
      if (recover === undefined) continue;
      const [first, second] = [recover.statement.first, recover.statement.second].map((position) => at(cores, Number(position)));
      verifyOwnerEvidence(of, { made: at(cores, i), pair: [first, second] as Resolved['pair'] }, recover);
    }
    verifyOwnerEvidence(of, { made, pair }, request);
    return true;
  } catch (e) {
    if (e instanceof Refusal) return false;
    throw e;
  }
}
