import { at, equal, type Bytes } from './bytes.js';
import { contextOf, inputDigest } from './digests.js';
import { Hasher, ORIGIN_OWN, ORIGIN_PAYMENT } from './hash.js';
import type { WalletKeys } from './keys.js';
import type { Committee } from './manifest.js';
import { openSeveral } from './memo.js';
import type { ShownTransfer } from './messages.js';
import type { Network } from './network.js';
import { demand, Refusal } from './refusal.js';
import type { Verdict } from './states.js';

// Transfers to several payees that another program of the same words made (F-81). This implementation does not follow them: it stops where
// one may spend the coin, and goes on where the authorities never take it.

/**
 * The period of such a transfer, if what is shown is what a program of these words made. The first c_m hides a secret that depends on the
 * period, so nobody else can show the same transfer with another one.
 *
 * @param memo what its block contains
 */
function periodOf(network: Network, keys: WalletKeys, lead: bigint, memo: Bytes, { statement, payoutBlock, memoBlock }: ShownTransfer): bigint | undefined {
  try {
    const { counter, withdrawn, paid, payee } = openSeveral(memo);
    const { serials, cms, period, context } = statement;
    const bound = contextOf(network, payoutBlock, memoBlock);
    if (serials[0] !== lead || statement.withdrawn !== withdrawn || !equal(bound, context)) return undefined;
    const hasher = new Hasher(network);
    const { seed, outputs } = keys.transfer({ snCc: lead, counter, period, context });
    const d = inputDigest(network, { family: 'pay-8', serials, withdrawn, context });
    const [rho] = hasher.rhos(seed, d);
    const message = hasher.coin({ value: paid, origin: payee === keys.apk ? ORIGIN_OWN : ORIGIN_PAYMENT, apk: payee, rho });
    return hasher.commitment(at(outputs, 0).s, message) === cms[0] ? period : undefined;
  } catch (e) {
    if (e instanceof Refusal) return undefined; // of a newer form
    throw e;
  }
}

/**
 * Refuses with `not-supported` when a transfer to several payees spends the coin with this serial number, or may. It may not when 2f + 1
 * authorities sign that the coin is free, with floors above the transfer's period: they take it no more (W-09). Nor may it when 2f + 1 sign
 * that one core of this wallet's holds the coin. A block without its transfer is of an older coin, or one authority alone shows it: it
 * counts for nothing while 2f + 1 sign that the coin is free and nobody signs that an unknown core holds it.
 *
 * @param opened contents of the memo blocks of such transfers by their block
 * @param shown the transfers that could be read
 * @param followed the cores of this wallet that spend the coin, in hexadecimal
 */
export function requireGivenUp(
  network: Network,
  keys: WalletKeys,
  { f }: Committee,
  lead: bigint,
  opened: ReadonlyMap<Bytes, Bytes>,
  shown: readonly ShownTransfer[],
  { free, held }: Verdict,
  followed: ReadonlySet<string>,
): void {
  const holders = [...held.values()];
  if ([...followed].some((id) => holders.filter((holder) => holder === id).length >= 2 * f + 1)) return;
  const isFree = free.size >= 2 * f + 1 && holders.every((holder) => followed.has(holder));
  for (const [block, memo] of opened) {
    const same = shown.filter(({ memoBlock }) => equal(memoBlock, block));
    // a liar may show the block with another period
    const periods = same.flatMap((one) => periodOf(network, keys, lead, memo, one) ?? []);
    const over = periods.filter((period) => [...free.values()].filter((floors) => floors.period > period).length >= 2 * f + 1);
    const givenUp = periods.length > 0 ? over.length === periods.length : isFree;
    demand(givenUp, 'not-supported', 'another program of these words paid several payees with one proof, which this one does not follow');
  }
}
