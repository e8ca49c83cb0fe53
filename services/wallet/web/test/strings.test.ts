import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { de } from '../src/strings/de.js';
import { en, type Key } from '../src/strings/en.js';
import { failureText, text } from '../src/strings/index.js';

const values = (of: string): string[] => [...of.matchAll(/\{[A-Z]+\}/g)].map(([name]) => name).sort();

it('both languages have every text with the same values', () => {
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en) as Key[]) {
    assert.notEqual(de[key].trim(), '', key);
    assert.deepEqual(values(de[key]), values(en[key]), key);
  }
});

it('fills in values, and names a code without a text', () => {
  assert.equal(text('de', 'of', { LEFT: '1', ALL: '2' }), '1 von 2');
  assert.equal(failureText('en', 'no-quorum'), en.error_no_quorum);
  assert.equal(failureText('en', 'point-not-on-curve'), 'The wallet refuses: point-not-on-curve.');
});
