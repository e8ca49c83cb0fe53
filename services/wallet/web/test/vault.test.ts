import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Refusal } from '../../typescript/src/refusal.js';
import { utf8 } from '../../typescript/src/text.js';
import { profileOf, readTrusted, sameTrust, withReplicas, type Pinned } from '../src/pinned.js';
import { Vault } from '../src/vault.js';
import { Memory } from './memory.js';

const KEY = '11'.repeat(32);
const trusted = {
  networkId: 'solidus-dev',
  currency: 'EUR',
  manifestKey: KEY,
  keyClasses: ['development'],
  gateway: 'http://127.0.0.1:8080',
  registration: 'http://127.0.0.1:8081',
  issuance: 'http://127.0.0.1:8083',
  prover: KEY,
};
const pinned: Pinned = { trusted, manifest: new Uint8Array(1), manifestSignature: '', keys: { transfer: new Uint8Array(1), register: new Uint8Array(1), mint: new Uint8Array(1) } };
const QUICK = 1_000;

const secret = new TextEncoder().encode('legal winner thank year wave sausage');

/** Asserts that the work fails with this code. */
const fails = (reason: string, work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, (e) => e instanceof Refusal && e.reason === reason);

/** Everything that is kept, as text; a key that cannot be exported is not in it. */
const dump = ({ kept }: Memory): string =>
  [...kept.values()].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value))).join();

describe('a vault', () => {
  it('keeps nothing before the first write, and then nothing that can be read', async () => {
    const shelf = new Memory();
    const vault = await Vault.create(shelf, 'a passphrase', pinned, QUICK);
    assert.equal(shelf.kept.size, 0);
    await vault.write(secret);
    assert.ok(!dump(shelf).includes('legal winner'));
    const again = await Vault.open(shelf, 'a passphrase');
    assert.deepEqual(await again.read(), secret);
    assert.deepEqual(again.pinned, pinned);
    await fails('store-exists', Vault.create(shelf, 'another passphrase', pinned, QUICK));
  });

  it('opens with the passphrase and in the browser that made it, and not otherwise', async () => {
    const shelf = new Memory();
    await (await Vault.create(shelf, 'pässphrase', pinned, QUICK)).write(secret);
    await fails('wrong-passphrase', Vault.open(shelf, 'passphrase'));
    // the same letters in another encoding
    assert.ok(await Vault.open(shelf, 'pässphrase'.normalize('NFD')));

    const lock = shelf.kept.get('lock') as { deviceKey: CryptoKey };
    await assert.rejects(crypto.subtle.exportKey('raw', lock.deviceKey));
    const otherKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    shelf.kept.set('lock', { ...lock, deviceKey: otherKey });
    await fails('store-corrupt', Vault.open(shelf, 'pässphrase'));
    shelf.kept.set('lock', lock);
    const state = shelf.kept.get('state') as Uint8Array;
    shelf.kept.set('state', state.map((byte, i) => (i === 40 ? byte ^ 1 : byte)));
    await fails('store-corrupt', Vault.open(shelf, 'pässphrase'));
    await fails('store-missing', Vault.open(new Memory(), 'pässphrase'));
  });

  it('keeps contacts sealed as the wallet is, and opens no other value in their place', async () => {
    const shelf = new Memory();
    const vault = await Vault.create(shelf, 'a passphrase', pinned, QUICK);
    await vault.write(secret);
    assert.equal(await vault.more('contacts'), undefined);
    await vault.keep('contacts', utf8('Beata'));
    assert.ok(!dump(shelf).includes('Beata'));
    const again = await Vault.open(shelf, 'a passphrase');
    assert.deepEqual(await again.more('contacts'), utf8('Beata'));
    shelf.kept.set('contacts', shelf.kept.get('state'));
    assert.equal(await again.more('contacts'), undefined);
  });

  it('keeps what a wallet pins later', async () => {
    const shelf = new Memory();
    await (await Vault.create(shelf, 'a passphrase', pinned, QUICK)).write(secret);
    const vault = await Vault.open(shelf, 'a passphrase');
    const other = { ...pinned, trusted: { ...trusted, replicas: ['ab'.repeat(64)] } };
    await vault.repin(other);
    await vault.write(secret);
    assert.deepEqual(vault.pinned, other);
    const again = await Vault.open(shelf, 'a passphrase');
    assert.deepEqual([again.pinned, await again.read()], [other, secret]);
  });

  it('has the old content after a write that failed', async () => {
    const shelf = new Memory();
    const vault = await Vault.create(shelf, 'a passphrase', pinned, QUICK);
    await vault.write(secret);
    shelf.full = true;
    await fails('store-unwritable', vault.write(new Uint8Array(3)));
    assert.deepEqual(await vault.read(), secret);
    assert.deepEqual(await (await Vault.open(shelf, 'a passphrase')).read(), secret);
  });
});

