package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wallet.Samples;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

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

  /** The same request as one of another family, with serial numbers and evidence that fit it. */
  static TransferRequest as(Family family, TransferRequest request) {
    TransferStatement s = request.statement();
    Evidence e = request.evidence();
    List<SerialNumber> serials = new ArrayList<>(s.serials());
    List<ShownSignature> shows = new ArrayList<>(e.shows());
    for (long i = serials.size(); i < family.serials(); i++) {
      serials.add(new SerialNumber(FieldElement.of(BigInteger.valueOf(i))));
      shows.add(shows.getFirst());
    }
    return new TransferRequest(
        new TransferStatement(
            family,
            serials.subList(0, family.serials()),
            s.outputs(),
            s.period(),
            s.withdrawn(),
            s.context()),
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            shows.subList(0, family.serials()),
            Arrays.copyOf(e.proof(), family.proofBytes()),
            e.rkSignature()),
        request.attachments(),
        List.of());
  }

  /** The same request with a made-up signature of each authority that there may be. */
  static TransferRequest withSignaturesOfAll(TransferRequest request) {
    List<G1Point> points = List.of(Samples.partial(1).points().getFirst());
    List<PartialSignature> made =
        IntStream.rangeClosed(1, Committee.MAX_MEMBERS)
            .mapToObj(authority ->
                new PartialSignature(
                    authority,
                    0,
                    Collections.nCopies(request.statement().outputs().size(), points.getFirst()),
                    Samples.partial(1).vote()))
            .toList();
    return new TransferRequest(
        request.statement(), request.evidence(), request.attachments(), made);
  }
}
