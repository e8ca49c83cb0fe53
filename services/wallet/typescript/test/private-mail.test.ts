import { strict as assert } from 'node:assert';
import { describe, it, mock } from 'node:test';
import { bucketOf, reads } from '../src/bucket.js';
import { at, concat, fromHex, type Bytes } from '../src/bytes.js';
import { Gateway } from '../src/gateway.js';
import { newPhrase } from '../src/keys.js';
import { replicasOf } from '../src/private-mail.js';
import { Refusal } from '../src/refusal.js';
import { bitBytes, bitOf, bitsOf, splitQuery, sumOf } from '../src/retrieval.js';
import { queriesAt, QUERIES_A_DAY } from '../src/schedule.js';
import { listText, readHeaders, readList, readRecords } from '../src/tables.js';
import { Wallet, type Profile } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile } from './fake.js';
import { FakeMail, group, inPrivate, type MailFaults } from './fake-mail.js';
import { ADA, BATCH, Issuer } from './issuer.js';
import { element, fails, refused } from './refused.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BITS = 6;
const divided: Profile = { ...inPrivate, mailboxBits: BITS };

interface Bench {
  readonly net: FakeNetwork;
  readonly mail: FakeMail;
}

interface Person {
  readonly phrase: string;
  readonly storage: Memory;
  readonly bucket: number;
  readonly wallet: Wallet;
}

function bench(): Bench {
  const net = new FakeNetwork();
  return { net, mail: new FakeMail(net) };
}

let coins = 0;

/** A registered person with money, who reads in private. */
async function enter({ net, mail }: Bench, pinned = inPrivate): Promise<Person> {
  const phrase = newPhrase();
  const keys = net.register(phrase);
  net.mint(keys, 500n, element(3000 + coins++));
  const storage = new Memory();
  const wallet = await Wallet.create(pinned, mail.host(storage), phrase);
  await wallet.restore();
  return { phrase, storage, bucket: bucketOf(network, keys.apk, pinned.mailboxBits ?? 0), wallet };
}

/** Two who have begun to read in private. */
async function two(on: Bench, pinned = inPrivate): Promise<[Person, Person]> {
  const [alice, bob] = [await enter(on, pinned), await enter(on, pinned)];
  on.mail.pass();
  for (const { wallet } of [alice, bob]) await quiet(on, wallet);
  return [alice, bob];
}

/** Until nothing waits, and no query is due for ten minutes. */
async function quiet({ net, mail }: Bench, wallet: Wallet): Promise<void> {
  await wallet.receive();
  for (;;) {
    const { nextQuery = 0, waiting } = wallet.mail;
    if (waiting === 0 && nextQuery > net.now + 600_000) return;
    net.now = Math.max(net.now, nextQuery);
    mail.close();
    await wallet.receive();
  }
}

/** The time of the next query comes, and what it brings. */
async function atNextQuery({ net, mail }: Bench, wallet: Wallet) {
  net.now = wallet.mail.nextQuery ?? 0;
  mail.close();
  return wallet.receive();
}

const hasWhole = (routes: readonly string[]): boolean => routes.some((route) => route.endsWith('/records') || route.includes('/buckets/') || route === 'GET /v1/mailbox');

