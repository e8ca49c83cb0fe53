import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { gcmsiv } from '@noble/ciphers/aes.js';
import { base64urlnopad } from '@scure/base';
import { ascii, at, concat, u32, u64, u8, type Bytes } from '../src/bytes.js';
import { contextOf, core, inputDigest } from '../src/digests.js';
import { encodeField } from '../src/field.js';
import type { TransferRequest } from '../src/gateway.js';
import { encodeG1, g1 } from '../src/groups.js';
import { Hasher, type ComplianceCoin } from '../src/hash.js';
import { newPhrase, type WalletKeys } from '../src/keys.js';
import { decodeMemo, encodeMemo, memoNonce, type ClaimedCoin, type Memo } from '../src/memo.js';
import { readBody, transferRequest, writeBody } from '../src/messages.js';
import { planTransfer, type TransferPlan } from '../src/plan.js';
import { resolveRecover } from '../src/recover.js';
import { Refusal } from '../src/refusal.js';
import { firstCoin } from '../src/registering.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile } from './fake.js';
import { element, fails, refused } from './refused.js';

// Claims of 16 that another program of the same words made (decision 71). This implementation makes none, and goes on behind them.

const hasher = new Hasher(network);
const VALUES = [100n, 200n, 300n, 400n, 500n, 600n, 700n];
const SUM = 2_800n;

const coins = (values = VALUES): ClaimedCoin[] => values.map((value, i) => ({ origin: 1, value, rho: element(3000 + i) }));

/** A claim of 16 as the library makes it, with a proof that nobody looks at. */
function claimOf(net: FakeNetwork, keys: WalletKeys, cc: ComplianceCoin, about: Partial<Memo> = {}): { request: TransferRequest; plan: TransferPlan } {
  const memo: Memo = {
    ...{ counter: 0, time: BigInt(net.now), paid: 0n, payee: keys.apk, payeeKey: keys.encryptionKey, mailbox: '' },
    ...{ withdrawn: 0n, unfinished: 0, claimed: coins(), text: '' },
    ...about,
  };
  const payoutBlock = new Uint8Array(512).fill(7);
  const plan = planTransfer(network, keys, cc, net.policy.period, memo, payoutBlock, 'claim-16');
  const shows = plan.statement.serials.map(() => ({ h: g1, m: g1, s: g1 }));
  const evidence = {
    ...{ policyVersion: 1n, checkpointVersion: 1n, circuitVersion: 1n, rk: keys.pkAuth, shows },
    ...{ proof: new Uint8Array(1152), rkSignature: new Uint8Array(96) },
  };
  const attachments = { payoutBlock, memoBlock: plan.memoBlock };
  return { request: { statement: plan.statement, evidence, attachments, certificate: undefined }, plan };
}

interface Account {
  readonly net: FakeNetwork;
  readonly phrase: string;
  readonly keys: WalletKeys;
  /** The compliance coin of the registration. */
  readonly cc: ComplianceCoin;
  readonly bob: Wallet;
  readonly bobsKeys: WalletKeys;
}

/** An account with seven minted coins, and another wallet. */
async function account(): Promise<Account> {
  const net = new FakeNetwork();
  const [phrase, bobsPhrase] = [newPhrase(), newPhrase()];
  const keys = net.register(phrase);
  const bobsKeys = net.register(bobsPhrase);
  for (const { value, rho } of coins()) net.mint(keys, value, rho);
  const bob = await Wallet.create(profile, net.host(new Memory()), bobsPhrase);
  await bob.restore();
  return { net, phrase, keys, cc: firstCoin(network, keys).coin, bob, bobsKeys };
}

async function restored({ net, phrase }: Account, memory = new Memory()): Promise<Wallet> {
  const wallet = await Wallet.create(profile, net.host(memory), phrase);
  await wallet.restore();
  return wallet;
}

