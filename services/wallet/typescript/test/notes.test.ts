import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base64 } from '@scure/base';
import { toHex, type Bytes } from '../src/bytes.js';
import { encodeField } from '../src/field.js';
import { encodeG1, encodeG2, g1, g2, power } from '../src/groups.js';
import { readManifest, voteKey } from '../src/manifest.js';
import { Network } from '../src/network.js';
import { authorityKey, countersigned, parseNote, readText, signNote, writeText } from '../src/notes.js';
import { utf8 } from '../src/text.js';
import { element, refused, wide } from './refused.js';

const network = new Network('solidus-vectors');
const secrets = [1, 2, 3, 4].map((i) => wide(i).subarray(0, 32));
const authorities = secrets.map((secret, i) => authorityKey(i + 1, ed25519.getPublicKey(secret)));

const values = { 'checkpoint-version': 1n, 'at-millis': 5n };
const text = writeText(network, 'heartbeat', values);

/** The note with the lines of these authorities. */
const noteOf = (...signers: number[]): string => {
  const lines = signers.map((i) => signNote(text, `solidus-authority-${i}`, secrets[i - 1] as Bytes).slice(text.length + 1));
  return `${text}\n${lines.join('')}`;
};

describe('notes', () => {
  it('need the signatures of f + 1 authorities', () => {
    assert.equal(countersigned(noteOf(2, 4), authorities), text);
    refused('rules-untrusted', () => countersigned(noteOf(3), authorities));
    refused('rules-untrusted', () => countersigned(noteOf(3, 3), authorities));
  });

  it('may have lines of keys that nobody knows', () => {
    const stranger = signNote(text, 'somebody', wide(9).subarray(0, 32)).slice(text.length + 1);
    assert.equal(countersigned(noteOf(1, 2) + stranger, authorities), text);
    refused('rules-untrusted', () => countersigned(noteOf(1) + stranger, authorities));
  });

  it('do not count an authority with a wrong line, even beside a right one', () => {
    const right = noteOf(1, 2);
    const wrong = signNote(`${text}x\n`, 'solidus-authority-1', secrets[0] as Bytes).slice(text.length + 3);
    assert.match(wrong, /^— solidus-authority-1 /);
    refused('rules-untrusted', () => countersigned(right + wrong, authorities));
    refused('rules-untrusted', () => countersigned(right.replace('at-millis: 5', 'at-millis: 6'), authorities));
  });

  const line = noteOf(1).slice(text.length + 1);
  const wrong: [string, string][] = [
    ['no signature', `${text}\n`],
    ['no empty line', `${text}${line}`],
    ['no line feed at the end', noteOf(1).slice(0, -1)],
    ['a control character', noteOf(1).replace('heartbeat', 'heart\tbeat')],
    ['a hyphen', noteOf(1).replace('\u2014', '-')],
    ['two spaces', noteOf(1).replace('\u2014 ', '\u2014  ')],
    ['no padding', noteOf(1).replace('=\n', '\n')],
    ['unused bits', noteOf(1).replace(/.==?\n$/, (end) => `${end.replace(/^./, (c) => String.fromCharCode(c.charCodeAt(0) + 1))}`)],
    ['a control character in a name', noteOf(1).replace('solidus-authority', 'solidus\u0085authority')],
    ['a space of another kind in a name', noteOf(1).replace('solidus-authority', 'solidus\u00a0authority')],
    ['a signature of 1025 bytes', `${text}\n\u2014 a ${base64.encode(new Uint8Array(1029))}\n`],
    ['201 lines', `${text}\n${line.repeat(201)}`],
    ['too long', `${'x'.repeat(65_536)}\n\n${line}`],
  ];
  for (const [name, note] of wrong) it(`are refused: ${name}`, () => refused('malformed-request', () => parseNote(note)));

  it('may have 200 lines, a signature of 1024 bytes, and a byte order mark in a name', () => {
    const lines = Array.from({ length: 200 }, (_, i) => line.replace('\u2014 ', `\u2014 a${i}`));
    assert.equal(parseNote(`${text}\n${lines.join('')}`).signatures.length, 200);
    const other = `\u2014 a\ufeff ${base64.encode(new Uint8Array(1028))}\n`;
    assert.equal(parseNote(`${text}\n${other}`).signatures[0]?.name, 'a\ufeff');
  });

  it('are refused with a line twice', () => {
    refused('malformed-request', () => parseNote(`${text}\n${line}${line}`));
  });

  it('begin their lines behind the last empty line', () => {
    assert.equal(parseNote(`a\n\nb\n\n${line}`).text, 'a\n\nb\n');
  });
});

