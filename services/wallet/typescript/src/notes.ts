import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { checkEncryptionKey } from './address.js';
import { ascii, at, concat, equal, fromHex, sized, toHex, u64, u8, type Bytes } from './bytes.js';
import { decodeApk, decodeField, encodeField } from './field.js';
import { encodeG1 } from './groups.js';
import type { Mint } from './digests.js';
import type { Network } from './network.js';
import { demand, refusedAs, wellFormed } from './refusal.js';
import { utf8 } from './text.js';

/** A note's text and its signatures (F-24). */
export interface Note {
  /** With the line feed at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  readonly hash: Bytes;
  readonly signature: Bytes;
}

/** A key that may sign notes (F-25). */
export interface NoteKey {
  readonly name: string;
  /** Ed25519, 32 bytes. */
  readonly key: Bytes;
}

const NOTE_LIMIT = 65_536;
const LINE_LIMIT = 200;
const SIGNATURE_LIMIT = 1024;
const NUMBER_LIMIT = 1n << 63n;

/** The first four bytes of SHA-256(name || 0x0a || 0x01 || public key). */
export function keyHash({ name, key }: NoteKey): Bytes {
  return sha256(concat(utf8(name), u8(0x0a), u8(0x01), sized(key, 32, 'a note key'))).subarray(0, 4);
}

/** A text with one signature (F-24). The private key is the seed of RFC 8032, 32 bytes. */
export function signNote(text: string, name: string, privateKey: Bytes): string {
  const hash = keyHash({ name, key: ed25519.getPublicKey(privateKey) });
  return `${text}\n\u2014 ${name} ${base64.encode(concat(hash, ed25519.sign(utf8(text), privateKey)))}\n`;
}

/** Takes a note apart (F-24). */
export function parseNote(note: string): Note {
  demand(note.length <= NOTE_LIMIT, 'malformed-request', 'a note is too long');
  const end = note.lastIndexOf('\n\n');
  demand(end >= 0, 'malformed-request', 'a note without signatures');
  const text = note.slice(0, end + 1);
  demand(!/[^\P{Cc}\n]/u.test(text), 'malformed-request', 'a control character in a note');
  const lines = note.slice(end + 2).split('\n');
  demand(lines.pop() === '' && lines.length > 0, 'malformed-request', 'a note ends with a line feed');
  demand(lines.length <= LINE_LIMIT, 'malformed-request', 'too many signatures');
  demand(new Set(lines).size === lines.length, 'malformed-request', 'a line twice');
  return { text, signatures: lines.map(signatureLine) };
}

function signatureLine(line: string): NoteSignature {
  const match = /^\u2014 ([^\p{Z}\p{Cc}+]+) ([A-Za-z0-9+/=]+)$/u.exec(line);
  demand(match !== null, 'malformed-request', 'not the line of a signature');
  const bytes = wellFormed(() => base64.decode(match[2] as string));
  demand(bytes.length > 4 && bytes.length <= 4 + SIGNATURE_LIMIT, 'malformed-request', 'a signature of another length');
  return { name: match[1] as string, hash: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Whether a key signed a note: it has a line of the key, and each of them is valid (F-27). */
export function signedBy(note: Note, key: NoteKey): boolean {
  const lines = note.signatures.filter((s) => s.name === key.name && equal(s.hash, keyHash(key)));
  const text = utf8(note.text);
  return lines.length > 0 && lines.every((s) => s.signature.length === 64 && ed25519.verify(s.signature, text, key.key, { zip215: false }));
}

/** The key of authority i. */
export const authorityKey = (i: number, key: Bytes): NoteKey => ({ name: `solidus-authority-${i}`, key });

/** The text of a note with the valid signatures of f + 1 of the 3f + 1 authorities (F-27). */
export function countersigned(note: string, authorities: readonly NoteKey[]): string {
  const parsed = refusedAs('rules-untrusted', () => parseNote(note));
  const f = Math.floor((authorities.length - 1) / 3);
  const count = authorities.filter((key) => signedBy(parsed, key)).length;
  demand(count >= f + 1, 'rules-untrusted', `${count} authorities signed the note`);
  return parsed.text;
}

/** How the value of a line is written and read. */
interface Line<T> {
  write(value: T): string;
  read(text: string): T;
}

const number = (least: bigint, limit: bigint): Line<bigint> => ({
  write: (value) => value.toString(),
  read: (text) => {
    demand(/^(0|[1-9][0-9]*)$/.test(text), 'malformed-request', 'not a decimal number');
    const value = BigInt(text);
    demand(value >= least && value < limit, 'malformed-request', 'a number is out of range');
    return value;
  },
});

const hex = <T>(encode: (value: T) => Bytes, decode: (bytes: Bytes) => T): Line<T> => ({
  write: (value) => toHex(encode(value)),
  read: (text) => wellFormed(() => decode(fromHex(text))),
});

/** A text of a form. */
const matching = (form: RegExp, what: string): Line<string> => ({
  write: (value) => value,
  read: (text) => {
    demand(form.test(text), 'malformed-request', `not ${what}`);
    return text;
  },
});

/** Values with one space between them. */
const list = <T>(line: Line<T>): Line<readonly T[]> => ({
  write: (values) => values.map((value) => line.write(value)).join(' '),
  read: (text) => {
    const values = text.split(' ');
    demand(values.length <= MAX_VALUES, 'malformed-request', 'too many values');
    return values.map((value) => line.read(value));
  },
});

const MAX_VALUES = 100;
const LABEL = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
const PORT = '[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]';
const address = matching(
  new RegExp(`^https://(${LABEL}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?(:(${PORT}))?(/[A-Za-z0-9._~/-]*)?$`),
  'an address',
);
const currency = matching(/^[A-Z]{3}$/, 'a currency');

const anyNumber = number(0n, NUMBER_LIMIT);
const version = number(1n, NUMBER_LIMIT);
const small = number(0n, 1n << 31n);
const hash = hex((bytes: Bytes) => bytes, (bytes) => sized(bytes, 32, 'a digest'));
const replica = hex((bytes: Bytes) => bytes, (bytes) => sized(bytes, 64, 'the keys of a replica'));
const between = (least: number, most: number): Line<number> => ({
  write: (value) => value.toString(),
  read: (text) => Number(number(BigInt(least), BigInt(most) + 1n).read(text)),
});
const element = hex(encodeField, decodeField);
const apk = hex(encodeField, decodeApk);

/** The lines of each kind of text, in their order (F-26, F-30). */
const TEXTS = {
  policy: {
    version,
    period: small,
    'max-per-transfer-minor': anyNumber,
    'max-per-period-minor': anyNumber,
    'max-held-minor': anyNumber,
    'max-escrow-minor': anyNumber,
    'max-transfers-per-period': small,
    'mint-cap-per-day-minor': anyNumber,
    'effective-at-millis': anyNumber,
  },
  'sanction-checkpoint': { version, root: element, size: small, 'list-digest': hash, 'published-at-millis': anyNumber },
  heartbeat: { 'checkpoint-version': version, 'at-millis': anyNumber },
  attestation: { 'person-tag': hash, 'register-core': hash, apk, 'issued-at-millis': anyNumber },
  // F-30
  services: {
    version,
    currency,
    gateways: list(address),
    registration: address,
    sanctions: address,
    issuance: address,
    'redemption-key': hash,
    'tls-keys': list(hash),
  },
} as const;

/** The replicas of one mailbox, and the gateways that have it; these are left out where it is the network's only one (F-64). */
export type MailboxReplicas = { readonly gateways: readonly string[]; readonly keys: readonly Bytes[] };

/** Groups of a mailbox's gateways and the keys of its replicas: X25519, then Ed25519; none of them twice (F-64). */
const replicaKeys: Line<readonly MailboxReplicas[]> = {
  write: (groups) => groups.flatMap((group) => [...group.gateways, ...group.keys.map((key) => replica.write(key))]).join(' '),
  read: (text) => {
    const groups: { gateways: string[]; keys: Bytes[] }[] = [];
    let open: { gateways: string[]; keys: Bytes[] } | undefined;
    for (const value of text.split(' ')) {
      if (open === undefined || (value.startsWith('https://') && open.keys.length > 0)) {
        groups.push((open = { gateways: [], keys: [] }));
      }
      if (value.startsWith('https://')) open.gateways.push(address.read(value));
      else open.keys.push(replica.read(value));
    }
    for (const { keys } of groups) {
      demand(keys.length >= 4 && keys.length <= 100 && keys.length % 3 === 1, 'malformed-request', 'replicas are those of 3f+1 authorities');
      demand(keys.length === groups[0]?.keys.length, 'malformed-request', 'mailboxes of different committees');
      keys.forEach((key) => checkEncryptionKey(key.subarray(0, 32)));
    }
    const all = groups.flatMap((group) => group.keys);
    for (const from of [0, 32]) {
      demand(new Set(all.map((key) => toHex(key.subarray(from, from + 32)))).size === all.length, 'malformed-request', 'a key of two replicas');
    }
    return groups;
  },
};

/** Where the replicas of several mailboxes are named, each gateway of the network has one of them (F-64). */
function checkMailboxes(gateways: readonly string[], groups: readonly MailboxReplicas[]): void {
  const named = groups.flatMap((group) => group.gateways);
  const each = groups.every((group) => group.gateways.length > 0) && named.length === gateways.length && new Set([...named, ...gateways]).size === named.length;
  demand(groups.length > 1 ? each : named.length === 0, 'malformed-request', 'each gateway has the replicas of one mailbox');
}

/** A key configuration of RFC 9458 with the algorithms of F-60. */
const relayKey = hex((bytes: Bytes) => bytes, (bytes) => {
  sized(bytes, 41, 'a key of requests through a relay');
  demand(toHex(bytes.subarray(1, 3)) === '0020' && toHex(bytes.subarray(35)) === '000400010001', 'malformed-request', 'other algorithms');
  checkEncryptionKey(bytes.subarray(3, 35));
  return bytes;
});

/** Lines that may follow those of a kind in this order, each group whole or not at all (F-30). */
const OPTIONAL = {
  services: [
    { 'mailbox-bits': between(1, 6) },
    { relay: address, 'relay-key': relayKey },
    { 'replica-keys': replicaKeys },
  ],
} as const;

type Texts = typeof TEXTS;
type Values<L> = { readonly [name in keyof L]: L[name] extends Line<infer T> ? T : never };
type Optional = (typeof OPTIONAL)['services'];
export type TextKind = keyof Texts;
export type TextOf<K extends TextKind> = Values<Texts[K]> &
  (K extends 'services' ? Partial<Values<Optional[0]> & Values<Optional[1]> & Values<Optional[2]>> : unknown);

type NamedLine = [string, Line<unknown>];

/** The lines of a text of a kind, of which these names are there. */
function linesOf(kind: TextKind, has: (name: string) => boolean): NamedLine[] {
  const groups: readonly Record<string, Line<unknown>>[] = kind === 'services' ? OPTIONAL[kind] : [];
  const there = groups.filter((group) => Object.keys(group).some(has));
  return [TEXTS[kind], ...there].flatMap((group) => Object.entries(group) as NamedLine[]);
}

/** Reads a text of a kind (F-26). */
export function readText<K extends TextKind>(network: Network, kind: K, text: string): TextOf<K> {
  const lines = text.split('\n');
  demand(lines.pop() === '', 'malformed-request', 'a text ends with a line feed');
  demand(lines.shift() === `solidus/${kind}/v1`, 'unknown-version', 'a text of another kind or version');
  demand(lines.shift() === network.id, 'wrong-network', 'a text of another network');
  const names = new Set(lines.map((line) => line.slice(0, line.indexOf(': '))));
  const members = linesOf(kind, (name) => names.has(name));
  demand(lines.length === members.length, 'malformed-request', 'another number of lines');
  const read = members.map(([name, line], i) => {
    const [start, value] = [`${name}: `, at(lines, i)];
    demand(value.startsWith(start), 'malformed-request', `no line ${name}`);
    return [name, line.read(value.slice(start.length))];
  });
  const values = Object.fromEntries(read) as TextOf<K>;
  if (kind === 'services') {
    const { gateways, 'replica-keys': groups } = values as TextOf<'services'>;
    checkMailboxes(gateways, groups ?? []);
  }
  return values;
}

/** The text of a kind (F-26). */
export function writeText<K extends TextKind>(network: Network, kind: K, values: TextOf<K>): string {
  const lines = linesOf(kind, (name) => name in (values as object)).map(([name, line]) => `${name}: ${line.write((values as Record<string, unknown>)[name])}`);
  return [`solidus/${kind}/v1`, network.id, ...lines, ''].join('\n');
}

/** list-digest of a sanction list (F-27), 32 bytes. */
export function listDigest(network: Network, keys: readonly Bytes[]): Bytes {
  return sha256(concat(ascii('solidus/sanction-list/v1'), network.digest, ...keys.map((key) => sized(key, 20, 'a key of the list'))));
}

/** What an approver of a mint signs (F-28). */
export function approvalMessage(network: Network, mint: Mint): Bytes {
  const { mintId, value, output } = mint;
  return concat(
    ascii('solidus/mint-approval/v1'),
    u8(0x0a),
    network.digest,
    sized(mintId, 32, 'a mint id'),
    u64(value),
    encodeField(output.cm),
    encodeG1(output.k),
  );
}