describe('a claim of 16 of another program', () => {
  it('is found by a restore, and the wallet receives and pays behind it', async () => {
    const one = await account();
    const { net, keys, cc, bob } = one;
    const { request } = claimOf(net, keys, cc);
    net.claimed(request);
    const memory = new Memory();
    const wallet = await restored(one, memory);
    assert.deepEqual(wallet.balance, { held: SUM, unclaimed: 0n });
    assert.deepEqual(wallet.history.map(({ memo }) => memo.claimed), [coins()]);
    net.mint(keys, 50n, element(3100));
    assert.deepEqual((await wallet.receive()).map(({ value }) => value), [50n]);
    // the network proves this payment out of the coin behind the claim, whose history has the details of the seven coins
    await wallet.pay(bob.address, 2_000n, 'rent');
    assert.deepEqual(wallet.balance, { held: SUM + 50n - 2_000n, unclaimed: 0n });
    assert.deepEqual((await bob.receive()).map(({ value, text }) => [value, text]), [[2_000n, 'rent']]);
    // the file keeps the claim
    const again = await Wallet.open(profile, net.host(new Memory(memory.content)));
    assert.deepEqual(again.history.map(({ memo }) => memo.claimed.length), [7, 1]);
    await again.pay(bob.address, 10n);
  });

  it('of all 16 coins is followed like one of a single coin', async () => {
    for (const values of [Array.from({ length: 16 }, (_, i) => BigInt(i + 1)), [9n]]) {
      const one = await account();
      const claimed = values.map((value, i) => ({ origin: 1, value, rho: element(3200 + i) }));
      for (const { value, rho } of claimed) one.net.mint(one.keys, value, rho);
      one.net.claimed(claimOf(one.net, one.keys, one.cc, { claimed }).request);
      const wallet = await restored(one);
      assert.equal(wallet.balance.held, values.reduce((sum, value) => sum + value, 0n));
      assert.equal(wallet.balance.unclaimed, SUM);
      await wallet.pay(one.bob.address, 1n);
    }
  });

  it('keeps what a newer program wrote behind its text', async () => {
    const one = await account();
    const rest = Uint8Array.from([2, 0, 7, 0]);
    const { request, plan } = claimOf(one.net, one.keys, one.cc, { rest });
    one.net.claimed(request);
    const wallet = await restored(one);
    assert.equal(wallet.balance.held, SUM);
    assert.deepEqual(at(wallet.history, 0).memo.rest, rest.subarray(0, 3));
    assert.deepEqual(encodeMemo(decodeMemo(encodeMemo(plan.memo, 16), 16), 16), encodeMemo(plan.memo, 16));
    await wallet.pay(one.bob.address, 1n);
  });

  it('that pays is finished: its payee gets the coin', async () => {
    const one = await account();
    const { net, keys, cc, bob, bobsKeys } = one;
    const { request, plan } = claimOf(net, keys, cc, { paid: 900n, payee: bobsKeys.apk, payeeKey: bobsKeys.encryptionKey, text: 'wages' });
    net.claimed(request);
    const wallet = await restored(one);
    assert.deepEqual((await bob.receive()).map(({ value, text }) => [value, text]), [[900n, 'wages']]);
    assert.equal(wallet.balance.held, SUM - 900n);
    assert.ok(at(plan.outputs, 0).rho !== at(plan.outputs, 1).rho);
    await bob.pay(wallet.address, 400n);
  });

  it('overtakes a wallet that is open', async () => {
    const one = await account();
    const { net, keys, cc, bob } = one;
    const wallet = await restored(one);
    assert.equal(wallet.balance.unclaimed, SUM);
    net.claimed(claimOf(net, keys, cc).request);
    const reopened = wallet;
    await reopened.pay(bob.address, 700n).catch((e: unknown) => assert.ok(e instanceof Refusal && e.reason === 'serial-conflict', String(e)));
    assert.deepEqual(reopened.balance.unclaimed, 0n);
    await reopened.pay(bob.address, 300n);
    assert.equal(at(reopened.history, 0).memo.claimed.length, 7);
  });

  it('waits while authorities may hold it, and is given up when none ever takes it', async () => {
    const one = await account();
    const { net, keys, cc, bob } = one;
    const { request } = claimOf(net, keys, cc);
    net.claimed(request);
    net.policy = { ...net.policy, version: 2n };
    net.onTransfer = ({ statement }) => {
      if (statement.family === 'claim-16') throw new Refusal('stale-policy', 'another policy');
    };
    const memory = new Memory();
    const wallet = await Wallet.create(profile, net.host(memory), one.phrase);
    await fails('transfer-in-flight', () => wallet.restore());
    // it was in flight only: the authorities that were away do not have it, and take the newer policy only
    net.forget(request);
    net.floors = { policyVersion: 2n, checkpointVersion: 1n, period: net.policy.period };
    await fails('stale-policy', () => wallet.restore());
    net.onTransfer = () => {};
    await wallet.restore();
    assert.deepEqual(wallet.balance, { held: 0n, unclaimed: SUM });
    await wallet.pay(bob.address, 1_000n);
  });

  it('stops a wallet whose memo has more coins than its family', async () => {
    const one = await account();
    const { net, keys, cc } = one;
    const { request, plan } = claimOf(net, keys, cc);
    const memo = encodeMemo(plan.memo, 16);
    refused('malformed-request', () => decodeMemo(memo));
    assert.deepEqual(decodeMemo(memo, 16), plan.memo);
    refused('OUT_OF_RANGE', () => encodeMemo(plan.memo));
    refused('OUT_OF_RANGE', () => encodeMemo({ ...plan.memo, claimed: coins(Array.from({ length: 17 }, () => 1n)) }, 16));
    const many: Bytes = encodeMemo({ ...plan.memo, claimed: coins(Array.from({ length: 16 }, () => 1n)) }, 16);
    const seventeen = many.slice();
    seventeen[1 + 2 + 8 + 8 + 32 + 32 + 1 + 8 + 4] = 17;
    refused('malformed-request', () => decodeMemo(seventeen, 16));
    const text = writeBody(transferRequest, request);
    assert.deepEqual(core(network, readBody(transferRequest, text).statement), core(network, request.statement));
    for (const [from, to] of [['"family":7', '"family":3'], ['"family":7', '"family":8'], ['"family":7', '"family":6']] as const) {
      refused('malformed-request', () => readBody(transferRequest, text.replace(from, to)));
    }
  });
});

