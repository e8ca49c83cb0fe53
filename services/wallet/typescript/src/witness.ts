import { gcm } from '@noble/ciphers/aes.js';
import { ascii, at, concat, sized, u32, u64, u8, type Bytes } from './bytes.js';
import { encodeField } from './field.js';
import { encodeG1 } from './groups.js';
import { receiver, sender } from './hpke.js';
import { encodeKeyPoint, encodeKeyScalar } from './jubjub.js';
import type { WalletKeys } from './keys.js';
import type { Network } from './network.js';
import type { Mint, Register } from './digests.js';
import type { Plan, TransferPlan } from './plan.js';
import { demand, wellFormed } from './refusal.js';
import type { Absence } from './sanctions.js';
import type { Shown } from './signatures.js';

// What a prover is told (F-45), and the seal of a witness and of the proof that answers it (F-10).

const INFO = ascii('solidus/prove/v1');
const PROOF_KEY = ascii('solidus/proof-key/v1');

export interface SealedWitness {
  /** 32 bytes. */
  readonly encapsulated: Bytes;
  readonly sealed: Bytes;
  /** The key of the answer, 32 bytes. */
  readonly proofKey: Bytes;
}

const aad = (network: Network, family: number): Bytes => concat(network.digest, u8(family));

/** Seals a witness to a prover's key. */
export function sealWitness(network: Network, proverKey: Bytes, family: number, witness: Bytes, ephemeral?: Bytes): SealedWitness {
  const { encapsulated, context } = sender(proverKey, INFO, ephemeral);
  return { encapsulated, sealed: context.seal(witness, aad(network, family)), proofKey: context.export(PROOF_KEY, 32) };
}

/** The prover's side: the witness and the key of the answer. */
export function openWitness(
  network: Network,
  privateKey: Bytes,
  family: number,
  encapsulated: Bytes,
  sealed: Bytes,
): { witness: Bytes; proofKey: Bytes } {
  const context = receiver(privateKey, encapsulated, INFO);
  return { witness: context.open(sealed, aad(network, family)), proofKey: context.export(PROOF_KEY, 32) };
}

/** The prover's answer, under a fresh nonce of 12 bytes. */
export function sealProof(proofKey: Bytes, nonce: Bytes, proof: Bytes): Bytes {
  return concat(nonce, gcm(proofKey, nonce).encrypt(proof));
}

export function openProof(proofKey: Bytes, answer: Bytes): Bytes {
  demand(answer.length >= 28, 'malformed-request', 'too short for a sealed proof');
  return wellFormed(() => gcm(proofKey, answer.subarray(0, 12)).decrypt(answer.subarray(12)));
}

/** The codes of registrations, mints and transfers of a regulated network. */
export const REGISTER = 1;
export const MINT = 2;
export const TRANSFER = 3;

/** The code of recovers, whose witness is told to no prover. */
export const RECOVER = 5;

const VERSION = 2;

/** How every witness begins. */
export const head = (family: number, core: Bytes): Bytes => concat(u8(VERSION), u8(family), sized(core, 32, 'a core'));

/** D, seed, s and b of a statement with one output. */
function outputBytes(plan: Plan<Register | Mint>, seed: bigint): Bytes {
  const { s, b } = at(plan.outputs, 0).secrets;
  return concat(encodeField(plan.d), encodeField(seed), encodeField(s), encodeField(b));
}

/** The witness of a registration. It has no spend key. */
export function registerWitness(keys: WalletKeys, plan: Plan<Register>, core: Bytes, alpha: bigint): Bytes {
  const owner = concat(encodeField(keys.nk), encodeKeyPoint(keys.pkAuth));
  return concat(head(REGISTER, core), owner, outputBytes(plan, keys.registration().seed), encodeKeyScalar(alpha));
}

/** The witness of a mint for the wallet itself. */
export function mintWitness(keys: WalletKeys, plan: Plan<Mint>, core: Bytes): Bytes {
  const { mintId, value } = plan.statement;
  return concat(head(MINT, core), encodeField(keys.apk), u64(value), outputBytes(plan, keys.mint(mintId).seed));
}

/** A shown signature with its opening. */
export interface Presentation {
  readonly shown: Shown;
  readonly o: bigint;
  readonly message: bigint;
}

/** The limits of a policy that a transfer is proved against. */
export interface Limits {
  readonly perTransfer: bigint;
  readonly perPeriod: bigint;
  readonly held: bigint;
  readonly escrow: bigint;
  readonly transfers: bigint;
}

/** What the proof of a transfer needs beside its plan. */
export interface TransferProofInputs {
  /** 32 bytes. */
  readonly core: Bytes;
  readonly alpha: bigint;
  /** Of the compliance coin, then of both inputs; a dummy shows the compliance coin's signature again. */
  readonly shows: readonly Presentation[];
  readonly limits: Limits;
  readonly root: bigint;
  readonly sender: Absence;
  readonly recipient: Absence;
}

/** The witness of a transfer. It has no spend key. */
export function transferWitness(keys: WalletKeys, plan: TransferPlan, about: TransferProofInputs): Bytes {
  const { cc, memo, statement } = plan;
  const inputs = plan.inputs.map((input) => concat(u64(input.value), u8(input.origin), encodeField(input.rho), u8(input.dummy ? 1 : 0)));
  const shows = about.shows.map(({ shown, o, message }) =>
    concat(encodeG1(shown.h), encodeG1(shown.m), encodeG1(shown.s), encodeField(o), encodeField(message)),
  );
  const { perTransfer, perPeriod, held, escrow, transfers } = about.limits;
  return concat(
    head(TRANSFER, about.core),
    ...[encodeField(keys.nk), encodeKeyPoint(keys.pkAuth), encodeField(cc.apk)],
    ...[encodeField(cc.rho), u32(cc.period), u64(cc.sent), u32(cc.count), u64(cc.held), encodeField(cc.com)],
    ...inputs,
    ...[u8(0), encodeField(memo.payee), u64(memo.paid), u64(memo.withdrawn), u32(statement.period)],
    ...[encodeField(plan.d), encodeField(plan.seed), encodeField(plan.r)],
    ...plan.outputs.map(({ secrets }) => concat(encodeField(secrets.s), encodeField(secrets.b))),
    encodeKeyScalar(about.alpha),
    ...shows,
    ...[u64(perTransfer), u64(perPeriod), u64(held), u64(escrow), u32(transfers), encodeField(about.root)],
    ...[about.sender, about.recipient].map(absenceBytes),
  );
}

function absenceBytes({ low, high, index, siblings }: Absence): Bytes {
  return concat(sized(low, 20, 'a key of the list'), sized(high, 20, 'a key of the list'), u32(index), ...siblings.map(encodeField));
}
