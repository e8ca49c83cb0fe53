import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { decodeAddress } from '../src/address.js';
import { at, equal, toHex } from '../src/bytes.js';
import { core } from '../src/digests.js';
import { Gateway, type TransferRequest } from '../src/gateway.js';
import { Hasher, ORIGIN_MINT } from '../src/hash.js';
import { newPhrase, type WalletKeys } from '../src/keys.js';
import { transferRequest, writeBody, type RecoverRequest } from '../src/messages.js';
import { planTransfer, type TransferPlan } from '../src/plan.js';
import { resolveRecover } from '../src/recover.js';
import { covers, draftRecover, ownTransfer, verifiesRecover, type OwnCore } from '../src/recovering.js';
import { Refusal } from '../src/refusal.js';
import type { Storage } from '../src/store.js';
import { fromUtf8, utf8 } from '../src/text.js';
import { Wallet, type Profile, type Recovered } from '../src/wallet.js';
import { FakeNetwork, Memory, network, profile, recoverOf } from './fake.js';
import { element, fails, refused } from './refused.js';

// Recovers that this wallet makes (W-10), at authorities that keep rows and verify recovers as page 9 says.

const NOTHING: Recovered = { recovers: 0, burnt: 0n, returned: 0n, lost: 0n };
const COIN = 5_000n;

/** Devices with one phrase, whose account holds 1,000 and has a coin of 5,000 unclaimed. */
interface Account {
  readonly net: FakeNetwork;
  readonly phrase: string;
  readonly keys: WalletKeys;
  readonly memory: Memory;
  readonly phone: Wallet;
  readonly laptop: Wallet;
  readonly bob: Wallet;
}

const opened = (net: FakeNetwork, { content }: Memory, of: Profile = profile): Promise<Wallet> => Wallet.open(of, net.ownHost(new Memory(content)));

/** The devices have asked whether their compliance coin is free, as ones that were open all the time. */
async function devices(): Promise<Account> {
  const net = new FakeNetwork();
  const phrase = newPhrase();
  const keys = net.register(phrase);
  net.mint(keys, 1_000n, element(2001));
  const bobsPhrase = newPhrase();
  net.register(bobsPhrase);
  const bob = await Wallet.create(profile, net.host(new Memory()), bobsPhrase);
  await bob.restore();
  const memory = new Memory();
  const phone = await Wallet.create(profile, net.ownHost(memory), phrase);
  await phone.restore();
  await phone.claim();
  net.mint(keys, COIN, element(2002));
  await phone.receive();
  const laptop = await opened(net, memory);
  for (const device of [phone, laptop]) await haveAsked(device, bob);
  return { net, phrase, keys, memory, phone, laptop, bob };
}

/** A device asks about its compliance coin before it finds that a payment is above all limits. */
const haveAsked = (device: Wallet, bob: Wallet): Promise<void> => fails('over-limit-transfer', () => device.pay(bob.address, 900_000n));

/** Only these authorities answer from now on. */
function only(net: FakeNetwork, ...present: readonly number[]): void {
  net.faults = { ...net.faults, away: [1, 2, 3, 4].filter((authority) => !present.includes(authority)) };
}

const all = (net: FakeNetwork): void => only(net, 1, 2, 3, 4);

/** A payment that reaches these authorities alone. */
async function payAt(net: FakeNetwork, from: Wallet, to: Wallet, amount: bigint, ...authorities: readonly number[]): Promise<TransferRequest> {
  let sent: TransferRequest | undefined;
  net.onTransfer = (request) => {
    sent ??= request;
    only(net, ...authorities);
  };
  await fails('no-quorum', () => from.pay(to.address, amount));
  net.onTransfer = () => {};
  all(net);
  return sent as TransferRequest;
}

/** Phone and laptop have paid at once: two authorities hold 200, two 500. */
async function locked(): Promise<Account> {
  const made = await devices();
  await payAt(made.net, made.phone, made.bob, 200n, 1, 2);
  await payAt(made.net, made.laptop, made.bob, 500n, 3, 4);
  return made;
}

/** Only these authorities answer, and its owner does not wait for the others. */
async function recoversAt(net: FakeNetwork, device: Wallet, ...authorities: readonly number[]): Promise<void> {
  only(net, ...authorities);
  await fails('no-quorum', () => device.recover(true));
  all(net);
}

const total = ({ balance: { held, unclaimed } }: Wallet): bigint => held + unclaimed;

async function assertFree({ bob }: Pick<Account, 'bob'>, device: Wallet, money: bigint): Promise<void> {
  assert.deepEqual([total(device), device.inFlight, device.locked], [money, false, false]);
  await device.pay(bob.address, 30n, 'after');
  assert.equal(total(device), money - 30n);
  assert.deepEqual((await bob.receive()).at(-1), { value: 30n, text: 'after' });
}

