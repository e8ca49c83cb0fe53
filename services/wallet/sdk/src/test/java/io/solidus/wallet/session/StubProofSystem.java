package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.MintWitness;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Prover;
import io.solidus.prover.RecoverTerms;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Stub proofs and their verification, for tests that do not test proofs. A stub proof is a digest
 * of the core and of the rules, so a stub proof for other rules or another core does not verify.
 */
public final class StubProofSystem implements ProofSource, ProofCheck {
  private final NetworkId network;

  public StubProofSystem(NetworkId network) {
    this.network = network;
  }

  public static WalletPlatform platform(KeySet keys, Prover prover) {
    StubProofSystem stub = new StubProofSystem(keys.network());
    return WalletPlatform.withProofs(keys, prover, stub, stub);
  }

  @Override
  public byte[] proveTransfer(TransferWitness witness) {
    return proof(
        witness.plan().family(), witness.core(), witness.limits() + " " + witness.root().hex());
  }

  @Override
  public byte[] proveUnregulated(UnregulatedWitness witness) {
    return proof(Family.TRANSFER_UNREGULATED, witness.core(), "");
  }

  @Override
  public byte[] proveRegister(RegisterWitness witness) {
    return proof(Family.REGISTER, witness.core(), "");
  }

  @Override
  public byte[] proveMint(MintWitness witness) {
    return proof(Family.MINT, witness.core(), "");
  }

  @Override
  public NativeErrorCode verifyTransfer(
      TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
    return verdict(
        evidence.proof(),
        proof(statement.family(), statement.core(network), limits + " " + root.hex()));
  }

  @Override
  public NativeErrorCode verifyUnregulated(TransferStatement statement, Evidence evidence) {
    return verdict(
        evidence.proof(), proof(Family.TRANSFER_UNREGULATED, statement.core(network), ""));
  }

  /** Stub proofs are none of recovers, which these tests do not make. */
  @Override
  public NativeErrorCode verifyRecover(
      RecoverRequest request, TxCore core, List<RecoverTerms> terms) {
    return NativeErrorCode.PROOF_INVALID;
  }

  @Override
  public NativeErrorCode verifyRegister(RegisterRequest request) {
    return verdict(request.proof(), proof(Family.REGISTER, request.statement().core(network), ""));
  }

  @Override
  public NativeErrorCode verifyMint(MintRequest request) {
    return verdict(request.proof(), proof(Family.MINT, request.statement().core(network), ""));
  }

  private static byte[] proof(Family family, TxCore core, String rules) {
    byte[] digest =
        Digest32.sha256((core.hex() + " " + rules).getBytes(StandardCharsets.UTF_8)).bytes();
    return Arrays.copyOf(digest, family.proofBytes());
  }

  private static NativeErrorCode verdict(byte[] shown, byte[] expected) {
    return Arrays.equals(shown, expected) ? NativeErrorCode.OK : NativeErrorCode.PROOF_INVALID;
  }
}
