package io.solidus.prover;

import java.util.Arrays;

/**
 * The core of a wallet without input and output (page 6, "The core and its host"). A host keeps the
 * state, and performs the effects when it is kept.
 */
public final class WalletCore {
  private WalletCore() {}

  /**
   * What follows from a state and an event. Both arrays are the caller's, who clears the state when
   * it is kept: it has the seed.
   *
   * @param state the next one
   * @param effects a list of records (W-33)
   */
  public record Step(byte[] state, byte[] effects) {
    @Override
    public String toString() {
      return "Step[redacted]";
    }
  }

  /**
   * Steps. It takes up to some tenths of a second of a platform thread, for the proofs and
   * signatures that the core verifies.
   *
   * @param state what the last step gave; empty before the wallet is made
   * @param event W-32
   * @throws NativeException the core refuses the event, and nothing has changed
   */
  public static Step step(byte[] state, byte[] event) {
    byte[] request = NativeRequest.detached().sized(state).sized(event).take();
    byte[] answer = {};
    try {
      answer = NativeLibrary.call(Operation.WALLET_STEP.number(), request);
      NativeReply reply = NativeReply.of(answer);
      Step step = new Step(reply.bytes(reply.u32()), reply.bytes(reply.u32()));
      reply.requireEnd();
      return step;
    } finally {
      Arrays.fill(request, (byte) 0);
      Arrays.fill(answer, (byte) 0);
    }
  }
}