/** The recovers that arrive, as long as the work takes. */
async function recoversDuring(net: FakeNetwork, work: () => Promise<unknown>): Promise<RecoverRequest[]> {
  const arrived: RecoverRequest[] = [];
  const before = net.onRecover;
  net.onRecover = (request) => {
    arrived.push(request);
    before(request);
  };
  try {
    await work();
  } finally {
    net.onRecover = before;
  }
  return arrived;
}

/** The end of a process, which nothing in the wallet takes for an answer. */
class Killed extends Error {}

describe('a locked account', () => {
  it('frees itself: the larger payment is burnt, and the other device follows', async () => {
    const made = await locked();
    const { net, phone, laptop, bob } = made;
    await fails('serial-conflict', () => phone.pay(bob.address, 5n));
    assert.equal(phone.locked, true);
    assert.deepEqual(await phone.recover(), { recovers: 1, burnt: 500n, returned: 4_500n, lost: 0n });
    assert.deepEqual(phone.balance, { held: 1_000n, unclaimed: 4_500n });
    assert.deepEqual(phone.recovers.map(({ memo }) => [memo.outflow, memo.budget, memo.count]), [[500n, 6_000n, 3n]]);
    assert.deepEqual(net.ownProofs.filter((family) => family === 5), [5]);
    await assertFree(made, phone, 5_500n);
    assert.deepEqual(await laptop.recover(), { recovers: 1, burnt: 500n, returned: 4_500n, lost: 0n });
    assert.deepEqual(laptop.balance, phone.balance);
    assert.deepEqual(await phone.recover(), NOTHING);
    assert.deepEqual(net.ownProofs.filter((family) => family === 5), [5], 'the laptop proved nothing');
  });

  it('stays as it is without a prover or a key of its own, or with a wrong proof, and nothing is told to the network’s prover', async () => {
    const { net, phone, memory, bob } = await locked();
    const before = net.routes.filter((route) => route === 'POST /v1/proofs').length;
    const delegating = await Wallet.open(profile, net.host(memory));
    await fails('own-prover-needed', () => delegating.recover());
    assert.equal(net.routes.filter((route) => route === 'POST /v1/proofs').length, before);
    assert.deepEqual([delegating.inFlight, total(delegating), delegating.recovers.length], [true, 6_000n, 0]);
    await fails('serial-conflict', () => delegating.settle());
    assert.equal(delegating.locked, true);
    const { recoverKey: _, ...without } = profile;
    const keyless = await opened(net, memory, without);
    await fails('recover-impossible', () => keyless.recover());
    net.faults = { wrongProof: true };
    const arrived = await recoversDuring(net, () => fails('proof-unverified', () => phone.recover()));
    net.faults = {};
    assert.equal(arrived.length, 0, 'a wrong proof does not leave the device');
    await phone.recover();
    await fails('payment-burnt', () => delegating.settle());
    await delegating.pay(bob.address, 30n);
  });

  it('is killed at every exchange and at every write, and is freed once', async () => {
    const made = await locked();
    const { net, memory, phrase } = made;
    let content = memory.content;
    /** A device that is killed at its n-th exchange, before it arrives or before it is answered, or at its n-th write. */
    const killed = async (n: number, how: 'before' | 'after' | 'write'): Promise<boolean> => {
      let left = n;
      const dies = (at: typeof how): void => {
        if (at === how && left-- <= 0) throw new Killed();
      };
      const kept = new Memory(content);
      const storage: Storage = {
        read: () => kept.read(),
        write: async (bytes) => {
          dies('write');
          await kept.write(bytes);
        },
      };
      const gateway = new Gateway(async (exchange) => {
        dies('before');
        const answer = await net.transport(exchange);
        dies('after');
        return answer;
      });
      const wallet = await Wallet.open(profile, { ...net.ownHost(storage), gateway });
      try {
        await wallet.recover();
        return true;
      } catch (e) {
        assert.ok(e instanceof Killed, String(e));
        return false;
      } finally {
        content = kept.content;
      }
    };
    for (const n of [0, 1]) assert.equal(await killed(n, 'write'), false, `write ${n}`);
    let kills = 0;
    for (let n = 0; !(await killed(n, n % 2 === 0 ? 'before' : 'after')); n++) kills++;
    assert.ok(kills >= 5, `${kills} exchanges`);
    const freed = await opened(net, new Memory(content));
    assert.equal(freed.recovers.length, 1);
    await assertFree(made, freed, 5_500n);
    const restored = await Wallet.create(profile, net.ownHost(new Memory()), phrase);
    await restored.restore();
    assert.deepEqual([restored.balance, restored.recovers.length], [freed.balance, 1]);
  });

  it('whose recover was sent and not answered is restored from its words', async () => {
    const made = await locked();
    const { net, phone, phrase } = made;
    net.onRecover = () => (net.faults = { ...net.faults, answerLost: true });
    await fails('gateway-unreachable', () => phone.recover());
    net.onRecover = () => {};
    net.faults = {};
    const proofs = net.ownProofs.length;
    const restored = await Wallet.create(profile, net.host(new Memory()), phrase);
    await restored.restore();
    assert.deepEqual(restored.balance, { held: 1_000n, unclaimed: 4_500n });
    await fails('payment-burnt', () => phone.settle());
    assert.deepEqual(phone.balance, restored.balance);
    assert.equal(net.ownProofs.length, proofs);
    await assertFree(made, phone, 5_500n);
  });

  it('is freed by a device that was restored from its words alone', async () => {
    const made = await locked();
    const { net, phrase, phone } = made;
    const restored = await Wallet.create(profile, net.ownHost(new Memory()), phrase);
    await fails('serial-conflict', () => restored.restore());
    assert.deepEqual([restored.restoring, restored.locked], [true, true]);
    assert.deepEqual(await restored.recover(), { recovers: 1, burnt: 500n, returned: 4_500n, lost: 0n });
    assert.equal(restored.restoring, false);
    await assertFree(made, restored, 5_500n);
    await fails('payment-burnt', () => phone.settle());
    assert.deepEqual(phone.balance, restored.balance);
  });
});

