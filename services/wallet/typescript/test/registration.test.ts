import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { at, type Bytes } from '../src/bytes.js';
import { newPhrase, seedOf, WalletKeys } from '../src/keys.js';
import type { Person } from '../src/registering.js';
import { fromUtf8 } from '../src/text.js';
import { Wallet } from '../src/wallet.js';
import { FakeNetwork, Log, Memory, network, profile } from './fake.js';
import { element, fails } from './refused.js';

const ADA: Person = { givenName: 'Ada', familyName: 'Exampleson', birthDate: '1980-05-17', nationality: 'DE', documentNumber: 'C01X0006H' };

async function enter(net: FakeNetwork, words?: string): Promise<{ memory: Log; wallet: Wallet }> {
  const memory = new Log();
  return { memory, wallet: await Wallet.create(profile, net.host(memory), words) };
}

const reopened = (net: FakeNetwork, content: Bytes | undefined): Promise<Wallet> => Wallet.open(profile, net.host(new Memory(content)));

describe('a registration', () => {
  it('waits for officers, gives the compliance coin that payments start from, and is found again from the words', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    assert.equal(wallet.words.split(' ').length, 24);
    assert.deepEqual(wallet.registration, { stage: 'none' });
    assert.deepEqual(await wallet.banks(), [{ id: 'one', name: 'One' }]);
    assert.deepEqual(await wallet.register(ADA, 'one'), { stage: 'pending' });
    assert.deepEqual(net.steps, ['case', 'proof', 'delivery']);
    await fails('not-registered', () => wallet.pay(wallet.address, 1n));
    net.decide('approved');
    assert.deepEqual(await wallet.collectRegistration(), { stage: 'registered' });
    assert.deepEqual(net.steps.slice(-3), ['case', 'signatures', 'delivery']);

    net.mint(new WalletKeys(network, seedOf(wallet.words)), 500n, element(2000));
    await wallet.receive();
    await wallet.pay(wallet.address, 20n);
    assert.equal(wallet.balance.held, 480n);
    const again = await enter(net, wallet.words);
    assert.deepEqual(await again.wallet.restore(), { registered: true, transfers: 1, coins: 1 });
    assert.deepEqual(again.wallet.registration, { stage: 'registered' });
    assert.deepEqual(await again.wallet.register(ADA), { stage: 'registered' }, 'nothing is asked for twice');
    assert.equal(net.cases.length, 1);
  });

  it('that was refused says why, and is asked for anew with corrected details', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await enter(net);
    await wallet.register({ ...ADA, birthDate: '1980-05-18' });
    net.decide('refused');
    const refusal = { stage: 'refused', reasonCode: 'details-differ', reason: 'The details differ.' } as const;
    assert.deepEqual(await wallet.collectRegistration(), refusal);
    assert.deepEqual((await reopened(net, memory.content)).registration, refusal);
    assert.deepEqual(await wallet.register({ ...ADA, birthDate: '1980-05-18' }), refusal, 'the same details find the refused case again');
    assert.deepEqual(await wallet.register(ADA), { stage: 'pending' });
    net.decide('approved');
    assert.deepEqual(await wallet.register(ADA), { stage: 'registered' });
    assert.equal(net.cases.length, 2);
  });

  it('goes on after a kill at any write, with one core and one case', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await enter(net);
    await wallet.register(ADA);
    net.decide('approved');
    await wallet.collectRegistration();
    assert.ok(memory.contents.length >= 6);
    for (const content of memory.contents) {
      const killed = await reopened(net, content);
      assert.deepEqual(await killed.register(ADA), { stage: 'registered' });
      assert.equal(killed.address, wallet.address);
    }
    assert.deepEqual([net.cases.length, new Set(net.cores).size], [1, 1]);
  });

  it('goes on after any answer is lost', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await enter(net);
    net.faults = { caseLost: true };
    await fails('gateway-unreachable', () => wallet.register(ADA));
    assert.deepEqual(wallet.registration, { stage: 'unsent' });
    net.faults = { mailboxAway: true };
    assert.deepEqual(await (await reopened(net, memory.content)).register(ADA), { stage: 'pending' });
    assert.deepEqual(await wallet.register(ADA), { stage: 'pending' });
    net.decide('approved');
    net.faults = { answerLost: true };
    await fails('gateway-unreachable', () => wallet.collectRegistration());
    assert.deepEqual(wallet.registration, { stage: 'pending' });
    net.faults = {};
    assert.deepEqual(await (await reopened(net, memory.content)).collectRegistration(), { stage: 'registered' });
    assert.deepEqual([net.cases.length, new Set(net.cores).size], [1, 1]);
  });

  it('under way is found again from the words', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    await wallet.register(ADA);
    const stranger = new WalletKeys(network, seedOf(newPhrase()));
    const keys = new WalletKeys(network, seedOf(wallet.words));
    net.post(keys, { kind: 'registration-case', caseId: 'case-9', accessToken: 'token', tag: stranger.caseTag('case-9', 'token') });
    const again = await enter(net, wallet.words);
    assert.deepEqual(await again.wallet.restore(), { registered: false, transfers: 0, coins: 0 });
    assert.deepEqual(again.wallet.registration, { stage: 'pending' }, 'the copy without a tag of the wallet’s counts for nothing');
    net.decide('approved');
    assert.deepEqual(await again.wallet.collectRegistration(), { stage: 'registered' });
    assert.deepEqual(await wallet.collectRegistration(), { stage: 'registered' });
    assert.deepEqual([net.cases.length, new Set(net.cores).size], [1, 1]);
  });

  it('keeps no details of the person', async () => {
    const net = new FakeNetwork();
    const { memory, wallet } = await enter(net);
    await wallet.register(ADA);
    for (const content of memory.contents) {
      for (const detail of Object.values(ADA)) assert.equal(fromUtf8(content).includes(`"${detail}"`), false);
    }
  });
});

