import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { decodeAddress } from '../src/address.js';
import { newPhrase } from '../src/keys.js';
import { isPaymentFor, readRequest, requestContent, requestUri, type PaymentRequest } from '../src/request.js';
import { toHex } from '../src/bytes.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile } from './fake.js';
import { element, fails } from './refused.js';

const ID = new Uint8Array(16).fill(0xab);

async function enter(net: FakeNetwork, ...minted: readonly bigint[]): Promise<{ phrase: string; memory: Memory; wallet: Wallet }> {
  const phrase = newPhrase();
  const keys = net.register(phrase);
  minted.forEach((value, i) => net.mint(keys, value, element(2000 + i)));
  const memory = new Memory();
  const wallet = await Wallet.create(profile, net.host(memory), phrase);
  await wallet.restore();
  return { phrase, memory, wallet };
}

/** A request as a payer reads it. */
const asked = (payee: Wallet, more: Partial<PaymentRequest> = {}): PaymentRequest => {
  const request = { payee: decodeAddress(network, payee.address), price: { amount: 20n, currency: 'EUR' }, label: 'Miete März', id: ID, ...more };
  return readRequest(network, requestUri(requestContent(network, request))).request;
};

/** A request that names no amount. */
const open = ({ price: _, ...request }: PaymentRequest): PaymentRequest => request;

describe('the payment of a request', () => {
  it('is made once, also by a file of before and by a restored wallet, and has the id and the label as its text', async () => {
    const net = new FakeNetwork();
    const { phrase, memory, wallet } = await enter(net, 500n);
    const shop = await enter(net);
    const before = new Memory(memory.content);
    const request = asked(shop.wallet);
    assert.equal(wallet.paid(request), undefined);
    const paid = await wallet.payRequest(request);
    assert.notEqual(wallet.paid(request), undefined);
    assert.deepEqual([paid.paid, paid.claimed, paid.delivered], [20n, 500n, true]);
    assert.deepEqual(await wallet.payRequest(request), paid);
    assert.deepEqual(await (await Wallet.open(profile, net.host(before))).payRequest(request), paid, 'a copy of the file of before');
    const restored = await Wallet.create(profile, net.host(new Memory()), phrase);
    assert.deepEqual(await restored.payRequest(request), paid);
    assert.deepEqual(await shop.wallet.receive(), [{ value: 20n, text: `${toHex(ID)} Miete März` }]);
    assert.equal(wallet.history.length, 1);
  });

  it('is made once when its answer is lost', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net, 500n);
    const shop = await enter(net);
    net.faults = { answerLost: true };
    await fails('transfer-in-flight', () => wallet.payRequest(asked(shop.wallet)));
    net.faults = {};
    assert.equal((await wallet.payRequest(asked(shop.wallet))).paid, 20n);
    assert.deepEqual([wallet.history.length, (await shop.wallet.receive()).length], [1, 1]);
  });

  it('is refused where another amount or text was paid for its id, and made for another payee or without an id', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net, 500n);
    const [shop, other] = [await enter(net), await enter(net)];
    await wallet.payRequest(open(asked(shop.wallet)), 30n);
    await fails('idempotency-mismatch', () => wallet.payRequest(open(asked(shop.wallet)), 31n));
    await fails('idempotency-mismatch', () => wallet.payRequest(open(asked(shop.wallet, { label: 'other' })), 30n));
    await wallet.payRequest(open(asked(other.wallet)), 30n);
    const { id: _, ...often } = open(asked(shop.wallet));
    await wallet.payRequest(often, 1n);
    await wallet.payRequest(often, 1n);
    assert.equal(wallet.paid(often), undefined);
    assert.deepEqual((await shop.wallet.receive()).map(({ value, text }) => [value, text.slice(-10)]), [[30n, 'Miete März'], [1n, 'Miete März'], [1n, 'Miete März']]);
    assert.equal((await other.wallet.receive()).length, 1);
  });

  it('is not made at or after its time, but told when it was made in time', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net, 500n);
    const shop = await enter(net);
    const request = asked(shop.wallet, { expires: BigInt(net.now + 1_000_000) });
    const paid = await wallet.payRequest(request);
    net.now = Number(request.expires);
    assert.deepEqual(await wallet.payRequest(request), paid);
    await fails('request-expired', () => wallet.payRequest({ ...request, id: new Uint8Array(16) }));
    assert.equal(wallet.history.length, 1);
  });

  it('is refused in another currency, with another amount or with none, before anything is asked', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net, 500n);
    const shop = await enter(net);
    const asks = net.routes.length;
    await fails('network-mismatch', () => wallet.payRequest(asked(shop.wallet, { price: { amount: 20n, currency: 'SEK' } })));
    await fails('malformed-request', () => wallet.payRequest(asked(shop.wallet), 21n));
    await fails('malformed-request', () => wallet.payRequest(open(asked(shop.wallet))));
    assert.equal(net.routes.length, asks);
  });

  it('is told from other texts by the id alone or with a space behind it', () => {
    const id = toHex(ID);
    assert.deepEqual([id, `${id} `, `${id} x`, `${id}x`, ` ${id}`, id.toUpperCase(), ''].map((text) => isPaymentFor(ID, text)), [true, true, true, false, false, false, false]);
  });
});
