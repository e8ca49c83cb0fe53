import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { core } from '../src/digests.js';
import { g1, power } from '../src/groups.js';
import { multiply, BASE } from '../src/jubjub.js';
import { parseJson, writeJson, type Of } from '../src/json.js';
import {
  coinStates,
  evidence,
  mintRequest,
  registrationCase,
  readBody,
  receipt,
  recoverRequest,
  registrationRequest,
  signed,
  transferRequest,
  writeBody,
} from '../src/messages.js';
import { Network } from '../src/network.js';
import { proofLength } from '../src/proof.js';
import { element, refused, wide } from './refused.js';

const network = new Network('solidus-vectors');
const point = (n: number) => power(g1, element(n));
const blinded = (n: number) => ({ cm: element(n), k: point(n) });

const proof: Of<typeof evidence> = {
  policyVersion: 3n,
  checkpointVersion: 9n,
  circuitVersion: 1n,
  rk: multiply(BASE, 7n),
  shows: [1, 2, 3].map((n) => ({ h: point(n), m: point(n + 1), s: point(n + 2) })),
  proof: new Uint8Array(proofLength(5)),
  rkSignature: new Uint8Array(96),
};

const request: Of<typeof transferRequest> = {
  statement: {
    family: 'transfer',
    serials: [1, 2, 3].map(element),
    outputs: [blinded(4), blinded(5)],
    period: 202611n,
    withdrawn: (1n << 63n) - 1n,
    context: wide(6).subarray(0, 32),
  },
  evidence: proof,
  attachments: { payoutBlock: new Uint8Array(512), memoBlock: new Uint8Array(1024) },
  certificate: undefined,
};

const partial = (authority: bigint) => ({ authority, shareEpoch: 0n, points: [point(1), point(2)], vote: new Uint8Array(64) });

describe('JSON', () => {
  it('keeps integers that a floating-point number cannot hold', () => {
    assert.equal(writeJson(parseJson('{"a":[9223372036854775807,true,"x"],"b":{}}')), '{"a":[9223372036854775807,true,"x"],"b":{}}');
  });

  const wrong = [
    '', ' ', '{', '{}x', '{} {}', '{"a":1,"a":2}', '{"a"}', '{"a":1,}', '{,}', '[1,]', '[1 2]', '01', '1.0', '1e3', '-1', '+1', 'nan', 'tru', "'a'",
    '"\u0000"', '"\\x"', '{a:1}', '{1:1}', ']', '"a', '{"a":1]',
  ];
  for (const text of wrong) it(`refuses ${JSON.stringify(text)}`, () => refused('malformed-request', () => parseJson(text)));

  it('refuses more than 64 KB', () => {
    assert.equal(parseJson(`"${'x'.repeat(65_534)}"`), 'x'.repeat(65_534));
    refused('malformed-request', () => parseJson(`"${'x'.repeat(65_535)}"`));
  });
});

