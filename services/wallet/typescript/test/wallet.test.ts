import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { decodeAddress, encodeAddress, jumble, unjumble, type Address } from '../src/address.js';
import { concat, fromHex, toHex, u32, u64, type Bytes } from '../src/bytes.js';
import { R } from '../src/field.js';
import { g1, power } from '../src/groups.js';
import { Hasher } from '../src/hash.js';
import { seedOf, WalletKeys } from '../src/keys.js';
import { decodeMemo, encodeMemo, openMemo, sealMemo, type Memo } from '../src/memo.js';
import { Network } from '../src/network.js';
import { decodeParcel, encodeParcel, openParcel, sealParcel, type Parcel } from '../src/parcel.js';
import { decodePayout, encodePayout, openPayout, sealPayout } from '../src/payout.js';
import { planTransfer } from '../src/plan.js';
import { permutation } from '../src/poseidon2.js';
import { shownText, utf8 } from '../src/text.js';
import { openProof, openWitness, sealProof, sealWitness } from '../src/witness.js';
import { vectorFiles, Inputs } from './cases.js';
import { element, refused, wide } from './refused.js';

const network = new Network('solidus-vectors');
const PHRASE = `${'abandon '.repeat(23)}art`;
const keys = new WalletKeys(network, seedOf(PHRASE));

/** The bytes with one bit changed. */
function changed(bytes: Bytes, at: number): Bytes {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
}

/** The bytes with others put at a position. */
function patched(bytes: Bytes, at: number, part: Bytes): Bytes {
  return concat(bytes.subarray(0, at), part, bytes.subarray(at + part.length));
}

describe('Poseidon2', () => {
  it('has the known answer of its designers', () => {
    const lanes = permutation([0n, 1n, 2n]).map((lane) => lane.toString(16));
    assert.deepEqual(lanes, [
      '1b152349b1950b6a8ca75ee4407b6e26ca5cca5650534e56ef3fd45761fbf5f0',
      '4c5793c87d51bdc2c08a32108437dc0000bd0275868f09ebc5f36919af5b3891',
      '1fc8ed171e67902ca49863159fe5ba6325318843d13976143b8125f08b50dc6b',
    ]);
  });
});

describe('H', () => {
  const coin = { value: 1n, origin: 0, apk: 1n, rho: 1n };

  it('refuses what is out of range', () => {
    const hasher = new Hasher(network);
    refused('OUT_OF_RANGE', () => hasher.coin({ ...coin, value: 1n << 64n }));
    refused('OUT_OF_RANGE', () => hasher.coin({ ...coin, origin: 3 }));
    refused('FIELD_NOT_CANONICAL', () => hasher.coin({ ...coin, apk: R }));
    refused('BAD_LENGTH', () => hasher.link(1n, [1n, 2n], [1n]));
  });

  it('differs between networks', () => {
    const other = new Hasher(new Network('solidus-vectors-2'));
    assert.notEqual(other.coin(coin), new Hasher(network).coin(coin));
  });
});