describe('a recover over a claim of 16', () => {
  it('credits halves of its coins', async () => {
    const { net, keys, cc } = await account();
    const { request, plan } = claimOf(net, keys, cc);
    const other = claimOf(net, keys, cc, { counter: 1, claimed: coins().slice(0, 2) });
    const next = [plan, other.plan].map((one) => hasher.serial(keys.snk, one.next.rho));
    const shown = (credits: bigint) => ({
      below: [request, other.request].map(({ statement, evidence }) => ({ transfer: { statement, evidence }, recover: undefined })),
      statement: { ...{ first: 0n, second: 1n, next, returned: [0n, 0n], credits }, outputs: plan.statement.outputs, context: plan.statement.context },
    });
    const sorted = (all: readonly bigint[]): bigint[] => [...all].sort((a, b) => (a < b ? -1 : 1));
    const [lead, ...inputs] = plan.statement.serials;
    for (const [credits, credited] of [
      [1n, inputs.slice(0, 8)],
      [2n, inputs.slice(8)],
      [3n, inputs],
      [4n, other.plan.statement.serials.slice(1, 9)],
    ] as const) {
      const { recover } = resolveRecover(network, shown(credits));
      assert.deepEqual(recover.serials, [lead, ...sorted([...next, ...credited])]);
    }
  });
});