it('new keys of replicas are taken, where nothing else is new', () => {
  const old = { ...trusted, replicas: Array.from({ length: 4 }, (_, i) => `0${i}`.repeat(64)) };
  const moved = { ...trusted, replicas: Array.from({ length: 4 }, (_, i) => `1${i}`.repeat(64)) };
  const more = { ...trusted, replicas: Array.from({ length: 7 }, (_, i) => `1${i}`.repeat(64)) };
  const taken = (before: typeof trusted, named: typeof trusted) => withReplicas(before, named, () => 4);
  assert.deepEqual(taken(old, moved), moved);
  assert.deepEqual(taken(trusted, moved), moved);
  assert.equal(taken(old, trusted), old, 'a wallet does not begin to read whole');
  assert.equal(taken(old, more), old, 'another number than authorities');
  for (const name of ['networkId', 'manifestKey', 'gateway', 'prover'] as const) {
    const other = { ...moved, [name]: name === 'gateway' ? 'http://127.0.0.1:9090' : '22'.repeat(32) };
    assert.equal(taken(old, other), old, name);
  }
  assert.equal(withReplicas(old, { ...old }, () => assert.fail('nothing is new')), old);
});

it('network.json is read whole or refused', () => {
  assert.deepEqual(readTrusted({ ...trusted, more: 1 }), trusted);
  const withRedemption = { ...trusted, redemption: KEY };
  assert.deepEqual(readTrusted(withRedemption), withRedemption);
  assert.ok(!sameTrust(trusted, withRedemption));
  assert.throws(() => readTrusted({ ...trusted, redemption: '11' }), Refusal);
  const divided = { ...trusted, mailboxBits: 6 };
  assert.deepEqual(readTrusted(divided), divided);
  assert.equal(sameTrust(trusted, divided), false);
  const replicas = Array.from({ length: 4 }, (_, i) => `0${i}`.repeat(64));
  const inPrivate = { ...trusted, replicas };
  assert.deepEqual(readTrusted(inPrivate), inPrivate);
  assert.equal(sameTrust(trusted, inPrivate), false);
  assert.equal(sameTrust({ ...trusted, replicas: [...replicas].reverse() }, inPrivate), false);
  assert.deepEqual(profileOf({ ...pinned, trusted: inPrivate }).replicas?.length, 4);
  for (const wrong of [[], replicas.slice(1), [...replicas, ...replicas.slice(1)], replicas.map((key) => key.slice(2)), 'none', [1, 2, 3, 4]]) {
    assert.throws(() => readTrusted({ ...trusted, replicas: wrong }), Refusal);
  }
  for (const bits of [7, -1, 1.5, '6']) assert.throws(() => readTrusted({ ...trusted, mailboxBits: bits }), Refusal);
  for (const name of Object.keys(trusted)) {
    assert.throws(() => readTrusted({ ...trusted, [name]: undefined }), Refusal, name);
    if (name !== 'keyClasses') assert.ok(!sameTrust(trusted, { ...trusted, [name]: 'other' }), name);
  }
  assert.throws(() => readTrusted({ ...trusted, prover: '11' }), Refusal);
  assert.throws(() => readTrusted(undefined), Refusal);
  assert.ok(!sameTrust(trusted, { ...trusted, keyClasses: ['ceremony'] }));
});
