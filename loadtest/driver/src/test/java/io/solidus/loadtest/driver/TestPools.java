package io.solidus.loadtest.driver;

import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.PoolWriter;
import io.solidus.loadtest.forge.PublishedRules;
import io.solidus.loadtest.forge.TransferSeries;
import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.prover.KeySet;
import io.solidus.prover.SanctionTree;
import java.nio.file.Path;
import java.util.List;

/** TransferPools of a few transfers, under rules of no platform. */
final class TestPools {
  static final NetworkId NETWORK = new NetworkId("solidus-forge-test");

  private TestPools() {}

  static Path forge(Path dir, String seed, int count) {
    LoadTestKeys source = LoadTestKeys.cached(NETWORK, NetworkKind.REGULATED, 4);
    try (KeySet keys = source.open()) {
      new PoolWriter(dir, done -> {})
          .forge(source, keys, rules(), new TransferSeries(seed, 0, count, 0, 2));
    }
    return dir;
  }

  private static PublishedRules rules() {
    SanctionList list =
        new SanctionList(List.of(SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10")));
    Policy policy =
        new Policy(
            3,
            new Period(202611),
            new Amount(100_000),
            new Amount(170_000),
            new Amount(300_000),
            Amount.ZERO,
            100,
            new Amount(1_000_000),
            0);
    try (SanctionTree tree = SanctionTree.build(NETWORK, list.toBytes())) {
      return new PublishedRules(
          NETWORK,
          policy,
          new SanctionCheckpoint(9, tree.root(), tree.size(), list.digest(NETWORK), 0),
          list);
    }
  }
}