describe('a schedule of queries', () => {
  const hour = () => HOUR;
  const now = 1_000 * DAY;

  it('makes those whose time has passed, at most those of a day', () => {
    assert.deepEqual(queriesAt(now - 5 * HOUR, false, now, hour), { queries: 6, next: now + HOUR });
    assert.deepEqual(queriesAt(now - 90 * DAY, false, now, hour), { queries: QUERIES_A_DAY, next: now + HOUR });
    assert.deepEqual(queriesAt(now + 1, false, now, hour), { queries: 0, next: now + 1 });
  });

  it('takes the query of an opening from the next day’s', () => {
    assert.deepEqual(queriesAt(0, true, now, hour), { queries: 1, next: now + HOUR });
    assert.deepEqual(queriesAt(now + HOUR, true, now, hour), { queries: 1, next: now + 2 * HOUR });
    assert.deepEqual(queriesAt(now + DAY + 1, true, now, hour), { queries: 0, next: now + DAY + 1 });
  });

  it('is drawn anew when the clock was set back', () => {
    assert.deepEqual(queriesAt(now + 90 * DAY, false, now, hour), { queries: 1, next: now + HOUR });
  });

  it('draws an hour on average', () => {
    let sum = 0;
    for (let i = 0; i < 1_000; i++) {
      const pause = queriesAt(now, false, now).next - now;
      assert.ok(pause >= 1 && pause <= 2 * HOUR);
      sum += pause;
    }
    assert.ok(Math.abs(sum / 1_000 - HOUR) < 6 * 60_000, `${sum / 1_000}`);
  });
});

describe('a query', () => {
  it('adds up to one record, whichever it is, and no share but all of them has it', () => {
    const records = [3, 8, 9, 1];
    const bytes = bitBytes(records);
    assert.equal(bytes, 5);
    records.forEach((count, table) => {
      for (let record = 0; record < count; record++) {
        const bit = bitOf(records, table, record);
        const shares = splitQuery(bit, bytes, 4);
        assert.equal(shares.filter((share) => share[0] === 0 && share.length === 33).length, 3);
        const sum = sumOf(shares.map((share) => bitsOf(share, bytes)), bytes);
        const expected: Bytes = new Uint8Array(bytes);
        expected[bit >> 3] = 1 << (bit & 7);
        assert.deepEqual(sum, expected);
      }
    });
    refused('OUT_OF_RANGE', () => bitOf(records, 0, 3));
    refused('malformed-request', () => bitsOf(fromHex('0100'), 5));
    refused('malformed-request', () => sumOf([new Uint8Array(5), new Uint8Array(4)], 5));
  });

  it('gives the long share to each server in turn', () => {
    const places = new Set(Array.from({ length: 200 }, () => splitQuery(3, 100, 2).findIndex((share) => share[0] === 1)));
    assert.deepEqual([...places].sort(), [0, 1]);
  });
});

describe('a list of tables', () => {
  const digest = 'ab'.repeat(32);
  const text = `solidus/mail-tables/v1\n${network.id}\nclosed: 600\nbucket-1: 300 ${digest}\nbucket-12: 600 ${digest}\n`;

  it('has one form', () => {
    assert.equal(listText(network, readList(network, text)), text);
    for (const wrong of [
      text.replace('bucket-12', 'bucket-128'),
      text.replace('bucket-12', 'bucket-0'),
      text.replace('bucket-12', 'bucket-01'),
      text.replace('bucket-12', 'bucket-1'),
      text.replace('bucket-1:', 'bucket-13:'),
      text.replace('12: 600', '12: 601'),
      text.replace('12: 600', '12: 0'),
      text.replace('closed: 600', 'closed: 0'),
      text.replace('closed: 600', 'closed: 0600'),
      text.replace(digest, digest.toUpperCase()),
      text.slice(0, -1),
      `${text}\n`,
    ]) {
      refused('malformed-request', () => readList(network, wrong));
    }
    refused('wrong-network', () => readList(network, text.replace(network.id, 'another')));
    refused('unknown-version', () => readList(network, text.replace('v1', 'v2')));
  });

  it('has pages that end where they say', () => {
    const head = concat(Uint8Array.of(1), new Uint8Array(40), fromHex('0000000000000009'));
    assert.deepEqual(readHeaders(head).tables, []);
    const table = concat(fromHex('0000000000000009'), fromHex('0000000000000001'), fromHex('00000001'), new Uint8Array(32), new Uint8Array(34));
    assert.equal(readHeaders(concat(head, table)).tables.length, 1);
    for (const wrong of [concat(head, table.subarray(0, -1)), concat(head, table.subarray(0, 40)), head.subarray(1), concat(Uint8Array.of(2), head.subarray(1))]) {
      refused('malformed-request', () => readHeaders(wrong));
    }
    const none = concat(table);
    none[19] = 0;
    refused('malformed-request', () => readHeaders(concat(head, none)));
    assert.deepEqual(readRecords(Uint8Array.of(1)), []);
    refused('malformed-request', () => readRecords(new Uint8Array(1_000).fill(1)));
  });
});

