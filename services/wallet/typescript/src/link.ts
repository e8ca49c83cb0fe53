import { sha512 } from '@noble/hashes/sha2.js';
import { ascii, at, concat, sized, u8, type Bytes } from './bytes.js';
import { decodeField, decodeScalar, digestToField, encodeField, modulo, R } from './field.js';
import { decodeG1, encodeG1, g1, product, type G1 } from './groups.js';
import { Hasher } from './hash.js';
import { encodeKeyPoint, type KeyPoint } from './jubjub.js';
import type { Network } from './network.js';
import { demand } from './refusal.js';

/** What a link is about: points M_i with bases H_i, and what its challenge is bound to. */
export interface LinkStatement {
  /** 32 bytes. */
  readonly core: Bytes;
  readonly d: bigint;
  /** Undefined in a mint. */
  readonly rk: KeyPoint | undefined;
  readonly h: readonly G1[];
  readonly m: readonly G1[];
}

export interface Link {
  readonly a: bigint;
  readonly t: G1;
  readonly z: readonly bigint[];
  readonly blind: bigint;
}

/** Nonces and salt, uniform in F and fresh for every proof (L-01). */
export interface LinkSecrets {
  readonly kappa: readonly bigint[];
  readonly kappaBlind: bigint;
}

/** T (L-01). */
export function commitPoint(h: readonly G1[], secrets: LinkSecrets): G1 {
  return product(...h.map((base, i): [G1, bigint] => [base, at(secrets.kappa, i)]), [g1, secrets.kappaBlind]);
}

/** c (L-02). */
export function linkChallenge(statement: LinkStatement, t: G1, a: bigint): bigint {
  const { core, d, rk, h, m } = statement;
  demand(h.length === m.length, 'BAD_LENGTH', 'as many bases as points');
  const points = h.flatMap((base, i) => [encodeG1(base), encodeG1(at(m, i))]);
  const key = rk === undefined ? new Uint8Array(64) : encodeKeyPoint(rk);
  const parts = [sized(core, 32, 'a core'), encodeField(d), key, u8(h.length), ...points, encodeG1(t), encodeField(a)];
  return digestToField(sha512(concat(ascii('solidus/link/v2'), ...parts)));
}

/** z_1, ..., z_n and z' (L-03). */
export function respond(
  c: bigint,
  secrets: LinkSecrets,
  messages: readonly bigint[],
  openings: readonly bigint[],
): { z: bigint[]; blind: bigint } {
  const z: bigint[] = [];
  let blind = secrets.kappaBlind;
  let power = 1n;
  for (const [i, kappa] of secrets.kappa.entries()) {
    power = modulo(power * c, R);
    z.push(modulo(kappa + power * at(messages, i), R));
    blind = modulo(blind + power * at(openings, i), R);
  }
  return { z, blind };
}

/** A whole link of a statement (L-01 to L-03). */
export function proveLink(
  network: Network,
  statement: LinkStatement,
  secrets: LinkSecrets & { readonly salt: bigint },
  messages: readonly bigint[],
  openings: readonly bigint[],
): Link {
  const t = commitPoint(statement.h, secrets);
  const a = new Hasher(network).link(secrets.salt, secrets.kappa, messages);
  return { a, t, ...respond(linkChallenge(statement, t, a), secrets, messages, openings) };
}

/** a, T, z_1, ..., z_n, z': what follows A, B and C in a proof (E-05). */
export function encodeLink(link: Link): Bytes {
  return concat(encodeField(link.a), encodeG1(link.t), ...link.z.map(encodeField), encodeField(link.blind));
}

/** The link of n points from its 128 + 32 (n + 1) bytes. */
export function decodeLink(bytes: Bytes, n: number): Link {
  sized(bytes, 128 + 32 * (n + 1), 'a link');
  const scalars = Array.from({ length: n + 1 }, (_, i) => decodeScalar(bytes.subarray(128 + 32 * i, 160 + 32 * i)));
  return {
    a: decodeField(bytes.subarray(0, 32)),
    t: decodeG1(bytes.subarray(32, 128)),
    z: scalars.slice(0, n),
    blind: at(scalars, n),
  };
}

/** Refuses a link whose equation does not hold, and returns c (L-04). */
export function verifyLink(statement: LinkStatement, link: Link): bigint {
  const c = linkChallenge(statement, link.t, link.a);
  const left = product(...statement.h.map((base, i): [G1, bigint] => [base, at(link.z, i)]), [g1, link.blind]);
  let power = 1n;
  const right = statement.m.map((point): [G1, bigint] => {
    power = modulo(power * c, R);
    return [point, power];
  });
  demand(left.equals(product([link.t, 1n], ...right)), 'LINK_INVALID', 'the equation of the link does not hold');
  return c;
}
