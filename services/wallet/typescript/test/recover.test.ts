import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { decodeAddress } from '../src/address.js';
import { at, fromHex, toHex, type Bytes } from '../src/bytes.js';
import { context, core, type Recover } from '../src/digests.js';
import type { TransferRequest } from '../src/gateway.js';
import { Hasher, type ComplianceCoin } from '../src/hash.js';
import { newPhrase, type WalletKeys } from '../src/keys.js';
import { decodeMemo, openMemo, sealRecoverMemo } from '../src/memo.js';
import type { RecoverRequest } from '../src/messages.js';
import { planTransfer, type TransferPlan } from '../src/plan.js';
import { decodeRecoverMemo, encodeRecoverMemo, planRecover, reopenRecover, resolveRecover, type OwnRecover, type RecoverMemo } from '../src/recover.js';
import { Store } from '../src/store.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile as complete } from './fake.js';
import { element, fails, refused } from './refused.js';

// Recovers that another program of the same words made, as page 9 describes them.

const hasher = new Hasher(network);
const BUDGET = 1_300n;

/** A wallet on three devices, with one coin that all of them claim. */
interface Account {
  readonly keys: WalletKeys;
  readonly phrase: string;
  readonly phone: Wallet;
  readonly laptop: Wallet;
  readonly tablet: Wallet;
  readonly phoneMemory: Memory;
  /** The compliance coin that they spend. */
  readonly coin: ComplianceCoin;
  readonly bob: Wallet;
}

/** A wallet without the key of recovers: the recovers here have no proofs, and authorities that hold them. */
const { recoverKey: _, ...profile } = complete;

const copy = (net: FakeNetwork, { content }: Memory): Promise<Wallet> => Wallet.open(profile, net.host(new Memory(content)));

/** The account holds 1,000 and has a coin of 300 unclaimed. */
async function account(net: FakeNetwork): Promise<Account> {
  const phrase = newPhrase();
  const keys = net.register(phrase);
  net.mint(keys, 1_000n, element(2001));
  const bobsPhrase = newPhrase();
  net.register(bobsPhrase);
  const bob = await Wallet.create(profile, net.host(new Memory()), bobsPhrase);
  await bob.restore();
  const phoneMemory = new Memory();
  const phone = await Wallet.create(profile, net.host(phoneMemory), phrase);
  await phone.restore();
  await phone.claim();
  net.mint(keys, 300n, element(2002));
  await phone.receive();
  const { state } = await Store.open(phoneMemory, network.id);
  const coin = state.compliance?.coin as ComplianceCoin;
  const [laptop, tablet] = [await copy(net, phoneMemory), await copy(net, phoneMemory)];
  return { keys, phrase, phone, laptop, tablet, phoneMemory, coin, bob };
}

/** A payment that no authority answers: what a device keeps in flight. */
async function unanswered(net: FakeNetwork, from: Wallet, to: Wallet, amount: bigint): Promise<TransferRequest> {
  let sent: TransferRequest | undefined;
  net.onTransfer = (request) => void (sent ??= request);
  net.faults = { withheld: true };
  await fails('transfer-in-flight', () => from.pay(to.address, amount));
  net.faults = {};
  net.onTransfer = () => {};
  return sent as TransferRequest;
}

/** What the owner knows of a core below a recover. */
interface Known {
  readonly id: Bytes;
  readonly lead: bigint;
  readonly next: ComplianceCoin;
  readonly below: RecoverRequest['below'];
  /** The serial number of the returned coin of a recover. */
  readonly returned: bigint;
  readonly serials: readonly bigint[];
  readonly rhos: readonly bigint[];
}

function transferOf({ keys, coin }: Pick<Account, 'keys' | 'coin'>, { statement, evidence, attachments }: TransferRequest): Known & { readonly plan: TransferPlan } {
  const lead = hasher.serial(keys.snk, coin.rho);
  const memo = decodeMemo(openMemo(keys.memoKey, lead, attachments.memoBlock));
  const plan = planTransfer(network, keys, coin, statement.period, memo, attachments.payoutBlock);
  const below = [{ transfer: { statement, evidence }, recover: undefined }];
  const rhos = memo.claimed.map(({ rho }) => rho);
  return { id: core(network, statement), lead, next: plan.next, below, returned: 0n, serials: statement.serials.slice(1), rhos, plan };
}

