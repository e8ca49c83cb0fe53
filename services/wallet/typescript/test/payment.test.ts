import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { at, fromInteger, toHex } from '../src/bytes.js';
import { core } from '../src/digests.js';
import { decodeVerifyingKey, encodeVerifyingKey } from '../src/groth16.js';
import { newPhrase, WalletKeys } from '../src/keys.js';
import { chooseCoins, planPayment } from '../src/limits.js';
import { ownProofs } from '../src/proving.js';
import { keyOf, rootOf, SanctionTree } from '../src/sanctions.js';
import { Store } from '../src/store.js';
import { utf8 } from '../src/text.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, manifestText, Memory, network, profile, signedManifest } from './fake.js';
import { element, fails, refused } from './refused.js';

interface Person {
  readonly phrase: string;
  readonly keys: WalletKeys;
  readonly memory: Memory;
  wallet: Wallet;
}

/** A registered person whose wallet was restored from her words. */
async function enter(net: FakeNetwork, ...minted: readonly bigint[]): Promise<Person> {
  const phrase = newPhrase();
  const keys = net.register(phrase);
  minted.forEach((value, i) => net.mint(keys, value, element(2000 + i)));
  const memory = new Memory();
  const wallet = await Wallet.create(profile, net.host(memory), phrase);
  assert.deepEqual(await wallet.restore(), { registered: true, transfers: 0, coins: minted.length });
  return { phrase, keys, memory, wallet };
}

const total = ({ wallet }: Person): bigint => wallet.balance.held + wallet.balance.unclaimed;

describe('a payment', () => {
  it('claims, pays, is received, is paid on, and is found again from the words', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 50_000n);
    const bob = await enter(net);
    const payment = await alice.wallet.pay(bob.wallet.address, 12_050n, 'Miete März');
    assert.deepEqual([payment.paid, payment.claimed, payment.delivered], [12_050n, 50_000n, true]);
    assert.deepEqual(alice.wallet.balance, { held: 37_950n, unclaimed: 0n });
    assert.deepEqual(await bob.wallet.receive(), [{ value: 12_050n, text: 'Miete März' }]);
    assert.deepEqual(await bob.wallet.receive(), [], 'a coin is accepted once');
    await bob.wallet.pay(alice.wallet.address, 2_000n);
    await alice.wallet.receive();
    assert.deepEqual([total(alice), total(bob)], [39_950n, 10_050n]);
    assert.deepEqual(alice.wallet.received.map(({ value, text }) => [value, text]), [[2_000n, '']]);

    const again = await Wallet.create(profile, net.host(new Memory()), alice.phrase);
    assert.deepEqual(await again.restore(), { registered: true, transfers: 1, coins: 1 });
    assert.deepEqual(again.balance, alice.wallet.balance);
    assert.equal(again.address, alice.wallet.address);
    await again.pay(bob.wallet.address, 39_950n);
    assert.deepEqual(again.balance, { held: 0n, unclaimed: 0n });
    assert.equal(again.history.at(-1)?.memo.paid, 39_950n);
  });

  it('claims first what one transfer cannot', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 10n, 20n, 30n);
    const bob = await enter(net);
    const payment = await alice.wallet.pay(bob.wallet.address, 60n);
    assert.deepEqual([payment.claimed, alice.wallet.history.length], [10n, 2]);
    await bob.wallet.receive();
    assert.equal((await bob.wallet.claim())?.claimed, 60n);
    assert.equal(await bob.wallet.claim(), undefined);
    assert.deepEqual(bob.wallet.balance, { held: 60n, unclaimed: 0n });
  });

  it('is on disk before its first byte leaves', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    let checked = 0;
    const stored: Promise<void>[] = [];
    net.onTransfer = ({ statement }) => {
      const content = new Memory(alice.memory.content);
      stored.push(
        Store.open(content, network.id).then(({ state }) => {
          assert.ok(state.pending !== undefined);
          assert.equal(toHex(core(network, state.pending.statement)), toHex(core(network, statement)));
          checked++;
        }),
      );
    };
    await alice.wallet.pay(bob.wallet.address, 5n);
    await Promise.all(stored);
    assert.equal(checked, 1);
  });

  it('whose answer is lost is made once, by the file of a killed program too', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { answerLost: true };
    await fails('transfer-in-flight', () => alice.wallet.pay(bob.wallet.address, 5n, 'once'));
    assert.equal(alice.wallet.inFlight, true);
    net.faults = {};
    const reopened = await Wallet.open(profile, net.host(new Memory(alice.memory.content)));
    await reopened.settle();
    assert.deepEqual([reopened.inFlight, reopened.balance.held, net.reserved], [false, 495n, 1]);
    assert.deepEqual(await bob.wallet.receive(), [{ value: 5n, text: 'once' }]);
    assert.deepEqual([new Set(net.cores).size, net.cores.length > 1], [1, true]);
  });

  it('is proved again for the same core when the policy has changed', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.onTransfer = ({ evidence }) => {
      if (evidence.policyVersion === 1n) net.policy = { ...net.policy, version: 2n };
    };
    await alice.wallet.pay(bob.wallet.address, 5n);
    assert.deepEqual([net.cores.length, new Set(net.cores).size], [2, 1]);
    assert.equal(alice.wallet.balance.held, 495n);
  });

  it('is given up when the rules refuse it for good and 2f + 1 authorities sign that they never take it', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { withheld: true };
    await fails('transfer-in-flight', () => alice.wallet.pay(bob.wallet.address, 5n));
    net.faults = {};
    net.policy = { ...net.policy, version: 2n, period: 202612n };
    await fails('transfer-in-flight', () => alice.wallet.settle());
    net.floors = { policyVersion: 1n, checkpointVersion: 1n, period: 202612n };
    await fails('stale-period', () => alice.wallet.settle());
    assert.deepEqual([alice.wallet.inFlight, total(alice), net.reserved], [false, 500n, 0]);
    await alice.wallet.pay(bob.wallet.address, 6n);
    assert.deepEqual([total(alice), alice.wallet.history.at(-1)?.memo.counter], [494n, 1]);
  });

  it('leaves the coin in the file while the mailbox is away, and posts again what the mailbox lost', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { mailboxAway: true };
    assert.equal((await alice.wallet.pay(bob.wallet.address, 5n)).delivered, false);
    net.faults = {};
    await alice.wallet.settle();
    assert.equal((await bob.wallet.receive()).length, 1);
    net.blobs = net.blobs.slice(0, -1);
    const another = await Wallet.create(profile, net.host(new Memory()), bob.phrase);
    assert.equal((await another.restore()).coins, 0);
    await alice.wallet.receive();
    await alice.wallet.receive();
    assert.equal((await another.receive()).length, 1);
  });
});

