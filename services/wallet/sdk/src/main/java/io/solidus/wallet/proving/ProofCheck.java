package io.solidus.wallet.proving;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Verifier;

/** A validator's look at the cryptography of a request, taken by the wallet before it sends one. */
public interface ProofCheck {
  NativeErrorCode verifyTransfer(
      TransferStatement statement, Evidence evidence, Limits limits, FieldElement root);

  NativeErrorCode verifyRegister(RegisterRequest request);

  NativeErrorCode verifyMint(MintRequest request);

  static ProofCheck of(Verifier verifier) {
    return new ProofCheck() {
      @Override
      public NativeErrorCode verifyTransfer(
          TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
        return verifier.verifyTransfer(statement, evidence, limits, root);
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