describe('replicas of the services', () => {
  const other = { gateways: ['https://b.example'], keys: group.keys };
  const own = { gateways: ['https://a.example', 'https://c.example'], keys: [...group.keys].reverse() };

  it('are those of the gateway’s mailbox', () => {
    assert.deepEqual(replicasOf(undefined, 'https://a.example'), []);
    assert.deepEqual(replicasOf([group], 'https://a.example'), group.keys);
    assert.deepEqual(replicasOf([other, own], 'https://c.example'), own.keys);
    refused('manifest-untrusted', () => replicasOf([other, own], 'https://d.example'));
  });

  it('are as many as authorities', async () => {
    const on = bench();
    const seven = [...group.keys, ...group.keys.slice(0, 3)];
    await fails('manifest-untrusted', () => Wallet.create({ ...profile, replicas: seven }, on.mail.host(new Memory())));
  });
});

describe('a wallet that reads in private', () => {
  it('is told of a payment at once, and gets it with the next query', async () => {
    const on = bench();
    const [alice, bob] = await two(on, divided);
    await alice.wallet.pay(bob.wallet.address, 5n, 'in private');
    on.mail.pass();
    on.mail.routes.length = 0;
    const before = on.mail.queries;
    assert.deepEqual(await bob.wallet.receive(), []);
    const { privately, upTo, waiting, overdue, nextQuery = 0 } = bob.wallet.mail;
    assert.deepEqual([privately, waiting, overdue], [true, 1, 0]);
    assert.equal(upTo, Math.floor(on.net.now / 1_000) * 1_000);
    assert.ok(nextQuery > on.net.now && nextQuery < on.net.now + 2 * HOUR);
    assert.equal(on.mail.queries, before);
    assert.deepEqual(await atNextQuery(on, bob.wallet), [{ value: 5n, text: 'in private' }]);
    assert.equal(bob.wallet.mail.waiting, 0);
    assert.ok(on.mail.queries > before);
    assert.ok(on.mail.asked.every((asked) => asked.length === 2 && new Set(asked).size === 2));
    assert.ok(on.mail.routes.includes(`GET /v1/mailbox/tables/${bob.bucket}/headers`));
    assert.ok(!hasWhole(on.mail.routes), on.mail.routes.join());
  });

  it('asks when it is opened, and once', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'opened');
    on.mail.pass();
    const again = await Wallet.open(inPrivate, on.mail.host(bob.storage));
    const before = on.mail.queries;
    // bob's first reading of this opening reads alice's copies and posts, too
    assert.deepEqual(await again.receive(), [{ value: 5n, text: 'opened' }]);
    assert.equal(on.mail.queries, before + 1);
    await again.receive();
    assert.equal(on.mail.queries, before + 1);
  });

  it('asks for nothing again that a restore has read', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'before');
    on.mail.pass();
    const storage = new Memory();
    await (await Wallet.create(inPrivate, on.mail.host(storage), bob.phrase)).restore();
    const later = await Wallet.open(inPrivate, on.mail.host(storage));
    await later.receive();
    assert.deepEqual([later.mail.waiting, later.mail.overdue], [0, 0]);
    await alice.wallet.pay(bob.wallet.address, 6n, 'after');
    on.mail.pass();
    await later.receive();
    assert.deepEqual(await atNextQuery(on, later), [{ value: 6n, text: 'after' }]);
  });

  it('asks for the same, as often, with mail as without', async () => {
    const on = bench();
    const [payer, payee] = await two(on);
    const nobody = await enter(on);
    on.mail.pass();
    await quiet(on, nobody.wallet);
    const asks = async (wallet: Wallet): Promise<number> => {
      const before = on.mail.queries;
      await wallet.receive();
      return on.mail.queries - before;
    };
    for (let day = 0; day < 2; day++) {
      await payer.wallet.pay(payee.wallet.address, 5n, `day ${day}`);
      on.mail.pass(10 * 24 * 60);
      const routes: string[][] = [];
      for (const { wallet } of [payee, nobody]) {
        on.mail.routes.length = 0;
        assert.equal(await asks(wallet), QUERIES_A_DAY);
        assert.equal(await asks(wallet), 0);
        routes.push([...on.mail.routes]);
      }
      assert.deepEqual(routes[0], routes[1]);
    }
    assert.equal(payee.wallet.balance.unclaimed, 510n);
    // the next query, for which a message of one of them waits
    for (const { wallet } of [payee, nobody]) await quiet(on, wallet);
    const routes: string[][] = [];
    for (const [{ wallet }, waiting] of [[payee, 1], [nobody, 0]] as const) {
      await quiet(on, wallet);
      await payer.wallet.pay(payee.wallet.address, 5n, 'an hour');
      on.mail.pass();
      on.mail.routes.length = 0;
      assert.equal(await asks(wallet), 0);
      assert.equal(wallet.mail.waiting, waiting);
      on.net.now = wallet.mail.nextQuery ?? 0;
      on.mail.close();
      assert.equal(await asks(wallet), 1);
      assert.equal(await asks(wallet), 0);
      assert.equal(wallet.mail.waiting, 0);
      routes.push([...on.mail.routes]);
    }
    assert.deepEqual(routes[0], routes[1]);
    assert.equal(payee.wallet.balance.unclaimed, 515n);
  });

  it('computes as much between its requests with mail as without', async () => {
    const on = bench();
    const [payer, payee] = await two(on);
    const nobody = await enter(on);
    on.mail.pass();
    await quiet(on, nobody.wallet);
    for (let i = 0; i < 3; i++) await payer.wallet.pay(payee.wallet.address, 5n, `${i}`);
    on.mail.pass(10 * 24 * 60);
    await payer.wallet.pay(payee.wallet.address, 5n, 'of the last day');
    on.mail.pass();
    const derive = mock.method(crypto.subtle, 'deriveBits');
    const work: number[][] = [];
    for (const { wallet } of [payee, nobody]) {
      const before: number[] = [];
      on.mail.onRequest = () => void before.push(derive.mock.callCount());
      derive.mock.resetCalls();
      await wallet.receive();
      work.push(before);
    }
    derive.mock.restore();
    assert.deepEqual(work[0], work[1]);
    assert.ok(new Set(work[0]).size > 2, 'headers are tested between requests');
    assert.equal(payee.wallet.balance.unclaimed, 520n);
  });

  it('has the time of the next query on disk before one leaves', async () => {
    const on = bench();
    const [, bob] = await two(on);
    let stored: Bytes | undefined;
    on.mail.onQuery = () => (stored = bob.storage.content);
    await atNextQuery(on, bob.wallet);
    assert.ok(stored !== undefined);
    on.mail.onQuery = () => undefined;
    // a crash: the file is as it was when the query left
    const crashed = await Wallet.open(inPrivate, on.mail.host(new Memory(stored)));
    assert.ok((crashed.mail.nextQuery ?? 0) > on.net.now);
  });

  it('makes no request behind the opening of what came', async () => {
    const on = bench();
    const [alice, bob] = await two(on, divided);
    let carol = await enter(on, divided);
    while (reads(alice.bucket, carol.bucket)) carol = await enter(on, divided);
    await alice.wallet.pay(carol.wallet.address, 5n, 'to a bucket that alice does not read');
    await bob.wallet.pay(alice.wallet.address, 7n, 'to alice');
    on.mail.pass(70);
    const again = await Wallet.open(divided, on.mail.host(alice.storage));
    const held = again.balance.unclaimed;
    const from = on.mail.routes.length;
    const known: bigint[] = [];
    on.mail.onRequest = () => void known.push(again.balance.unclaimed);
    assert.deepEqual(await again.receive(), [{ value: 7n, text: 'to alice' }]);
    const routes = on.mail.routes.slice(from);
    assert.ok(routes.includes('POST /v1/mailbox/queries') && routes.includes('GET /v1/mailbox'), routes.join());
    assert.ok(known.every((unclaimed) => unclaimed === held));
    assert.equal(again.balance.unclaimed, held + 7n);
  });

  it('shows a token of its own with each query, and none with headers and messages', async () => {
    const on = bench();
    const { net, mail } = on;
    net.now = Math.floor(net.now / DAY) * DAY;
    net.countersigners = 3;
    const issuer = new Issuer(net.now);
    net.issuer = issuer;
    const memory = new Memory();
    const wallet = await Wallet.create(inPrivate, mail.host(memory, 'pay.example'));
    await wallet.register(ADA);
    net.decide('approved');
    await wallet.collectRegistration();
    mail.pass();
    await wallet.receive();
    assert.equal(wallet.mail.privately, true);
    // the tokens are of the day before, and count
    mail.pass(40 * 60);
    await enter(on);
    mail.pass();
    const from = mail.spent.length;
    await wallet.receive();
    const spent = mail.spent.slice(from);
    const shown = spent.flatMap(([route, header]) => (route === 'POST /v1/mailbox/queries' ? [header] : []));
    assert.equal(shown.length, QUERIES_A_DAY, 'without a token nothing stops');
    const headers = shown.slice(0, BATCH).flatMap((header) => header ?? []);
    assert.equal(new Set(headers).size, BATCH, 'each is shown once');
    assert.ok(headers.every((header) => issuer.takes(header)));
    assert.ok(shown.slice(BATCH).every((header) => header === undefined));
    const others = spent.filter(([route]) => route !== 'POST /v1/mailbox/queries');
    for (const what of ['note', '1/headers', '1/records']) assert.ok(others.some(([route]) => route.endsWith(what)), what);
    assert.ok(others.every(([, header]) => header === undefined));
    // the next day's tokens are fetched before the reading
    net.now = (Number(issuer.firstDay) + 3) * DAY - 1_000;
    issuer.firstDay += 2n;
    mail.close();
    mail.routes.length = 0;
    await wallet.receive();
    assert.equal(issuer.batches.size, 2);
    const fetched = mail.routes.indexOf('GET /v1/tokens/keys');
    assert.ok(fetched >= 0 && fetched < mail.routes.indexOf('GET /v1/mailbox/tables/note'));
  });

  /** What a fault of the replicas or of the gateway between them does: the message waits, and comes with a later query. */
  const waitsWhile = async (faults: MailFaults): Promise<void> => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'later');
    on.mail.pass();
    assert.deepEqual(await bob.wallet.receive(), []);
    on.mail.faults = faults;
    const before = on.mail.queries;
    assert.deepEqual(await atNextQuery(on, bob.wallet), []);
    assert.equal(bob.wallet.mail.waiting, 1);
    const due = on.mail.queries - before;
    assert.ok(due >= 1 && due <= QUERIES_A_DAY);
    assert.ok((bob.wallet.mail.nextQuery ?? 0) > on.net.now);
    on.mail.faults = {};
    assert.deepEqual(await atNextQuery(on, bob.wallet), [{ value: 5n, text: 'later' }]);
  };

  it('asks again at the next time that was drawn when an answer is missing', () => waitsWhile({ away: [1, 2, 3, 4] }));
  it('takes no body that a replica changed', () => waitsWhile({ lying: [1, 2, 3, 4] }));
  it('takes no answer for that of another authority', () => waitsWhile({ swapped: true }));
  it('takes no answer under another name', () => waitsWhile({ renamed: true }));

  /** What a gateway shows that no list says: nothing is read, and the place stays. */
  const misbehaves = async (faults: MailFaults, slept = 0): Promise<void> => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'shown later');
    on.mail.pass();
    if (slept > 0) on.mail.pass(slept);
    on.mail.faults = faults;
    const [known, before] = [bob.storage.content, on.mail.queries];
    await fails('gateway-misbehaved', () => bob.wallet.receive());
    assert.deepEqual(bob.storage.content, known);
    assert.equal(on.mail.queries, before);
    on.mail.faults = {};
    await bob.wallet.receive();
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  };

  it('takes no list with two signatures', () => misbehaves({ signers: 2 }));
  it('counts a replica once', () => misbehaves({ signers: 2, twice: true }));
  it('takes no list of another time than its signers signed', () => misbehaves({ dated: true }));
  it('takes no header that is not in the list', () => misbehaves({ alteredHeaders: true }));
  it('notices a table that is left out', () => misbehaves({ leftOut: true }));
  it('takes no message that is not in its table, when it slept for days', () => misbehaves({ alteredRecords: true }, 3 * 24 * 60));

  /** The gateway shows headers of another list, and then those of the list, which continues the place. */
  const beginsNotAgain = async (lie: MailFaults): Promise<void> => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'shown later');
    on.mail.pass();
    const [known, before] = [bob.storage.content, on.mail.routes.length];
    let pages = 0;
    on.mail.onRequest = () => {
      const page = on.mail.spent.at(-1)?.[0].endsWith('/headers') === true;
      on.mail.faults = page && ++pages === 1 ? lie : {};
    };
    await fails('gateway-misbehaved', () => bob.wallet.receive());
    on.mail.onRequest = () => {};
    assert.ok(pages > 1);
    assert.ok(!on.mail.routes.slice(before).some((route) => route.includes('/buckets/') || route.includes('/records')));
    assert.deepEqual(bob.storage.content, known);
    on.mail.faults = {};
    await bob.wallet.receive();
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  };

  it('does not begin again for altered headers', () => beginsNotAgain({ alteredHeaders: true }));
  it('does not begin again for a table that is left out', () => beginsNotAgain({ leftOut: true }));

  it('stops when lists are withheld, and reads whole when its owner says so', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    const note = on.mail.note();
    await alice.wallet.pay(bob.wallet.address, 5n, 'withheld');
    on.mail.pass(65);
    for (const faults of [{ note }, { noList: true }]) {
      on.mail.faults = faults;
      const before = on.mail.queries;
      on.mail.routes.length = 0;
      await fails('mailbox-stale', () => bob.wallet.receive());
      assert.equal(on.mail.queries, before);
      assert.ok(!hasWhole(on.mail.routes));
    }
    assert.deepEqual(await bob.wallet.receiveWhole(), [{ value: 5n, text: 'withheld' }]);
    on.mail.faults = {};
    const { queries } = on.mail;
    await bob.wallet.receive();
    assert.equal(bob.wallet.mail.waiting, 0, 'what was read whole does not wait');
    assert.ok(on.mail.queries >= queries);
  });

  it('does not go back to an older list of the last hour', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    const note = on.mail.note();
    await alice.wallet.pay(bob.wallet.address, 5n);
    on.mail.pass();
    await bob.wallet.receive();
    const { upTo } = bob.wallet.mail;
    on.mail.faults = { note };
    await bob.wallet.receive();
    assert.equal(bob.wallet.mail.upTo, upTo);
  });

  it('reads older tables whole after it slept for days', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'old');
    on.mail.pass();
    on.mail.pass(3 * 24 * 60);
    on.mail.routes.length = 0;
    assert.deepEqual(await bob.wallet.receive(), [{ value: 5n, text: 'old' }]);
    assert.ok(on.mail.routes.includes('GET /v1/mailbox/tables/1/records'));
  });

  it('asks again for a refused page, for a minute', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'busy');
    on.mail.pass();
    on.mail.pass(3 * 24 * 60);
    const known = bob.storage.content;
    on.mail.refusals = Array.from({ length: 7 }, () => 'overloaded');
    let began = on.net.now;
    await fails('overloaded', () => bob.wallet.receive());
    assert.equal(on.net.now - began, 60_000);
    assert.deepEqual([on.mail.refusals.length, bob.storage.content], [0, known]);
    on.mail.routes.length = 0;
    on.mail.refusals = ['overloaded', 'unavailable', 'gateway-unreachable'];
    began = on.net.now;
    assert.deepEqual(await bob.wallet.receive(), [{ value: 5n, text: 'busy' }]);
    assert.equal(on.net.now - began, 7_000);
    assert.equal(on.mail.routes.filter((route) => route.endsWith('/note')).length, 1, 'it goes on where it was');
  });

  it('says what has waited for more than a day, which its owner may read whole', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'overdue');
    on.mail.pass();
    on.mail.faults = { away: [1, 2, 3, 4] };
    for (let hours = 0; hours < 26; hours++) {
      assert.deepEqual(await bob.wallet.receive(), []);
      on.mail.pass(60);
    }
    assert.deepEqual([bob.wallet.mail.waiting, bob.wallet.mail.overdue], [0, 1]);
    assert.deepEqual(await bob.wallet.receiveWhole(), [{ value: 5n, text: 'overdue' }]);
    assert.equal(bob.wallet.mail.overdue, 0);
  });

  it('asks once for what is in tables twice', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'twice');
    const twin = at(on.net.blobs, on.net.blobs.length - 1);
    on.net.blobs.push(twin);
    on.mail.pass();
    assert.deepEqual(await bob.wallet.receive(), []);
    assert.equal(bob.wallet.mail.waiting, 2);
    assert.deepEqual(await atNextQuery(on, bob.wallet), [{ value: 5n, text: 'twice' }]);
    assert.equal(bob.wallet.mail.waiting, 0);
    on.net.blobs.push(twin);
    on.mail.pass();
    on.mail.faults = { away: [1, 2, 3, 4] };
    for (let hours = 0; hours < 26; hours++) {
      await bob.wallet.receive();
      assert.equal(bob.wallet.mail.waiting, 0);
      on.mail.pass(60);
    }
    assert.equal(bob.wallet.mail.overdue, 0);
  });

  it('reads a message again that it could not store', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'stored later');
    on.mail.pass();
    assert.deepEqual(await bob.wallet.receive(), []);
    const write = mock.method(bob.storage, 'write');
    const full = (): Promise<void> => Promise.reject(new Error('the disk is full'));
    // the time of the next query is stored before one leaves, and what it brought behind it
    on.mail.onQuery = () => write.mock.mockImplementationOnce(full);
    await assert.rejects(() => atNextQuery(on, bob.wallet), /the disk is full/);
    on.mail.onQuery = () => undefined;
    write.mock.restore();
    assert.equal(bob.wallet.mail.waiting, 1);
    assert.deepEqual(await atNextQuery(on, bob.wallet), [{ value: 5n, text: 'stored later' }]);
    assert.equal(bob.wallet.mail.waiting, 0);
  });

  it('posts again what has another body in tables, and once', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'replaced');
    const sent = at(on.net.blobs, on.net.blobs.length - 1);
    const other = sent.slice();
    other[100] = (other[100] as number) ^ 1;
    on.net.blobs[on.net.blobs.length - 1] = other;
    on.mail.pass();
    for (let day = 0; day < 3; day++) {
      assert.equal(await postsOfADay(on, alice.wallet), day === 1 ? 1 : 0);
    }
    assert.deepEqual(at(on.net.blobs, on.net.blobs.length - 1), sent);
    assert.equal(alice.wallet.mail.overdue, 0);
    await bob.wallet.receive();
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  });

  it('counts a post as found for which no answer came for a day', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'no answer');
    on.mail.pass();
    on.mail.faults = { away: [1, 2, 3, 4] };
    assert.equal(await postsOfADay(on, alice.wallet), 0);
    assert.equal(await postsOfADay(on, alice.wallet), 0);
  });

  it('begins again at a mailbox that came back from a backup, and posts again what is lost', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    const backup = on.net.blobs.length;
    await alice.wallet.pay(bob.wallet.address, 5n, 'after the backup');
    on.mail.pass();
    await quiet(on, alice.wallet);
    on.mail.cutOff(backup);
    on.mail.pass();
    await alice.wallet.receive();
    on.mail.pass();
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  });

  /** Looks every hour of a day for messages, and says how many posts that took. */
  const postsOfADay = async (on: Bench, wallet: Wallet): Promise<number> => {
    const before = on.net.blobs.length;
    for (let hour = 0; hour < 24; hour++) {
      await wallet.receive();
      on.mail.pass(60);
    }
    return on.net.blobs.length - before;
  };

  it('posts once what a mailbox from a backup lost, although it had read it whole', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    const backup = on.net.blobs.length;
    await alice.wallet.pay(bob.wallet.address, 5n, 'read whole, and lost');
    on.mail.pass();
    await alice.wallet.receive();
    await alice.wallet.receiveWhole();
    on.mail.cutOff(backup);
    on.mail.pass();
    assert.equal(await postsOfADay(on, alice.wallet), 1);
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  });

  it('does not post again what it reads whole and had no answer for', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    let silent = true;
    const losing = new Gateway(async (exchange) => {
      const answer = await on.mail.transport(exchange);
      if (silent && exchange.method === 'POST' && exchange.path === '/v1/mailbox') throw new Refusal('gateway-unreachable', 'the answer is lost');
      return answer;
    });
    const wallet = await Wallet.open(inPrivate, on.net.host(alice.storage, losing));
    const before = on.net.blobs.length;
    assert.equal((await wallet.pay(bob.wallet.address, 5n, 'no answer')).delivered, false);
    assert.equal(on.net.blobs.length, before + 1);
    silent = false;
    on.mail.pass();
    await wallet.receiveWhole();
    assert.equal(on.net.blobs.length, before + 1, 'it is there');
    on.mail.pass();
    assert.equal(await postsOfADay(on, wallet), 0);
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  });

  it('posts again what is in no table an hour after it was posted, and not before', async () => {
    const on = bench();
    const [alice, bob] = await two(on, divided);
    await alice.wallet.pay(bob.wallet.address, 5n, 'lost');
    on.net.blobs.pop();
    on.mail.pass();
    const before = on.net.blobs.length;
    await alice.wallet.receive();
    assert.equal(on.net.blobs.length, before);
    on.mail.pass(70);
    await alice.wallet.receive();
    assert.equal(on.net.blobs.length, before + 1);
    on.mail.pass();
    await quiet(on, bob.wallet);
    assert.equal(bob.wallet.balance.unclaimed, 505n);
  });

  it('finds its own posts by their headers', async () => {
    const on = bench();
    const [alice, bob] = await two(on);
    await alice.wallet.pay(bob.wallet.address, 5n, 'seen');
    on.mail.pass();
    await quiet(on, alice.wallet);
    on.mail.pass(120);
    on.mail.routes.length = 0;
    await alice.wallet.receive();
    assert.ok(!on.mail.routes.includes('POST /v1/mailbox'));
  });

  it('reads what was posted to all', async () => {
    const on = bench();
    const [alice] = await two(on, divided);
    const old = await enter(on, profile);
    await old.wallet.pay(alice.wallet.address, 7n, 'to all');
    on.mail.pass();
    assert.deepEqual(await alice.wallet.receive(), [{ value: 7n, text: 'to all' }]);
  });
});