describe('a restore', () => {
  it('posts a coin that was not delivered, and needs no mailbox for the chain', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { mailboxAway: true };
    await alice.wallet.pay(bob.wallet.address, 5n, 'undelivered');
    await alice.wallet.pay(bob.wallet.address, 6n, 'too');
    net.faults = {};
    net.blobs = [];
    const again = await Wallet.create(profile, net.host(new Memory()), alice.phrase);
    assert.deepEqual(await again.restore(), { registered: true, transfers: 2, coins: 0 });
    assert.deepEqual(again.balance, { held: 489n, unclaimed: 0n });
    assert.deepEqual((await bob.wallet.receive()).map(({ text }) => text), ['undelivered', 'too']);
  });

  it('finishes a transfer in flight that only authorities know of, and goes on where it was cut off', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { answerLost: true };
    await fails('transfer-in-flight', () => alice.wallet.pay(bob.wallet.address, 5n));
    const memory = new Memory();
    const again = await Wallet.create(profile, net.host(memory), alice.phrase);
    await assert.rejects(() => again.restore());
    net.faults = {};
    const reopened = await Wallet.open(profile, net.host(memory));
    assert.equal((await reopened.receive()).length, 0);
    assert.deepEqual([reopened.balance.held, reopened.history.length, net.reserved], [495n, 1, 1]);
  });
});

