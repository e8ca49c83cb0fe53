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
  readBody,
  registrationRequest,
  signed,
  transferEvidence,
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

const partial = (authority: bigint) => ({ authority, shareEpoch: 0n, points: [point(1), point(2)] });

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
    ['period beyond 32 bits', (b) => (b.statement.period = 2 ** 32)],
    ['family', (b) => (b.statement.family = 1)],
    ['serials of another family', (b) => (b.statement.family = 4)],
    ['serial twice', (b) => (b.statement.serials[1] = b.statement.serials[0])],
    ['one output', (b) => b.statement.outputs.pop()],
    ['one show', (b) => b.evidence.shows.pop()],
    ['length of the proof', (b) => (b.evidence.proof = 'AAAA')],
    ['padding', (b) => (b.statement.context = `${b.statement.context}=`)],
    ['base64 of section 4', (b) => (b.evidence.proof = b.evidence.proof.replace('A', '+'))],
    ['unused bits', (b) => (b.attachments.payoutBlock = b.attachments.payoutBlock.replace(/A$/, 'B'))],
    ['element not below r', (b) => (b.statement.serials[0] = '_'.repeat(42) + '8')],
    ['point off the curve', (b) => (b.evidence.shows[0].h = 'A'.repeat(127) + 'B')],
    ['129 entries', (b) => (b.certificate = Array.from({ length: 129 }, () => ({})))],
  ];
  for (const [name, edit] of wrong) it(`are refused: ${name}`, () => refused('malformed-request', () => readBody(transferRequest, edited(edit))));

  it('are refused with two partial signatures of one authority', () => {
    const twice = writeBody(transferRequest, { ...request, certificate: [partial(1n), partial(1n)] });
    refused('malformed-request', () => readBody(transferRequest, twice));
  });

  it('of a reply may have members that nobody knows', () => {
    const reply = writeBody(signed, { partials: [partial(1n)], combined: [point(1)] });
    const more = reply.replace('{', '{"new":null,');
    assert.equal(writeBody(signed, readBody(signed, more, 'ignored')), reply);
    refused('malformed-request', () => readBody(signed, more));
  });

  it('of registrations, mints, states and evidence are read as they were written', () => {
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
    const states = { states: [{ serial: element(1), unspent: [1n, 2n], requests: [{ authorities: [3n], request }] }] };
    const opening = {
      comBefore: 0n,
      comAfter: element(1),
      paidMinor: 1n,
      in1Minor: 2n,
      in2Minor: 0n,
      origin1: 1n,
      origin2: 0n,
      escrow: false,
      withdrawnMinor: 0n,
      period: 202611n,
      recipientApk: element(2),
      randomness: element(3),
      atMillis: 1n,
      reference: 'März "1"',
    };
    const format = 'solidus/transfer-evidence/v2';
    const shown = { format, networkId: network.id, core: '0'.repeat(64), request, partials: [partial(1n)], opening };
    const again = [
      [writeBody(registrationRequest, register), (t: string) => writeBody(registrationRequest, readBody(registrationRequest, t))],
      [writeBody(mintRequest, mint), (t: string) => writeBody(mintRequest, readBody(mintRequest, t))],
      [writeBody(coinStates, states), (t: string) => writeBody(coinStates, readBody(coinStates, t))],
      [writeBody(transferEvidence, shown), (t: string) => writeBody(transferEvidence, readBody(transferEvidence, t))],
    ] as const;
    for (const [text, write] of again) assert.equal(write(text), text);
  });
});
