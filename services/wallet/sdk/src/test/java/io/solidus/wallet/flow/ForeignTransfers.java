package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wallet.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Requests that a lying authority returns. */
final class ForeignTransfers {
  private ForeignTransfers() {}

  /** A well-formed request for this serial number that no wallet made. */
  static TransferRequest about(SerialNumber lead) {
    return about(lead, Samples.transferRequest());
  }

  /** Another wallet's transfer with this serial number as its lead. */
  static TransferRequest about(SerialNumber lead, TransferRequest other) {
    TransferStatement s = other.statement();
    List<SerialNumber> serials = new ArrayList<>(s.serials());
    serials.set(0, lead);
    return new TransferRequest(
        new TransferStatement(
            s.family(), serials, s.outputs(), s.period(), s.withdrawn(), s.context()),
        other.evidence(),
        other.attachments(),
        List.of());
  }

  /** The same core, with a proof that does not verify. */
  static TransferRequest withInvalidProof(TransferRequest request) {
    Evidence e = request.evidence();
    byte[] proof = e.proof();
    proof[0] ^= 1;
    return new TransferRequest(
        request.statement(),
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            proof,
            e.rkSignature()),
        request.attachments(),
        List.of());
  }

  /** The same memo with another payout instruction. */
  static TransferRequest redirected(TransferRequest request) {
    byte[] payout = new byte[Attachments.PAYOUT_BYTES];
    Arrays.fill(payout, (byte) 7);
    Attachments attachments = new Attachments(payout, request.attachments().memoBlock());
    TransferStatement s = request.statement();
    return new TransferRequest(
        new TransferStatement(
            s.family(),
            s.serials(),
            s.outputs(),
            s.period(),
            s.withdrawn(),
            attachments.context(TestCommittee.NETWORK)),
        request.evidence(),
        attachments,
        List.of());
  }
}
