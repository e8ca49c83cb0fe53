import { at, concat, equal, sized, toHex, u32, u64, u8, type Bytes } from './bytes.js';
import { context, core, inputDigest, type Recover } from './digests.js';
import { decodeField, encodeField } from './field.js';
import { Hasher, ORIGIN_OWN, type Coin, type ComplianceCoin } from './hash.js';
import type { WalletKeys } from './keys.js';
import { openRecoverMemo } from './memo.js';
import type { RecoverRequest, RecoverStatement } from './messages.js';
import type { Network } from './network.js';
import { blindOutputs, type Plan } from './plan.js';
import { amount, Reader } from './reader.js';
import { demand, Refusal, wellFormed } from './refusal.js';

// Recovers of a wallet, as its chain shows them (page 9, W-05). This implementation makes none.

/** What a recover was (F-35). */
export interface RecoverMemo {
  readonly time: bigint;
  /** Of the new compliance coin, as the four behind it. */
  readonly period: bigint;
  readonly sent: bigint;
  readonly count: bigint;
  readonly held: bigint;
  readonly com: bigint;
  /** The value of the returned coin. */
  readonly returned: bigint;
  /** What is burnt. */
  readonly outflow: bigint;
  readonly budget: bigint;
  /** The histories of the compliance coins of X1 and X2. */
  readonly coms: readonly bigint[];
  readonly unfinished: bigint;
  /** rho of each coin that a core below it claims. */
  readonly claimed: readonly bigint[];
}

const LENGTH = 1008;
const VERSION = 1;
const CLAIMED_LIMIT = 26;
const UNFINISHED_LIMIT = 1n << 31n;

/** The 1008 bytes of a memo (F-35). */
export function encodeRecoverMemo(memo: RecoverMemo): Bytes {
  const content = concat(
    ...[u8(VERSION), u64(amount(memo.time))],
    ...[u32(memo.period), u64(amount(memo.sent)), u32(memo.count), u64(amount(memo.held)), encodeField(memo.com)],
    ...[memo.returned, memo.outflow, memo.budget].map((value) => u64(amount(value))),
    ...memo.coms.map(encodeField),
    ...[u32(memo.unfinished), u8(memo.claimed.length), ...memo.claimed.map(encodeField)],
  );
  return concat(content, new Uint8Array(LENGTH - content.length));
}

/** A memo from its 1008 bytes. The bytes behind its content are not looked at. */
export function decodeRecoverMemo(bytes: Bytes): RecoverMemo {
  return wellFormed(() => {
    const reader = new Reader(sized(bytes, LENGTH, 'a memo'));
    demand(reader.small(1) === VERSION, 'malformed-request', 'a memo of another version');
    const element = (): bigint => decodeField(reader.take(32));
    const memo = {
      time: reader.time(),
      ...{ period: reader.integer(4), sent: reader.amount(), count: reader.integer(4), held: reader.amount(), com: element() },
      ...{ returned: reader.amount(), outflow: reader.amount(), budget: reader.amount() },
      coms: [element(), element()],
      unfinished: reader.integer(4),
    };
    demand(memo.unfinished < UNFINISHED_LIMIT, 'malformed-request', 'a number of transfers is not below 2^31');
    const count = reader.small(1);
    demand(count <= CLAIMED_LIMIT, 'malformed-request', 'too many claimed coins');
    return { ...memo, claimed: Array.from({ length: count }, element) };
  });
}

/** A core below a recover, and the recover itself: what the rules of page 9 ask of it. */
interface Core {
  readonly id: Bytes;
  readonly lead: bigint;
  /** The serial numbers of the coins that a transfer claims, dummies among them, in the two parts that a recover credits; none of a recover. */
  readonly parts: readonly (readonly bigint[])[];
  /** Cores below it by their ids, itself not among them. */
  readonly below: ReadonlyMap<string, Core>;
  /** The serial numbers of what the cores below created: successors, and returned coins of recovers. */
  readonly created: ReadonlySet<bigint>;
  /** C(X): the coins that a recover credits; none of a transfer. */
  readonly credited: ReadonlySet<bigint>;
}

