package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.WalletPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real wallet restores from its seed phrase through the real gateway while up to f authorities
 * lie about its coins or are silent. The liars hold its last transfer, and so do only as many
 * correct authorities as a signature needs.
 */
@Tag("process")
class RestoreWithLiarsTest {
  private static final List<LookUpLie> LIES = List.of(LookUpLie.values());

  @TempDir private Path folder;

  @Test
  void everyLieByEachOfFour() throws IOException {
    try (GatewayRig rig = new GatewayRig(4, 3);
        KeySet keys = rig.network.keys.open();
        Prover prover = Prover.open(keys, 1);
        WalletPlatform platform = WalletPlatform.over(keys, prover)) {
      for (int liar = 1; liar <= 4; liar++) {
        for (LookUpLie lie : LookUpLie.values()) {
          restore(rig, platform, Map.of(liar, lie));
        }
      }
    }
  }

  @Test
  void anyLiesByTwoOfSeven() throws IOException {
    long seed = Long.getLong("byzantine.seed", System.nanoTime());
    System.out.println("byzantine.seed=" + seed);
    Random random = new Random(seed);
    try (GatewayRig rig = new GatewayRig(7, seed);
        KeySet keys = rig.network.keys.open();
        Prover prover = Prover.open(keys, 1);
        WalletPlatform platform = WalletPlatform.over(keys, prover)) {
      for (int round = 0; round < Integer.getInteger("byzantine.rounds", 12); round++) {
        List<Integer> all =
            new ArrayList<>(
                rig.authorities.stream().map(authority -> authority.honest.index).toList());
        Collections.shuffle(all, random);
        Map<Integer, LookUpLie> lies = new TreeMap<>();
        all.subList(0, 2).forEach(liar -> lies.put(liar, LIES.get(random.nextInt(LIES.size()))));
        restore(rig, platform, lies);
      }
    }
  }

  private void restore(GatewayRig rig, WalletPlatform platform, Map<Integer, LookUpLie> lies) {
    try {
      LostWallet lost = new LostWallet(rig, platform, folder).stored(holdersOfTheLast(rig, lies));
      Map<Integer, Map<String, Double>> before = rig.reports();
      lies.forEach((liar, lie) -> lie.by(rig.authority(liar), rig.network.transfer()));
      try (Wallet wallet = lost.fromItsPhrase()) {
        Restorer.Restored restored = wallet.restore();
        assertThat(restored.transfers()).as("%s", lies).isEqualTo(LostWallet.TRANSFERS);
        assertThat(wallet.balance().held()).as("%s", lies).isEqualTo(LostWallet.HELD);
        assertThat(wallet.status().transferInFlight()).as("%s", lies).isFalse();
        assertThat(restored.disbelieved()).as("%s", lies).isSubsetOf(seen(lies));
      }
      assertReports(rig, before, lies);
    } finally {
      rig.endAttacks();
      rig.authorities.forEach(authority -> authority.lookUps = reply -> reply);
    }
  }

  /** The liars and f+1 others: enough to have signed the transfer. */
  private static Set<Integer> holdersOfTheLast(GatewayRig rig, Map<Integer, LookUpLie> lies) {
    Set<Integer> holders = new TreeSet<>(lies.keySet());
    IntStream.rangeClosed(1, rig.network.committee.n())
        .filter(index -> !lies.containsKey(index))
        .limit(rig.network.committee.weakQuorum())
        .forEach(holders::add);
    return holders;
  }

  private static Set<Integer> seen(Map<Integer, LookUpLie> lies) {
    return lies.entrySet().stream()
        .filter(lie -> lie.getValue().isSeenByItsOwner())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Each liar is reported for what its look-ups prove, and no authority for another reason. */
  private static void assertReports(
      GatewayRig rig, Map<Integer, Map<String, Double>> before, Map<Integer, LookUpLie> lies) {
    rig.reports()
        .forEach((authority, reasons) ->
            reasons.forEach((reason, now) -> {
              boolean proved =
                  lies.containsKey(authority) && lies.get(authority).proves().contains(reason);
              boolean named =
                  now > before.getOrDefault(authority, Map.of()).getOrDefault(reason, 0.0);
              assertThat(named)
                  .as("authority %d, %s, %s", authority, reason, lies)
                  .isEqualTo(proved);
            }));
    lies.forEach((liar, lie) ->
        assertThat(rig.reports().getOrDefault(liar, Map.of()).keySet())
            .as("%s", lies)
            .containsAll(lie.proves()));
  }
}
