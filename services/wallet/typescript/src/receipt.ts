import type { Bytes } from './bytes.js';
import { core } from './digests.js';
import { Hasher } from './hash.js';
import type { Of } from './json.js';
import type { Committee } from './manifest.js';
import { readBody, receipt } from './messages.js';
import type { Network } from './network.js';
import { demand, refusedAs } from './refusal.js';
import { voters } from './votes.js';

// Receipts: a payer's evidence of one transfer for others (F-23).

/** The core of a transfer whose receipt this is: 2f + 1 authorities voted for it, and an output other than the second is the coin that the receipt opens. */
export function verifyReceipt(network: Network, kind: 'regulated' | 'unregulated', committee: Committee, text: string): Bytes {
  return refusedAs('receipt-invalid', () => {
    const { format, networkId, statement, votes, coin } = readBody(receipt, text);
    demand(format === 'solidus/receipt/v1', 'receipt-invalid', 'a receipt of another format');
    demand(networkId === network.id, 'receipt-invalid', 'a receipt of another network');
    const families = kind === 'regulated' ? ['transfer', 'claim-16', 'pay-8'] : ['transfer-unregulated'];
    demand(families.includes(statement.family), 'receipt-invalid', 'a network of another kind');
    const signed = core(network, statement);
    const count = voters(committee, signed, votes).size;
    demand(count >= 2 * committee.f + 1, 'receipt-invalid', `${count} authorities have voted`);
    const commitment = new Hasher(network).commitment(coin.s, messageOf(network, kind, coin));
    // the second output is the next compliance coin, or the payer's change
    demand(statement.outputs.some(({ cm }, j) => j !== 1 && cm === commitment), 'receipt-invalid', 'no output is this coin');
    return signed;
  });
}

function messageOf(network: Network, kind: 'regulated' | 'unregulated', coin: Of<typeof receipt>['coin']): bigint {
  const hasher = new Hasher(network);
  const about = { value: coin.valueMinor, apk: coin.apk, rho: coin.rho };
  if (kind === 'regulated') return hasher.coin({ ...about, origin: Number(coin.origin) });
  demand(coin.origin === 0n, 'receipt-invalid', 'coins of an unregulated network have no origin');
  return hasher.coinUnregulated(about);
}