describe('what may complete yet', () => {
  it('waits while authorities are away or the gateway refuses, is finished then, and nothing is burnt', async () => {
    const made = await devices();
    const { net, phone, bob } = made;
    await payAt(net, phone, bob, 200n, 1, 2);
    const arrived = await recoversDuring(net, async () => {
      only(net, 1, 2);
      await fails('no-quorum', () => phone.recover());
      all(net);
      net.onTransfer = () => {
        throw new Refusal('serial-conflict', 'so says the gateway');
      };
      await fails('serial-conflict', () => phone.recover());
      net.onTransfer = () => {};
      assert.deepEqual(await phone.recover(), NOTHING);
    });
    assert.equal(arrived.length, 0);
    await assertFree(made, phone, 5_800n);
  });

  it('is not burnt by the word of one dishonest authority', async () => {
    const made = await devices();
    const { net, phone, bob } = made;
    const { statement } = await payAt(net, phone, bob, 200n, 1, 2);
    net.faults = { lies: [{ authority: 4, serial: at(statement.serials, 0), core: new Uint8Array(32).fill(9) }], away: [3] };
    const arrived = await recoversDuring(net, () => fails('no-quorum', () => phone.recover()));
    net.faults = {};
    assert.equal(arrived.length, 0);
    assert.deepEqual(await phone.recover(), NOTHING);
    await assertFree(made, phone, 5_800n);
  });
});

describe('a file', () => {
  it('of the version before recovers is read and is written as the present one, and a newer one is refused', async () => {
    const net = new FakeNetwork();
    const memory = new Memory();
    const phrase = newPhrase();
    net.register(phrase);
    const wallet = await Wallet.create(profile, net.ownHost(memory), phrase);
    await wallet.restore();
    const of = (version: number): Memory => new Memory(utf8(fromUtf8(memory.content as Uint8Array).replace('"version":2', `"version":${version}`)));
    const old = of(1);
    assert.ok(fromUtf8(old.content as Uint8Array).includes('"version":1'));
    const again = await Wallet.open(profile, net.ownHost(old));
    await again.restore();
    assert.ok(fromUtf8(old.content as Uint8Array).includes('"version":2'));
    await fails('store-version', () => opened(net, of(3)));
  });

  it('is not called locked any more once the payment in it has completed', async () => {
    const { net, phone, bob } = await devices();
    await payAt(net, phone, bob, 200n, 1, 2);
    net.faults = { refuses: 'serial-conflict' };
    await fails('serial-conflict', () => phone.settle());
    assert.equal(phone.locked, true);
    net.faults = {};
    await phone.settle();
    assert.equal(phone.locked, false);
  });
});

