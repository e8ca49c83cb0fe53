package io.solidus.dev.testkit.world;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import java.util.ArrayList;
import java.util.List;

/** Copies of a request with one part changed. */
public final class Altered {

  private Altered() {}

  public static TransferRequest certificate(TransferRequest r, PartialSignature... partials) {
    return new TransferRequest(r.statement(), r.evidence(), r.attachments(), List.of(partials));
  }

  public static TransferRequest evidence(TransferRequest r, Evidence evidence) {
    return new TransferRequest(r.statement(), evidence, r.attachments(), r.certificate());
  }

  /** The serial numbers of a recover's next coins, replaced. */
  public static RecoverStatement next(RecoverStatement s, SerialNumber first, SerialNumber second) {
    return new RecoverStatement(
        s.first(),
        s.second(),
        List.of(first, second),
        s.returned(),
        s.credits(),
        s.outputs(),
        s.context());
  }

  public static TransferRequest versions(
      TransferRequest r, long policy, long checkpoint, int circuit) {
    Evidence e = r.evidence();
    return evidence(
        r,
        new Evidence(policy, checkpoint, circuit, e.rk(), e.shows(), e.proof(), e.rkSignature()));
  }

  public static TransferRequest proof(TransferRequest r, byte[] proof) {
    Evidence e = r.evidence();
    return evidence(
        r,
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            proof,
            e.rkSignature()));
  }

  public static TransferRequest randomisedKey(TransferRequest r, KeyPoint rk) {
    Evidence e = r.evidence();
    return evidence(
        r,
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            rk,
            e.shows(),
            e.proof(),
            e.rkSignature()));
  }

  public static TransferRequest keySignature(TransferRequest r, byte[] signature) {
    Evidence e = r.evidence();
    return evidence(
        r,
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            e.proof(),
            signature));
  }

  public static TransferRequest show(TransferRequest r, int index, ShownSignature show) {
    Evidence e = r.evidence();
    List<ShownSignature> shows = new ArrayList<>(e.shows());
    shows.set(index, show);
    return evidence(
        r,
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            shows,
            e.proof(),
            e.rkSignature()));
  }

  public static TransferRequest output(TransferRequest r, int index, BlindedCoin coin) {
    TransferStatement s = r.statement();
    List<BlindedCoin> outputs = new ArrayList<>(s.outputs());
    outputs.set(index, coin);
    return outputs(r, outputs);
  }

  /** Other outputs, or the same in another order. */
  public static TransferRequest outputs(TransferRequest r, List<BlindedCoin> outputs) {
    TransferStatement s = r.statement();
    return new TransferRequest(
        new TransferStatement(
            s.family(), s.serials(), outputs, s.period(), s.withdrawn(), s.context()),
        r.evidence(),
        r.attachments(),
        r.certificate());
  }
}
