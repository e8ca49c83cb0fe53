import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { bucketOf, reads, WHOLE } from '../src/bucket.js';
import { concat, u64, u8, type Bytes } from '../src/bytes.js';
import { Gateway } from '../src/gateway.js';
import { newPhrase } from '../src/keys.js';
import { Wallet, type Profile } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile } from './fake.js';
import { element, fails, refused } from './refused.js';

const BITS = 6;
const divided: Profile = { ...profile, mailboxBits: BITS };

interface Person {
  readonly phrase: string;
  readonly bucket: number;
  readonly wallet: Wallet;
}

/** A registered person with money, whose wallet is of a network with buckets. */
async function enter(net: FakeNetwork, value: bigint): Promise<Person> {
  const phrase = newPhrase();
  const keys = net.register(phrase);
  net.mint(keys, value, element(2000 + Number(value)));
  const wallet = await Wallet.create(divided, net.host(new Memory()), phrase);
  await wallet.restore();
  return { phrase, bucket: bucketOf(network, keys.apk, BITS), wallet };
}

/** Two persons whose buckets differ. */
async function twoPersons(net: FakeNetwork): Promise<[Person, Person]> {
  const alice = await enter(net, 500n);
  for (;;) {
    const bob = await enter(net, 700n);
    if (bob.bucket !== alice.bucket) return [alice, bob];
  }
}

const readings = (net: FakeNetwork): string[] => net.routes.filter((route) => route.startsWith('GET /v1/mailbox'));

describe('a bucket', () => {
  it('is a node below the whole mailbox, and never changes', () => {
    for (let bits = 0; bits <= BITS; bits++) {
      const bucket = bucketOf(network, 5n, bits);
      assert.equal(bucket, bucketOf(network, 5n, BITS) >> (BITS - bits));
      assert.equal(bucket >> bits, WHOLE);
    }
    refused('manifest-untrusted', () => bucketOf(network, 5n, 7));
  });

  it('is read with those above and below it', () => {
    const read = (own: number): number[] => Array.from({ length: 127 }, (_, i) => i + 1).filter((posted) => reads(own, posted));
    assert.deepEqual(read(127), [1, 3, 7, 15, 31, 63, 127]);
    assert.deepEqual(read(32), [1, 2, 4, 8, 16, 32, 64, 65]);
    assert.equal(read(WHOLE).length, 127);
  });
});

describe('a wallet of a network with buckets', () => {
  it('posts to its payee’s bucket and reads its own alone', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    await alice.wallet.pay(bob.wallet.address, 5n, 'in parts');
    assert.equal(net.bucketOf(net.blobs.length), bob.bucket);
    net.routes.length = 0;
    assert.deepEqual(await bob.wallet.receive(), [{ value: 5n, text: 'in parts' }]);
    assert.deepEqual(new Set(readings(net)), new Set([`GET /v1/mailbox/buckets/${bob.bucket}`]));
    assert.deepEqual(await bob.wallet.receive(), []);
  });

  it('looks for its message once, and posts again what is not there', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    await alice.wallet.pay(bob.wallet.address, 5n);
    // another message has its number
    net.blobs.pop();
    net.register(newPhrase());
    assert.deepEqual(await bob.wallet.receive(), []);
    await alice.wallet.receive();
    assert.deepEqual(await bob.wallet.receive(), [{ value: 5n, text: '' }]);
    net.routes.length = 0;
    await alice.wallet.receive();
    assert.equal(readings(net).filter((route) => route === 'GET /v1/mailbox').length, 1, 'it looks for it once after each post');
    net.routes.length = 0;
    await alice.wallet.receive();
    assert.deepEqual(readings(net), [`GET /v1/mailbox/buckets/${alice.bucket}`]);
  });

  it('reads from the start at a mailbox that came back from a backup, and posts again what is lost', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    await alice.wallet.receive();
    const backup = net.blobs.length;
    await alice.wallet.pay(bob.wallet.address, 5n, 'after the backup');
    await alice.wallet.receive();
    assert.equal((await bob.wallet.receive()).length, 1);
    net.blobs.length = backup;
    await alice.wallet.receive();
    assert.equal(net.bucketOf(net.blobs.length), bob.bucket, 'posted again');
    const again = await Wallet.create(divided, net.host(new Memory()), bob.phrase);
    assert.equal((await again.restore()).coins, 2);
  });

  it('counts what it read although the page with its own message is refused', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    await alice.wallet.pay(bob.wallet.address, 5n);
    await bob.wallet.pay(alice.wallet.address, 6n, 'read');
    net.faults = { wholeMailboxAway: true };
    assert.deepEqual(await alice.wallet.receive(), [{ value: 6n, text: 'read' }]);
  });

  it('is restored from its words', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    await alice.wallet.pay(bob.wallet.address, 5n, 'found');
    const again = await Wallet.create(divided, net.host(new Memory()), bob.phrase);
    assert.deepEqual(await again.restore(), { registered: true, transfers: 0, coins: 2 });
  });

  it('finds what a wallet without buckets posts, and is found by one', async () => {
    const net = new FakeNetwork();
    const [alice, bob] = await twoPersons(net);
    const old = await Wallet.create(profile, net.host(new Memory()), bob.phrase);
    await old.restore();
    await old.pay(alice.wallet.address, 7n, 'to all');
    assert.deepEqual(await alice.wallet.receive(), [{ value: 7n, text: 'to all' }]);
    await alice.wallet.pay(bob.wallet.address, 3n, 'to a bucket');
    assert.deepEqual(await old.receive(), [{ value: 3n, text: 'to a bucket' }]);
  });
});

describe('a page of a bucket', () => {
  const served = (bytes: Bytes) => new Gateway(async () => ({ status: 200, body: bytes })).bucket(64, 3n, 2);
  const digest = new Uint8Array(32).fill(7);
  const none = new Uint8Array(32);
  const page = (...parts: readonly Bytes[]): Bytes => concat(u8(1), digest, ...parts);
  const entry = (number: bigint) => concat(u64(number), new Uint8Array(1200));

  it('reaches further than its last message at the end of the bucket alone', async () => {
    assert.deepEqual((await served(page(u64(9n), digest))).place, { sequence: 9n, digest });
    assert.equal((await served(page(u64(9n), digest, entry(4n)))).entries.length, 1);
    await fails('gateway-misbehaved', () => served(page(u64(9n), digest, entry(4n), entry(5n))));
  });

  it('is refused in another form', async () => {
    await fails('gateway-misbehaved', () => served(concat(u8(2), digest, u64(9n), digest)));
    await fails('gateway-misbehaved', () => served(page(u64(9n))));
    await fails('gateway-misbehaved', () => served(page(u64(9n), digest, u8(0))));
    await fails('gateway-misbehaved', () => served(page(u64(2n), digest)));
    await fails('gateway-misbehaved', () => served(page(u64(9n), none)));
    assert.equal((await served(concat(u8(1), none, u64(3n), none))).place, undefined, 'a mailbox that ends before');
    await fails('gateway-misbehaved', () => served(page(u64(9n), digest, entry(5n), entry(4n))));
    await fails('gateway-misbehaved', () => served(page(u64(9n), digest, entry(3n))));
    await fails('gateway-misbehaved', () => served(page(u64(4n), digest, entry(4n))));
  });
});
