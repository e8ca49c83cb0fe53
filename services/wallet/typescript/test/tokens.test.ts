import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { at, fromHex, fromInteger, toHex, toInteger, type Bytes } from '../src/bytes.js';
import { Gateway } from '../src/gateway.js';
import { newPhrase, seedOf, WalletKeys } from '../src/keys.js';
import { Refusal } from '../src/refusal.js';
import { authorization, blindToken, challengeDigest, drawToken, tokenKey, tokenSecond, verifyPss } from '../src/tokens.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile } from './fake.js';
import { ADA, BATCH, DAY, FIRST, ISSUED, Issuer, MODULUS_AT, SPKI } from './issuer.js';
import { element, refused } from './refused.js';

// Blind tokens (page 10), against the vectors of RFC 9578 and against the verification of another library.

describe('the vectors of RFC 9578', () => {
  it('give their requests and tokens', () => {
    assert.ok(ISSUED.vectors.length >= 3);
    const key = tokenKey(SPKI);
    for (const one of ISSUED.vectors) {
      const challenge = fromHex(one.token_challenge);
      const issuerLength = Number(toInteger(challenge.subarray(2, 4)));
      const behind = challenge.subarray(4 + issuerLength);
      const contextLength = at([...behind], 0);
      const text = (bytes: Bytes): string => String.fromCharCode(...bytes);
      const digest = challengeDigest({
        issuer: text(challenge.subarray(4, 4 + issuerLength)),
        context: behind.subarray(1, 1 + contextLength),
        origin: text(behind.subarray(3 + contextLength)),
      });
      const blinded = blindToken(key, digest, fromHex(one.nonce), fromHex(one.salt), toInteger(fromHex(one.blind)));
      assert.equal(toHex(blinded.request), one.token_request);
      assert.equal(toHex(blinded.finish(fromHex(one.token_response))), one.token);
      const wrong = fromHex(one.token_response);
      wrong[255] = (wrong[255] as number) ^ 1;
      refused('signature-invalid', () => blinded.finish(wrong));
    }
  });
});

describe('a key of tokens', () => {
  it('has one encoding', () => {
    assert.equal(toHex(tokenKey(SPKI).spki), toHex(SPKI));
    for (const [place, value] of [[0, 0x31], [20, 0], [MODULUS_AT, 0x7f], [MODULUS_AT + 255, 0], [341, 3]] as const) {
      const other = SPKI.slice();
      other[place] = value;
      refused('malformed-request', () => tokenKey(other), `byte ${place}`);
    }
    refused('malformed-request', () => tokenKey(SPKI.subarray(1)));
  });

  it('refuses signatures of other bytes', () => {
    const token = fromHex(FIRST.token);
    const key = tokenKey(SPKI);
    const [message, signature] = [token.subarray(0, 98), token.subarray(98)];
    assert.ok(verifyPss(key, message, signature));
    assert.ok(!verifyPss(key, message.subarray(1), signature));
    assert.ok(!verifyPss(key, message, fromInteger(key.n - 1n, 256)));
    assert.ok(!verifyPss(key, message, fromInteger(key.n, 256)));
    assert.ok(!verifyPss(key, message, signature.subarray(1)));
  });
});

describe('tokens of a phrase', () => {
  it('are the same again, and others for another day, number, key and challenge', () => {
    const keys = new WalletKeys(network, seedOf(newPhrase()));
    const challenge = challengeDigest({ issuer: 'a', context: new Uint8Array(0), origin: 'b' });
    const request = (key = tokenKey(SPKI), of = challenge, day = 7n, number = 1): string => toHex(drawToken(keys, key, of, day, number).request);
    assert.equal(request(), request());
    const otherKey = new Issuer(0).key;
    const otherChallenge = challengeDigest({ issuer: 'a', context: new Uint8Array(0), origin: 'c' });
    const others = [request(otherKey), request(undefined, otherChallenge), request(undefined, undefined, 8n), request(undefined, undefined, 7n, 2)];
    assert.equal(new Set([request(), ...others]).size, 5);
    assert.ok(tokenSecond(keys, 7n) < 86_400n && tokenSecond(keys, 7n) !== tokenSecond(keys, 8n));
  });
});

/** A registered wallet of a network with tokens, which three authorities countersign. */
async function registered(): Promise<{ net: FakeNetwork; issuer: Issuer; wallet: Wallet; memory: Memory }> {
  const net = new FakeNetwork();
  net.countersigners = 3;
  const issuer = new Issuer(net.now);
  net.issuer = issuer;
  const memory = new Memory();
  const wallet = await Wallet.create(profile, net.host(memory));
  await wallet.register(ADA);
  net.decide('approved');
  await wallet.collectRegistration();
  return { net, issuer, wallet, memory };
}

const spentSince = (net: FakeNetwork, from: number): (readonly [string, string | undefined])[] =>
  net.spent.slice(from).filter(([route]) => ['POST /v1/mailbox', 'POST /v1/proofs', 'POST /v1/coins/state'].includes(route));

