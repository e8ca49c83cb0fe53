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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real wallet comes back from its seed phrase through the real gateway while up to f authorities
 * lie about its coins, or say nothing. The last transfer is held by the liars and by no more
 * correct authorities than a signature needs.
 */
class RestoreAmongLiarsTest {
  @TempDir private Path folder;

  @Test
  void everyLieByEachOfFour() throws IOException {
    try (Rig rig = new Rig(4, 3)) {
      for (int liar = 1; liar <= 4; liar++) {
        for (LookUpLie lie : LookUpLie.values()) {
          restore(rig, Map.of(liar, lie));
        }
      }
    }
  }

  @Test
  void anyLiesByTwoOfSeven() throws IOException {
    long seed = Long.getLong("byzantine.seed", System.nanoTime());
    System.out.println("byzantine.seed=" + seed);
    Random random = new Random(seed);
    try (Rig rig = new Rig(7, seed)) {
      for (int round = 0; round < Integer.getInteger("byzantine.rounds", 12); round++) {
        List<Integer> all =
            new ArrayList<>(
                rig.authorities.stream().map(authority -> authority.honest.index).toList());
        Collections.shuffle(all, random);
        Map<Integer, LookUpLie> lies = new TreeMap<>();
        all.subList(0, 2)
            .forEach(liar ->
                lies.put(liar, LookUpLie.values()[random.nextInt(LookUpLie.values().length)]));
        restore(rig, lies);
      }
    }
  }

  private void restore(Rig rig, Map<Integer, LookUpLie> lies) {
    try (KeySet keys = rig.world.keys.open();
        Prover prover = Prover.open(keys, 1);
        WalletPlatform platform = WalletPlatform.over(keys, prover)) {
      LostWallet lost = new LostWallet(rig, platform, folder).stored(holdersOfTheLast(rig, lies));
      Map<Integer, Map<String, Double>> before = rig.culprits();
      lies.forEach((liar, lie) -> lie.by(rig.authority(liar), rig.world.transfer()));
      try (Wallet wallet = lost.fromItsPhrase()) {
        Restorer.Restored restored = wallet.restore();
        assertThat(restored.transfers()).as("%s", lies).isEqualTo(LostWallet.TRANSFERS);
        assertThat(wallet.balance().held()).as("%s", lies).isEqualTo(LostWallet.HELD);
        assertThat(wallet.status().transferInFlight()).as("%s", lies).isFalse();
        assertThat(restored.disbelieved()).as("%s", lies).isSubsetOf(seen(lies));
      }
      assertNamed(rig, before, lies);
    } finally {
      rig.peace();
      rig.authorities.forEach(authority -> authority.lookUps = reply -> reply);
    }
  }

  /** The liars and f+1 others: enough to have signed it. */
  private static TreeSet<Integer> holdersOfTheLast(Rig rig, Map<Integer, LookUpLie> lies) {
    TreeSet<Integer> holders = new TreeSet<>(lies.keySet());
    IntStream.rangeClosed(1, rig.world.committee.n())
        .filter(index -> !lies.containsKey(index))
        .limit(rig.world.committee.weakQuorum())
        .forEach(holders::add);
    return holders;
  }

  private static TreeSet<Integer> seen(Map<Integer, LookUpLie> lies) {
    return lies.entrySet().stream()
        .filter(lie -> lie.getValue().isSeenByItsOwner())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Each liar is named for what its look-ups prove, and nobody for anything else. */
  private static void assertNamed(
      Rig rig, Map<Integer, Map<String, Double>> before, Map<Integer, LookUpLie> lies) {
    rig.culprits()
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
        assertThat(rig.culprits().getOrDefault(liar, Map.of()).keySet())
            .as("%s", lies)
            .containsAll(lie.proves()));
  }
}