describe('a payment that completed', () => {
  it('is not burnt while its submission fails in transit, and is finished after it', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    net.onTransfer = () => (net.faults = { away: [4], answerLost: true });
    await fails('transfer-in-flight', () => phone.pay(bob.address, 200n));
    net.faults = {};
    net.onTransfer = () => only(net, 4);
    await fails('no-quorum', () => laptop.pay(bob.address, 500n));
    net.onTransfer = () => {};
    const unsent = [{ withheld: true }, { answerLost: true }, { refuses: 'overloaded' as const }, { refuses: 'unavailable' as const }];
    for (const faults of unsent) {
      net.faults = faults;
      const arrived = await recoversDuring(net, async () => {
        await assert.rejects(phone.recover());
      });
      assert.deepEqual([arrived.length, phone.inFlight], [0, true], JSON.stringify(faults));
    }
    // nor by a gateway that refuses what three authorities sign that they hold
    net.faults = { refuses: 'serial-conflict' };
    const arrived = await recoversDuring(net, () => fails('serial-conflict', () => phone.recover()));
    assert.equal(arrived.length, 0);
    net.faults = {};
    assert.deepEqual(await phone.recover(), NOTHING);
    await assertFree(made, phone, 5_800n);
    assert.deepEqual(phone.history.map(({ memo }) => memo.paid), [0n, 200n, 30n]);
  });

  it('is not burnt by a gateway that drops the answers of its holders', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    net.onTransfer = () => (net.faults = { away: [4], answerLost: true });
    await fails('transfer-in-flight', () => phone.pay(bob.address, 200n));
    net.faults = {};
    await payAt(net, laptop, bob, 500n, 4);
    for (const passed of [[4], [1, 4], [1, 2, 4]]) {
      net.faults = { refuses: 'serial-conflict', passesOn: passed };
      const arrived = await recoversDuring(net, async () => {
        for (const device of [phone, laptop]) await assert.rejects(device.recover(), Refusal);
        if (passed.length === 3) await fails('no-quorum', () => phone.recover());
      });
      assert.equal(arrived.length, 0, String(passed));
    }
    net.faults = {};
    assert.deepEqual(await phone.recover(), NOTHING);
    await assertFree(made, phone, 5_800n);
  });

  it('behind a burnt one is not burnt by a gateway that says that it conflicts', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    await payAt(net, phone, bob, 200n, 1);
    await payAt(net, laptop, bob, 500n, 2);
    net.onRecover = () => only(net, 1);
    await recoversAt(net, laptop, 1, 2);
    net.onRecover = () => {};
    await phone.settle();
    await haveAsked(phone, bob);
    net.onTransfer = () => (net.faults = { answerLost: true });
    await fails('transfer-in-flight', () => phone.pay(bob.address, 40n));
    net.onTransfer = () => {};
    net.faults = { refuses: 'serial-conflict' };
    const arrived = await recoversDuring(net, async () => {
      for (const evenIfPaid of [false, true]) await fails('no-quorum', () => phone.recover(evenIfPaid));
    });
    assert.deepEqual(arrived.map(({ below }) => below.length).filter((length) => length > 2), [], 'only the first recover is sent again');
    net.faults = {};
    assert.deepEqual(await phone.recover(), NOTHING);
    await assertFree(made, phone, 5_760n);
  });

  it('may be burnt where its owner waits no longer for an authority that is away', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    await payAt(net, phone, bob, 200n, 1, 2);
    await payAt(net, laptop, bob, 500n, 4);
    only(net, 1, 2, 4);
    const arrived = await recoversDuring(net, async () => {
      for (const device of [phone, laptop]) await fails('no-quorum', () => device.recover());
    });
    assert.equal(arrived.length, 0);
    assert.equal((await phone.recover(true)).burnt, 500n);
    await assertFree(made, phone, 5_500n);
  });

  it('whose period is over locks no account for good where one authority is away and nothing conflicts', async () => {
    const made = await devices();
    const { net, phone, bob } = made;
    await payAt(net, phone, bob, 200n, 1);
    net.policy = { ...net.policy, version: 2n, period: 202612n };
    net.floors = { policyVersion: 2n, checkpointVersion: 1n, period: 202612n };
    only(net, 1, 2, 3);
    await fails('transfer-in-flight', () => phone.settle());
    const arrived = await recoversDuring(net, () => fails('no-quorum', () => phone.recover()));
    assert.equal(arrived.length, 0);
    assert.equal((await phone.recover(true)).burnt, 200n);
    await assertFree(made, phone, 5_800n);
  });

  it('when it is sent is not burnt, whatever an earlier look showed and its owner said', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    const first = await payAt(net, phone, bob, 200n, 1);
    await payAt(net, laptop, bob, 500n, 4);
    const name = core(network, first.statement);
    net.onTransfer = ({ statement }) => {
      // it completes only behind the look of the recover, which begins when the account is found to be locked
      if (!phone.locked || !equal(core(network, statement), name)) throw new Refusal('serial-conflict', 'so says the gateway');
      net.faults = { denies: 'serial-conflict' };
    };
    const arrived = await recoversDuring(net, () => fails('serial-conflict', () => phone.recover(true)));
    assert.equal(arrived.length, 0);
    assert.equal(net.faults.denies, 'serial-conflict');
    net.onTransfer = () => {};
    net.faults = {};
    assert.deepEqual(await phone.recover(), NOTHING);
    await assertFree(made, phone, 5_800n);
  });

  it('as a recover, over cores that some authorities hold, is not burnt by its owner’s word', async () => {
    const made = await devices();
    const { net, memory, phone, laptop, bob } = made;
    const tablet = await opened(net, memory);
    await haveAsked(tablet, bob);
    await payAt(net, phone, bob, 200n, 1, 2);
    await payAt(net, laptop, bob, 500n, 3);
    await payAt(net, tablet, bob, 700n, 4);
    // it completes at 1, 2 and 3, which hold the lead for the payments below it
    net.onRecover = () => (net.faults = { ...net.faults, away: [4], answerLost: true });
    only(net, 1, 2, 3);
    await fails('gateway-unreachable', () => phone.recover(true));
    net.faults = {};
    net.onRecover = () => {
      throw new Refusal('serial-conflict', 'so says the gateway');
    };
    const arrived = await recoversDuring(net, () => fails('serial-conflict', () => tablet.recover(true)));
    assert.deepEqual([...new Set(arrived.map(({ below }) => below.length))], [2], 'the same recover again');
    net.onRecover = () => {};
    assert.equal((await tablet.recover()).burnt, 500n);
    await assertFree(made, tablet, 5_500n);
  });

  it('and one that may complete are not burnt while services are overloaded', async () => {
    const { net, phone, laptop, bob } = await devices();
    await payAt(net, phone, bob, 200n, 1, 2);
    await payAt(net, laptop, bob, 500n, 3);
    net.faults = { refuses: 'overloaded' };
    const arrived = await recoversDuring(net, () => fails('overloaded', () => laptop.recover()));
    assert.equal(arrived.length, 0);
    net.faults = {};
    assert.deepEqual(await phone.recover(), NOTHING);
    assert.equal(total(phone), 5_800n);
  });
});

