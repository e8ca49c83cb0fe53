package io.solidus.wallet.proving;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.RecoverTerms;
import io.solidus.prover.Verifier;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.List;

/**
 * Verification of a request's cryptography as a validator does it; the wallet verifies its requests
 * before it sends them.
 */
public interface ProofCheck {
  NativeErrorCode verifyTransfer(
      TransferStatement statement, Evidence evidence, Limits limits, FieldElement root);

  NativeErrorCode verifyUnregulated(TransferStatement statement, Evidence evidence);

  /**
   * Verifies a recover and every request below it.
   *
   * @param terms of the transfers below, in their order
   */
  NativeErrorCode verifyRecover(RecoverRequest request, TxCore core, List<RecoverTerms> terms);

  NativeErrorCode verifyRegister(RegisterRequest request);

  NativeErrorCode verifyMint(MintRequest request);

  /**
   * Requires that a proof verifies, also a proof from a prover service.
   *
   * @throws WalletException {@code proof-unverified}
   */
  static void requireOk(NativeErrorCode verdict) {
    if (verdict != NativeErrorCode.OK) {
      throw new WalletException(
          WalletError.PROOF_UNVERIFIED, "the proof that was made does not verify: " + verdict);
    }
  }

  static ProofCheck of(Verifier verifier) {
    return new ProofCheck() {
      @Override
      public NativeErrorCode verifyTransfer(
          TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
        return verifier.verifyTransfer(statement, evidence, limits, root);
      }

      @Override
      public NativeErrorCode verifyUnregulated(TransferStatement statement, Evidence evidence) {
        return verifier.verifyUnregulated(statement, evidence);
      }

      @Override
      public NativeErrorCode verifyRecover(
          RecoverRequest request, TxCore core, List<RecoverTerms> terms) {
        return verifier.verifyRecover(request, core, terms);
      }

      @Override
      public NativeErrorCode verifyRegister(RegisterRequest request) {
        return verifier.verifyRegister(request);
      }

      @Override
      public NativeErrorCode verifyMint(MintRequest request) {
        return verifier.verifyMint(request);
      }
    };
  }
}
