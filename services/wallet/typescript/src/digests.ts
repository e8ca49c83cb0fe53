import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { ascii, concat, sized, toHex, u32, u64, u8, type Bytes } from './bytes.js';
import { digestToField, encodeField } from './field.js';
import { encodeG1, hashToG1, type G1 } from './groups.js';
import type { Network } from './network.js';
import { demand } from './refusal.js';

/** A blinded coin: c_m and k (S-02). */
export interface Blinded {
  readonly cm: bigint;
  readonly k: G1;
}

export interface Register {
  readonly family: 'register';
  readonly apk: bigint;
  readonly output: Blinded;
}

export interface Mint {
  readonly family: 'mint';
  /** 32 bytes. */
  readonly mintId: Bytes;
  readonly value: bigint;
  readonly output: Blinded;
}

/** The families of transfers: of two coins and one payee, of an unregulated network, and the shapes (decision 71). */
export type TransferFamily = 'transfer' | 'transfer-unregulated' | 'claim-16' | 'pay-8';

export interface Transfer {
  readonly family: TransferFamily;
  /** The lead first. */
  readonly serials: readonly bigint[];
  readonly outputs: readonly Blinded[];
  readonly period: bigint;
  readonly withdrawn: bigint;
  /** 32 bytes (E-13). */
  readonly context: Bytes;
}

/** A recover (page 9). */
export interface Recover {
  readonly family: 'recover';
  /** The lead first, the others in ascending order. */
  readonly serials: readonly bigint[];
  /** The cores of X1 and X2, of 32 bytes each. */
  readonly over: readonly [Bytes, Bytes];
  /** 0 to 15. */
  readonly credits: number;
  /** The returned coin, then the compliance coin. */
  readonly outputs: readonly Blinded[];
  /** 32 bytes (E-13). */
  readonly context: Bytes;
}

export type Statement = Register | Mint | Transfer | Recover;

const FAMILY = { register: 1, mint: 2, transfer: 3, 'transfer-unregulated': 4, recover: 5, 'claim-16': 7, 'pay-8': 8 } as const;

const head = (label: string, network: Network, family: Statement['family']): Bytes =>
  concat(ascii(label), network.digest, u8(FAMILY[family]));

const blinded = (output: Blinded): Bytes => concat(encodeField(output.cm), encodeG1(output.k));

const counted = (parts: readonly Bytes[]): Bytes => concat(u8(parts.length), ...parts);

/** D (E-11). Its body has no outputs. */
export function inputDigest(network: Network, statement: DigestInput): bigint {
  const start = head('solidus/D/v2', network, statement.family);
  return digestToField(sha512(concat(start, inputBody(statement))));
}

/** What D covers: a statement without its outputs and its period. */
export type DigestInput =
  | Omit<Register, 'output'>
  | Omit<Mint, 'output'>
  | Omit<Transfer, 'outputs' | 'period'>
  | Omit<Recover, 'outputs'>;

function inputBody(s: DigestInput): Bytes {
  switch (s.family) {
    case 'register':
      return encodeField(s.apk);
    case 'mint':
      return concat(sized(s.mintId, 32, 'a mint id'), u64(s.value));
    case 'recover':
      return concat(counted(s.serials.map(encodeField)), ...s.over.map((id) => sized(id, 32, 'a core')), u8(s.credits), sized(s.context, 32, 'a context'));
    default:
      return concat(counted(s.serials.map(encodeField)), u64(s.withdrawn), sized(s.context, 32, 'a context'));
  }
}

/** The core (E-12), 32 bytes. */
export function core(network: Network, statement: Statement): Bytes {
  return sha256(concat(head('solidus/core/v2', network, statement.family), coreBody(statement)));
}

function coreBody(s: Statement): Bytes {
  switch (s.family) {
    case 'register':
    case 'mint':
      return concat(inputBody(s), blinded(s.output));
    case 'recover':
      return concat(inputBody(s), counted(s.outputs.map(blinded)));
    default:
      return concat(
        counted(s.serials.map(encodeField)),
        counted(s.outputs.map(blinded)),
        u32(s.period),
        u64(s.withdrawn),
        sized(s.context, 32, 'a context'),
      );
  }
}

/** The context of two sealed blocks (E-13), 32 bytes. */
export function context(network: Network, payout: Bytes, memo: Bytes): Bytes {
  return contextOf(network, payout, sized(memo, 1024, 'a memo block'));
}

/** The context of blocks of which that of the memo has the length of its family. */
export function contextOf(network: Network, payout: Bytes, memo: Bytes): Bytes {
  return sha256(concat(ascii('solidus/context/v1'), network.digest, sized(payout, 512, 'a payout block'), memo));
}

/** The serial number of a mint (E-14). */
export function mintSerial(network: Network, mintId: Bytes): bigint {
  return digestToField(sha512(concat(ascii('solidus/mint-serial/v2'), network.digest, sized(mintId, 32, 'a mint id'))));
}

/** What the bases of a statement's outputs depend on. */
export interface Outputs {
  readonly d: bigint;
  /** 0 in a registration or a mint. */
  readonly period: bigint;
  readonly cms: readonly bigint[];
}

/** h_j (E-15). */
export function outputBase(network: Network, outputs: Outputs, j: number): G1 {
  demand(Number.isInteger(j) && j >= 0 && j < outputs.cms.length, 'OUT_OF_RANGE', 'no such output');
  const message = concat(u8(j), encodeField(outputs.d), u32(outputs.period), counted(outputs.cms.map(encodeField)));
  return hashToG1(message, `SOLIDUS-V02-H-${toHex(network.tagBytes)}`);
}
