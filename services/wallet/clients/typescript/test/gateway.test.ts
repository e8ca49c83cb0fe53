import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { generateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { fetchTransport, type Transport } from '@solidus/second-implementation/dist/src/http.js';
import { Refusal, type Reason } from '@solidus/second-implementation/dist/src/refusal.js';
import { utf8 } from '@solidus/second-implementation/dist/src/text.js';
import { Wallet } from '@solidus/second-implementation/dist/src/wallet.js';
import { FakeNetwork, Memory, profile } from '@solidus/second-implementation/dist/test/fake.js';
import { FakeMail, inPrivate } from '@solidus/second-implementation/dist/test/fake-mail.js';
import { GeneratedGateway } from '../src/gateway.js';

let net: FakeNetwork;
let mail: FakeMail | undefined;
let base: string;

/** The network behind HTTP. An answer that does not arrive is a connection that ends. */
const server = createServer((request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const exchange = async (): Promise<void> => {
    const body = await text(request);
    if (body !== '' && headers['content-type'] !== 'application/json') return void response.writeHead(415).end('{"code":"malformed-request"}');
    const { status, body: answer } = await (mail ?? net).transport({
      method: request.method as 'GET' | 'POST', path: request.url as string, headers, limit: 1 << 24, ...(body === '' ? {} : { body }),
    });
    response.writeHead(status).end(answer);
  };
  exchange().catch(() => response.destroy());
});

before(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => new Promise((done) => server.close(done)));

/** A registered wallet with minted coins, which speaks by the generated client only. */
async function enter(...minted: readonly bigint[]): Promise<Wallet> {
  const phrase = generateMnemonic(wordlist, 256);
  const keys = net.register(phrase);
  minted.forEach((value, i) => net.mint(keys, value, BigInt(2_000 + i)));
  const wallet = await Wallet.create(profile, net.host(new Memory(), new GeneratedGateway(fetchTransport(base))), phrase);
  assert.deepEqual(await wallet.restore(), { registered: true, transfers: 0, coins: minted.length });
  return wallet;
}

const fails = (reason: Reason, work: () => Promise<unknown>): Promise<void> =>
  assert.rejects(work, (e) => e instanceof Refusal && e.reason === reason);

describe('the generated client', () => {
  it('restores, claims, pays, delivers, and receives', async () => {
    net = new FakeNetwork();
    const alice = await enter(50_000n);
    const bob = await enter();
    const payment = await alice.pay(bob.address, 12_050n, 'Miete März');
    assert.deepEqual([payment.paid, payment.claimed, payment.delivered], [12_050n, 50_000n, true]);
    assert.deepEqual(await bob.receive(), [{ value: 12_050n, text: 'Miete März' }]);
    assert.deepEqual([alice.balance.held, bob.balance.unclaimed], [37_950n, 12_050n]);
  });

  it('registers and mints', async () => {
    net = new FakeNetwork();
    const ada = await Wallet.create(profile, net.host(new Memory(), new GeneratedGateway(fetchTransport(base))));
    await ada.register({ givenName: 'Ada', familyName: 'Exampleson', birthDate: '1980-05-17', nationality: 'DE', documentNumber: 'C01X0006H' });
    net.decide('approved');
    assert.deepEqual(await ada.collectRegistration(), { stage: 'registered' });
    const { id } = await ada.requestMint('funding', 'token of funding', 500n);
    net.decideMints('approved');
    assert.equal((await ada.collectMint(id)).minted, true);
    await ada.claim();
    assert.equal(ada.balance.held, 500n);
  });

  it('reads mail by private queries', async () => {
    net = new FakeNetwork();
    mail = new FakeMail(net);
    const phrase = generateMnemonic(wordlist, 256);
    net.register(phrase);
    const bob = await Wallet.create(inPrivate, net.host(new Memory(), new GeneratedGateway(fetchTransport(base))), phrase);
    const alice = await enter(500n);
    await bob.restore();
    mail.pass();
    await bob.receive();
    await alice.pay(bob.address, 7n, 'in private');
    mail.pass();
    for (let i = 0; i < 24 && bob.balance.unclaimed === 0n; i++) {
      net.now = Math.max(net.now, bob.mail.nextQuery ?? 0);
      mail.close();
      await bob.receive();
    }
    assert.equal(bob.balance.unclaimed, 7n);
    assert.ok(mail.queries > 0);
    mail = undefined;
  });

  it('pays once when the answer of a transfer is lost', async () => {
    net = new FakeNetwork();
    const alice = await enter(500n);
    const bob = await enter();
    net.faults = { answerLost: true };
    await fails('transfer-in-flight', () => alice.pay(bob.address, 5n));
    net.faults = {};
    await alice.settle();
    assert.deepEqual([alice.balance.held, net.reserved, new Set(net.cores).size], [495n, 1, 1]);
  });

  it('keeps the code of a refusal', async () => {
    net = new FakeNetwork();
    net.faults = { mailboxAway: true };
    await fails('unavailable', () => new GeneratedGateway(fetchTransport(base)).post(randomBytes(1_200)));
  });

  it('tells an answer that is not of the document from no answer', async () => {
    const asks = (body: string, status = 200): Promise<unknown> => {
      const transport: Transport = async () => ({ status, body: utf8(body) });
      return new GeneratedGateway(transport).mailbox(0n, 10);
    };
    const blob = randomBytes(1_200).toString('base64url');
    assert.ok(await asks(`{"entries":[{"sequence":3,"blob":"${blob}"}],"next":3}`));
    for (const wrong of ['<html>', '', '[]', '{"next":0}', '{"entries":[{"sequence":9007199254740993,"blob":""}],"next":9007199254740993}', '{"entries":[],"next":7}']) {
      await fails('gateway-misbehaved', () => asks(wrong));
    }
    await fails('overloaded', () => asks('{"code":"overloaded"}', 429));
    await fails('unavailable', () => asks('<html>', 502));
    await fails('gateway-unreachable', () => new GeneratedGateway(fetchTransport('http://127.0.0.1:1')).info());
  });
});
