package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;

/**
 * Everything that a regulated transfer did, as its history entry holds it.
 *
 * @param in1 value of the first input; zero when it is not spent
 * @param in2 value of the second input; zero when it is not spent
 * @param origin1 of the first input; PAYMENT when it is not spent
 * @param origin2 of the second input; PAYMENT when it is not spent
 * @param escrow whether the payment is an escrow
 * @param r the entry's randomness
 */
public record HistoryEntry(
    Amount paid,
    Amount in1,
    Amount in2,
    Amount withdrawn,
    Origin origin1,
    Origin origin2,
    boolean escrow,
    Period period,
    Apk recipient,
    FieldElement r) {

  NativeRequest write(NativeRequest request) {
    return request
        .u64(paid.minor())
        .u64(in1.minor())
        .u64(in2.minor())
        .u64(withdrawn.minor())
        .origin(origin1)
        .origin(origin2)
        .flag(escrow)
        .u32(period.yyyymm())
        .field(recipient.value())
        .field(r);
  }

  @Override
  public String toString() {
    return "HistoryEntry[redacted]";
  }
}
