import { at, type Bytes } from './bytes.js';
import { context, inputDigest, outputBase, type Blinded, type Mint, type Outputs, type Register, type Transfer } from './digests.js';
import { Hasher, ORIGIN_MINT, ORIGIN_NONE, ORIGIN_OWN, ORIGIN_PAYMENT, type ComplianceCoin, type Entry } from './hash.js';
import type { OutputSecrets, WalletKeys } from './keys.js';
import { accountAfter } from './limits.js';
import { encodeMemo, MANY, sealMemo, type ClaimedCoin, type Memo } from './memo.js';
import type { Network } from './network.js';
import { demand } from './refusal.js';
import { blind } from './signatures.js';

// The statements that follow from a phrase: the same inputs give the same core (W-02).

/** A statement with what the wallet has to remember of its outputs. */
export interface Plan<S> {
  readonly statement: S;
  readonly d: bigint;
  /** The rho and the message of each output. */
  readonly outputs: readonly { readonly rho: bigint; readonly message: bigint; readonly secrets: OutputSecrets }[];
}

/** c_m and k of every output of a statement (S-02). Each base depends on every c_m. */
export function blindOutputs(network: Network, d: bigint, period: bigint, messages: readonly bigint[], secrets: readonly OutputSecrets[]): Blinded[] {
  const hasher = new Hasher(network);
  const cms = messages.map((message, j) => hasher.commitment(at(secrets, j).s, message));
  const outputs: Outputs = { d, period, cms };
  return messages.map((message, j) => ({ cm: at(cms, j), k: blind(outputBase(network, outputs, j), message, at(secrets, j).b) }));
}

/** The wallet's registration: its first compliance coin. */
export function planRegistration(network: Network, keys: WalletKeys): Plan<Register> {
  const hasher = new Hasher(network);
  const { seed, ...secrets } = keys.registration();
  const d = inputDigest(network, { family: 'register', apk: keys.apk });
  const [rho] = hasher.rhos(seed, d);
  const message = hasher.complianceCoin({ apk: keys.apk, rho, period: 0n, sent: 0n, count: 0n, held: 0n, com: 0n });
  const [output] = blindOutputs(network, d, 0n, [message], [secrets]);
  return { statement: { family: 'register', apk: keys.apk, output: output as Blinded }, d, outputs: [{ rho, message, secrets }] };
}

/** A mint of a coin for the wallet itself (M-04). */
export function planMint(network: Network, keys: WalletKeys, mintId: Bytes, value: bigint): Plan<Mint> {
  const hasher = new Hasher(network);
  const { seed, ...secrets } = keys.mint(mintId);
  const d = inputDigest(network, { family: 'mint', mintId, value });
  const [rho] = hasher.rhos(seed, d);
  const message = hasher.coin({ value, origin: ORIGIN_MINT, apk: keys.apk, rho });
  const [output] = blindOutputs(network, d, 0n, [message], [secrets]);
  return { statement: { family: 'mint', mintId, value, output: output as Blinded }, d, outputs: [{ rho, message, secrets }] };
}

/** An input of a transfer: a claimed coin, or a dummy of value 0 with a rho of its own. */
export interface Input extends ClaimedCoin {
  readonly dummy: boolean;
}

export interface TransferPlan extends Plan<Transfer> {
  /** The compliance coin that the transfer spends. */
  readonly cc: ComplianceCoin;
  readonly memo: Memo;
  readonly inputs: readonly Input[];
  readonly seed: bigint;
  /** r of the history. */
  readonly r: bigint;
  readonly payoutBlock: Bytes;
  readonly memoBlock: Bytes;
  /** The compliance coin that the transfer makes. */
  readonly next: ComplianceCoin;
}

/** The families of transfers that a wallet of a regulated network reads: two coins, or a claim of 16. */
export type OwnFamily = 'transfer' | 'claim-16';

/** How many coins a transfer of a family claims at most. */
export const mostCoins = (family: OwnFamily): number => (family === 'claim-16' ? MANY : 2);

const totalOf = (inputs: readonly Input[]): bigint => inputs.reduce((sum, { value }) => sum + value, 0n);

/** What an entry of the history says of coins and payee: each coin, or the halves of many (O-12, T-34). */
export function entryOf(hasher: Hasher, inputs: readonly Input[], memo: Memo): Pick<Entry, 'in1' | 'in2' | 'origin1' | 'origin2' | 'counterparty'> {
  if (inputs.length === 2) {
    const [input1, input2] = [at(inputs, 0), at(inputs, 1)];
    return { in1: input1.value, in2: input2.value, origin1: input1.origin, origin2: input2.origin, counterparty: memo.payee };
  }
  const half = inputs.length / 2;
  return {
    ...{ in1: totalOf(inputs.slice(0, half)), in2: totalOf(inputs.slice(half)) },
    ...{ origin1: ORIGIN_NONE, origin2: ORIGIN_NONE },
    counterparty: hasher.details({ coins: inputs, payments: [{ paid: memo.paid, payee: memo.payee }] }),
  };
}

/**
 * A transfer out of a compliance coin in a period: payment, claim, withdrawal, or several of them (T-04 to T-20). A claim of 16 is one
 * with other clauses of its entry (T-32 to T-34).
 */
export function planTransfer(
  network: Network,
  keys: WalletKeys,
  cc: ComplianceCoin,
  period: bigint,
  memo: Memo,
  payoutBlock: Bytes,
  family: OwnFamily = 'transfer',
): TransferPlan {
  const hasher = new Hasher(network);
  const snCc = hasher.serial(keys.snk, cc.rho);
  const memoBlock = sealMemo(keys.memoKey, snCc, encodeMemo(memo, mostCoins(family)));
  const bound = context(network, payoutBlock, memoBlock);
  const secrets = keys.transfer({ snCc, counter: memo.counter, period, context: bound }, mostCoins(family));

  const inputs = secrets.dummies.map((rho, i): Input => {
    const coin = memo.claimed[i];
    return coin === undefined ? { origin: ORIGIN_PAYMENT, value: 0n, rho, dummy: true } : { ...coin, dummy: false };
  });
  const serials = [snCc, ...inputs.map((input) => hasher.serial(keys.snk, input.rho))];
  demand(new Set(serials).size === serials.length, 'OUT_OF_RANGE', 'a coin is spent twice');
  const d = inputDigest(network, { family, serials, withdrawn: memo.withdrawn, context: bound });
  const rhos = hasher.rhos(secrets.seed, d);

  const origin = memo.payee === keys.apk ? ORIGIN_OWN : ORIGIN_PAYMENT;
  const payment = hasher.coin({ value: memo.paid, origin, apk: memo.payee, rho: rhos[0] });
  const com = hasher.entry({
    ...entryOf(hasher, inputs, memo),
    com: cc.com,
    paid: memo.paid,
    withdrawn: memo.withdrawn,
    escrow: false,
    period,
    r: secrets.r,
  });
  const next = { ...accountAfter(cc, period, memo.paid, memo.withdrawn, totalOf(inputs)), rho: rhos[1], com };
  const messages = [payment, hasher.complianceCoin(next)];

  const outputs = blindOutputs(network, d, period, messages, secrets.outputs);
  return {
    statement: { family, serials, outputs, period, withdrawn: memo.withdrawn, context: bound },
    d,
    outputs: messages.map((message, j) => ({ rho: at(rhos, j), message, secrets: at(secrets.outputs, j) })),
    cc,
    memo,
    inputs,
    seed: secrets.seed,
    r: secrets.r,
    payoutBlock,
    memoBlock,
    next,
  };
}
