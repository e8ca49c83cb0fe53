import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { modulo, R } from '../src/field.js';
import { g1, g2, power, product } from '../src/groups.js';
import { multiply, BASE, L, decodeKeyPoint, encodeKeyPoint } from '../src/jubjub.js';
import { publicKey, randomisedKey, signCore, verifyCore } from '../src/keysig.js';
import { decodeProof, encodeProof } from '../src/proof.js';
import {
  blind,
  checkBlinded,
  checkCommittee,
  combine,
  randomise,
  show,
  signPartially,
  unblind,
  verify,
  verifyShown,
  type CommitteeKey,
} from '../src/signatures.js';
import { element, refused, wide } from './refused.js';

const MEMBERS = [1, 2, 3, 4];

/** A polynomial of degree 2 at i. */
const polynomial = (from: number) => (i: number): bigint =>
  modulo(element(from) + element(from + 1) * BigInt(i) + element(from + 2) * BigInt(i * i), R);

const x = polynomial(10);
const y = polynomial(20);

const committee: CommitteeKey = {
  x: power(g2, x(0)),
  y: power(g2, y(0)),
  y1: power(g1, y(0)),
  members: MEMBERS.map((i) => ({ x: power(g2, x(i)), y: power(g2, y(i)), gamma: power(g1, y(i)) })),
};

const member = (i: number) => committee.members[i - 1] as (typeof committee.members)[number];

describe('signatures of a committee of four', () => {
  const [message, b, h] = [element(1), element(2), power(g1, element(3))];
  const k = blind(h, message, b);
  const parts = new Map(MEMBERS.map((i) => [i, signPartially(x(i), y(i), h, k)]));
  const s2 = combine(new Map([...parts].slice(1)));
  const signature = unblind(h, s2, committee.y1, b);

  it('the committee key is well formed', () => assert.ok(checkCommittee(committee)));

  it('every part is checked with the key of its member only', () => {
    for (const [i, part] of parts) {
      assert.ok(checkBlinded(member(i), h, k, part));
      assert.ok(!checkBlinded(member((i % 4) + 1), h, k, part));
      assert.ok(!checkBlinded(member(i), h, k.add(g1), part));
    }
  });

  it('any three members combine to one point, which the committee key verifies', () => {
    for (const left of MEMBERS) {
      const three = combine(new Map([...parts].filter(([i]) => i !== left)));
      assert.ok(three.equals(s2));
      assert.ok(checkBlinded(committee, h, k, three));
    }
    assert.ok(!combine(new Map([...parts].slice(2))).equals(s2), 'two are not enough');
  });

  it('the unblinded signature verifies on its message only', () => {
    assert.ok(verify(committee, message, signature));
    assert.ok(!verify(committee, message + 1n, signature));
    assert.ok(!verify(committee, message, { s1: signature.s1, s2: s2 }));
  });

  it('a randomised signature verifies', () => {
    const other = randomise(signature, element(4));
    assert.ok(!other.s1.equals(signature.s1));
    assert.ok(verify(committee, message, other));
    refused('SCALAR_ZERO', () => randomise(signature, 0n));
  });

  it('a shown signature verifies, and no other triple', () => {
    const shown = show(signature, committee.y1, message, element(5), element(6));
    assert.ok(verifyShown(committee, shown));
    assert.ok(!verifyShown(committee, { ...shown, m: shown.m.add(g1) }));
    assert.ok(!verifyShown(committee, { ...shown, s: shown.s.negate() }));
    const other = show(signature, committee.y1, message + 1n, element(5), element(6));
    assert.ok(!verifyShown(committee, other), 'another message');
  });

  it('the identity as a base is refused', () => {
    const zero = g1.add(g1.negate());
    const o = element(7);
    assert.ok(!verifyShown(committee, { h: zero, m: power(g1, o), s: power(committee.y1, o) }));
    assert.ok(!verify(committee, message, { s1: zero, s2: zero }));
  });

  it('a committee key with one wrong point is not well formed', () => {
    const wrong = { ...member(2), x: member(2).x.add(g2) };
    assert.ok(!checkCommittee({ ...committee, members: committee.members.with(1, wrong) }));
    assert.ok(!checkCommittee({ ...committee, members: committee.members.with(1, { ...member(2), gamma: member(3).gamma }) }));
    assert.ok(!checkCommittee({ ...committee, y1: committee.y1.add(g1) }));
    assert.ok(!checkCommittee({ ...committee, x: committee.x.negate() }));
    assert.ok(!checkCommittee({ ...committee, members: committee.members.slice(1) }));
  });
});

describe('signatures of a core', () => {
  const [a, alpha, nonce] = [modulo(element(30), L), modulo(element(31), L), modulo(element(32), L)];
  const core = wide(33).subarray(0, 32);
  const rk = randomisedKey(publicKey(a), alpha);

  it('what the two secrets sign verifies under rk', () => {
    assert.ok(rk.equals(multiply(BASE, a + alpha)));
    const signature = signCore(a, alpha, core, nonce);
    verifyCore(decodeKeyPoint(encodeKeyPoint(rk)), core, signature);
    refused('KEY_SIGNATURE_INVALID', () => verifyCore(publicKey(a), core, signature));
    refused('BAD_LENGTH', () => verifyCore(rk, core.subarray(1), signature));
  });
});

describe('a proof', () => {
  const link = { a: element(1), t: power(g1, element(2)), z: [element(3), element(4)], blind: element(5) };
  const proof = { a: power(g1, element(6)), b: power(g2, element(7)), c: power(g1, element(8)), link };
  const bytes = encodeProof(proof);

  it('has 512 + 32 (n + 1) bytes and is read as it was written', () => {
    assert.equal(bytes.length, 512 + 32 * 3);
    assert.deepEqual(encodeProof(decodeProof(bytes, 2)), bytes);
  });

  it('of another length, or with a point or an element that is none, is refused', () => {
    refused('BAD_LENGTH', () => decodeProof(bytes, 3));
    refused('IDENTITY_POINT', () => decodeProof(Uint8Array.from(bytes).fill(0, 96, 288), 2));
    refused('SCALAR_NOT_CANONICAL', () => decodeProof(Uint8Array.from(bytes).fill(255, 576), 2));
  });
});

describe('products of powers', () => {
  it('take exponents modulo r', () => {
    assert.ok(product([g1, R + 5n], [g1, -5n]).is0());
    assert.ok(power(g2, -1n).equals(g2.negate()));
  });
});