describe('a payment that was given up', () => {
  it('is not burnt because one authority shows it', async () => {
    for (const floors of [{ policyVersion: 1n, checkpointVersion: 1n, period: 202612n }, { policyVersion: 0n, checkpointVersion: 0n, period: 0n }]) {
      const made = await devices();
      const { net, phone, memory, bob } = made;
      const tried: TransferRequest[] = [];
      net.onTransfer = (request) => void tried.push(request);
      net.faults = { withheld: true };
      await fails('transfer-in-flight', () => phone.pay(bob.address, 900n));
      net.faults = {};
      net.policy = { ...net.policy, version: 2n, period: 202612n };
      net.floors = { policyVersion: 1n, checkpointVersion: 1n, period: 202612n };
      await fails('stale-period', () => phone.settle());
      const tablet = await opened(net, memory);
      await haveAsked(tablet, bob);
      await payAt(net, phone, bob, 10n, 1, 2);
      await payAt(net, tablet, bob, 20n, 3, 4);
      net.floors = floors;
      const abandoned = at(tried, 0);
      const sent: string[] = [];
      net.onTransfer = ({ statement }) => void sent.push(toHex(core(network, statement)));
      net.shown = [writeBody(transferRequest, abandoned)];
      assert.equal((await phone.recover()).burnt, 20n);
      assert.ok(!sent.includes(toHex(core(network, abandoned.statement))), 'it is never sent again');
      net.shown = [];
      await assertFree(made, phone, 5_980n);
    }
  });
});

