import { ed25519 } from '@noble/curves/ed25519.js';
import { fromHex, sized, toHex, type Bytes } from './bytes.js';
import { decodeG1, decodeG2, encodeG1, encodeG2, type G1, type G2 } from './groups.js';
import { checked, distinct, list, mapped, object, optional, parseJson, small, text, type Codec, type Of } from './json.js';
import type { Network } from './network.js';
import { authorityKey, type NoteKey } from './notes.js';
import { demand, refusedAs } from './refusal.js';
import { checkCommittee, type CommitteeKey } from './signatures.js';
import { fromUtf8 } from './text.js';

// The key manifest (F-29): its signature, and the committee's key in it.

const LIMIT = 1 << 20;
const MEMBERS_LIMIT = 100;
const FORMER_LIMIT = 6;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const CIRCUITS = { regulated: ['mint', 'recover', 'register', 'transfer'], unregulated: ['mint', 'transfer-unregulated'] } as const;

const hex = (length: number): Codec<Bytes> => mapped(text, (t) => sized(fromHex(t), length, 'a member'), toHex);
const g1: Codec<G1> = mapped(hex(96), decodeG1, encodeG1);
const g2: Codec<G2> = mapped(hex(192), decodeG2, encodeG2);

const keyFile = object({ file: text, size: small, sha256: hex(32) });

/** A file of the folder of keys, with its size in bytes. */
export type KeyFile = Of<typeof keyFile>;

/** The committee in a manifest. */
export const committee = object({
  epoch: small,
  f: small,
  x: g2,
  y: g2,
  y1: g1,
  members: list(object({ index: small, x: g2, y: g2, gamma: g1, noteKey: hex(32) })),
});

const time = checked(text, (t) => TIME.test(t) && !Number.isNaN(Date.parse(t)), 'not a time');

const formerCommittee = object({ manifestSha256: hex(32), sharesUntil: time, noteKeysUntil: time, committee });

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
      version: small,
      r1csSha256: hex(32),
      constraints: small,
      publicInputs: small,
      provingKey: optional(keyFile),
      verifyingKey: keyFile,
    }),
  ),
  committee,
  former: optional(checked(list(formerCommittee), (all) => all.length > 0 && all.length <= FORMER_LIMIT, 'no former committee, or too many')),
  transcripts: optional(
    checked(
      list(object({ name: checked(text, (t) => t !== '', 'no name'), sha256: hex(32) })),
      (all) => all.length > 0 && distinct(all.map((one) => toHex(one.sha256))),
      'no transcript, or one twice',
    ),
  ),
});

export interface Committee {
  readonly epoch: bigint;
  readonly f: number;
  readonly key: CommitteeKey;
  /** In the order of the members. */
  readonly noteKeys: readonly NoteKey[];
  /** The committees of former epochs, the newest first (K-08). */
  readonly former: readonly FormerCommittee[];
}

export interface FormerCommittee {
  readonly committee: Committee;
  /** SHA-256 of its manifest. */
  readonly manifestSha256: Bytes;
  /** When a note key of it ends that its authority no longer has, in milliseconds. */
  readonly noteKeysUntil: number;
}

/** The committee of an epoch (K-08). */
export const committeeAt = (committee: Committee, epoch: bigint): Committee | undefined =>
  [committee, ...committee.former.map((former) => former.committee)].find((one) => one.epoch === epoch);

/** The keys that an authority's signatures of states count with at a time: its present one, and former ones until they end (W-09). */
export function stateKeys(committee: Committee, authority: bigint, now: number): Bytes[] {
  const at = Number(authority) - 1;
  const valid = [committee, ...committee.former.filter((former) => now < former.noteKeysUntil).map((former) => former.committee)];
  return valid.flatMap((one) => one.noteKeys[at]?.key ?? []);
}

/** The key of an authority's votes in an epoch at a time (K-10). */
export function voteKey(committee: Committee, authority: bigint, epoch: bigint, now: number): Bytes | undefined {
  const of = (one: Committee | undefined) => one?.noteKeys[Number(authority) - 1]?.key;
  const same = (one: Bytes | undefined, other: Bytes) => one !== undefined && toHex(one) === toHex(other);
  const key = of(committeeAt(committee, epoch));
  if (key === undefined || same(of(committee), key)) return key;
  const last = committee.former.find((former) => same(of(former.committee), key));
  return last !== undefined && now < last.noteKeysUntil ? key : undefined;
}