describe('what others do wrong', () => {
  it('a wrong combination, or one lying authority, costs work only', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { wrongCombined: true, lying: [2] };
    await alice.wallet.pay(bob.wallet.address, 5n);
    assert.equal(alice.wallet.balance.held, 495n);
    net.faults = { wrongCombined: true, lying: [2, 3] };
    await fails('no-quorum', () => alice.wallet.pay(bob.wallet.address, 5n));
    assert.equal(alice.wallet.inFlight, true);
    net.faults = {};
    await alice.wallet.settle();
    assert.equal(alice.wallet.balance.held, 490n);
  });

  it('a wrong proof is neither stored nor sent', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.faults = { wrongProof: true };
    await fails('proof-unverified', () => alice.wallet.pay(bob.wallet.address, 5n));
    assert.deepEqual([alice.wallet.inFlight, net.cores.length], [false, 0]);
  });

  it('nothing is made while too few authorities sign that the compliance coin is free', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    const reopened = await Wallet.open(profile, net.host(alice.memory));
    net.faults = { away: [1, 2] };
    await fails('no-quorum', () => reopened.pay(bob.wallet.address, 5n));
    assert.deepEqual([reopened.inFlight, net.cores.length], [false, 0]);
  });

  it('an old copy follows what another copy paid', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    const old = new Memory(alice.memory.content);
    await alice.wallet.pay(bob.wallet.address, 5n, 'new');
    const copy = await Wallet.open(profile, net.host(old));
    await copy.pay(bob.wallet.address, 7n, 'old');
    assert.deepEqual(copy.history.map(({ memo }) => memo.text), ['new', 'old']);
    assert.equal(copy.balance.held, 488n);
    // the first copy asked before, and meets the conflict
    await fails('serial-conflict', () => alice.wallet.pay(bob.wallet.address, 9n));
    assert.deepEqual(alice.wallet.balance, copy.balance);
  });

  it('another manifest is trusted only where it or the wallet’s names the other as former', async () => {
    const net = new FakeNetwork();
    const restore = async () => (await Wallet.create(profile, net.host(new Memory()), newPhrase())).restore();
    net.files = signedManifest(manifestText(profile.manifest));
    assert.equal((await restore()).registered, false);
    net.files = signedManifest(manifestText(utf8('another manifest')));
    await fails('manifest-untrusted', restore);
    net.files = { manifest: utf8(manifestText(profile.manifest)), signature: signedManifest('another text').signature };
    await fails('manifest-untrusted', restore);
    net.files = { ...net.files, signature: Uint8Array.of(0xff) };
    await fails('manifest-untrusted', restore);
  });

  it('rules without f + 1 signatures, and older ones, are refused', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const bob = await enter(net);
    net.countersigners = 1;
    await fails('rules-untrusted', () => alice.wallet.pay(bob.wallet.address, 5n));
    net.countersigners = 2;
    net.policy = { ...net.policy, version: 3n };
    await alice.wallet.pay(bob.wallet.address, 5n);
    net.policy = { ...net.policy, version: 2n };
    await fails('rules-rolled-back', () => alice.wallet.pay(bob.wallet.address, 5n));
    net.policy = { ...net.policy, version: 3n, 'max-held-minor': 1n };
    await fails('rules-rolled-back', () => alice.wallet.pay(bob.wallet.address, 5n));
  });

  it('a coin of another, of no value or without a valid signature is passed over', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net);
    const bob = await enter(net);
    const coin = { kind: 'minted', value: 5n, rho: element(1), time: 0n } as const;
    net.post(alice.keys, { ...coin, signature: FakeNetwork.sign(element(3)) });
    net.mint(alice.keys, 0n, element(4));
    net.mint(bob.keys, 5n, element(5));
    net.blobs.push(new Uint8Array(1200), new Uint8Array(1199));
    assert.deepEqual(await alice.wallet.receive(), []);
  });
});

describe('what a wallet refuses before it makes anything', () => {
  it('limits, funds, listed addresses, addresses', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 200_000n);
    const bob = await enter(net);
    const pay = (amount: bigint) => alice.wallet.pay(bob.wallet.address, amount);
    await fails('over-limit-transfer', () => pay(100_001n));
    await fails('malformed-request', () => pay(0n));
    await fails('insufficient-funds', () => bob.wallet.pay(alice.wallet.address, 1n));
    await fails('address-invalid', () => alice.wallet.pay(`${bob.wallet.address}x`, 1n));
    await fails('malformed-request', () => alice.wallet.pay(bob.wallet.address, 1n, 'x'.repeat(141)));
    net.list(fromInteger(keyOf(bob.keys.apk), 20));
    await fails('sanctioned', () => pay(1n));
    net.list();
    await pay(100_000n);
    await fails('over-limit-period', () => pay(60_000n));
    const left = { leftInPeriod: 50_000n, transfersLeft: 199n, largestPayment: 50_000n };
    assert.deepEqual(await alice.wallet.limits(), { perTransfer: 100_000n, perPeriod: 150_000n, held: 300_000n, ...left });
    net.policy = { ...net.policy, version: 2n, period: 202612n };
    assert.deepEqual((await alice.wallet.limits()).largestPayment, 100_000n, 'in a new month everything is left');
    assert.equal(net.reserved, 1);
  });

  it('a wallet that is not registered', async () => {
    const net = new FakeNetwork();
    const wallet = await Wallet.create(profile, net.host(new Memory()), newPhrase());
    assert.deepEqual(await wallet.restore(), { registered: false, transfers: 0, coins: 0 });
    await fails('not-registered', () => wallet.pay(wallet.address, 1n));
  });
});