describe('a registered wallet', () => {
  it('spends one with each post, proof and look-up after an hour, and none with anything else', async () => {
    const { net, issuer, wallet } = await registered();
    assert.equal(issuer.batches.size, 1);
    net.mint(new WalletKeys(network, seedOf(wallet.words)), 500n, element(2000));
    let from = net.spent.length;
    await wallet.receive();
    await wallet.pay(wallet.address, 1n);
    assert.ok(spentSince(net, from).length > 1 && spentSince(net, from).every(([, header]) => header === undefined), 'a batch rests for an hour');
    net.now += 3_600_000;
    from = net.spent.length;
    await wallet.pay(wallet.address, 20n);
    const spent = spentSince(net, from);
    const headers = spent.flatMap(([, header]) => header ?? []);
    assert.equal(headers.length, Math.min(BATCH, spent.length));
    assert.equal(new Set(headers).size, headers.length, 'each is shown once');
    assert.ok(headers.every((header) => issuer.takes(header)));
    const other = net.spent.slice(from).filter((one) => !spent.includes(one));
    assert.ok(other.length > 0 && other.every(([, header]) => header === undefined));
    // without a token nothing stops
    await wallet.pay(wallet.address, 20n);
    await wallet.pay(wallet.address, 20n);
  });

  it('shows a token again only with the request that got no answer', async () => {
    const { net, wallet, memory } = await registered();
    net.now += 3_600_000;
    const tokens = async (): Promise<number> => JSON.parse(new TextDecoder().decode(memory.content)).tokens.length;
    assert.equal(await tokens(), BATCH);
    const [first, again, other] = [new Uint8Array(1200).fill(1), new Uint8Array(1200).fill(1), new Uint8Array(1200).fill(2)];
    let lost = true;
    const shown: (string | undefined)[] = [];
    const { transport } = net;
    const losing = new Gateway(async (exchange) => {
      if (exchange.path !== '/v1/mailbox') return transport(exchange);
      shown.push(exchange.headers?.['Authorization']);
      if (lost) throw new Refusal('gateway-unreachable', 'lost');
      return transport(exchange);
    }, 'pay.example');
    const open = await Wallet.open(profile, net.host(memory, losing));
    assert.ok(open.registration.stage === 'registered' && wallet.registration.stage === 'registered');
    await losing.post(first, undefined).catch((e: unknown) => assert.ok(e instanceof Refusal));
    lost = false;
    await losing.post(again, undefined);
    await losing.post(other, undefined);
    assert.equal(shown.length, 3);
    assert.ok(shown[0] !== undefined && shown[0] === shown[1] && shown[2] !== shown[0]);
    assert.equal(await tokens(), BATCH - 2, 'a token leaves the file before it is shown');
  });

  it('fetches the batch of a day once, at a second of its own, and the same after a restore', async () => {
    const { net, issuer, wallet } = await registered();
    const [[key, body] = ['', '']] = [...issuer.batches];
    const restored = await Wallet.create(profile, net.host(new Memory()), wallet.words);
    await restored.restore();
    await restored.receive();
    assert.equal(issuer.batches.get(key), body, 'the same requests');
    const asks = (): number => net.routes.filter((route) => route.endsWith('/tokens')).length;
    const before = asks();
    await wallet.receive();
    assert.equal(asks(), before);
    // on the next day not before its second, while tokens of today count
    const keys = new WalletKeys(network, seedOf(wallet.words));
    const tomorrow = issuer.firstDay + 1n;
    issuer.firstDay = tomorrow;
    net.now = Number(tomorrow) * DAY + Number(tokenSecond(keys, tomorrow)) * 1_000 - 1_000;
    await wallet.receive();
    assert.equal(asks(), before);
    net.now += 1_000;
    await wallet.receive();
    assert.equal(asks(), before + 1);
    assert.equal(issuer.batches.size, 2);
  });

  it('takes keys that three of four authorities countersigned, and no token that does not verify', async () => {
    for (const spoil of [
      (net: FakeNetwork) => void (net.countersigners = 2),
      (_: FakeNetwork, issuer: Issuer) => void (issuer.wrong = true),
      (_: FakeNetwork, issuer: Issuer) => void (issuer.firstDay += 1n),
      (net: FakeNetwork) => void (net.issuer = undefined),
    ]) {
      const net = new FakeNetwork();
      net.countersigners = 3;
      const issuer = new Issuer(net.now);
      net.issuer = issuer;
      spoil(net, issuer);
      const memory = new Memory();
      const wallet = await Wallet.create(profile, net.host(memory));
      await wallet.register(ADA);
      net.decide('approved');
      assert.deepEqual(await wallet.collectRegistration(), { stage: 'registered' });
      assert.equal(JSON.parse(new TextDecoder().decode(memory.content)).tokens, undefined);
      const asked = net.routes.filter((route) => route === 'GET /v1/tokens/keys').length;
      assert.equal(asked, 1);
      await wallet.receive();
      assert.equal(net.routes.filter((route) => route === 'GET /v1/tokens/keys').length, asked, 'not again for ten minutes');
      net.now += 600_001;
      await wallet.receive();
      assert.equal(net.routes.filter((route) => route === 'GET /v1/tokens/keys').length, asked + 1);
    }
  });

  it('has none where the host does not say which gateway it is', async () => {
    const { net } = await registered();
    assert.ok(authorization(new Uint8Array(354)).startsWith('PrivateToken token="'));
    const wallet = await Wallet.create(profile, net.host(new Memory(), new Gateway(net.transport)));
    await wallet.register({ ...ADA, documentNumber: 'C01X0007H' });
    net.decide('approved');
    const before = net.routes.length;
    await wallet.collectRegistration();
    assert.ok(!net.routes.slice(before).includes('GET /v1/tokens/keys'));
  });
});