/**
 * The recover that the owner's other device makes over two cores.
 *
 * @param named its serial numbers behind the lead, in any order
 */
function recoverOver({ keys }: Pick<Account, 'keys'>, x1: Known, x2: Known, credits: number, named: readonly bigint[], amounts: Pick<RecoverMemo, 'held' | 'returned' | 'outflow' | 'budget'>): RecoverRequest {
  const { lead } = x1;
  const { payoutBlock } = keys.recover({ lead, x1: x1.id, x2: x2.id, credits });
  const memo: RecoverMemo = {
    ...{ time: 1_000n, period: x1.next.period, sent: 500n, count: 3n, com: element(7), ...amounts },
    ...{ coms: [x1.next.com, x2.next.com], unfinished: 0n, claimed: [...new Set([...x1.rhos, ...x2.rhos])].sort((a, b) => (a < b ? -1 : 1)) },
  };
  const memoBlock = sealRecoverMemo(keys.memoKey, lead, encodeRecoverMemo(memo));
  const below = [...x1.below, ...x2.below];
  const recover: Recover = {
    family: 'recover',
    serials: [lead, ...[...named].sort((a, b) => (a < b ? -1 : 1))],
    over: [x1.id, x2.id],
    credits,
    outputs: [],
    context: context(network, payoutBlock, memoBlock),
  };
  const { statement } = planRecover(network, keys, recover, memo);
  const evidence = { circuitVersion: 1n, rk: keys.pkAuth, proof: new Uint8Array(608), rkSignature: new Uint8Array(96) };
  const serial = (coin: ComplianceCoin): bigint => hasher.serial(keys.snk, coin.rho);
  return {
    statement: {
      ...{ first: BigInt(x1.below.length - 1), second: BigInt(below.length - 1), next: [serial(x1.next), serial(x2.next)] },
      ...{ returned: [x1.returned, x2.returned], credits: BigInt(credits), outputs: statement.outputs, context: statement.context },
    },
    evidence,
    attachments: { payoutBlock, memoBlock },
    below,
  };
}

const own = ({ keys, coin }: Pick<Account, 'keys' | 'coin'>, request: RecoverRequest): OwnRecover =>
  reopenRecover(network, keys, hasher.serial(keys.snk, coin.rho), request) as OwnRecover;

const serialOf = ({ keys }: Pick<Account, 'keys'>, coin: ComplianceCoin): bigint => hasher.serial(keys.snk, coin.rho);

/** Phone and laptop paid at once; a recover burnt the larger payment. It credits the coin that both claim once. */
async function locked(net: FakeNetwork) {
  const made = await account(net);
  const first = await unanswered(net, made.phone, made.bob, 200n);
  const second = await unanswered(net, made.laptop, made.bob, 500n);
  const [x1, x2] = [transferOf(made, first), transferOf(made, second)];
  const named = [serialOf(made, x1.next), serialOf(made, x2.next), at(x1.serials, 0)];
  const request = recoverOver(made, x1, x2, 1, named, { held: 500n, returned: 300n, outflow: 500n, budget: BUDGET });
  return { ...made, first, second, x1, x2, request };
}

const restored = async (net: FakeNetwork, phrase: string): Promise<Wallet> => {
  const wallet = await Wallet.create(profile, net.host(new Memory()), phrase);
  await wallet.restore();
  return wallet;
};

