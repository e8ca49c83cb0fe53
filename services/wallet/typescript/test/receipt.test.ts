import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { core, type Transfer } from '../src/digests.js';
import { g1, power } from '../src/groups.js';
import { Hasher } from '../src/hash.js';
import { receipt, readBody, transferStatement, writeBody } from '../src/messages.js';
import { verifyReceipt } from '../src/receipt.js';
import { FakeNetwork, network } from './fake.js';
import { element, refused } from './refused.js';

// Receipts of transfers of other shapes (F-23).

const COIN = { origin: 0n, valueMinor: 1_234n, apk: element(31), rho: element(32), s: element(33) };

/** A transfer of a family with the coin at a place. */
function transferWith(family: 'pay-8' | 'claim-16', place: number): Transfer {
  const hasher = new Hasher(network);
  const message = hasher.coin({ origin: 0, value: COIN.valueMinor, apk: COIN.apk, rho: COIN.rho });
  const outputs = Array.from({ length: family === 'pay-8' ? 9 : 2 }, (_, j) => ({
    cm: j === place ? hasher.commitment(COIN.s, message) : element(40 + j),
    k: power(g1, element(50 + j)),
  }));
  const serials = Array.from({ length: family === 'pay-8' ? 3 : 17 }, (_, i) => element(60 + i));
  return { family, serials, outputs, period: 202611n, withdrawn: 0n, context: new Uint8Array(32).fill(3) };
}

const receiptOf = (statement: Transfer, authorities: readonly number[], coin = COIN): string =>
  writeBody(receipt, { format: 'solidus/receipt/v1', networkId: network.id, statement, votes: FakeNetwork.votes(statement, authorities), coin });

const verified = (text: string, kind: 'regulated' | 'unregulated' = 'regulated') => verifyReceipt(network, kind, FakeNetwork.committee, text);

describe('a receipt of a transfer to several', () => {
  it('opens the coin of one payee, whichever it is, and never the compliance coin', () => {
    for (const place of [0, 2, 5, 8]) {
      const statement = transferWith('pay-8', place);
      assert.deepEqual(verified(receiptOf(statement, [1, 2, 4])), core(network, statement));
    }
    refused('receipt-invalid', () => verified(receiptOf(transferWith('pay-8', 1), [1, 2, 3, 4])));
  });

  it('needs 2f + 1 votes, the amount that was paid, and a regulated network', () => {
    const statement = transferWith('pay-8', 3);
    refused('receipt-invalid', () => verified(receiptOf(statement, [1, 2])));
    refused('receipt-invalid', () => verified(receiptOf(statement, [1, 2, 3], { ...COIN, valueMinor: 1_235n })));
    refused('receipt-invalid', () => verified(receiptOf(statement, [1, 2, 3]), 'unregulated'));
    refused('receipt-invalid', () => verified(receiptOf({ ...statement, outputs: statement.outputs.slice(0, 8) }, [1, 2, 3])));
  });

  it('does not make a wallet read such a transfer', () => {
    const text = JSON.stringify((JSON.parse(receiptOf(transferWith('pay-8', 0), [1, 2, 3])) as { statement: unknown }).statement);
    refused('malformed-request', () => readBody(transferStatement, text));
  });
});

it('a receipt of a claim of 16 opens its payment', () => {
  const statement = transferWith('claim-16', 0);
  assert.deepEqual(verified(receiptOf(statement, [2, 3, 4])), core(network, statement));
  refused('receipt-invalid', () => verified(receiptOf(transferWith('claim-16', 1), [2, 3, 4])));
});
