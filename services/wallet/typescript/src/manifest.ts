import { ed25519 } from '@noble/curves/ed25519.js';
import { fromHex, sized, toHex, type Bytes } from './bytes.js';
import { decodeG1, decodeG2, encodeG1, encodeG2, type G1, type G2 } from './groups.js';
import { anyJson, list, mapped, number, object, optional, parseJson, text, type Codec } from './json.js';
import type { Network } from './network.js';
import { authorityKey, type NoteKey } from './notes.js';
import { demand, wellFormed } from './refusal.js';
import { checkCommittee, type CommitteeKey } from './signatures.js';
import { fromUtf8 } from './text.js';

// The key manifest (F-29): its signature, and the committee's key in it.

const LIMIT = 1 << 20;

const hex = (length: number): Codec<Bytes> => mapped(text, (t) => sized(fromHex(t), length, 'a member'), toHex);
const g1: Codec<G1> = mapped(hex(96), decodeG1, encodeG1);
const g2: Codec<G2> = mapped(hex(192), decodeG2, encodeG2);

const keyFile = object({ file: text, size: number, sha256: hex(32) });

const manifest = object({
  format: text,
  networkId: text,
  kind: text,
  class: text,
  provenance: text,
  createdAt: text,
  circuits: list(
    object({
      name: text,
      version: number,
      r1csSha256: hex(32),
      constraints: number,
      publicInputs: number,
      provingKey: keyFile,
      verifyingKey: keyFile,
    }),
  ),
  committee: object({
    epoch: number,
    f: number,
    x: g2,
    y: g2,
    y1: g1,
    members: list(object({ index: number, x: g2, y: g2, gamma: g1, noteKey: hex(32) })),
  }),
  transcripts: optional(anyJson),
});

export interface Committee {
  readonly epoch: bigint;
  readonly key: CommitteeKey;
  readonly noteKeys: readonly NoteKey[];
}

/** What the wallet expects of a manifest. */
export interface Expected {
  readonly kind: 'regulated' | 'unregulated';
  readonly classes: readonly string[];
}

/** The committee of a manifest that the pinned key signed. The signature is the content of manifest.sig, in hexadecimal. */
export function readManifest(network: Network, expected: Expected, pinned: Bytes, bytes: Bytes, signature: string): Committee {
  const signed = wellFormed(() => ed25519.verify(sized(fromHex(signature.trim()), 64, 'a signature'), bytes, pinned, { zip215: false }));
  demand(signed, 'untrusted', 'the pinned key did not sign the manifest');
  demand(bytes.length <= LIMIT, 'malformed-request', 'a manifest is too long');
  const read = manifest.read(parseJson(fromUtf8(bytes), LIMIT), 'refused');
  demand(read.format === 'solidus/keys/v1', 'unknown-version', 'a manifest of another format');
  demand(read.networkId === network.id, 'wrong-network', 'a manifest of another network');
  demand(read.kind === expected.kind && expected.classes.includes(read.class), 'untrusted', 'a kind or class that the wallet does not allow');
  const { epoch, f, x, y, y1, members } = read.committee;
  demand(BigInt(members.length) === 3n * f + 1n, 'malformed-request', 'not 3f + 1 members');
  demand(members.every((m, i) => m.index === BigInt(i + 1)), 'malformed-request', 'members are not in order');
  const key = { x, y, y1, members };
  demand(checkCommittee(key), 'untrusted', 'the members do not interpolate to the committee key');
  return { epoch, key, noteKeys: members.map((m, i) => authorityKey(i + 1, m.noteKey)) };
}
