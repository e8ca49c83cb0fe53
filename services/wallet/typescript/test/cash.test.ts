import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { at, type Bytes } from '../src/bytes.js';
import { newPhrase } from '../src/keys.js';
import type { Payout } from '../src/payout.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Log, Memory, profile } from './fake.js';
import { fails } from './refused.js';

const PAYOUT: Payout = { creditorName: 'Ada Example', iban: 'DE02120300000000202051', reference: 'rent' };

async function enter(net: FakeNetwork): Promise<{ memory: Log; wallet: Wallet }> {
  const memory = new Log();
  const phrase = newPhrase();
  net.register(phrase);
  const wallet = await Wallet.create(profile, net.host(memory), phrase);
  await wallet.restore();
  memory.contents.length = 0;
  return { memory, wallet };
}

const reopened = (net: FakeNetwork, content: Bytes | undefined): Promise<Wallet> => Wallet.open(profile, net.host(new Memory(content)));
const restored = async (net: FakeNetwork, words: string): Promise<Wallet> => {
  const wallet = await Wallet.create(profile, net.host(new Memory()), words);
  await wallet.restore();
  return wallet;
};

describe('a mint', () => {
  it('waits for approvers, is claimed and paid, and is found again from the words', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    const asked = await wallet.requestMint('funding', 'token of funding', 500n);
    assert.deepEqual([asked.value, asked.minted, wallet.mints], [500n, false, [asked]]);
    net.decideMints('approved');
    const minted = { ...asked, minted: true };
    assert.deepEqual(await wallet.collectMint(asked.id), minted);
    assert.deepEqual([wallet.balance, wallet.mints], [{ held: 0n, unclaimed: 500n }, []]);
    assert.deepEqual(await wallet.requestMint('funding', 'token of funding', 500n), minted, 'the same arguments are the same mint');
    assert.deepEqual(await wallet.receive(), [], 'the wallet’s own copy is no second coin');
    assert.deepEqual((await restored(net, wallet.words)).balance, { held: 0n, unclaimed: 500n });
    await wallet.pay(wallet.address, 20n);
    assert.equal(wallet.balance.held, 480n);
  });

  it('goes on after a kill at any write, and after any answer is lost, with one coin', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await enter(net);
    net.faults = { issuanceLost: true };
    await fails('gateway-unreachable', () => wallet.requestMint('funding', 'token of funding', 500n));
    net.faults = {};
    const { id } = await wallet.requestMint('funding', 'token of funding', 500n);
    net.decideMints('approved');
    net.faults = { answerLost: true };
    await fails('gateway-unreachable', () => wallet.collectMint(id));
    net.faults = {};
    await wallet.collectMint(id);
    assert.ok(memory.contents.length >= 3);
    for (const content of memory.contents) {
      const killed = await reopened(net, content);
      for (const one of killed.mints) await killed.collectMint(one.id);
      assert.equal((await killed.requestMint('funding', 'token of funding', 500n)).minted, true);
      await killed.receive();
      assert.deepEqual(killed.balance, { held: 0n, unclaimed: 500n });
    }
    assert.deepEqual([net.mints.length, new Set(net.cores).size], [1, 1]);
  });

  it('that was refused is dropped; another ordinal is another mint', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    const { id } = await wallet.requestMint('funding', 'token of funding', 500n);
    await fails('mint-pending', () => wallet.requestMint('funding', 'token of funding', 501n));
    net.decideMints('refused');
    await fails('mint-refused', () => wallet.collectMint(id));
    assert.deepEqual(wallet.mints, []);
    await fails('mint-pending', () => wallet.collectMint(id));
    const other = await wallet.requestMint('funding', 'token of funding', 501n, 1);
    assert.deepEqual([other.id === id, other.minted], [false, false]);
  });

  it('refuses a wrong proof, a wrong token, too few approvals and signatures that do not verify', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    const ask = () => wallet.requestMint('funding', 'token of funding', 500n);
    net.faults = { wrongProof: true };
    await fails('proof-unverified', ask);
    assert.deepEqual([wallet.mints, net.mints], [[], []], 'neither stored nor sent');
    net.faults = {};
    await fails('unauthorized', () => wallet.requestMint('another', 'token', 500n));
    assert.deepEqual(wallet.mints, []);
    await fails('malformed-request', () => wallet.requestMint('funding', 'token of funding', 0n));
    const { id } = await ask();
    net.decideMints('approved');
    net.faults = { oneApproval: true };
    await fails('approval-invalid', () => wallet.collectMint(id));
    net.faults = { wrongCombined: true, lying: [1, 2] };
    await fails('no-quorum', () => wallet.collectMint(id));
    assert.equal(wallet.balance.unclaimed, 0n);
    net.faults = { wrongCombined: true, lying: [1] };
    assert.equal((await wallet.collectMint(id)).minted, true);
    const unregistered = await Wallet.create(profile, net.host(new Memory()));
    await fails('not-registered', () => unregistered.requestMint('funding', 'token of funding', 5n));
  });
});