describe('texts', () => {
  it('are read as they were written', () => assert.deepEqual(readText(network, 'heartbeat', text), values));

  const wrong: [string, string][] = [
    ['a line more', `${text}x: 1\n`],
    ['a line less', text.replace(/at-millis.*\n/, '')],
    ['another order', text.replace(/(checkpoint.*\n)(at-millis.*\n)/, '$2$1')],
    ['a leading zero', text.replace(': 5', ': 05')],
    ['a sign', text.replace(': 5', ': +5')],
    ['2^63', text.replace(': 5', `: ${2n ** 63n}`)],
    ['version zero', text.replace(': 1', ': 0')],
    ['no space', text.replace(': 5', ':5')],
    ['a carriage return', text.replace('5\n', '5\r\n')],
    ['no line feed at the end', text.slice(0, -1)],
  ];
  for (const [name, wrongText] of wrong) {
    it(`are refused: ${name}`, () => refused('malformed-request', () => readText(network, 'heartbeat', wrongText)));
  }

  it('are refused: another kind or version', () => {
    refused('unknown-version', () => readText(network, 'policy', text));
    refused('unknown-version', () => readText(network, 'heartbeat', text.replace('/v1', '/v2')));
  });

  it('are refused: another network', () => refused('wrong-network', () => readText(new Network('another'), 'heartbeat', text)));

  it('are refused: capitals in hexadecimal', () => {
    const tag = wide(1).subarray(0, 32);
    const attestation = writeText(network, 'attestation', { 'person-tag': tag, 'register-core': tag, apk: element(1), 'issued-at-millis': 1n });
    assert.deepEqual(readText(network, 'attestation', attestation).apk, element(1));
    refused('malformed-request', () => readText(network, 'attestation', attestation.replace(toHex(tag), toHex(tag).toUpperCase())));
    const zero = '0'.repeat(64);
    refused('malformed-request', () => readText(network, 'attestation', attestation.replace(toHex(encodeField(element(1))), zero)));
  });
});

