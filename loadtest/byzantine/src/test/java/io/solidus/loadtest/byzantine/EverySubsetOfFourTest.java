package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.TransferRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every attack by each of four authorities in turn. */
@Tag("process")
class EverySubsetOfFourTest {
  private static final int N = 4;
  private static final int TRANSFERS = 2;
  private static final List<TransferRequest> PAID = new ArrayList<>();
  private static GatewayRig rig;

  @BeforeAll
  static void start() {
    rig = new GatewayRig(N, 20_261_121);
    PAID.addAll(Round.run(rig, Map.of(), TRANSFERS));
  }

  @AfterAll
  static void stop() throws IOException {
    try {
      Round.eventually(() -> {
        for (int authority = 1; authority <= N; authority++) {
          assertThat(LogCheck.answers(rig, authority, "missing"))
              .as("missing answers of an authority that withholds")
              .isGreaterThanOrEqualTo(TRANSFERS);
        }
      });
      LogCheck.namesExactlyTheReportedAuthorities(rig, PAID);
      System.out.printf(
          "%d transfers finished, %d requests were sent again; named: %s%n",
          PAID.size(), rig.wallet.again.get(), rig.reports());
    } finally {
      rig.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void everyTransferOfACorrectWalletFinishes(Attack attack) {
    for (int liar = 1; liar <= N; liar++) {
      PAID.addAll(Round.run(rig, Map.of(liar, attack), TRANSFERS));
    }
  }

  /** Without attacks no authority is reported. */
  @Test
  void noAuthorityIsReportedWithoutAttacks() {
    PAID.addAll(Round.run(rig, Map.of(), TRANSFERS));
  }
}