describe('recovers of several devices', () => {
  it('over the same cores are the same core, whoever makes it', async () => {
    const { net, phone, laptop } = await locked();
    net.onRecover = () => only(net);
    const first = await recoversDuring(net, () => fails('no-quorum', () => phone.recover()));
    all(net);
    const second = await recoversDuring(net, () => fails('no-quorum', () => laptop.recover()));
    net.onRecover = () => {};
    all(net);
    const [one, other] = [at(first, 0), at(second, 0)];
    assert.deepEqual(one.statement, other.statement);
    assert.deepEqual(one.attachments, other.attachments);
    assert.ok(!equal(one.evidence.rkSignature, other.evidence.rkSignature));
    await laptop.recover();
    await phone.recover();
    assert.deepEqual(phone.balance, laptop.balance);
  });

  it('take in a third device’s payment that two authorities hold', async () => {
    const made = await devices();
    const { net, memory, phone, laptop, bob } = made;
    const tablet = await opened(net, memory);
    await haveAsked(tablet, bob);
    await payAt(net, phone, bob, 200n, 1);
    await payAt(net, laptop, bob, 500n, 2);
    await payAt(net, tablet, bob, 700n, 3, 4);
    await recoversAt(net, phone, 1, 2);
    const arrived = await recoversDuring(net, async () => assert.equal((await laptop.recover()).burnt, 700n));
    assert.equal(at(arrived, arrived.length - 1).below.length, 4);
    await assertFree(made, laptop, 5_300n);
  });

  it('take a wallet back that went on behind a payment that one burns', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    await payAt(net, phone, bob, 200n, 1);
    await payAt(net, laptop, bob, 500n, 2);
    await phone.settle();
    assert.equal(phone.inFlight, false);
    await recoversAt(net, laptop, 1, 2);
    await phone.pay(bob.address, 40n).catch((e: unknown) => assert.ok(e instanceof Refusal && ['serial-conflict', 'no-quorum'].includes(e.reason), String(e)));
    const recovered = await phone.recover();
    assert.equal(recovered.burnt, 500n);
    await assertFree(made, phone, 5_500n);
  });
});

describe('a coin that a locked payment claims', () => {
  /** Phone and laptop hold one authority each. */
  const halfLocked = async () => {
    const made = await devices();
    const { statement } = await payAt(made.net, made.phone, made.bob, 200n, 1);
    await payAt(made.net, made.laptop, made.bob, 500n, 2);
    const coin = new Hasher(network).serial(made.keys.snk, element(2002));
    assert.ok(statement.serials.includes(coin));
    const lie = (authority: number) => ({ authority, serial: coin, core: new Uint8Array(32).fill(9) });
    return { ...made, lie };
  };

  it('is credited although one authority says that another core holds it', async () => {
    const { net, phone, lie } = await halfLocked();
    net.faults = { lies: [lie(4)] };
    const { burnt, lost } = await phone.recover();
    assert.deepEqual([burnt, lost, total(phone)], [500n, 0n, 5_500n]);
  });

  it('is lost where f + 1 sign so', async () => {
    const { net, phone, lie } = await halfLocked();
    net.faults = { lies: [lie(3), lie(4)] };
    assert.deepEqual(await phone.recover(), { recovers: 1, burnt: 500n, returned: 0n, lost: COIN });
    assert.deepEqual(phone.balance, { held: 500n, unclaimed: 0n });
  });
});

