import type { ComplianceCoin } from './hash.js';
import { demand, Refusal } from './refusal.js';
import type { Limits } from './witness.js';

// What a wallet checks before it proves, so that a refusal names the limit; the circuit enforces the same (T-09 to T-15).

/** The account after a transfer in a period, without rho and history (T-11 to T-14). */
export function accountAfter(cc: ComplianceCoin, period: bigint, paid: bigint, withdrawn: bigint, claimed: bigint): ComplianceCoin {
  demand(period >= cc.period, 'stale-period', 'the period is before that of the last transfer');
  const same = period === cc.period;
  return { ...cc, period, sent: (same ? cc.sent : 0n) + paid, count: (same ? cc.count : 0n) + 1n, held: cc.held + claimed - paid - withdrawn };
}

/** Refuses an amount that a limit on payments does not allow. */
export function requireWithinLimits(cc: ComplianceCoin, limits: Limits, period: bigint, paid: bigint): void {
  const after = accountAfter(cc, period, paid, 0n, paid);
  demand(paid <= limits.perTransfer, 'over-limit-transfer', 'the amount is above the limit of one transfer');
  demand(after.sent <= limits.perPeriod, 'over-limit-period', "the amount is above what is left of the period's limit");
  demand(after.count <= limits.transfers, 'over-limit-count', 'no transfer is left in this period');
}

/** Whether a balance is within the limit on holding, or no higher than before (T-15). */
export const mayHold = (cc: ComplianceCoin, limits: Limits, held: bigint): boolean => held >= 0n && (held <= limits.held || held <= cc.held);

/** How many coins' pairs are tried. */
const CONSIDERED = 64;

/** A coin that may be claimed. */
interface Valued {
  readonly value: bigint;
}

const total = (coins: readonly Valued[]): bigint => coins.reduce((sum, coin) => sum + coin.value, 0n);

/** The coins to try: the largest, which cover an amount, and the smallest, which fit under the limit. */
function considered<C extends Valued>(coins: readonly C[]): C[] {
  const sorted = [...coins].sort((one, other) => (one.value < other.value ? 1 : one.value > other.value ? -1 : 0));
  return sorted.length <= CONSIDERED ? sorted : [...sorted.slice(0, CONSIDERED / 2), ...sorted.slice(-CONSIDERED / 2)];
}

/** The coins that a transfer claims: at most two, as many and as much as the limit on holding allows. Undefined where none covers the amounts. */
export function chooseCoins<C extends Valued>(cc: ComplianceCoin, limits: Limits, coins: readonly C[], spent: bigint): readonly C[] | undefined {
  const all = considered(coins);
  const options: C[][] = [[], ...all.flatMap((one, i) => [[one], ...all.slice(i + 1).map((other) => [one, other])])];
  const fitting = options.filter((option) => mayHold(cc, limits, cc.held - spent + total(option)));
  const better = (one: C[], other: C[]): boolean => one.length > other.length || (one.length === other.length && total(one) > total(other));
  return fitting.reduce<C[] | undefined>((best, option) => (best === undefined || better(option, best) ? option : best), undefined);
}

/** The coins of a claim without a payment. */
export function chooseClaim<C extends Valued>(cc: ComplianceCoin, limits: Limits, coins: readonly C[]): readonly C[] {
  const chosen = chooseCoins(cc, limits, coins, 0n);
  if (chosen === undefined || chosen.length === 0) throw new Refusal('over-limit-held', 'no received coin fits under the limit on holding');
  return chosen;
}

/** The claims that have to come first, and the coins of the payment's own transfer. */
export interface PaymentPlan<C> {
  readonly claims: readonly (readonly C[])[];
  readonly inputs: readonly C[];
}

/** Plans a whole payment before anything is sent, so that no coin is claimed for one that is impossible. */
export function planPayment<C extends Valued>(
  start: ComplianceCoin,
  limits: Limits,
  period: bigint,
  received: readonly C[],
  paid: bigint,
  withdrawn = 0n,
): PaymentPlan<C> {
  requireWithinLimits(start, limits, period, paid);
  demand(start.held + total(received) >= paid + withdrawn, 'insufficient-funds', 'the wallet holds less than the amount');
  const claims: (readonly C[])[] = [];
  let [cc, coins] = [start, received];
  for (;;) {
    requireWithinLimits(cc, limits, period, paid);
    const inputs = chooseCoins(cc, limits, coins, paid + withdrawn);
    if (inputs !== undefined) return { claims, inputs };
    const claim = chooseClaim(cc, limits, coins);
    claims.push(claim);
    coins = coins.filter((coin) => !claim.includes(coin));
    cc = accountAfter(cc, period, 0n, 0n, total(claim));
  }
}

