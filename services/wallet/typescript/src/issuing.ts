import { at, type Bytes } from './bytes.js';
import { core, inputDigest, type Mint, type Register } from './digests.js';
import type { CircuitKey, Prove } from './evidence.js';
import type { MintRequest, RegistrationRequest } from './gateway.js';
import { verifyGroth16 } from './groth16.js';
import type { KeyPoint } from './jubjub.js';
import type { WalletKeys } from './keys.js';
import { randomisedKey, signCore, verifyCore } from './keysig.js';
import { verifyLink } from './link.js';
import type { Network } from './network.js';
import type { Plan } from './plan.js';
import { decodeProof } from './proof.js';
import { randomKeyScalar } from './random.js';
import { demand, refusedAs } from './refusal.js';
import { bases } from './votes.js';
import { MINT, mintWitness, REGISTER, registerWitness } from './witness.js';

// Requests of one output, which show no signature: registrations and mints.

/** How many public inputs a circuit has (F-47). */
export const REGISTER_INPUTS = 8;
export const MINT_INPUTS = 6;

/** What makes and verifies such requests of a network. */
export interface IssueOf {
  readonly network: Network;
  readonly circuit: CircuitKey;
}

/** The request of a registration (F-19), with new evidence. */
export async function makeRegistration(of: IssueOf, keys: WalletKeys, plan: Plan<Register>, prove: Prove): Promise<RegistrationRequest> {
  const { statement } = plan;
  const id = core(of.network, statement);
  const alpha = randomKeyScalar();
  const proof = await prove(REGISTER, registerWitness(keys, plan, id, alpha));
  const rk = randomisedKey(keys.pkAuth, alpha);
  const made = { statement, circuitVersion: of.circuit.version, rk, proof, rkSignature: signCore(keys.a, alpha, id, randomKeyScalar()) };
  // It is verified as a validator would before it is stored or sent (W-07).
  refusedAs('proof-unverified', () => verifyRegistration(of, made));
  return made;
}

/** Verifies the request of a registration as a validator does, and refuses what does not hold. */
export function verifyRegistration({ network, circuit }: IssueOf, { statement, circuitVersion, rk, proof, rkSignature }: RegistrationRequest): void {
  demand(circuitVersion === circuit.version, 'unknown-version', 'another version of the circuit');
  verifyCore(rk, core(network, statement), rkSignature);
  const { x, y } = rk.toAffine();
  verifyOutput({ network, circuit }, statement, rk, proof, [statement.apk, inputDigest(network, statement), statement.output.cm, x, y]);
}

/** The request of a mint for the wallet itself (F-20), without approvals. */
export async function makeMint(of: IssueOf, keys: WalletKeys, plan: Plan<Mint>, prove: Prove): Promise<MintRequest> {
  const { statement } = plan;
  const proof = await prove(MINT, mintWitness(keys, plan, core(of.network, statement)));
  const made = { statement, circuitVersion: of.circuit.version, proof, approvals: [] };
  refusedAs('proof-unverified', () => verifyMint(of, made));
  return made;
}

/** Verifies the proof of a mint as a validator does, and refuses what does not hold. Approvals are the bank's affair. */
export function verifyMint({ network, circuit }: IssueOf, { statement, circuitVersion, proof }: Omit<MintRequest, 'approvals'>): void {
  demand(circuitVersion === circuit.version, 'unknown-version', 'another version of the circuit');
  verifyOutput({ network, circuit }, statement, undefined, proof, [statement.value, inputDigest(network, statement), statement.output.cm]);
}

/** Verifies the link of the only output, then the proof with these public inputs and those of the link. */
function verifyOutput({ network, circuit }: IssueOf, statement: Register | Mint, rk: KeyPoint | undefined, bytes: Bytes, inputs: readonly bigint[]): void {
  const proof = decodeProof(bytes, 1);
  const about = { core: core(network, statement), d: inputDigest(network, statement), rk, h: bases(network, statement), m: [statement.output.k] };
  const c = verifyLink(about, proof.link);
  const holds = verifyGroth16(circuit.key, proof, [...inputs, proof.link.a, c, at(proof.link.z, 0)]);
  demand(holds, 'proof-invalid', 'the proof does not hold');
}
