package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.Cut;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitStep;
import io.solidus.authority.spend.Ledger.Reservation;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wire.v1.PartialSignature;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A split that is stopped anywhere goes on where it was, and what was spent meanwhile is not
 * forgotten.
 */
class RangeSplitCrashTest {

  private static final int STORED = 1_500;

  @TempDir static Path folder;
  private static PostgresServer postgres;
  private static int databases;
  private final LocalAuthority authority = new LocalAuthority(postgres, "crash_" + databases++);
  private final Map<Spend<Transfer>, PartialSignature> acknowledged = new HashMap<>();

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start(folder.resolve("postgres"));
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  void goesOnAfterACrashAtEveryStep() {
    authority.start(2);
    spend(STORED);
    List<Spend<Transfer>> unanswered = new ArrayList<>();
    CrashesOnce watcher = new CrashesOnce();
    RangeSplit.Result result = null;
    for (int run = 0; result == null && run < 100; run++) {
      try {
        result = authority.split(watcher).run(0, 2, new Cut.Middle());
      } catch (Crash crash) {
        spend(10);
        unanswered.add(reserved());
      }
    }
    assertThat(result).isNotNull();
    assertThat(result.newShard()).isEqualTo(2);
    assertThat(watcher.crashes)
        .contains("switching")
        .containsAll(stepNames())
        .anyMatch(c -> c.startsWith("passed CORES_COPIED"));
    unanswered.forEach(this::submit);
    assertThat(authority.newestMap().version()).isEqualTo(2);
    assertThat(leftovers()).as("triggers that still write twice").isZero();
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  @Spec("V-17")
  void aConnectionThatBreaksBeforeTheCommitSwitchesNothing() {
    authority.start(2);
    spend(50);
    RangeSplit.Watcher breaks =
        new RangeSplit.Watcher() {
          @Override
          public void switching() {
            authority
                .jdbc
                .sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'shard_0.ownership'::regclass AND mode = 'ExclusiveLock'")
                .query((rs, row) -> rs.getBoolean(1))
                .list();
          }
        };
    assertThatThrownBy(() -> authority.split(0, breaks)).isInstanceOf(RuntimeException.class);
    assertThat(authority.newestMap().version()).isEqualTo(1);
    spend(50);
    authority.split(0);
    assertThat(authority.newestMap().version()).isEqualTo(2);
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  void givesARangeToNoShardThatDoesNotAnswer() {
    spend(50);
    assertThatThrownBy(() -> authority.split(0)).hasMessageContaining("does not answer yet");
    assertThat(authority.newestMap().version()).isEqualTo(1);
    spend(50);
    assertThatThrownBy(() -> authority.split(1)).hasMessageContaining("was made from shard 0");
    authority.start(2);
    authority.split(0);
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  @Spec("V-17")
  void switchesNothingWhenTheCopyIsNotTrue() {
    authority.start(2);
    spend(50);
    SerialNumber stranger =
        authority.transfers.serial(serial -> authority.newestMap().owner(serial) == 1);
    RangeSplit.Watcher tampers =
        new RangeSplit.Watcher() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.CORES_COPIED) {
              insert("shard_2", stranger);
            }
          }
        };
    assertThatThrownBy(() -> authority.split(0, tampers))
        .hasMessageContaining("do not belong to the range");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  @Test
  void switchesNothingWhenTheOriginalLostARow() {
    authority.start(2);
    spend(50);
    SerialNumber alone =
        authority.transfers.serial(serial ->
            authority
                    .newestMap()
                    .split(0, authority.newestMap().ranges().get(0).middle())
                    .owner(serial)
                == 2);
    RangeSplit.Watcher tampers =
        new RangeSplit.Watcher() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.CORES_COPIED) {
              insert("shard_2", alone);
            }
          }
        };
    assertThatThrownBy(() -> authority.split(0, tampers))
        .hasMessageContaining("differs from what it was made of");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  @Test
  void switchesNothingWhenATriggerIsGone() {
    authority.start(2);
    spend(50);
    RangeSplit.Watcher tampers =
        new RangeSplit.Watcher() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.VERIFIED) {
              authority
                  .jdbc
                  .sql("ALTER TABLE shard_0.cores DISABLE TRIGGER to_shard_2_on_update")
                  .update();
            }
          }
        };
    assertThatThrownBy(() -> authority.split(0, tampers))
        .hasMessageContaining("rows are not captured");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  @Test
  void toRunADoneSplitAgainChangesNothing() {
    authority.start(2);
    RangeSplit split = authority.split(new RangeSplit.Watcher() {});
    RangeSplit.Result first = split.run(0, 2, new Cut.Middle());
    RangeSplit.Result again = split.run(0, 2, new Cut.Median());
    assertThat(again.map()).isEqualTo(first.map());
    assertThat(again.pause()).isNull();
    assertThatThrownBy(() -> split.run(1, 2, new Cut.Middle()))
        .hasMessageContaining("was made from shard 0");
    assertThatThrownBy(() -> split.run(1, 4, new Cut.Middle()))
        .hasMessageContaining("the next new shard is 3");
    assertThatThrownBy(() -> split.run(7, 3, new Cut.Middle()))
        .hasMessageContaining("owns nothing");
  }

  @Test
  void oneSplitAtATime() {
    authority.start(2);
    RangeSplit.Watcher second =
        new RangeSplit.Watcher() {
          @Override
          public void reached(SplitStep step) {
            assertThatThrownBy(() -> authority.split(1))
                .hasMessageContaining("another split is running");
          }
        };
    authority.split(0, second);
    assertThat(authority.newestMap().version()).isEqualTo(2);
  }

  private void insert(String schema, SerialNumber serial) {
    authority
        .jdbc
        .sql("INSERT INTO " + schema + ".serials (serial, core) VALUES (:serial, sha256('x'))")
        .param("serial", serial.bytes())
        .update();
  }

  private void spend(int count) {
    List<Spend<Transfer>> spends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spends.add(authority.spend());
    }
    for (int i = 0; i < count; i += 100) {
      List<Spend<Transfer>> batch = spends.subList(i, Math.min(count, i + 100));
      List<Outcome<PartialSignature>> outcomes = authority.submit(batch);
      for (int j = 0; j < batch.size(); j++) {
        acknowledged.put(batch.get(j), outcomes.get(j).get());
      }
    }
  }

  private void submit(Spend<Transfer> spend) {
    acknowledged.put(spend, authority.submit(spend).get());
  }

  /** As a crash leaves it: the own serial numbers are held, and there is no answer. */
  private Spend<Transfer> reserved() {
    Spend<Transfer> spend = authority.spend();
    LocalShard owner = authority.ownerOf(spend.lead());
    owner.ownership.refresh();
    List<SerialNumber> own = spend.serials().stream().filter(owner.ownership::owns).toList();
    new SqlLedger<Transfer>(owner.ownership, owner.serials, owner.cores, owner.transaction, s -> {})
        .reserve(List.of(new Reservation<>(spend, own)))
        .getFirst()
        .get();
    return spend;
  }

  private long leftovers() {
    return authority
        .jdbc
        .sql("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'to_shard%'")
        .query(Long.class)
        .single();
  }

  private static List<String> stepNames() {
    return java.util.stream.Stream.of(SplitStep.values()).map(step -> "reached " + step).toList();
  }

  /** Stops the split where it was never stopped before. */
  private static final class CrashesOnce implements RangeSplit.Watcher {
    private final Set<String> crashes = new HashSet<>();

    @Override
    public void reached(SplitStep step) {
      at("reached " + step);
    }

    @Override
    public void passed(SplitStep towards, String table, long rows) {
      at("passed " + towards + " " + table);
    }

    @Override
    public void switching() {
      at("switching");
    }

    private void at(String place) {
      if (crashes.add(place)) {
        throw new Crash();
      }
    }
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