describe('the memo of a recover', () => {
  const memo: RecoverMemo = {
    ...{ time: 1n, period: 2n, sent: 3n, count: 4n, held: 5n, com: element(6), returned: 7n, outflow: 8n, budget: 9n },
    ...{ coms: [element(10), element(11)], unfinished: 12n, claimed: [element(13), element(14)] },
  };

  it('is read as it was written, and refused in another version or with a number out of range', () => {
    const bytes = encodeRecoverMemo(memo);
    assert.deepEqual(decodeRecoverMemo(bytes), memo);
    assert.deepEqual(decodeRecoverMemo(encodeRecoverMemo({ ...memo, claimed: [] })).claimed, []);
    const changed = (place: number, value: number): Bytes => bytes.map((byte, i) => (i === place ? value : byte));
    // version, sent, com, unfinished, number of claimed coins
    for (const [place, value] of [[0, 2], [13, 0x80], [33, 0xff], [153, 0x80], [157, 27]] as const) {
      refused('malformed-request', () => decodeRecoverMemo(changed(place, value)));
    }
  });
});

describe('a recover in the chain', () => {
  it('is found again from the words, with what is left, and the next payment goes through', async () => {
    const net = new FakeNetwork();
    const made = await locked(net);
    const { phrase, first, request, bob, x1, x2 } = made;
    net.locked(first, request);
    const again = await restored(net, phrase);
    assert.deepEqual(again.balance, { held: 500n, unclaimed: 300n });
    assert.deepEqual(again.recovers.map(({ memo }) => [memo.outflow, memo.returned]), [[500n, 300n]]);
    assert.equal(again.recovers[0]?.core, toHex(core(network, resolveRecover(network, request).recover)));
    assert.deepEqual(new Set(own(made, request).below), new Set([toHex(x1.id), toHex(x2.id)]));

    await again.pay(bob.address, 30n, 'after');
    assert.deepEqual(again.balance, { held: 770n, unclaimed: 0n }, 'the returned coin is claimed');
    const later = await restored(net, phrase);
    assert.deepEqual(later.balance, again.balance, 'a returned coin that was claimed stays claimed');
    assert.deepEqual(later.history.map(({ memo }) => memo.paid), [0n, 30n]);
    assert.equal(later.recovers.length, 1);
    await later.pay(bob.address, 770n);
    assert.deepEqual((await bob.receive()).map(({ value }) => value), [30n, 770n]);
  });

  it('ends the payment in flight that it burnt, which is not made again', async () => {
    const net = new FakeNetwork();
    const { phone, laptop, phoneMemory, first, request, bob } = await locked(net);
    net.locked(first, request);
    await fails('payment-burnt', () => laptop.settle());
    assert.deepEqual([laptop.inFlight, laptop.balance], [false, { held: 500n, unclaimed: 300n }]);
    await laptop.settle();
    // the phone was killed and is opened again
    const killed = await copy(net, phoneMemory);
    await fails('payment-burnt', () => killed.pay(bob.address, 1n));
    assert.deepEqual([killed.inFlight, killed.balance], [false, { held: 500n, unclaimed: 300n }]);
    await killed.pay(bob.address, 5n);
    assert.deepEqual(await bob.receive(), [{ value: 5n, text: '' }]);
    await fails('payment-burnt', () => phone.settle());
    assert.deepEqual(phone.balance, { held: 795n, unclaimed: 0n }, 'the phone follows the payment of its file’s copy');
  });

  it('over another recover takes its returned coin in, and the one with most below it is taken', async () => {
    const net = new FakeNetwork();
    const made = await locked(net);
    const { first, request, x1, x2 } = made;
    const third = transferOf(made, await unanswered(net, made.tablet, made.bob, 100n));
    const r1 = own(made, request);
    const known: Known = {
      ...{ id: fromHex(r1.id), lead: x1.lead, next: r1.next, returned: hasher.serial(made.keys.snk, r1.returned.rho) },
      ...{ below: [...request.below, { transfer: undefined, recover: { statement: request.statement, evidence: request.evidence } }] },
      ...{ serials: [], rhos: r1.memo.claimed },
    };
    const next = [x1.next, x2.next, r1.next, third.next].map((coin) => serialOf(made, coin));
    const second = recoverOver(made, known, third, 0, [...next, known.returned, at(x1.serials, 0)], { held: 500n, returned: 200n, outflow: 600n, budget: BUDGET });
    assert.equal(own(made, second).below.length, 4);
    net.locked(first, request, second);
    const again = await restored(net, made.phrase);
    assert.deepEqual(again.balance, { held: 500n, unclaimed: 200n });
    assert.deepEqual(again.recovers.map(({ memo }) => memo.outflow), [600n]);
  });

  it('that credits less leaves the coin behind, as lost', async () => {
    const net = new FakeNetwork();
    const made = await locked(net);
    const { x1, x2 } = made;
    const named = [serialOf(made, x1.next), serialOf(made, x2.next)];
    const request = recoverOver(made, x1, x2, 0, named, { held: 500n, returned: 0n, outflow: 500n, budget: 1_000n });
    net.locked(made.first, request);
    assert.deepEqual((await restored(net, made.phrase)).balance, { held: 500n, unclaimed: 0n }, 'the mailbox has the coin again, which is spent');
  });

  it('that the words did not make, or that was altered, counts for nothing', async () => {
    const net = new FakeNetwork();
    const made = await locked(net);
    const { first, request, x1, phrase } = made;
    const { statement, attachments } = request;
    const flipped = (bytes: Bytes): Bytes => bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte));
    const altered: RecoverRequest[] = [
      { ...request, attachments: { ...attachments, memoBlock: flipped(attachments.memoBlock) } },
      { ...request, attachments: { ...attachments, payoutBlock: flipped(attachments.payoutBlock) } },
      { ...request, statement: { ...statement, credits: 3n } },
      { ...request, statement: { ...statement, next: [at(statement.next, 1), element(9)] } },
      { ...request, statement: { ...statement, returned: [element(9), 0n] } },
      { ...request, statement: { ...statement, outputs: [...statement.outputs].reverse() } },
      { ...request, statement: { ...statement, second: 5n } },
      { ...request, below: [at(request.below, 1), at(request.below, 0)] },
    ];
    assert.equal(own(made, request).next.held, 500n);
    for (const [i, one] of altered.entries()) assert.equal(own(made, one), undefined, `${i}`);
    const other = await account(net);
    assert.equal(reopenRecover(network, other.keys, x1.lead, request), undefined, 'other words');
    assert.equal(reopenRecover(network, made.keys, element(9), request), undefined, 'another lead');
    net.locked(first, request);
    net.recovers.set(x1.lead, [...altered, request]);
    assert.deepEqual((await restored(net, phrase)).balance, { held: 500n, unclaimed: 300n });
  });

  it('that burnt the payment of a request keeps the request from being paid again', async () => {
    const net = new FakeNetwork();
    const made = await account(net);
    const request = { payee: decodeAddress(network, made.bob.address), id: new Uint8Array(16).fill(7) };
    let sent: TransferRequest | undefined;
    net.onTransfer = (one) => void (sent ??= one);
    net.faults = { withheld: true };
    await fails('transfer-in-flight', () => made.phone.payRequest(request, 200n));
    net.faults = {};
    net.onTransfer = () => {};
    const [x1, x2] = [transferOf(made, sent as TransferRequest), transferOf(made, await unanswered(net, made.laptop, made.bob, 500n))];
    const named = [serialOf(made, x1.next), serialOf(made, x2.next), at(x1.serials, 0)];
    net.locked(sent as TransferRequest, recoverOver(made, x1, x2, 1, named, { held: 500n, returned: 300n, outflow: 500n, budget: BUDGET }));
    await fails('payment-burnt', () => made.phone.payRequest(request, 200n));
    const again = await copy(net, made.phoneMemory);
    await fails('payment-burnt', () => again.payRequest(request, 200n));
    await again.payRequest({ ...request, id: new Uint8Array(16).fill(8) }, 200n);
    assert.deepEqual((await made.bob.receive()).map(({ value }) => value), [200n]);
  });

  it('whose answer is lost stays for the next call', async () => {
    const net = new FakeNetwork();
    const { first, request, laptop } = await locked(net);
    net.locked(first, request);
    net.faults = { answerLost: true };
    await fails('gateway-unreachable', () => laptop.settle());
    assert.equal(laptop.inFlight, true);
    net.faults = {};
    await fails('payment-burnt', () => laptop.settle());
    assert.deepEqual(laptop.balance, { held: 500n, unclaimed: 300n });
  });
});