describe('a payment to several of another program', () => {
  /** The text of a request of family 8 whose memo one wallet sealed. */
  const toSeveral = ({ net, keys, cc }: Account, by: WalletKeys): string => {
    const { request } = claimOf(net, keys, cc);
    const lead = at(request.statement.serials, 0);
    const cipher = gcmsiv(by.memoKey, memoNonce(lead), ascii('solidus/memo-payments/v1'));
    const block = cipher.encrypt(Uint8Array.from([3, ...new Uint8Array(2543)]));
    const before = writeBody(transferRequest, request);
    const text = before.replace('"family":7', '"family":8').replace(base64urlnopad.encode(request.attachments.memoBlock), base64urlnopad.encode(block));
    assert.equal(text.length, before.length + 2048);
    return text;
  };

  it('stops the wallet, which would spend its coin once more', async () => {
    const one = await account();
    const memory = new Memory();
    await restored(one, memory);
    const again = await Wallet.open(profile, one.net.host(new Memory(memory.content)));
    one.net.shown = [toSeveral(one, one.keys)];
    // one authority holds what nobody can read
    one.net.faults = { lies: [{ authority: 4, serial: hasher.serial(one.keys.snk, one.cc.rho), core: new Uint8Array(32).fill(9) }] };
    await fails('not-supported', () => again.pay(one.bob.address, 10n));
    await fails('not-supported', () => restored(one));
    // what one authority alone shows, and nobody holds, stops nothing
    one.net.faults = {};
    await again.pay(one.bob.address, 10n);
  });

  /** A payment to two as the library makes it, as far as anybody looks at it, and the same with another period. */
  const paymentOf = ({ net, keys, cc, bobsKeys }: Account, period = net.policy.period): { readonly text: string; readonly inPeriod: (other: bigint) => string } => {
    const lead = hasher.serial(keys.snk, cc.rho);
    const payee = (paid: bigint): Bytes => concat(u64(paid), encodeField(bobsKeys.apk), bobsKeys.encryptionKey, u8(0), u8(0));
    const content = concat(u8(3), Uint8Array.of(0, 5), u64(BigInt(net.now)), u64(0n), u32(0), u8(0), u8(2), payee(3n), payee(4n));
    const cipher = gcmsiv(keys.memoKey, memoNonce(lead), ascii('solidus/memo-payments/v1'));
    const memoBlock = cipher.encrypt(concat(content, new Uint8Array(2544 - content.length)));
    const payoutBlock = new Uint8Array(512).fill(7);
    const context = contextOf(network, payoutBlock, memoBlock);
    const { seed, outputs, dummies } = keys.transfer({ snCc: lead, counter: 5, period, context });
    const serials = [lead, ...dummies.map((rho) => hasher.serial(keys.snk, rho))];
    const d = inputDigest(network, { family: 'pay-8', serials, withdrawn: 0n, context });
    const message = hasher.coin({ value: 3n, origin: 0, apk: bobsKeys.apk, rho: hasher.rhos(seed, d)[0] });
    const cms = [hasher.commitment(at(outputs, 0).s, message), ...Array.from({ length: 8 }, (_, i) => element(7000 + i))];
    const b64 = (bytes: Bytes): string => `"${base64urlnopad.encode(bytes)}"`;
    const k = b64(encodeG1(g1));
    const inPeriod = (shown: bigint): string =>
      `{"statement":{"family":8,"serials":[${serials.map((one) => b64(encodeField(one))).join()}],` +
      `"outputs":[${cms.map((cm) => `{"cm":${b64(encodeField(cm))},"k":${k}}`).join()}],"period":${shown},"withdrawnMinor":0,"context":${b64(context)}},` +
      `"evidence":{},"attachments":{"payoutBlock":${b64(payoutBlock)},"memoBlock":${b64(memoBlock)}}}`;
    return { text: inPeriod(period), inPeriod };
  };

  it('stops the wallet no more when authorities never take it', async () => {
    const one = await account();
    const { net, bob } = one;
    const { period } = net.policy;
    const { text, inPeriod } = paymentOf(one, period - 1n);
    const pays = async (): Promise<void> => {
      // a wallet that was just opened asks whether its coin is free
      const opened = await restored(one);
      await opened.pay(bob.address, 10n);
    };
    for (const [shown, floor, what] of [
      [text, period - 1n, 'it may still be taken'],
      [inPeriod(period - 2n), period - 1n, 'a liar shows an earlier period'],
      [inPeriod(period), period, 'a liar shows another period'],
      [text.replace('"outputs":[', '"outputs":[{},'), period, 'it cannot be read'],
    ] as const) {
      net.shown = [shown];
      net.faults = shown === text ? {} : { lies: [{ authority: 4, serial: hasher.serial(one.keys.snk, one.cc.rho), core: new Uint8Array(32).fill(9) }] };
      net.floors = { ...net.floors, period: floor };
      await assert.rejects(pays, (e) => e instanceof Refusal && e.reason === 'not-supported', what);
    }
    net.faults = {};
    net.floors = { ...net.floors, period };
    net.shown = [inPeriod(period - 2n), text];
    await pays();
  });

  it('stops the wallet while one authority of three signs no such floor', async () => {
    const one = await account();
    const { net } = one;
    const { text } = paymentOf(one, net.policy.period - 1n);
    net.shown = [text];
    net.floors = { ...net.floors, period: net.policy.period };
    net.floorsOf.set(1, { ...net.floors, period: 0n });
    net.floorsOf.set(2, { ...net.floors, period: 0n });
    await fails('not-supported', () => restored(one));
    net.floorsOf.delete(2);
    await restored(one);
  });

  it('counts for nothing when another wallet sealed its memo', async () => {
    const one = await account();
    one.net.shown = [toSeveral(one, one.bobsKeys)];
    const wallet = await restored(one);
    await wallet.pay(one.bob.address, 10n);
  });

  it('is not to be confused with a memo that a liar shows in another family', async () => {
    const one = await account();
    const { request } = claimOf(one.net, one.keys, one.cc);
    const { statement, evidence } = request;
    const less = { ...request, statement: { ...statement, family: 'transfer' as const, serials: statement.serials.slice(0, 3) } };
    one.net.shown = [writeBody(transferRequest, { ...less, evidence: { ...evidence, shows: evidence.shows.slice(0, 3), proof: new Uint8Array(704) } })];
    const wallet = await restored(one);
    await wallet.pay(one.bob.address, 10n);
  });
});
