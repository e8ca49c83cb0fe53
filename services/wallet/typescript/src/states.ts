import { ed25519 } from '@noble/curves/ed25519.js';
import { ascii, concat, toHex, u32, u64, u8, type Bytes } from './bytes.js';
import { core } from './digests.js';
import { encodeField } from './field.js';
import type { CoinState, SignedStates, TransferRequest } from './gateway.js';
import { stateKeys, type Committee } from './manifest.js';
import type { Network } from './network.js';
import type { TransferPlan } from './plan.js';
import { demand } from './refusal.js';

// What authorities sign about serial numbers, and what a wallet makes of it (W-08, W-09).

const NONE = new Uint8Array(32);

/** What a shard signs for a wallet's nonce. */
export function stateMessage(network: Network, nonce: Bytes, { mapVersion, floors, states }: Omit<SignedStates, 'authority' | 'signature'>): Bytes {
  const { policyVersion, checkpointVersion, period } = floors;
  return concat(
    ...[ascii('solidus/state/v1'), u8(0), network.digest, nonce, u64(mapVersion)],
    ...[u64(policyVersion), u64(checkpointVersion), u32(period), u8(states.length)],
    ...states.map(({ serial, core, request }) => concat(encodeField(serial), u8(core === undefined ? 0 : 1), core ?? NONE, request ?? NONE)),
  );
}

/** Whether an authority signed an answer for the nonce with a key that counts now. */
export function isSignedState(network: Network, committee: Committee, nonce: Bytes, answer: SignedStates, now: number): boolean {
  const message = stateMessage(network, nonce, answer);
  return stateKeys(committee, answer.authority, now).some((key) => ed25519.verify(answer.signature, message, key, { zip215: false }));
}

export type Floors = SignedStates['floors'];

/** A transfer of this wallet out of the coin that was asked for. */
export interface OwnTransfer {
  /** The core in hexadecimal. */
  readonly id: string;
  readonly plan: TransferPlan;
  /** They differ in their evidence. */
  readonly requests: readonly TransferRequest[];
  /** How many authorities signed that they hold this core. */
  readonly holders: number;
}

export interface Verdict {
  /** In the order to try them; at most one, unless two copies of the wallet paid. */
  readonly own: readonly OwnTransfer[];
  /** The floors of each authority that signed that the coin is free. */
  readonly free: ReadonlyMap<bigint, Floors>;
  /** The core, in hexadecimal, that each other authority signed that it holds. */
  readonly held: ReadonlyMap<bigint, string>;
  /** Whether 2f + 1 authorities signed that; the coin is unspent when also no transfer of this wallet was shown. */
  readonly unspent: boolean;
}

/**
 * The verdict on one coin.
 *
 * @param signed answers whose signatures were verified, all for one nonce
 * @param reopen the plan of a request that is this wallet's own and spends the coin
 */
export function verdictOn(
  network: Network,
  committee: Committee,
  coin: CoinState,
  signed: readonly SignedStates[],
  reopen: (request: TransferRequest) => TransferPlan | undefined,
): Verdict {
  const free = new Map<bigint, Floors>();
  const held = new Map<bigint, string>();
  for (const answer of signed) {
    const state = answer.states.find((one) => one.serial === coin.serial);
    if (state === undefined) continue;
    demand(!free.has(answer.authority) && !held.has(answer.authority), 'gateway-misbehaved', 'two answers of one authority about a coin');
    if (state.core === undefined) free.set(answer.authority, answer.floors);
    else held.set(answer.authority, toHex(state.core));
  }
  const own = new Map<string, OwnTransfer>();
  for (const { request } of coin.requests) {
    const id = toHex(core(network, request.statement));
    const known = own.get(id);
    const plan = known?.plan ?? reopen(request);
    if (plan === undefined) continue;
    const holders = [...held.values()].filter((one) => one === id).length;
    own.set(id, { id, plan, requests: [...(known?.requests ?? []), request], holders });
  }
  const likeliest = [...own.values()].sort((one, other) => before(committee, one, other));
  return { own: likeliest, free, held, unspent: free.size >= 2 * committee.f + 1 };
}

/** Those that f + 1 authorities hold come first, then the one made last (W-08). */
function before(committee: Committee, one: OwnTransfer, other: OwnTransfer): number {
  const held = ({ holders }: OwnTransfer): number => (holders > committee.f ? 0 : 1);
  const { memo: a } = one.plan;
  const { memo: b } = other.plan;
  return held(one) - held(other) || b.counter - a.counter || Number(b.time > a.time) - Number(b.time < a.time) || (one.id < other.id ? -1 : 1);
}

/** Whether an authority with these floors may still take a core that is new to it, proved under these rules and never newer ones (W-09). */
export const mayTake = (floors: Floors, proved: { readonly policy: bigint; readonly checkpoint: bigint }, period: bigint): boolean =>
  proved.policy >= floors.policyVersion && proved.checkpoint >= floors.checkpointVersion && period >= floors.period;