describe('what a registration refuses', () => {
  it('details that no service takes, before anything is made', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    const wrong: Partial<Person>[] = [
      { givenName: '' },
      { familyName: ' ' },
      { familyName: 'x'.repeat(101) },
      { givenName: 'A\nda' },
      { birthDate: '17.05.1980' },
      { birthDate: '1980-13-01' },
      { nationality: 'D' },
      { documentNumber: '' },
    ];
    for (const part of wrong) await fails('malformed-request', () => wallet.register({ ...ADA, ...part }));
    assert.equal(net.routes.some((route) => route.startsWith('POST')), false);
    assert.deepEqual(wallet.registration, { stage: 'none' });
  });

  it('a wrong proof, which is neither stored nor sent', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    net.faults = { wrongProof: true };
    await fails('proof-unverified', () => wallet.register(ADA));
    assert.deepEqual([wallet.registration.stage, net.cases.length], ['none', 0]);
  });

  it('an attestation of another registration, or none', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    await wallet.register(ADA);
    net.decide('a status of tomorrow');
    assert.deepEqual(await wallet.collectRegistration(), { stage: 'pending' });
    at(net.cases, 0).status = 'approved';
    const wrong = [['another core', 'attestation-invalid'], ['no note', 'attestation-invalid'], ['nothing', 'gateway-misbehaved']] as const;
    for (const [attests, reason] of wrong) {
      net.faults = { attests };
      await fails(reason, () => wallet.collectRegistration());
    }
    assert.deepEqual([wallet.registration.stage, net.cores.length], ['pending', 0]);

    net.faults = { attests: 'another core' };
    const again = await enter(net, wallet.words);
    await again.wallet.restore();
    assert.deepEqual(await again.wallet.collectRegistration(), { stage: 'none' }, 'such a copy of a case is none');
    net.faults = {};
    assert.deepEqual(await wallet.collectRegistration(), { stage: 'registered' });
  });

  it('signatures that do not verify; a wrong combination, or one lying authority, costs work only', async () => {
    const net = new FakeNetwork();
    const { wallet } = await enter(net);
    await wallet.register(ADA);
    net.decide('approved');
    net.faults = { wrongCombined: true, lying: [1, 2] };
    await fails('no-quorum', () => wallet.collectRegistration());
    assert.equal(wallet.registration.stage, 'pending');
    net.faults = { wrongCombined: true, lying: [1] };
    assert.deepEqual(await wallet.collectRegistration(), { stage: 'registered' });
  });

  it('another network’s services', async () => {
    const net = new FakeNetwork();
    const { registration, ...host } = net.host(new Memory());
    const wallet = await Wallet.create(profile, host);
    await fails('not-supported', () => wallet.register(ADA));
    assert.ok(registration);
    assert.equal(net.cases.length, 0);
  });
});