describe('bodies', () => {
  const text = writeBody(transferRequest, request);

  it('are read as they were written', () => {
    const read = readBody(transferRequest, text);
    assert.equal(writeBody(transferRequest, read), text);
    assert.deepEqual(core(network, read.statement), core(network, request.statement));
    const certified = writeBody(transferRequest, { ...request, certificate: [partial(1n), partial(2n)] });
    assert.equal(writeBody(transferRequest, readBody(transferRequest, certified)), certified);
    assert.ok(Object.keys(JSON.parse(text) as object).every((name) => name !== 'certificate'));
  });

  it('fit the limit of a service', () => assert.ok(text.length < 65_536));

  const edited = (edit: (body: any) => void): string => {
    const body = JSON.parse(text) as unknown;
    edit(body);
    return JSON.stringify(body).replace('9223372036854776000', '9223372036854775807');
  };

  const wrong: [string, (body: any) => void][] = [
    ['unknown member', (b) => (b.other = 1)],
    ['member of every object', (b) => (b.toString = 1)],
    ['missing member', (b) => delete b.evidence.rk],
    ['null member', (b) => (b.certificate = null)],
    ['number as a text', (b) => (b.statement.period = '202611')],
    ['text as a number', (b) => (b.statement.context = 1)],
    ['number beyond 2^63 - 1', (b) => (b.evidence.policyVersion = 2 ** 63)],
    ['period of 2^31', (b) => (b.statement.period = 2 ** 31)],
    ['circuit version of 2^31', (b) => (b.evidence.circuitVersion = 2 ** 31)],
    ['family', (b) => (b.statement.family = 1)],
    ['serials of another family', (b) => (b.statement.family = 4)],
    ['one output', (b) => b.statement.outputs.pop()],
    ['one show', (b) => b.evidence.shows.pop()],
    ['length of the proof', (b) => (b.evidence.proof = 'AAAA')],
    ['padding', (b) => (b.statement.context = `${b.statement.context}=`)],
    ['base64 of section 4', (b) => (b.evidence.proof = b.evidence.proof.replace('A', '+'))],
    ['unused bits', (b) => (b.attachments.payoutBlock = b.attachments.payoutBlock.replace(/A$/, 'B'))],
    ['element not below r', (b) => (b.statement.serials[0] = '_'.repeat(42) + '8')],
    ['point of 95 bytes', (b) => (b.evidence.shows[0].h = b.evidence.shows[0].h.slice(0, 124) + 'AAA')],
    ['129 entries', (b) => (b.certificate = Array.from({ length: 129 }, () => ({})))],
  ];
  for (const [name, edit] of wrong) it(`are refused: ${name}`, () => refused('malformed-request', () => readBody(transferRequest, edited(edit))));

  it('are refused with a serial number twice', () => {
    const twice = edited((b) => (b.statement.serials[1] = b.statement.serials[0]));
    refused('serials-not-distinct', () => readBody(transferRequest, twice));
  });

  it('are refused with a point that is none, with the code of its fault', () => {
    const h = (value: string) => edited((b) => (b.evidence.shows[0].h = value));
    refused('point-not-on-curve', () => readBody(transferRequest, h('A'.repeat(127) + 'B')));
    refused('identity-point', () => readBody(transferRequest, h('A'.repeat(128))));
    refused('malformed-request', () => readBody(transferRequest, h('_'.repeat(128))));
    const rk = edited((b) => (b.evidence.rk = `${'A'.repeat(85)}Q`));
    refused('identity-point', () => readBody(transferRequest, rk));
  });

  it('are refused with two partial signatures of one authority', () => {
    const twice = writeBody(transferRequest, { ...request, certificate: [partial(1n), partial(1n)] });
    refused('malformed-request', () => readBody(transferRequest, twice));
  });

  const certified = (edit: (partial: any) => void): string =>
    edited((b) => {
      b.certificate = JSON.parse(writeBody(transferRequest, { ...request, certificate: [partial(1n)] }).replace(/^.*"certificate":(.*)}$/, '$1'));
      edit(b.certificate[0]);
    });
  const wrongPartials: [string, (partial: any) => void][] = [
    ['authority 0', (p) => (p.authority = 0)],
    ['authority 101', (p) => (p.authority = 101)],
    ['epoch of 2^31', (p) => (p.shareEpoch = 2 ** 31)],
    ['no point', (p) => (p.points = [])],
    ['one point of two', (p) => p.points.pop()],
    ['three points', (p) => p.points.push(p.points[0])],
    ['no vote', (p) => delete p.vote],
    ['vote of 63 bytes', (p) => (p.vote = p.vote.slice(0, 84))],
  ];
  it('may have partial signatures', () => assert.equal(readBody(transferRequest, certified(() => {})).certificate?.length, 1));
  for (const [name, edit] of wrongPartials) {
    it(`are refused with a partial signature: ${name}`, () => refused('malformed-request', () => readBody(transferRequest, certified(edit))));
  }

  it('of a reply may have members that nobody knows', () => {
    const reply = writeBody(signed, { partials: [partial(1n)], combined: [point(1)] });
    const more = reply.replace('{', '{"new":null,');
    assert.equal(writeBody(signed, readBody(signed, more, 'ignored')), reply);
    refused('malformed-request', () => readBody(signed, more));
  });

  it('of a reply may be null where they may be missing, and longer than those of a request', () => {
    const reply = readBody(registrationCase, '{"status":"pending","attestationNote":null,"reason":null}', 'ignored');
    assert.deepEqual(reply, { status: 'pending' });
    refused('malformed-request', () => readBody(registrationCase, '{"status":null}', 'ignored'));
    const long = `{"status":"${'x'.repeat(100_000)}"}`;
    assert.equal(readBody(registrationCase, long, 'ignored').status.length, 100_000);
    refused('malformed-request', () => readBody(registrationCase, long));
  });

  it('of a mint have at most 8 approvals, of different approvers with names of 1 to 64 characters', () => {
    const approvals = (...names: string[]) => names.map((approver) => ({ approver, signature: new Uint8Array(64) }));
    const body = (...names: string[]) =>
      writeBody(mintRequest, {
        statement: { family: 'mint', mintId: wide(1).subarray(0, 32), value: 5n, output: blinded(1) },
        circuitVersion: 1n,
        proof: new Uint8Array(576),
        approvals: approvals(...names),
      });
    assert.equal(readBody(mintRequest, body(...'abcdefgh', )).approvals.length, 8);
    for (const names of [[...'abcdefghi'], ['a', 'a'], [''], ['x'.repeat(65)]]) refused('malformed-request', () => body(...names));
  });

  it('of registrations, mints, states and receipts are read as they were written', () => {
    const register = {
      statement: { family: 'register', apk: element(1), output: blinded(1) },
      circuitVersion: 1n,
      rk: multiply(BASE, 7n),
      proof: new Uint8Array(576),
      rkSignature: new Uint8Array(96),
    } as const;
    const mint = {
      statement: { family: 'mint', mintId: wide(1).subarray(0, 32), value: 5n, output: blinded(1) },
      circuitVersion: 1n,
      proof: new Uint8Array(576),
      approvals: [{ approver: 'a', signature: new Uint8Array(64) }],
    } as const;
    const recover = {
      statement: {
        ...{ first: 0n, second: 1n, next: [element(1), element(2)], returned: [0n, element(3)], credits: 15n },
        ...{ outputs: [blinded(1), blinded(2)], context: new Uint8Array(32) },
      },
      evidence: { circuitVersion: 1n, rk: request.evidence.rk, proof: new Uint8Array(608), rkSignature: new Uint8Array(96) },
      attachments: request.attachments,
      below: [{ transfer: { statement: request.statement, evidence: request.evidence }, recover: undefined }],
    } as const;
    const signed = {
      authority: 3n,
      mapVersion: 1n,
      floors: { policyVersion: 3n, checkpointVersion: 4n, period: 202611n },
      states: [
        { serial: element(1), core: wide(2).subarray(0, 32), request: new Uint8Array(32) },
        { serial: element(2), core: undefined, request: undefined },
      ],
      signature: new Uint8Array(64),
    } as const;
    const states = {
      states: [{ serial: element(1), requests: [{ request }], recovers: [{ request: recover }] }],
      signed: [signed],
    };
    const coin = { origin: 0n, valueMinor: 5n, apk: element(1), rho: element(2), s: element(3) };
    const shown = { format: 'solidus/receipt/v1', networkId: network.id, statement: request.statement, votes: [partial(1n)], coin };
    const again = [
      [writeBody(registrationRequest, register), (t: string) => writeBody(registrationRequest, readBody(registrationRequest, t))],
      [writeBody(mintRequest, mint), (t: string) => writeBody(mintRequest, readBody(mintRequest, t))],
      [writeBody(coinStates, states), (t: string) => writeBody(coinStates, readBody(coinStates, t))],
      [writeBody(receipt, shown), (t: string) => writeBody(receipt, readBody(receipt, t))],
    ] as const;
    for (const [text, write] of again) assert.equal(write(text), text);
    const both = { transfer: recover.below[0].transfer, recover: { statement: recover.statement, evidence: recover.evidence } };
    for (const below of [[], [{ transfer: undefined, recover: undefined }], [both], Array.from({ length: 17 }, () => recover.below[0])]) {
      refused('malformed-request', () => writeBody(recoverRequest, { ...recover, below }));
    }
    const unreadable = writeBody(coinStates, states).replace('"requests":[', '"requests":[{"request":{}},').replace('"signed":[', '"signed":[{"authority":0},');
    const read = readBody(coinStates, unreadable, 'ignored');
    assert.deepEqual([read.states[0]?.requests.length, read.signed?.length], [1, 1], 'what cannot be read counts as nothing');
  });
});
