import { concat, sized, type Bytes } from './bytes.js';
import { decodeG1, decodeG2, encodeG1, encodeG2, type G1, type G2 } from './groups.js';
import { decodeLink, encodeLink, type Link } from './link.js';

/** A Groth16 proof with its link (E-05). This implementation neither makes nor verifies A, B and C. */
export interface Proof {
  readonly a: G1;
  readonly b: G2;
  readonly c: G1;
  readonly link: Link;
}

const LINK_AT = 384;

/** The bytes of a proof with n linked points. */
export const proofLength = (n: number): number => 512 + 32 * (n + 1);

export function encodeProof({ a, b, c, link }: Proof): Bytes {
  return concat(encodeG1(a), encodeG2(b), encodeG1(c), encodeLink(link));
}

export function decodeProof(bytes: Bytes, n: number): Proof {
  sized(bytes, proofLength(n), 'a proof');
  return {
    a: decodeG1(bytes.subarray(0, 96)),
    b: decodeG2(bytes.subarray(96, 288)),
    c: decodeG1(bytes.subarray(288, LINK_AT)),
    link: decodeLink(bytes.subarray(LINK_AT), n),
  };
}
