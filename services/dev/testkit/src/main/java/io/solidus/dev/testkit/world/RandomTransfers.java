package io.solidus.dev.testkit.world;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Well-formed transfers with random values, which only a {@link FakeSigner} signs. */
public final class RandomTransfers {
  public static final int PERIOD = 202606;

  private static final ShownSignature SHOW =
      new ShownSignature(Points.offCurve(), Points.offCurve(), Points.offCurve());
  private static final Evidence EVIDENCE =
      new Evidence(
          1,
          1,
          1,
          Points.keyOffCurve(),
          List.of(SHOW, SHOW, SHOW),
          new byte[Family.TRANSFER.proofBytes()],
          new byte[ProofBytes.RK_SIGNATURE]);

  private final NetworkId network;

  public RandomTransfers(NetworkId network) {
    this.network = network;
  }

  public TransferRequest next() {
    return spending(serial(s -> true), serial(s -> true), serial(s -> true));
  }

  public TransferRequest spending(SerialNumber lead, SerialNumber first, SerialNumber second) {
    return of(Family.TRANSFER, List.of(lead, first, second), EVIDENCE);
  }

  /** A transfer of another shape, of the form that a network with it takes. */
  public TransferRequest shape(Family family) {
    int count = family.serials();
    Evidence evidence =
        new Evidence(
            1,
            1,
            1,
            Points.keyOffCurve(),
            Collections.nCopies(count, SHOW),
            new byte[family.proofBytes()],
            new byte[ProofBytes.RK_SIGNATURE]);
    return of(family, Stream.generate(() -> serial(s -> true)).limit(count).toList(), evidence);
  }

  private TransferRequest of(Family family, List<SerialNumber> serials, Evidence evidence) {
    Attachments attachments = TestRandom.attachments(family);
    BlindedCoin coin = new BlindedCoin(TestRandom.field(), Points.offCurve());
    TransferStatement statement =
        new TransferStatement(
            family,
            serials,
            Collections.nCopies(family.outputs(), coin),
            new Period(PERIOD),
            Amount.ZERO,
            attachments.context(network));
    return new TransferRequest(statement, evidence, attachments, List.of());
  }

  public SerialNumber serial(Predicate<SerialNumber> condition) {
    while (true) {
      SerialNumber serial = new SerialNumber(TestRandom.field());
      if (condition.test(serial)) {
        return serial;
      }
    }
  }
}
