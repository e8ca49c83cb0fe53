import { gcm } from '@noble/ciphers/aes.js';
import { ascii, concat, u8, type Bytes } from './bytes.js';
import { receiver, sender } from './hpke.js';
import type { Network } from './network.js';
import { demand, wellFormed } from './refusal.js';

// The seal of a witness and of the proof that answers it (F-10). The witness itself is the native library's.

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
