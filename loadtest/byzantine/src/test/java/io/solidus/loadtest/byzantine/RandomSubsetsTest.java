package io.solidus.loadtest.byzantine;

import io.solidus.protocol.TransferRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seven and ten authorities, of which f random ones have an attack each. {@code
 * -Dbyzantine.rounds=...} sets the number of rounds, {@code -Dbyzantine.seed=...} repeats a run
 * that printed this seed.
 */
@Tag("process")
class RandomSubsetsTest {
  private static final int ROUNDS = Integer.getInteger("byzantine.rounds", 12);
  private static final long SEED = Long.getLong("byzantine.seed", System.nanoTime());
  private static final int TRANSFERS = 2;

  @ParameterizedTest
  @ValueSource(ints = {7, 10})
  void everyTransferOfACorrectWalletFinishes(int n) throws Exception {
    System.out.printf("byzantine.seed=%d, %d authorities, %d rounds%n", SEED, n, ROUNDS);
    Random random = new Random(SEED + n);
    List<TransferRequest> paid = new ArrayList<>();
    try (GatewayRig rig = new GatewayRig(n, SEED)) {
      for (int round = 0; round < ROUNDS; round++) {
        paid.addAll(Round.run(rig, randomAttacks(random, n), TRANSFERS));
      }
      LogCheck.namesExactlyTheReportedAuthorities(rig, paid);
      System.out.printf(
          "%d transfers finished, %d requests were sent again; named: %s%n",
          paid.size(), rig.wallet.again.get(), rig.reports());
    }
  }

  private static List<Attack> attacks() {
    return List.of(Attack.values());
  }

  private static Map<Integer, Attack> randomAttacks(Random random, int n) {
    List<Integer> members = new ArrayList<>(IntStream.rangeClosed(1, n).boxed().toList());
    Collections.shuffle(members, random);
    Map<Integer, Attack> attacks = new TreeMap<>();
    members
        .subList(0, (n - 1) / 3)
        .forEach(liar -> attacks.put(liar, attacks().get(random.nextInt(attacks().size()))));
    return attacks;
  }
}