describe('manifest', () => {
  const pinned = ed25519.getPublicKey(secrets[0] as Bytes);
  const at = (i: bigint): bigint => 3n + 5n * i + 7n * i * i;
  const x = (i: number) => toHex(encodeG2(power(g2, at(BigInt(i)))));
  const y1 = (i: number) => toHex(encodeG1(power(g1, at(BigInt(i)))));
  const members = authorities.map(({ key }, i) => ({ index: i + 1, x: x(i + 1), y: x(i + 1), gamma: y1(i + 1), noteKey: toHex(key) }));
  const committee = { epoch: 2, f: 1, x: x(0), y: x(0), y1: y1(0), members };
  const file = (name: string) => ({ file: name, size: 5, sha256: '0'.repeat(64) });
  const circuit = (name: string) => ({
    name,
    version: 1,
    r1csSha256: '0'.repeat(64),
    constraints: 1,
    publicInputs: 1,
    provingKey: file(`${name}.pk`),
    verifyingKey: file(`${name}.vk`),
  });
  const [transfer, register, mint, recover] = ['transfer', 'register', 'mint', 'recover'].map(circuit) as [object, object, object, object];
  const manifest = {
    format: 'solidus/keys/v1',
    networkId: network.id,
    kind: 'regulated',
    class: 'development',
    provenance: 'a test',
    createdAt: 'today',
    circuits: [transfer, register, mint, recover],
    committee,
  };
  const expected = { kind: 'regulated', classes: ['development', 'ceremony', 'load-test'] } as const;

  const read = (value: object, secret = secrets[0] as Bytes) => {
    const bytes = utf8(JSON.stringify(value));
    return readManifest(network, expected, pinned, bytes, `${toHex(ed25519.sign(bytes, secret))}\n`).committee;
  };

  it('gives the committee and the keys of its notes', () => {
    const { epoch, f, key, noteKeys } = read(manifest);
    assert.deepEqual([epoch, f], [2n, 1]);
    assert.ok(key.x.equals(power(g2, 3n)));
    assert.deepEqual(noteKeys, authorities);
  });

  it('knows former committees of the same key, and their note keys until a time', () => {
    const before = {
      manifestSha256: '0'.repeat(64),
      sharesUntil: '2027-01-01T00:00:00Z',
      noteKeysUntil: '2027-02-01T00:00:00Z',
      committee: { ...committee, epoch: 1, members: members.map((m, i) => (i === 0 ? { ...m, noteKey: 'ab'.repeat(32) } : m)) },
    };
    const known = read({ ...manifest, former: [before] });
    const until = Date.parse(before.noteKeysUntil);
    assert.equal(toHex(voteKey(known, 1n, 1n, until - 1) ?? new Uint8Array()), 'ab'.repeat(32));
    assert.equal(voteKey(known, 1n, 1n, until), undefined);
    assert.deepEqual(voteKey(known, 2n, 1n, until), authorities[1]?.key);
    assert.equal(voteKey(known, 2n, 0n, until), undefined);
    refused('manifest-untrusted', () => read({ ...manifest, former: [] }));
    refused('manifest-untrusted', () => read({ ...manifest, former: Array(7).fill(before) }));
    refused('manifest-untrusted', () => read({ ...manifest, former: [{ ...before, committee }] }));
    refused('manifest-untrusted', () => read({ ...manifest, former: [{ ...before, noteKeysUntil: '2026-01-01T00:00:00Z' }] }));
    refused('manifest-untrusted', () => read({ ...manifest, former: [{ ...before, sharesUntil: 'tomorrow' }] }));
  });

  it('names transcripts in the class ceremony, and no proving keys in the class load-test', () => {
    const transcripts = [{ name: 'set-up', sha256: '0'.repeat(64) }];
    read({ ...manifest, class: 'ceremony', transcripts });
    const simulated = manifest.circuits.map(({ provingKey: _, ...rest }: any) => rest as object);
    read({ ...manifest, class: 'load-test', circuits: simulated });
    refused('manifest-untrusted', () => read({ ...manifest, transcripts }));
    refused('manifest-untrusted', () => read({ ...manifest, class: 'ceremony' }));
    refused('manifest-untrusted', () => read({ ...manifest, class: 'ceremony', transcripts: [] }));
    for (const wrong of [{ name: '', sha256: '1'.repeat(64) }, { name: 'committee', sha256: '00' }, { name: 'committee', sha256: '0'.repeat(64) }]) {
      refused('manifest-untrusted', () => read({ ...manifest, class: 'ceremony', transcripts: [...transcripts, wrong] }));
    }
    refused('manifest-untrusted', () => read({ ...manifest, class: 'load-test' }));
    refused('manifest-untrusted', () => read({ ...manifest, circuits: simulated }));
  });

  const wrong: [string, object][] = [
    ['a class that the wallet does not allow', { class: 'production' }],
    ['another kind', { kind: 'unregulated' }],
    ['another network', { networkId: 'another' }],
    ['another format', { format: 'solidus/keys/v2' }],
    ['an unknown member', { other: 1 }],
    ['a circuit less', { circuits: [transfer, register, mint] }],
    ['a circuit twice', { circuits: [transfer, register, mint, mint] }],
    ['a circuit of another kind', { circuits: [transfer, register, recover, circuit('transfer-unregulated')] }],
    ['the file of another circuit', { circuits: [transfer, register, recover, { ...mint, verifyingKey: file('transfer.vk') }] }],
    ['members that do not make the committee key', { committee: { ...committee, x: x(9) } }],
    ['a member less', { committee: { ...committee, members: members.slice(1) } }],
    ['members in another order', { committee: { ...committee, members: members.toReversed() } }],
    ['f of another number of members', { committee: { ...committee, f: 2 } }],
    ['one member and f = 0', { committee: { ...committee, f: 0, x: x(1), y: x(1), y1: y1(1), members: members.slice(0, 1) } }],
    ['a note key twice', { committee: { ...committee, members: members.map((m) => ({ ...m, noteKey: toHex(authorities[0]?.key as Bytes) })) } }],
  ];
  for (const [name, change] of wrong) it(`is refused with ${name}`, () => refused('manifest-untrusted', () => read({ ...manifest, ...change })));

  it('is refused when another key signed it', () => refused('manifest-untrusted', () => read(manifest, secrets[1])));
});