describe('what authorities show', () => {
  it('with spoilt evidence is passed over where another shows it right', async () => {
    const made = await locked();
    const { net, phone } = made;
    net.faults = { spoils: [3] };
    const arrived = await recoversDuring(net, async () => assert.equal((await phone.recover()).burnt, 500n));
    assert.equal(arrived.length, 1);
    net.faults = {};
    await assertFree(made, phone, 5_500n);
  });

  it('under rules or a circuit that nobody published counts for nothing', async () => {
    for (const spoilt of [{ policyVersion: 999n, circuitVersion: 77n }, { checkpointVersion: 9n }]) {
      const made = await devices();
      const { net, phone, laptop, bob } = made;
      await payAt(net, phone, bob, 200n, 1, 2);
      const shown = await payAt(net, laptop, bob, 500n, 3, 4);
      net.shown = [writeBody(transferRequest, { ...shown, evidence: { ...shown.evidence, ...spoilt } })];
      const arrived = await recoversDuring(net, async () => assert.equal((await phone.recover()).burnt, 500n));
      assert.equal(arrived.length, 1);
      net.shown = [];
      await assertFree(made, phone, 5_500n);
    }
  });

  it('with a wrong proof under rules of the past is passed over after one refusal, with the proof that was made', async () => {
    const made = await devices();
    const { net, phone, laptop, bob } = made;
    await payAt(net, phone, bob, 200n, 1, 2);
    const second = await payAt(net, laptop, bob, 500n, 3, 4);
    net.policy = { ...net.policy, version: 2n };
    const otherProof = { ...second.evidence, proof: wrong(second.evidence.proof) };
    net.shown = [writeBody(transferRequest, { ...second, evidence: otherProof })];
    const arrived = await recoversDuring(net, async () => assert.equal((await phone.recover()).burnt, 500n));
    const proofs = (request: RecoverRequest) => request.below.map(({ transfer }) => transfer?.evidence.proof);
    assert.equal(arrived.length, 2);
    assert.notDeepEqual(proofs(at(arrived, 0)), proofs(at(arrived, 1)));
    assert.equal(net.ownProofs.filter((family) => family === 5).length, 1);
    net.shown = [];
    await assertFree(made, phone, 5_500n);
  });

  it('as a spoilt recover does not hide the one that another device made', async () => {
    for (const old of [false, true]) {
      const { net, memory, phone, laptop, bob } = await devices();
      const tablet = await opened(net, memory);
      await haveAsked(tablet, bob);
      const { statement } = await payAt(net, phone, bob, 200n, 1);
      await payAt(net, laptop, bob, 500n, 2);
      await payAt(net, tablet, bob, 700n, 3, 4);
      const [recover] = await recoversDuring(net, () => recoversAt(net, phone, 1, 2));
      assert.ok(recover !== undefined);
      // of the past, so that its proof cannot be judged, or of the future
      if (old) net.policy = { ...net.policy, version: 2n };
      const below = recover.below.map(({ transfer, recover: none }): RecoverRequest['below'][number] => {
        if (transfer === undefined) return { transfer, recover: none };
        const spoilt = old ? { proof: wrong(transfer.evidence.proof) } : { policyVersion: 999n, circuitVersion: 77n };
        return { transfer: { ...transfer, evidence: { ...transfer.evidence, ...spoilt } }, recover: none };
      });
      net.shownRecovers.set(at(statement.serials, 0), { ...recover, below });
      assert.ok(verifiesRecover(recoverOf, recover));
      const first = at(recover.below, 0);
      assert.ok(!verifiesRecover(recoverOf, { ...recover, below: [...recover.below, first] }), 'no core twice');
      const arrived = await recoversDuring(net, async () => assert.equal((await laptop.recover()).burnt, 700n));
      assert.deepEqual(at(arrived, arrived.length - 1).below.length, 4, 'over the honest recover and the third payment');
      assert.equal(net.ownProofs.filter((family) => family === 5).length, 2, 'the known recover is not proved again');
    }
  });

  it('as a recover of this wallet with a spoilt proof blocks neither a restore nor a payment', async () => {
    const { recoverKey: _, ...keyless } = profile;
    const { net, phone, laptop, phrase, bob } = await devices();
    const { statement } = await payAt(net, phone, bob, 200n, 1, 2);
    await payAt(net, laptop, bob, 500n, 3);
    net.onRecover = () => {
      throw new Refusal('no-quorum', 'nobody got it');
    };
    const [recover] = await recoversDuring(net, () => recoversAt(net, laptop, 1, 2, 3));
    assert.ok(recover !== undefined);
    net.onRecover = () => {};
    await phone.settle();
    const { evidence } = recover;
    net.shownRecovers.set(at(statement.serials, 0), { ...recover, evidence: { ...evidence, proof: wrong(evidence.proof) } });
    let money = 5_800n;
    for (const of of [profile, keyless]) {
      const restored = await Wallet.create(of, net.ownHost(new Memory()), phrase);
      await restored.restore();
      assert.deepEqual([restored.restoring, restored.locked, total(restored)], [false, false, money]);
      await restored.pay(bob.address, 30n);
      money -= 30n;
      assert.equal(total(restored), money);
    }
    await laptop.settle().catch((e: unknown) => assert.ok(e instanceof Refusal && e.reason === 'serial-conflict', String(e)));
    await laptop.pay(bob.address, 30n);
    assert.equal(total(laptop), money - 30n);
  });

  it('that a recover burnt is not paid again, whichever device asked for it', async () => {
    const made = await devices();
    const { net, phone, laptop, memory, bob } = made;
    const request = (fill: number) => ({ payee: decodeAddress(network, bob.address), id: new Uint8Array(16).fill(fill) });
    const pay = async (device: Wallet, fill: number, amount: bigint, ...authorities: number[]) => {
      net.onTransfer = () => only(net, ...authorities);
      await fails('no-quorum', () => device.payRequest(request(fill), amount));
      net.onTransfer = () => {};
      all(net);
    };
    await pay(phone, 7, 200n, 1, 2);
    await pay(laptop, 8, 500n, 3, 4);
    // the chain shows both, and the phone's file then has the laptop's payment in flight
    await fails('serial-conflict', () => phone.settle());
    const again = await opened(net, memory);
    await again.recover();
    await fails('payment-burnt', () => again.payRequest(request(7), 200n));
    await fails('payment-burnt', () => again.payRequest(request(8), 500n));
    await again.payRequest(request(9), 10n);
    const restored = await Wallet.create(profile, net.ownHost(new Memory()), made.phrase);
    await restored.restore();
    for (const device of [restored, laptop, phone]) {
      await device.settle().catch((e: unknown) => assert.ok(e instanceof Refusal && e.reason === 'payment-burnt', String(e)));
      await fails('payment-burnt', () => device.payRequest(request(7), 200n));
      await fails('payment-burnt', () => device.payRequest(request(8), 500n));
    }
  });

  it('that a recover burnt behind another payment is not paid again by a restored wallet', async () => {
    const { net, phone, laptop, phrase, bob } = await devices();
    const request = { payee: decodeAddress(network, bob.address), id: new Uint8Array(16).fill(7) };
    await payAt(net, phone, bob, 200n, 1);
    await payAt(net, laptop, bob, 500n, 2);
    await phone.settle();
    await haveAsked(phone, bob);
    await recoversAt(net, laptop, 1, 2);
    net.onTransfer = () => only(net, 3, 4);
    await fails('no-quorum', () => phone.payRequest(request, 40n));
    net.onTransfer = () => {};
    all(net);
    assert.equal(phone.inFlight, true);
    await phone.recover();
    await fails('payment-burnt', () => phone.payRequest(request, 40n));
    const restored = await Wallet.create(profile, net.ownHost(new Memory()), phrase);
    await restored.restore();
    await fails('payment-burnt', () => restored.payRequest(request, 40n));
  });
});

