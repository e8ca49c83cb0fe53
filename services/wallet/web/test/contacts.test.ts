import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { readContacts, withContact, writeContacts, type Contact } from '../src/contacts.js';
import { refusedWith } from './memory.js';

it('an address has one name, and a name one address', () => {
  const one = withContact([], { name: ' Zoë ', address: 'a' });
  const two = withContact(one, { name: 'Bea', address: 'b' });
  assert.deepEqual(two, [{ name: 'Bea', address: 'b' }, { name: 'Zoë', address: 'a' }]);
  assert.deepEqual(withContact(two, { name: 'Ada', address: 'a' }), [{ name: 'Ada', address: 'a' }, { name: 'Bea', address: 'b' }]);
  assert.deepEqual(readContacts(writeContacts(two)), two);
  const names = ['Bea', '', ' ', 'x'.repeat(41), 'Be\u202ea'];
  for (const name of names) assert.equal(refusedWith(() => withContact(two, { name, address: 'c' })), 'malformed-request', name);
  const many = Array.from({ length: 200 }, (_, i): Contact => ({ name: `n${i}`, address: `a${i}` }));
  assert.equal(refusedWith(() => withContact(many, { name: 'more', address: 'more' })), 'malformed-request');
});

it('others than this page wrote are none', () => {
  assert.deepEqual(readContacts(undefined), []);
  for (const text of ['', '{', '{}', 'null', '[1]', '[{"name":1,"address":"a"}]']) assert.deepEqual(readContacts(new TextEncoder().encode(text)), [], text);
});
