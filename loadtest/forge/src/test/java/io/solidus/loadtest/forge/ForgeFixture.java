package io.solidus.loadtest.forge;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.prover.Limits;

/** What the tests share: one key directory and one set of rules. */
final class ForgeFixture {
  static final NetworkId NETWORK = new NetworkId("solidus-forge-test");
  static final Period PERIOD = new Period(202611);
  static final Limits LIMITS =
      new Limits(new Amount(100_000), new Amount(500_000), new Amount(1_000_000), Amount.ZERO, 50);
  static final TransferRules RULES =
      new TransferRules(3, 9, PERIOD, LIMITS, FieldElement.ofLong(4711));

  private static final class Holder {
    static final LoadTestKeys KEYS = LoadTestKeys.cached(NETWORK, NetworkKind.REGULATED, 4);
  }

  private ForgeFixture() {}

  static LoadTestKeys keys() {
    return Holder.KEYS;
  }
}