/** What the wallet expects of a manifest. */
export interface Expected {
  readonly kind: keyof typeof CIRCUITS;
  readonly classes: readonly string[];
}

/** A circuit in a manifest. */
export interface Circuit {
  readonly version: bigint;
  readonly verifyingKey: KeyFile;
  /** Keys of load tests have none. */
  readonly provingKey: KeyFile | undefined;
}

/** What a wallet takes from a manifest. */
export interface Manifest {
  readonly committee: Committee;
  /** By name. */
  readonly circuits: ReadonlyMap<string, Circuit>;
}

/** A manifest that the pinned key signed. The signature is the content of manifest.sig. */
export function readManifest(network: Network, expected: Expected, pinned: Bytes, bytes: Bytes, signature: string): Manifest {
  return refusedAs('manifest-untrusted', () => {
    const signed = ed25519.verify(sized(fromHex(signature.trim()), 64, 'a signature'), bytes, pinned, { zip215: false });
    demand(signed, 'manifest-untrusted', 'the pinned key did not sign the manifest');
    const read = manifest.read(parseJson(fromUtf8(bytes), LIMIT), 'refused');
    demand(read.format === 'solidus/keys/v1', 'manifest-untrusted', 'another format');
    demand(read.networkId === network.id, 'manifest-untrusted', 'another network');
    demand(read.kind === expected.kind && expected.classes.includes(read.class), 'manifest-untrusted', 'a kind or class that is not allowed');
    demand((read.class === 'ceremony') === (read.transcripts !== undefined), 'manifest-untrusted', 'transcripts are those of ceremonies');
    checkCircuits(read, CIRCUITS[expected.kind]);
    return {
      committee: withFormer(checkedCommittee(read.committee), read.former ?? []),
      circuits: new Map(read.circuits.map(({ name, version, verifyingKey, provingKey }) => [name, { version, verifyingKey, provingKey }])),
    };
  });
}

function checkCircuits({ circuits, class: origin }: Of<typeof manifest>, names: readonly string[]): void {
  const found = circuits.map((circuit) => circuit.name).sort();
  demand(found.length === names.length && found.every((name, i) => name === names[i]), 'manifest-untrusted', 'other circuits');
  for (const { name, provingKey, verifyingKey } of circuits) {
    demand((provingKey === undefined) === (origin === 'load-test'), 'manifest-untrusted', 'load-test keys have no proving keys, and others have');
    const files = verifyingKey.file === `${name}.vk` && (provingKey?.file ?? `${name}.pk`) === `${name}.pk`;
    demand(files, 'manifest-untrusted', 'a file has the name of its circuit');
  }
}

/** A committee whose key is well formed. */
export function checkedCommittee({ epoch, f, x, y, y1, members }: Of<typeof committee>): Committee {
  const faults = Number(f);
  demand(faults >= 1 && members.length === 3 * faults + 1 && members.length <= MEMBERS_LIMIT, 'malformed-request', 'not 3f + 1 members');
  demand(members.every((m, i) => m.index === BigInt(i + 1)), 'malformed-request', 'members are not in order');
  demand(distinct(members.map((m) => toHex(m.noteKey))), 'malformed-request', 'a note key stands twice');
  const key = { x, y, y1, members };
  demand(checkCommittee(key), 'malformed-request', 'the members do not interpolate to the committee key');
  return { epoch, f: faults, key, noteKeys: members.map((m, i) => authorityKey(i + 1, m.noteKey)), former: [] };
}

/** The committee with those of former epochs: each of the epoch before and of the same key. */
function withFormer(present: Committee, entries: readonly Of<typeof formerCommittee>[]): Committee {
  const former: FormerCommittee[] = [];
  let next = present;
  for (const { manifestSha256, sharesUntil, noteKeysUntil, committee: entry } of entries) {
    const was = checkedCommittee(entry);
    const follows = was.epoch === next.epoch - 1n && was.f === present.f && was.key.x.equals(present.key.x) && was.key.y.equals(present.key.y);
    demand(follows && was.key.y1.equals(present.key.y1), 'manifest-untrusted', 'a former committee is not of the epoch before and this key');
    demand(Date.parse(sharesUntil) <= Date.parse(noteKeysUntil), 'manifest-untrusted', 'a former note key ends before its share');
    former.push({ committee: was, manifestSha256, noteKeysUntil: Date.parse(noteKeysUntil) });
    next = was;
  }
  return { ...present, former };
}
