import { ed25519 } from '@noble/curves/ed25519.js';
import { ascii, at, concat, sized, u32, u8, type Bytes } from './bytes.js';
import { core, inputDigest, outputBase, type Blinded, type Statement } from './digests.js';
import { encodeG1, type G1 } from './groups.js';
import { committeeAt, voteKey, type Committee } from './manifest.js';
import type { PartialSignature } from './messages.js';
import type { Network } from './network.js';
import { demand } from './refusal.js';
import { checkBlinded, combine, unblind, verify, type Signature } from './signatures.js';

// What authorities answer, and what a wallet does with it (F-21, F-22).

/** The outputs of a statement. */
export const outputsOf = (s: Statement): readonly Blinded[] => ('outputs' in s ? s.outputs : [s.output]);

/** The bases of a statement's outputs (E-15). */
export function bases(network: Network, statement: Statement): G1[] {
  const outputs = outputsOf(statement);
  const about = { d: inputDigest(network, statement), period: 'period' in statement ? statement.period : 0n, cms: outputs.map((o) => o.cm) };
  return outputs.map((_, j) => outputBase(network, about, j));
}

/** What an authority signs with its note key (V-19). */
export function voteMessage(coreBytes: Bytes, epoch: bigint, points: readonly G1[]): Bytes {
  return concat(ascii('solidus/vote/v1'), u8(0), sized(coreBytes, 32, 'a core'), u32(epoch), u8(points.length), ...points.map(encodeG1));
}

/** An authority's vote. The private key is the seed of RFC 8032, 32 bytes. */
export const signVote = (privateKey: Bytes, coreBytes: Bytes, epoch: bigint, points: readonly G1[]): Bytes =>
  ed25519.sign(voteMessage(coreBytes, epoch, points), privateKey);

/** Whether a vote is by the owner of a note key. */
export const isVoteOf = (noteKey: Bytes, coreBytes: Bytes, epoch: bigint, points: readonly G1[], vote: Bytes): boolean =>
  vote.length === 64 && ed25519.verify(vote, voteMessage(coreBytes, epoch, points), noteKey, { zip215: false });

/** The authorities of a committee that voted for a core, in epochs that the manifest knows (V-19, K-10). */
export function voters(committee: Committee, coreBytes: Bytes, partials: readonly PartialSignature[], now = Date.now()): ReadonlySet<bigint> {
  const votes = partials.filter(({ authority, shareEpoch, points, vote }) => {
    const key = voteKey(committee, authority, shareEpoch, now);
    return key !== undefined && isVoteOf(key, coreBytes, shareEpoch, points, vote);
  });
  return new Set(votes.map((partial) => partial.authority));
}

/** Whether a wallet takes a partial signature on a statement (F-21). */
export function isComplete(network: Network, committee: Committee, statement: Statement, partial: PartialSignature): boolean {
  const { authority, shareEpoch, points } = partial;
  const outputs = outputsOf(statement);
  const member = committeeAt(committee, shareEpoch)?.key.members[Number(authority) - 1];
  if (member === undefined || points.length !== outputs.length) return false;
  if (!voters(committee, core(network, statement), [partial]).has(authority)) return false;
  const h = bases(network, statement);
  return points.every((point, j) => checkBlinded(member, at(h, j), at(outputs, j).k, point));
}

/** The partial signatures that a wallet takes, by epoch and authority. */
function complete(
  network: Network,
  committee: Committee,
  statement: Statement,
  partials: readonly PartialSignature[],
): ReadonlyMap<bigint, ReadonlyMap<bigint, PartialSignature>> {
  const taken = new Map<bigint, Map<bigint, PartialSignature>>();
  for (const partial of partials) {
    const ofEpoch = taken.get(partial.shareEpoch) ?? new Map<bigint, PartialSignature>();
    if (ofEpoch.has(partial.authority) || !isComplete(network, committee, statement, partial)) continue;
    taken.set(partial.shareEpoch, ofEpoch.set(partial.authority, partial));
  }
  return taken;
}

/** What the wallet knows of its own outputs: their messages and blindings. */
export interface Opening {
  readonly message: bigint;
  readonly b: bigint;
}

/** The signatures on the outputs of a statement from an answer to it (F-22): its combined points where they are right, or its partial signatures. */
export function signaturesFrom(
  network: Network,
  committee: Committee,
  statement: Statement,
  openings: readonly Opening[],
  answer: { readonly partials: readonly PartialSignature[]; readonly combined: readonly G1[] },
): Signature[] {
  const h = bases(network, statement);
  const { key } = committee;
  let quorum: PartialSignature[] | undefined;
  return openings.map(({ message, b }, j) => {
    const unblinded = (s2: G1): Signature => unblind(at(h, j), s2, key.y1, b);
    const offered = answer.combined.length === openings.length ? unblinded(at(answer.combined, j)) : undefined;
    if (offered !== undefined && verify(key, message, offered)) return offered;
    quorum ??= quorumOf(network, committee, statement, answer.partials);
    const own = unblinded(combine(new Map(quorum.map((partial) => [Number(partial.authority), at(partial.points, j)]))));
    demand(verify(key, message, own), 'signature-invalid', 'partial signatures combine to no signature');
    return own;
  });
}

/** 2f + 1 partial signatures that a wallet takes, of the newest epoch that has so many (K-09). */
export function quorumOf(network: Network, committee: Committee, statement: Statement, partials: readonly PartialSignature[]): PartialSignature[] {
  const quorum = 2 * committee.f + 1;
  const taken = [...complete(network, committee, statement, partials)].sort(([one], [other]) => Number(other - one));
  const newest = taken.find(([, ofEpoch]) => ofEpoch.size >= quorum);
  demand(newest !== undefined, 'no-quorum', `${quorum} authorities have not signed with shares of one epoch`);
  return [...newest[1].values()].slice(0, quorum);
}