describe('proofs of the native library', () => {
  const witness = () => new Uint8Array(3).fill(7);

  it('are asked for with the keys that it opened once, and its refusal is one', async () => {
    const asked: [number, string][] = [];
    let reply = Uint8Array.of(0, 0, 0xff, 9);
    const library = {
      invoke: (operation: number, request: Uint8Array) => {
        asked.push([operation, toHex(request)]);
        return operation === 60 ? Uint8Array.of(0, 0, 1, 2, 3, 4, 5, 6, 7, 8) : reply;
      },
    };
    const prove = ownProofs(library, profile, '/keys');
    const secret = witness();
    assert.deepEqual(await prove(3, secret), Uint8Array.of(0xff, 9));
    assert.deepEqual(secret, new Uint8Array(3), 'the witness is overwritten');
    reply = Uint8Array.of(0, 5, 0x6e, 0x6f);
    await fails('proof-unverified', () => prove(3, witness()));
    const proofs = asked.filter(([operation]) => operation === 70).map(([, request]) => request);
    assert.deepEqual(proofs, ['01020304050607080300000003070707', '01020304050607080300000003070707']);
    assert.equal(asked.filter(([operation]) => operation === 60).length, 1);
  });
});

describe('secrets', () => {
  it('are in no log and no error', async () => {
    const net = new FakeNetwork();
    const alice = await enter(net, 500n);
    const said = [inspect(alice.wallet, { depth: 9 }), JSON.stringify(alice.wallet), inspect(alice.keys), JSON.stringify({ keys: alice.keys })].join();
    const words = at(alice.phrase.split(' '), 0);
    for (const secret of [alice.phrase, words, alice.keys.nk.toString(), alice.keys.a.toString()]) assert.equal(said.includes(secret), false);
  });
});

describe('coins to claim', () => {
  const cc = { apk: 1n, rho: 1n, period: 202611n, sent: 0n, count: 0n, held: 10n, com: 0n };
  const limits = { perTransfer: 100n, perPeriod: 1_000n, held: 50n, escrow: 0n, transfers: 9n };
  const coins = (...values: bigint[]) => values.map((value) => ({ value }));

  it('are two where two fit, and the larger ones', () => {
    assert.deepEqual(chooseCoins(cc, limits, coins(5n, 20n, 10n), 0n), coins(20n, 10n));
    assert.deepEqual(chooseCoins(cc, limits, coins(100n, 40n), 0n), coins(40n), 'only one fits under the limit on holding');
    assert.deepEqual(chooseCoins(cc, limits, coins(100n), 70n), coins(100n), 'a payment makes room');
    assert.equal(chooseCoins(cc, limits, coins(5n), 20n), undefined);
  });

  it('come before the payment where two do not cover it', () => {
    assert.deepEqual(planPayment(cc, limits, 202611n, coins(10n, 10n, 10n), 40n), { claims: [coins(10n, 10n)], inputs: coins(10n) });
    refused('insufficient-funds', () => planPayment(cc, limits, 202611n, coins(10n), 21n));
    refused('over-limit-count', () => planPayment({ ...cc, count: 9n }, limits, 202611n, [], 1n));
    refused('over-limit-held', () => planPayment({ ...cc, held: 0n }, { ...limits, held: 5n }, 202611n, coins(30n, 30n, 30n), 90n));
  });
});

describe('the sanction tree', () => {
  it('proves absence, and refuses a listed address', () => {
    const keys = [3n, 9n, 27n, 81n, 243n].map((key) => fromInteger(key, 20));
    const tree = new SanctionTree(network, keys);
    for (const key of [1n, 5n, 30n, 300n, 1n << 150n]) assert.equal(rootOf(network, tree.absence((key << 95n) + 7n)), tree.root);
    refused('LISTED', () => tree.absence((27n << 95n) + 1n));
  });
});

describe('a verifying key', () => {
  const { transferKey } = profile;

  it('is read as it was written', () => assert.deepEqual(encodeVerifyingKey(decodeVerifyingKey(transferKey, 23)), transferKey));

  it('is refused with commitment keys, another number of inputs, bytes behind it, or gamma that is delta', () => {
    refused('malformed-request', () => decodeVerifyingKey(transferKey, 22));
    refused('malformed-request', () => decodeVerifyingKey(Uint8Array.from([...transferKey, 0]), 23));
    const committed = Uint8Array.from(transferKey);
    committed[committed.length - 1] = 1;
    refused('malformed-request', () => decodeVerifyingKey(committed, 23));
    const key = decodeVerifyingKey(transferKey, 23);
    refused('malformed-request', () => decodeVerifyingKey(encodeVerifyingKey({ ...key, delta: key.gamma }), 23));
  });
});
