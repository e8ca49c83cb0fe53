import { at, type Bytes } from './bytes.js';
import { core, inputDigest, type Transfer } from './digests.js';
import { Hasher } from './hash.js';
import { verifyGroth16, type VerifyingKey } from './groth16.js';
import type { Of } from './json.js';
import type { KeyPoint } from './jubjub.js';
import type { WalletKeys } from './keys.js';
import { randomisedKey, signCore, verifyCore } from './keysig.js';
import { verifyLink, type Link, type LinkStatement } from './link.js';
import type { evidence } from './messages.js';
import type { Network } from './network.js';
import type { TransferPlan } from './plan.js';
import { decodeProof, type Proof } from './proof.js';
import { randomKeyScalar, randomScalar } from './random.js';
import { demand, Refusal, refusedAs } from './refusal.js';
import type { Rules } from './rules.js';
import type { Absence, SanctionTree } from './sanctions.js';
import { show, verifyShown, type CommitteeKey, type Shown, type Signature } from './signatures.js';
import { bases } from './votes.js';
import { transferWitness, TRANSFER, type Limits, type Presentation } from './witness.js';

// The evidence of a transfer: made anew for the same core as often as it is needed (W-03).

export type Evidence = Of<typeof evidence>;

/** Makes a proof (E-05) of the witness of a family. It overwrites the witness. */
export type Prove = (family: number, witness: Bytes) => Promise<Bytes>;

/** A circuit of the network. */
export interface CircuitKey {
  readonly version: bigint;
  readonly key: VerifyingKey;
}

/** What makes and verifies the evidence of one network's transfers. */
export interface EvidenceOf {
  readonly network: Network;
  readonly committee: CommitteeKey;
  readonly circuit: CircuitKey;
}

/** The limits of a policy that a transfer is proved against. */
export const limitsOf = ({ policy }: Pick<Rules, 'policy'>): Limits => ({
  perTransfer: policy['max-per-transfer-minor'],
  perPeriod: policy['max-per-period-minor'],
  held: policy['max-held-minor'],
  escrow: policy['max-escrow-minor'],
  transfers: policy['max-transfers-per-period'],
});

/** That an address is not listed. Refuses a listed one as sanctioned. */
export function absence(tree: SanctionTree, apk: bigint): Absence {
  try {
    return tree.absence(apk);
  } catch (e) {
    if (e instanceof Refusal && e.reason === 'LISTED') throw new Refusal('sanctioned', 'an address of this transfer is on the sanction list');
    throw e;
  }
}

/** The evidence of a plan under rules. The signatures are those of the compliance coin and of the claimed coins, in their order. */
export async function makeEvidence(
  of: EvidenceOf,
  keys: WalletKeys,
  plan: TransferPlan,
  compliance: Signature,
  claimed: readonly Signature[],
  rules: Rules,
  prove: Prove,
): Promise<Evidence> {
  const { network, committee, circuit } = of;
  const { statement, cc } = plan;
  const id = core(network, statement);
  const alpha = randomKeyScalar();
  const shows = present(network, committee, plan, compliance, claimed);
  const witness = transferWitness(keys, plan, {
    core: id,
    alpha,
    shows,
    limits: limitsOf(rules),
    root: rules.tree.root,
    sender: absence(rules.tree, cc.apk),
    recipient: absence(rules.tree, plan.memo.payee),
  });
  const proof = await prove(TRANSFER, witness);
  const made: Evidence = {
    policyVersion: rules.policy.version,
    checkpointVersion: rules.checkpoint.version,
    circuitVersion: circuit.version,
    rk: randomisedKey(keys.pkAuth, alpha),
    shows: shows.map(({ shown }) => shown),
    proof,
    rkSignature: signCore(keys.a, alpha, id, randomKeyScalar()),
  };
  // A sent request is final, so it is verified as a validator would.
  refusedAs('proof-unverified', () => verifyEvidence(of, statement, made, limitsOf(rules), rules.tree.root));
  return made;
}

/** The shown signatures (S-09). A dummy shows the compliance coin's signature again, with a t and an o of its own. */
function present(network: Network, committee: CommitteeKey, plan: TransferPlan, compliance: Signature, claimed: readonly Signature[]): Presentation[] {
  const hasher = new Hasher(network);
  const shown = (signature: Signature, message: bigint): Presentation => {
    const o = randomScalar();
    return { shown: show(signature, committee.y1, message, randomScalar(), o), o, message };
  };
  const account = hasher.complianceCoin(plan.cc);
  const inputs = plan.inputs.map((input, i) =>
    input.dummy ? shown(compliance, account) : shown(at(claimed, i), hasher.coin({ ...input, apk: plan.cc.apk })),
  );
  return [shown(compliance, account), ...inputs];
}

/** The public inputs of the circuit of transfers (F-47). */
export function publicInputs(statement: Transfer, d: bigint, rk: KeyPoint, limits: Limits, root: bigint, link: Link, c: bigint): bigint[] {
  const { x, y } = rk.toAffine();
  return [
    ...statement.serials,
    ...statement.outputs.map(({ cm }) => cm),
    ...[x, y, d, statement.withdrawn],
    ...[limits.perTransfer, limits.perPeriod, limits.held, limits.escrow, limits.transfers, statement.period],
    ...[root, link.a, c, ...link.z],
  ];
}

/** What the link of a transfer is about: its shown signatures, then its outputs. */
function linkOf(network: Network, statement: Transfer, shows: readonly Shown[], rk: KeyPoint): LinkStatement {
  return {
    core: core(network, statement),
    d: inputDigest(network, statement),
    rk,
    h: [...shows.map((one) => one.h), ...bases(network, statement)],
    m: [...shows.map((one) => one.m), ...statement.outputs.map((output) => output.k)],
  };
}

/** Verifies what evidence of a transfer has beside its proof, which needs no rules. */
export function verifyBesideProof({ network, committee }: Pick<EvidenceOf, 'network' | 'committee'>, statement: Transfer, evidence: Evidence): { readonly about: LinkStatement; readonly proof: Proof; readonly c: bigint } {
  verifyCore(evidence.rk, core(network, statement), evidence.rkSignature);
  demand(evidence.shows.length === statement.serials.length, 'malformed-request', 'another number of shown signatures');
  demand(evidence.shows.every((shown) => verifyShown(committee, shown)), 'shown-signature-invalid', 'a shown signature does not hold');
  const about = linkOf(network, statement, evidence.shows, evidence.rk);
  const proof = decodeProof(evidence.proof, about.h.length);
  return { about, proof, c: verifyLink(about, proof.link) };
}

/** Verifies the evidence of a regulated transfer as a validator does (V-05, V-06), and refuses what does not hold. */
export function verifyEvidence(of: EvidenceOf, statement: Transfer, evidence: Evidence, limits: Limits, root: bigint): void {
  const { circuit } = of;
  demand(statement.family === 'transfer', 'malformed-request', 'another family');
  demand(evidence.circuitVersion === circuit.version, 'unknown-version', 'another version of the circuit');
  const { about, proof, c } = verifyBesideProof(of, statement, evidence);
  const inputs = publicInputs(statement, about.d, evidence.rk, limits, root, proof.link, c);
  demand(verifyGroth16(circuit.key, proof, inputs), 'proof-invalid', 'the proof does not hold');
}