async function withMoney(net: FakeNetwork, ...values: readonly bigint[]): Promise<{ memory: Log; wallet: Wallet }> {
  const entered = await enter(net);
  for (const [i, value] of values.entries()) {
    await entered.wallet.requestMint('funding', 'token of funding', value, i);
    net.decideMints('approved');
    await entered.wallet.requestMint('funding', 'token of funding', value, i);
  }
  entered.memory.contents.length = 0;
  return entered;
}

describe('a withdrawal', () => {
  it('claims, takes the amount out of the network, and asks for the payout once', async () => {
    const net = new FakeNetwork();
    const { wallet } = await withMoney(net, 500n);
    const made = await wallet.withdraw(120n, PAYOUT);
    assert.deepEqual([made.paid, made.claimed, made.withdrawn, made.redeemed], [0n, 500n, 120n, true]);
    assert.deepEqual(wallet.balance, { held: 380n, unclaimed: 0n });
    assert.deepEqual([...net.payouts.values()], [[PAYOUT, 120n]]);
    const again = await restored(net, wallet.words);
    assert.deepEqual([again.balance.held, again.history.at(-1)?.memo.withdrawn], [380n, 120n]);
    assert.equal(net.payouts.size, 1);
  });

  it('claims first what one transfer cannot', async () => {
    const net = new FakeNetwork();
    const { wallet } = await withMoney(net, 10n, 20n, 30n);
    assert.equal((await wallet.withdraw(60n, PAYOUT)).withdrawn, 60n);
    assert.deepEqual([wallet.balance, net.payouts.size], [{ held: 0n, unclaimed: 0n }, 1]);
  });

  it('goes on after a kill at any write, and after any answer is lost, with one payout', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await withMoney(net, 500n);
    net.faults = { answerLost: true };
    await fails('transfer-in-flight', () => wallet.withdraw(120n, PAYOUT));
    net.faults = { issuanceLost: true };
    await wallet.settle();
    assert.deepEqual([wallet.inFlight, wallet.balance.held], [false, 380n]);
    net.faults = {};
    await wallet.settle();
    let killedAfterMaking = 0;
    for (const content of memory.contents) {
      const killed = await reopened(net, content);
      if (!killed.inFlight && killed.history.length === 0) continue;
      killedAfterMaking++;
      await killed.settle();
      assert.deepEqual([killed.balance.held, net.payouts.size], [380n, 1]);
    }
    assert.ok(killedAfterMaking >= 2);
    assert.deepEqual(at([...net.payouts.values()], 0), [PAYOUT, 120n]);
  });

  it('is refused before anything is made: amounts, accounts, a profile without the key', async () => {
    const net = new FakeNetwork();
    const { wallet } = await withMoney(net, 500n);
    const before = net.cores.length;
    await fails('malformed-request', () => wallet.withdraw(0n, PAYOUT));
    await fails('malformed-request', () => wallet.withdraw(1n, { ...PAYOUT, iban: 'DE03120300000000202051' }));
    await fails('insufficient-funds', () => wallet.withdraw(501n, PAYOUT));
    const { redemptionKey, ...unpinned } = profile;
    assert.ok(redemptionKey);
    const other = await Wallet.create(unpinned, net.host(new Memory()), wallet.words);
    await fails('not-supported', () => other.withdraw(1n, PAYOUT));
    assert.deepEqual([net.cores.length, wallet.balance.unclaimed], [before, 500n]);
  });
});
