package io.solidus.loadtest.byzantine;

import io.solidus.protocol.TransferRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seven and ten authorities: f of them drawn at random, each with an attack of its own. {@code
 * -Dbyzantine.rounds=...} for more rounds, {@code -Dbyzantine.seed=...} for the draws of a run that
 * has printed it.
 */
class RandomSubsetsTest {
  private static final int ROUNDS = Integer.getInteger("byzantine.rounds", 12);
  private static final long SEED = Long.getLong("byzantine.seed", System.nanoTime());
  private static final int TRANSFERS = 2;

  @ParameterizedTest
  @ValueSource(ints = {7, 10})
  void costsNoCorrectWalletItsTransfer(int n) throws Exception {
    System.out.printf("byzantine.seed=%d, %d authorities, %d rounds%n", SEED, n, ROUNDS);
    Random random = new Random(SEED + n);
    List<TransferRequest> paid = new ArrayList<>();
    try (Rig rig = new Rig(n, SEED)) {
      for (int round = 0; round < ROUNDS; round++) {
        paid.addAll(Round.run(rig, drawn(random, n), TRANSFERS));
      }
      LogCheck.namesExactlyTheCulprits(rig, paid);
      System.out.printf(
          "%d transfers finished, %d requests were sent again; named: %s%n",
          paid.size(), rig.wallet.again.get(), rig.culprits());
    }
  }

  private static Map<Integer, Attack> drawn(Random random, int n) {
    List<Integer> members = new ArrayList<>(IntStream.rangeClosed(1, n).boxed().toList());
    Collections.shuffle(members, random);
    Map<Integer, Attack> attacks = new TreeMap<>();
    members
        .subList(0, (n - 1) / 3)
        .forEach(
            liar -> attacks.put(liar, Attack.values()[random.nextInt(Attack.values().length)]));
    return attacks;
  }
}
