package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import java.util.List;

/**
 * What the owner of a core knows about the compliance coin that it would create.
 *
 * @param recover whether the core is a recover
 * @param credits which of the two inputs of a transfer the new recover credits
 * @param seed of the core's outputs
 * @param s commitment randomness of the compliance coin
 * @param com the history before a transfer; of a recover the first of the two that it joins
 * @param counterparty the recipient of a transfer; of a recover the second history
 * @param values what a transfer paid and the two coins that it claimed; of a recover what it
 *     returned, its outflow and its budget
 * @param origins of the two coins of a transfer; none of one whose values are sums of several
 * @param r randomness of the history entry
 */
public record CoreOpening(
    boolean recover,
    List<Boolean> credits,
    InputDigest d,
    FieldElement seed,
    FieldElement s,
    Period period,
    Amount sent,
    int count,
    Amount held,
    FieldElement com,
    FieldElement counterparty,
    List<Amount> values,
    Amount withdrawn,
    List<Origin> origins,
    boolean escrow,
    FieldElement r) {

  /** Stands in the history for the origins of coins whose values were added up. */
  private static final int SEVERAL = 3;

  public CoreOpening {
    credits = NativeRequest.exactly(2, credits, "credits");
    values = NativeRequest.exactly(3, values, "values");
    origins = List.copyOf(origins);
    if (!origins.isEmpty()) {
      NativeRequest.exactly(2, origins, "origins");
    }
  }

  NativeRequest write(NativeRequest request) {
    request.flag(recover);
    credits.forEach(request::flag);
    request.field(d.value()).field(seed).field(s).u32(period.yyyymm()).u64(sent.minor()).u32(count);
    request.u64(held.minor()).field(com).field(counterparty);
    values.forEach(value -> request.u64(value.minor()));
    request.u64(withdrawn.minor());
    if (origins.isEmpty()) {
      request.u8(SEVERAL).u8(SEVERAL);
    } else {
      origins.forEach(request::origin);
    }
    return request.flag(escrow).field(r);
  }

  static CoreOpening read(NativeReply in) {
    return new CoreOpening(
        in.flag(),
        List.of(in.flag(), in.flag()),
        new InputDigest(in.field()),
        in.field(),
        in.field(),
        in.period(),
        in.amount(),
        in.u32(),
        in.amount(),
        in.field(),
        in.field(),
        NativeReply.repeat(3, in::amount),
        in.amount(),
        origins(in.u8(), in.u8()),
        in.flag(),
        in.field());
  }

  private static List<Origin> origins(int first, int second) {
    return first == SEVERAL && second == SEVERAL
        ? List.of()
        : List.of(Origin.of(first), Origin.of(second));
  }

  @Override
  public String toString() {
    return "CoreOpening[redacted]";
  }
}