describe('phrase', () => {
  it('may have capitals, other white space and another normal form', () => {
    const seed = toHex(seedOf(PHRASE));
    assert.equal(toHex(seedOf(` ${PHRASE.toUpperCase().replaceAll(' ', '\t\n')} `)), seed);
    assert.equal(toHex(seedOf(PHRASE.replaceAll(' ', '\u3000'))), seed, 'a space of full width, which NFKD makes a space');
    const wide = PHRASE.replace(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    assert.equal(toHex(seedOf(wide)), seed, 'letters of full width');
  });

  it('has 24 words of the list and the right checksum', () => {
    refused('seed-phrase-invalid', () => seedOf(`${'abandon '.repeat(11)}about`));
    refused('seed-phrase-invalid', () => seedOf(`${'abandon '.repeat(24)}`));
    refused('seed-phrase-invalid', () => seedOf(PHRASE.replace('art', 'artist')));
    refused('seed-phrase-invalid', () => seedOf(PHRASE.replace('art', 'solidus')));
    refused('seed-phrase-invalid', () => seedOf(`${PHRASE} art`));
    refused('seed-phrase-invalid', () => seedOf(''));
  });

  it('gives other keys in another network', () => {
    const other = new WalletKeys(new Network('another-network'), seedOf(PHRASE));
    assert.notEqual(other.nk, keys.nk);
    assert.notEqual(toHex(other.encryptionKey), toHex(keys.encryptionKey));
  });
});

const memo: Memo = {
  counter: 65535,
  time: (1n << 63n) - 1n,
  paid: 5n,
  payee: keys.apk,
  payeeKey: keys.encryptionKey,
  mailbox: 'post.example.org',
  withdrawn: 7n,
  unfinished: 2,
  claimed: [{ origin: 1, value: 9n, rho: element(1) }],
  text: 'März',
};

describe('memo', () => {
  const bytes = encodeMemo(memo);
  // the fields behind the mailbox
  const behind = 84 + memo.mailbox.length;

  it('is read as it was written', () => {
    assert.deepEqual(decodeMemo(bytes), memo);
    const least = { ...memo, claimed: [], text: '', mailbox: '' };
    assert.deepEqual(decodeMemo(encodeMemo(least)), least);
  });

  const wrong: [string, Bytes][] = [
    ['version', patched(bytes, 0, Uint8Array.of(1))],
    ['paid', patched(bytes, 11, u64(1n << 63n))],
    ['payee', patched(bytes, 19, new Uint8Array(32).fill(255))],
    ['payee of zero', patched(bytes, 19, new Uint8Array(32))],
    ['key of small order', patched(bytes, 51, new Uint8Array(32))],
    ['length of the mailbox', patched(bytes, 83, Uint8Array.of(64))],
    ['mailbox', patched(bytes, 84, utf8('P'))],
    ['withdrawn', patched(bytes, behind, u64(1n << 63n))],
    ['unfinished', patched(bytes, behind + 8, u32(1n << 31n))],
    ['number of coins', patched(bytes, behind + 12, Uint8Array.of(3))],
    ['origin', patched(bytes, behind + 13, Uint8Array.of(3))],
    ['value', patched(bytes, behind + 14, u64(1n << 63n))],
    ['rho', patched(bytes, behind + 22, new Uint8Array(32).fill(255))],
    ['length of the text', patched(bytes, behind + 54, Uint8Array.of(141))],
    ['text', patched(bytes, behind + 55, Uint8Array.of(255))],
    ['one byte less', bytes.subarray(1)],
  ];
  for (const [name, content] of wrong) it(`refuses: ${name}`, () => refused('malformed-request', () => decodeMemo(content)));

  it('may have any time and anything behind its content, which stays', () => {
    assert.deepEqual(decodeMemo(patched(bytes, 3, u64(1n << 63n))), { ...memo, time: 1n << 63n });
    const longer = patched(bytes, 1007, Uint8Array.of(1));
    const { rest, ...read } = decodeMemo(longer);
    assert.deepEqual(read, memo);
    assert.equal(rest?.at(-1), 1);
    assert.deepEqual(encodeMemo(decodeMemo(longer)), longer);
  });

  it('opens under its own key and serial number only, and unchanged', () => {
    const block = sealMemo(keys.memoKey, 1n, bytes);
    assert.equal(block.length, 1024);
    assert.deepEqual(openMemo(keys.memoKey, 1n, block), bytes);
    refused('malformed-request', () => openMemo(keys.memoKey, 2n, block));
    refused('malformed-request', () => openMemo(keys.decryptionKey, 1n, block));
    refused('malformed-request', () => openMemo(keys.memoKey, 1n, changed(block, 500)));
    refused('malformed-request', () => openMemo(keys.memoKey, 1n, block.subarray(1)));
  });
});

const signature = { s1: power(g1, element(2)), s2: power(g1, element(3)) };
const payment: Parcel = { kind: 'payment', origin: 0, value: 5n, rho: element(1), signature, time: 1n, text: 'Miete März' };

describe('parcel', () => {
  const kinds: Parcel[] = [
    payment,
    { kind: 'minted', value: 5n, rho: element(1), signature, time: 1n },
    { kind: 'first-signature', signature },
    { kind: 'registration-case', caseId: 'case', accessToken: 'token', tag: keys.caseTag('case', 'token') },
  ];

  for (const parcel of kinds) {
    it(`is sealed and opened: ${parcel.kind}`, () => {
      const content = encodeParcel(parcel);
      const blob = sealParcel(network, keys.encryptionKey, content);
      assert.equal(blob.length, 1200);
      assert.deepEqual(openParcel(network, keys.decryptionKey, blob), content);
      const read = decodeParcel(content);
      assert.equal(toHex(encodeParcel(read)), toHex(content));
    });
  }

  it('is dropped for what the vector names, at the step that the name says', () => {
    const inContent = ['kind', 'origin', 'rho beyond the field', 'value of 2^63', 'version'];
    const cases = vectorFiles().find((file) => file.name === 'wallet')?.cases.filter((c) => c.op === 'parcel' && inContent.includes(c.name)) ?? [];
    assert.equal(cases.length, inContent.length);
    for (const c of cases) {
      const i = new Inputs(c.in);
      const content = openParcel(network, i.bytes('encryptionSecret'), i.bytes('blob'));
      refused('malformed-request', () => decodeParcel(content), c.name);
    }
  });

  it('refuses points that are no points of G1', () => {
    const content = encodeParcel(payment);
    refused('malformed-request', () => decodeParcel(changed(content, 100)));
    refused('malformed-request', () => decodeParcel(patched(content, 43, new Uint8Array(96))));
  });

  it('does not look behind its body', () => {
    assert.deepEqual(decodeParcel(patched(encodeParcel(payment), 1149, Uint8Array.of(1))), decodeParcel(encodeParcel(payment)));
  });

  it('shows a text without control and format characters, cut to 140', () => {
    assert.equal(shownText(utf8('a\u0000b\u200ec\u00add\u007fe\n')), 'abcde');
    assert.equal(shownText(concat(utf8('a'), Uint8Array.of(255), utf8('b'))), 'a\ufffdb');
    assert.equal(shownText(utf8('x'.repeat(200))), 'x'.repeat(140));
  });
});

describe('payout', () => {
  const payout = { creditorName: 'Ada', iban: 'DE02120300000000202051', reference: '' };

  it('is sealed and opened', () => {
    const block = sealPayout(network, keys.encryptionKey, encodePayout(payout));
    assert.equal(block.length, 512);
    assert.deepEqual(decodePayout(openPayout(network, keys.decryptionKey, block)), payout);
    refused('malformed-request', () => openPayout(new Network('another-network'), keys.decryptionKey, block));
  });

  it('refuses a wrong IBAN, control characters and what is too long', () => {
    refused('malformed-request', () => encodePayout({ ...payout, iban: 'DE03120300000000202051' }));
    refused('malformed-request', () => encodePayout({ ...payout, iban: 'XX361234567890' }));
    refused('malformed-request', () => encodePayout({ ...payout, iban: 'de02120300000000202051' }));
    refused('malformed-request', () => encodePayout({ ...payout, creditorName: '' }));
    refused('malformed-request', () => encodePayout({ ...payout, reference: 'a\n' }));
    refused('malformed-request', () => encodePayout({ ...payout, reference: 'x'.repeat(141) }));
    refused('malformed-request', () => encodePayout({ ...payout, creditorName: 'ü'.repeat(140), reference: 'ü'.repeat(140) }));
  });
});

describe('sealed witness', () => {
  it('and its proof go to the prover and back', () => {
    const { encapsulated, sealed, proofKey } = sealWitness(network, keys.encryptionKey, 3, wide(1));
    const opened = openWitness(network, keys.decryptionKey, 3, encapsulated, sealed);
    assert.deepEqual(opened.witness, wide(1));
    assert.deepEqual(openProof(proofKey, sealProof(opened.proofKey, new Uint8Array(12), wide(2))), wide(2));
    refused('malformed-request', () => openWitness(network, keys.decryptionKey, 4, encapsulated, sealed));
    refused('malformed-request', () => openProof(proofKey, new Uint8Array(27)));
  });
});

describe('F4Jumble', () => {
  it('has the known answer of ZIP 316', () => {
    const normal = '5d7a8f739a2d9e945b0ce152a8049e294c4d6e66b164939daffa2ef6ee6921481cdd86b3cc4318d9614fc820905d042b';
    const jumbled = '0304d029141b995da5387c125970673504d6c764d91ea6c082123770c7139ccd88ee27368cd0c0921a0444c8e5858d22';
    assert.equal(toHex(jumble(fromHex(normal))), jumbled);
    assert.equal(toHex(unjumble(fromHex(jumbled))), normal);
    refused('BAD_LENGTH', () => jumble(new Uint8Array(47)));
  });
});

describe('address', () => {
  const address: Address = { apk: keys.apk, encryptionKey: keys.encryptionKey, mailbox: '' };

  it('is 167 to 268 characters long', () => {
    assert.equal(encodeAddress(network, address).length, 167);
    assert.equal(encodeAddress(network, { ...address, mailbox: 'a'.repeat(63) }).length, 268);
  });

  it('refuses encryption keys of small order and other writings of a key', () => {
    const p = (1n << 255n) - 19n;
    const small = [
      0n,
      1n,
      p - 1n,
      325606250916557431795983626356110631294008115727848805560023387167927233504n,
      39382357235489614581723060781553021112529911719440698176882885853963445705823n,
    ];
    for (const u of [...small, p, p + 1n, p + 9n, (1n << 255n) + 9n]) {
      const key = fromHex(u.toString(16).padStart(64, '0')).reverse();
      refused('malformed-request', () => encodeAddress(network, { ...address, encryptionKey: key }), u.toString());
    }
  });

  it('refuses what is no name of a mailbox', () => {
    for (const mailbox of ['-', 'a-', '-a', 'a..b', '.a', 'a.', 'A', 'a_b', 'a b', 'a\n', 'a.-b', 'a'.repeat(64)]) {
      refused('malformed-request', () => encodeAddress(network, { ...address, mailbox }), mailbox);
    }
    for (const mailbox of ['a', '0', 'a-b.c', 'xn--mnchen-3ya.example']) {
      assert.equal(decodeAddress(network, encodeAddress(network, { ...address, mailbox })).mailbox, mailbox);
    }
  });

  it('refuses the zero address and texts that are none', () => {
    refused('malformed-request', () => encodeAddress(network, { ...address, apk: 0n }));
    for (const text of ['', 'sld1', 'x', `${encodeAddress(network, address)} `, 'a'.repeat(1024)]) {
      refused('malformed-request', () => decodeAddress(network, text));
    }
  });
});

describe('transfer', () => {
  const cc = { apk: keys.apk, rho: element(40), period: 202611n, sent: 10n, count: 2n, held: 100n, com: element(41) };
  const payout = new Uint8Array(512).fill(7);

  it('in the same period adds to what was sent, in a later one starts again', () => {
    const same = planTransfer(network, keys, cc, 202611n, memo, payout).next;
    assert.deepEqual([same.sent, same.count, same.held], [15n, 3n, 97n]);
    const later = planTransfer(network, keys, cc, 202612n, memo, payout).next;
    assert.deepEqual([later.sent, later.count, later.held], [5n, 1n, 97n]);
  });

  it('made again is the same, and with another counter differs in everything but the compliance coin spent', () => {
    const first = planTransfer(network, keys, cc, 202611n, memo, payout).statement;
    assert.deepEqual(planTransfer(network, keys, cc, 202611n, memo, payout).statement, first);
    const other = planTransfer(network, keys, cc, 202611n, { ...memo, counter: 1 }, payout).statement;
    assert.equal(other.serials[0], first.serials[0]);
    assert.equal(other.serials[1], first.serials[1], 'the claimed coin is the same');
    assert.notEqual(other.serials[2], first.serials[2], 'the dummy is not');
    assert.notEqual(other.outputs[0]?.cm, first.outputs[0]?.cm);
  });

  it('spends no coin twice, no more than it holds, and not in an earlier period', () => {
    const coin = { origin: 0, value: 1n, rho: element(1) };
    refused('OUT_OF_RANGE', () => planTransfer(network, keys, cc, 202611n, { ...memo, claimed: [coin, coin] }, payout));
    refused('OUT_OF_RANGE', () => planTransfer(network, keys, cc, 202611n, { ...memo, paid: 1000n }, payout));
    refused('stale-period', () => planTransfer(network, keys, cc, 202610n, memo, payout));
  });
});
