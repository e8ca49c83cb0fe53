import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { money, parseMoney, plain } from '../src/money.js';

it('reads amounts with a point or a comma, and no others', () => {
  const read = (text: string): bigint | undefined => parseMoney(text, 'EUR');
  assert.deepEqual(['12', '12.5', '12,50', ' 0.01 '].map(read), [1_200n, 1_250n, 1_250n, 1n]);
  const refused = ['', '0', '0,00', '-1', '+1', '1.234', '1,2,3', '1 000', '1e3', '٣', '1.', '.5', '92233720368547758.08', '9'.repeat(16)];
  assert.deepEqual(refused.map(read), refused.map(() => undefined));
  assert.deepEqual([parseMoney('12', 'JPY'), parseMoney('12.5', 'JPY'), parseMoney('1.234', 'KWD')], [12n, undefined, 1_234n]);
});

it('writes amounts exactly, beyond what a number holds', () => {
  const spaces = (text: string): string => text.replace(/\s/gu, ' ');
  assert.equal(money(1_250n, 'EUR', 'en'), '€12.50');
  assert.equal(spaces(money(1_250n, 'EUR', 'de')), '12,50 €');
  assert.equal(money(9_007_199_254_740_993n, 'EUR', 'en'), '€90,071,992,547,409.93');
  assert.equal(money(-5n, 'EUR', 'en'), '-€0.05');
});

it('writes into a field what it reads from it', () => {
  for (const language of ['en', 'de']) {
    for (const minor of [1n, 99n, 100n, 1_234_567n]) assert.equal(parseMoney(plain(minor, 'EUR', language), 'EUR'), minor);
  }
});
