import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { toHex, type Bytes } from '../src/bytes.js';
import { encodeG1, encodeG2, g1, g2, power } from '../src/groups.js';
import { readManifest } from '../src/manifest.js';
import { Network } from '../src/network.js';
import { authorityKey, countersigned, parseNote, readText, signNote, writeText } from '../src/notes.js';
import { utf8 } from '../src/text.js';
import { refused, wide } from './refused.js';

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
    refused('untrusted', () => countersigned(noteOf(3), authorities));
    refused('untrusted', () => countersigned(noteOf(3, 3), authorities));
  });

  it('may have lines of keys that nobody knows', () => {
    const stranger = signNote(text, 'somebody', wide(9).subarray(0, 32)).slice(text.length + 1);
    assert.equal(countersigned(noteOf(1, 2) + stranger, authorities), text);
    refused('untrusted', () => countersigned(noteOf(1) + stranger, authorities));
  });

  it('do not count an authority with a wrong line, even beside a right one', () => {
    const right = noteOf(1, 2);
    const wrong = signNote(`${text}x\n`, 'solidus-authority-1', secrets[0] as Bytes).slice(text.length + 3);
    assert.match(wrong, /^— solidus-authority-1 /);
    refused('untrusted', () => countersigned(right + wrong, authorities));
    refused('untrusted', () => countersigned(right.replace('at-millis: 5', 'at-millis: 6'), authorities));
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
    ['too long', `${'x'.repeat(65_536)}\n\n${line}`],
  ];
  for (const [name, note] of wrong) it(`are refused: ${name}`, () => refused('malformed-request', () => parseNote(note)));

  it('begin their lines behind the last empty line', () => {
    assert.equal(parseNote(`a\n\nb\n\n${line}`).text, 'a\n\nb\n');
  });
});

describe('texts', () => {
  it('are read as they were written', () => assert.deepEqual(readText(network, 'heartbeat', text), values));

  const wrong: [string, string][] = [
    ['another kind', text.replace('heartbeat', 'policy')],
    ['another version', text.replace('/v1', '/v2')],
    ['a line more', `${text}x: 1\n`],
    ['a line less', text.replace(/at-millis.*\n/, '')],
    ['another order', text.replace(/(checkpoint.*\n)(at-millis.*\n)/, '$2$1')],
    ['a leading zero', text.replace(': 5', ': 05')],
    ['a sign', text.replace(': 5', ': +5')],
    ['2^63', text.replace(': 5', `: ${2n ** 63n}`)],
    ['version zero', text.replace(': 1', ': 0')],
    ['no space', text.replace(': 5', ':5')],
    ['a carriage return', text.replace('\n', '\r\n')],
    ['no line feed at the end', text.slice(0, -1)],
  ];
  for (const [name, wrongText] of wrong) {
    it(`are refused: ${name}`, () => refused('malformed-request', () => readText(network, 'heartbeat', wrongText)));
  }

  it('are refused: another network', () => refused('wrong-network', () => readText(new Network('another'), 'heartbeat', text)));

  it('are refused: capitals in hexadecimal', () => {
    const root = wide(1).subarray(0, 32);
    const attestation = writeText(network, 'attestation', { 'person-tag': root, 'register-core': root, apk: root, 'issued-at-millis': 1n });
    assert.deepEqual(readText(network, 'attestation', attestation).apk, root);
    refused('malformed-request', () => readText(network, 'attestation', attestation.replace(toHex(root), toHex(root).toUpperCase())));
  });
});

describe('manifest', () => {
  const pinned = ed25519.getPublicKey(secrets[0] as Bytes);
  const at = (i: bigint): bigint => 3n + 5n * i + 7n * i * i;
  const x = (i: number) => toHex(encodeG2(power(g2, at(BigInt(i)))));
  const y1 = (i: number) => toHex(encodeG1(power(g1, at(BigInt(i)))));
  const members = authorities.map(({ key }, i) => ({ index: i + 1, x: x(i + 1), y: x(i + 1), gamma: y1(i + 1), noteKey: toHex(key) }));
  const manifest = {
    format: 'solidus/keys/v1',
    networkId: network.id,
    kind: 'regulated',
    class: 'development',
    provenance: 'a test',
    createdAt: 'today',
    circuits: [],
    committee: { epoch: 2, f: 1, x: x(0), y: x(0), y1: y1(0), members },
  };
  const expected = { kind: 'regulated', classes: ['development'] } as const;

  const read = (value: object, secret = secrets[0] as Bytes) => {
    const bytes = utf8(JSON.stringify(value));
    return readManifest(network, expected, pinned, bytes, toHex(ed25519.sign(bytes, secret)));
  };

  it('gives the committee and the keys of its notes', () => {
    const { epoch, key, noteKeys } = read(manifest);
    assert.equal(epoch, 2n);
    assert.ok(key.x.equals(power(g2, 3n)));
    assert.deepEqual(noteKeys, authorities);
  });

  it('is refused when another key signed it', () => refused('untrusted', () => read(manifest, secrets[1])));
  it('is refused with a class that the wallet does not allow', () => refused('untrusted', () => read({ ...manifest, class: 'ceremony' })));
  it('is refused for another network', () => refused('wrong-network', () => read({ ...manifest, networkId: 'another' })));
  it('is refused with an unknown member', () => refused('malformed-request', () => read({ ...manifest, other: 1 })));

  it('is refused when the members do not make the committee key', () => {
    refused('untrusted', () => read({ ...manifest, committee: { ...manifest.committee, x: x(9) } }));
    refused('malformed-request', () => read({ ...manifest, committee: { ...manifest.committee, members: members.slice(1) } }));
    refused('malformed-request', () => read({ ...manifest, committee: { ...manifest.committee, members: members.toReversed() } }));
  });
});