/** The recover over two cores. The statement's positions and list are not looked at. */
function over(network: Network, x1: Core, x2: Core, statement: RecoverStatement): { readonly made: Core; readonly recover: Recover } {
  const credit = (x: Core, j: number): bigint[] => [0, 1].filter((i) => (statement.credits >> BigInt(2 * j + i)) & 1n).flatMap((i) => at(x.parts, i));
  const credited = new Set([...x1.credited, ...credit(x1, 0), ...credit(x2, 1)]);
  const created = new Set([...x1.created, ...x2.created, ...statement.next, ...statement.returned.filter((serial) => serial !== 0n)]);
  const others = [...new Set([...created, ...credited])].sort((one, other) => (one < other ? -1 : 1));
  const recover: Recover = {
    family: 'recover',
    serials: [x1.lead, ...others],
    over: [x1.id, x2.id],
    credits: Number(statement.credits),
    outputs: statement.outputs,
    context: statement.context,
  };
  const below = new Map([...x1.below, ...x2.below, [toHex(x1.id), x1], [toHex(x2.id), x2]]);
  return { made: { id: core(network, recover), lead: x1.lead, parts: [], below, created, credited }, recover };
}

/** The statement of a recover as it is hashed, from the request's list (F-33, X-21), and the cores below it in hexadecimal. */
export function resolveRecover(
  network: Network,
  { below, statement }: Pick<RecoverRequest, 'below' | 'statement'>,
): { readonly recover: Recover; readonly below: readonly string[] } {
  const cores: Core[] = [];
  const pair = (s: RecoverStatement): [Core, Core] => [at(cores, Number(s.first)), at(cores, Number(s.second))];
  for (const { transfer, recover } of below) {
    if (recover !== undefined) {
      cores.push(over(network, ...pair(recover.statement), recover.statement).made);
    } else if (transfer !== undefined) {
      const [lead, ...inputs] = transfer.statement.serials;
      const half = inputs.length / 2;
      const parts = [inputs.slice(0, half), inputs.slice(half)];
      cores.push({ id: core(network, transfer.statement), lead: lead as bigint, parts, below: new Map(), created: new Set(), credited: new Set() });
    }
  }
  const { made, recover } = over(network, ...pair(statement), statement);
  return { recover, below: [...made.below.keys()] };
}

/** A recover of the wallet's own, with both outputs: the returned coin, then the compliance coin. */
export interface OwnRecover extends Plan<Recover> {
  /** The core in hexadecimal. */
  readonly id: string;
  readonly request: RecoverRequest;
  readonly memo: RecoverMemo;
  /** The cores that it burnt, in hexadecimal. */
  readonly below: readonly string[];
  readonly returned: Coin;
  readonly next: ComplianceCoin;
}

/** The recover that a request shows, if the wallet's words made it over the coin with this lead: outputs and blocks follow from the seed (W-02). */
export function reopenRecover(network: Network, keys: WalletKeys, lead: bigint, request: RecoverRequest): OwnRecover | undefined {
  const { payoutBlock, memoBlock } = request.attachments;
  const content = openRecoverMemo(keys.memoKey, lead, memoBlock);
  if (content === undefined) return undefined;
  // A memo that opens and is refused is of a newer wallet, and stops this one (F-05).
  const memo = decodeRecoverMemo(content);
  try {
    const { recover, below } = resolveRecover(network, request);
    const [x1, x2] = recover.over;
    const secrets = keys.recover({ lead, x1, x2, credits: recover.credits });
    const plan = planRecover(network, keys, recover, memo);
    const same = recover.serials[0] === lead && equal(payoutBlock, secrets.payoutBlock) && equal(context(network, payoutBlock, memoBlock), recover.context);
    if (!same || !equal(core(network, plan.statement), core(network, recover))) return undefined;
    return { ...plan, id: toHex(core(network, recover)), request, memo, below };
  } catch (e) {
    if (e instanceof Refusal) return undefined;
    throw e;
  }
}

/** The outputs of a recover. Those of the given one are not looked at. */
export function planRecover(network: Network, keys: WalletKeys, { outputs: _, ...about }: Recover, memo: RecoverMemo): Plan<Recover> & Pick<OwnRecover, 'returned' | 'next'> {
  const hasher = new Hasher(network);
  const [x1, x2] = about.over;
  const { seed, outputs } = keys.recover({ lead: at(about.serials, 0), x1, x2, credits: about.credits });
  const d = inputDigest(network, about);
  const rhos = hasher.rhos(seed, d);
  const { period, sent, count, held, com } = memo;
  const returned: Coin = { value: memo.returned, origin: ORIGIN_OWN, apk: keys.apk, rho: rhos[0] };
  const next: ComplianceCoin = { apk: keys.apk, rho: rhos[1], period, sent, count, held, com };
  const messages = [hasher.coin(returned), hasher.complianceCoin(next)];
  return {
    statement: { ...about, outputs: blindOutputs(network, d, 0n, messages, outputs) },
    d,
    outputs: messages.map((message, j) => ({ rho: at(rhos, j), message, secrets: at(outputs, j) })),
    returned,
    next,
  };
}