/** A proof of another statement, whose points and link are well formed. */
function wrong(proof: Uint8Array): Uint8Array {
  const made = Uint8Array.from(proof);
  made.set(proof.subarray(0, 96), 288);
  return made;
}

describe('a recover', () => {
  const keys = new FakeNetwork().register(newPhrase());
  const hasher = new Hasher(network);
  const tip = { apk: keys.apk, rho: element(5), period: 202611n, sent: 70n, count: 4n, held: 1_000n, com: element(6) };
  const evidence = {} as Parameters<typeof ownTransfer>[3];

  function pay(from: TransferPlan['cc'], paid: bigint, claimed = 0n, rho = element(71), origin = ORIGIN_MINT): { plan: TransferPlan; own: OwnCore } {
    const coins = claimed === 0n ? [] : [{ origin, value: claimed, rho }];
    const memo = { counter: 0, time: paid, paid, payee: element(9), payeeKey: keys.encryptionKey, mailbox: '', withdrawn: 0n, unfinished: 0, claimed: coins, text: '' };
    const plan = planTransfer(network, keys, from, 202611n, memo, new Uint8Array(512));
    return { plan, own: ownTransfer(network, keys, plan, evidence) };
  }
  const small = pay(tip, 100n, 300n);
  const large = pay(tip, 400n, 300n);
  const money = ({ memo: { held, returned, outflow } }: ReturnType<typeof draftRecover>) => [held, returned, outflow];

  it('burns the larger branch, and counts a coin once (X-05 to X-09)', () => {
    const made = draftRecover(network, keys, small.own, large.own);
    assert.deepEqual(money(made), [900n, 0n, 400n]);
    assert.deepEqual([made.memo.count, made.memo.sent, made.memo.claimed], [6n, 470n, [element(71)]]);
    assert.equal(made.request.statement.credits, 1n);
    const coin = hasher.serial(keys.snk, element(71));
    assert.ok(made.recover.serials.includes(coin));
    assert.equal(made.recover.serials.length, 4, 'the lead, two successors, one coin');
    const without = draftRecover(network, keys, small.own, large.own, new Set([coin]));
    assert.deepEqual([money(without), without.request.statement.credits], [[600n, 0n, 400n], 0n]);
  });

  it('gives what is above the former balance back as a coin, and takes one core back alone', () => {
    assert.deepEqual(money(draftRecover(network, keys, pay(tip, 100n, 5_000n).own, pay(tip, 400n, 5_000n).own)), [1_000n, 4_600n, 400n]);
    const alone = draftRecover(network, keys, small.own, small.own);
    assert.deepEqual([money(alone), alone.request.below.length], [[1_000n, 200n, 100n], 1]);
  });

  it('burns a child with its parent, and refuses cores that are not related (X-20)', () => {
    const child = pay(small.plan.next, 350n);
    assert.deepEqual(money(draftRecover(network, keys, small.own, child.own)), [850n, 0n, 450n]);
    refused('malformed-request', () => draftRecover(network, keys, child.own, small.own));
    refused('malformed-request', () => draftRecover(network, keys, large.own, child.own));
  });

  it('names the successors and coins of everything below it, and binds both cores', () => {
    const { recover, request, name } = draftRecover(network, keys, small.own, large.own);
    const resolved = resolveRecover(network, request);
    assert.equal(resolved.made.name, name);
    assert.deepEqual(recover.over.map(toHex), [small.own.name, large.own.name]);
    assert.equal(recover.serials[0], small.own.lead);
    for (const { own } of [small, large]) assert.ok(recover.serials.includes(own.nextSerial) && covers(own, toHex(core(network, own === small.own ? small.plan.statement : large.plan.statement))));
  });
});

