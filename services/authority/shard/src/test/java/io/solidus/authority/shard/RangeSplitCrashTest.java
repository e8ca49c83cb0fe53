package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitPoint;
import io.solidus.authority.shard.range.SplitStep;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An interrupted split continues where it stopped, and no spent serial number is lost. */
@Tag("process")
class RangeSplitCrashTest {

  private static final int STORED = 1_500;
  private final LocalAuthority authority = new LocalAuthority();
  private final Map<SpendRequest<Transfer>, PartialSignature> acknowledged = new HashMap<>();

  @AfterEach
  void close() {
    authority.close();
  }

  private static RangeSplit.Observer at(SplitStep wanted, Runnable action) {
    return new RangeSplit.Observer() {
      @Override
      public void reached(SplitStep step) {
        if (step == wanted) {
          action.run();
        }
      }
    };
  }

  @Test
  void continuesAfterACrashAtEveryStep() {
    authority.start(2);
    spend(STORED);
    List<SpendRequest<Transfer>> unanswered = new ArrayList<>();
    CrashesOnce observer = new CrashesOnce();
    RangeSplit.@Nullable Result result = null;
    for (int run = 0; result == null && run < 100; run++) {
      try {
        result = authority.split(observer).run(0, 2, new SplitPoint.Middle());
      } catch (Crash e) {
        spend(10);
        unanswered.add(reserved());
      }
    }
    assertThat(Objects.requireNonNull(result).newShard()).isEqualTo(2);
    assertThat(observer.crashes)
        .contains("cuttingOver")
        .containsAll(stepNames())
        .anyMatch(c -> c.startsWith("copied CORES_COPIED"));
    unanswered.forEach(this::submit);
    assertThat(authority.newestMap().version()).isEqualTo(2);
    assertThat(triggersLeft()).as("triggers that were not removed").isZero();
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  @Spec("V-17")
  void aConnectionThatBreaksBeforeTheCommitChangesNoOwner() {
    authority.start(2);
    spend(50);
    RangeSplit.Observer breaksConnection =
        new RangeSplit.Observer() {
          @Override
          public void cuttingOver() {
            authority
                .jdbc
                .sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'shard_0.ownership'::regclass AND mode = 'ExclusiveLock'")
                .query((rs, row) -> rs.getBoolean(1))
                .list();
          }
        };
    assertThatThrownBy(() -> authority.split(0, breaksConnection))
        .isInstanceOf(RuntimeException.class);
    assertThat(authority.newestMap().version()).isEqualTo(1);
    spend(50);
    authority.split(0);
    assertThat(authority.newestMap().version()).isEqualTo(2);
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  void givesNoRangeToAShardThatDoesNotAnswer() {
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
  void changesNoOwnerWhenTheCopyHasAForeignRow() {
    authority.start(2);
    spend(50);
    SerialNumber foreign =
        authority.transfers.serial(serial -> authority.newestMap().owner(serial) == 1);
    RangeSplit.Observer tampering = at(SplitStep.CORES_COPIED, () -> insert("shard_2", foreign));
    assertThatThrownBy(() -> authority.split(0, tampering))
        .hasMessageContaining("do not belong to the range");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  /** Another process fenced the range while it was copied: its owner may be elsewhere. */
  @Test
  @Spec("V-17")
  void changesNoOwnerWhenTheRangeWasFenced() {
    authority.start(2);
    spend(50);
    RangeSplit.Observer fencing =
        at(
            SplitStep.CORES_COPIED,
            () -> authority.jdbc.sql("UPDATE shard_0.ownership SET fenced = true").update());
    assertThatThrownBy(() -> authority.split(0, fencing))
        .hasMessageContaining("the shard does not own its range");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  @Test
  void changesNoOwnerWhenTheOriginalLacksARow() {
    authority.start(2);
    spend(50);
    SerialNumber last = lastSerial();
    assertThatThrownBy(() -> splitWithRowOnlyInCopy(serial -> serial.compareTo(last) < 0))
        .hasMessageContaining("differs from what it was made of");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  /** Behind the last row of the original there is no window to compare. */
  @Test
  void changesNoOwnerWhenTheCopyGoesOnBehindTheOriginal() {
    authority.start(2);
    SerialNumber onlyInCopy =
        authority.transfers.serial(serial ->
            authority
                    .newestMap()
                    .split(0, authority.newestMap().ranges().get(0).middle())
                    .owner(serial)
                == 2);
    RangeSplit.Observer tampering = at(SplitStep.CORES_COPIED, () -> insert("shard_2", onlyInCopy));
    assertThatThrownBy(() -> authority.split(0, tampering)).hasMessageContaining("does not");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  @Test
  void changesNoOwnerWhenTheOriginalLacksTheLastRow() {
    authority.start(2);
    spend(50);
    SerialNumber last = lastSerial();
    assertThatThrownBy(() -> splitWithRowOnlyInCopy(serial -> serial.compareTo(last) > 0))
        .hasMessageContaining("holds serials that shard_0 does not");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  /** The shards were restarted with a changed note key while the split was unfinished. */
  @Test
  @Spec("V-22")
  void goesOnWhenTheMapWasRenewedForAChangedNoteKey() {
    authority.start(2);
    spend(50);
    RangeSplit.Observer stops =
        at(
            SplitStep.CORES_COPIED,
            () -> {
              throw new Crash();
            });
    assertThatThrownBy(() -> authority.split(0, stops)).isInstanceOf(Crash.class);
    authority.changeNoteKey();
    assertThat(authority.newestMap().version()).as("renewed").isEqualTo(2);
    spend(50);
    authority.split(new RangeSplit.Observer() {}).run(0, 2, new SplitPoint.Middle());
    assertThat(authority.newestMap().version()).isEqualTo(3);
    assertThat(authority.newestMap().shards()).isEqualTo(3);
    spend(50);
    assertThat(triggersLeft()).as("triggers that were not removed").isZero();
    new SpentInvariants(authority).hold(acknowledged);
  }

  @Test
  void changesNoOwnerWhenATriggerIsDisabled() {
    authority.start(2);
    spend(50);
    RangeSplit.Observer tampering =
        at(
            SplitStep.VERIFIED,
            () ->
                authority
                    .jdbc
                    .sql("ALTER TABLE shard_0.cores DISABLE TRIGGER to_shard_2_on_update")
                    .update());
    assertThatThrownBy(() -> authority.split(0, tampering))
        .hasMessageContaining("a dual-write trigger is not active");
    assertThat(authority.newestMap().version()).isEqualTo(1);
  }

  /** Attack: a map that this split was not planned by, so that two shards would own its range. */
  @Test
  @Spec("V-17")
  void changesNoOwnerWhenThereIsANewerMap() {
    authority.start(2);
    ShardMap planned = authority.newestMap();
    ShardMap newer = planned.split(1, planned.ranges().get(1).middle());
    RangeSplit.Observer other =
        at(
            SplitStep.VERIFIED,
            () ->
                authority
                    .jdbc
                    .sql("INSERT INTO authority.shard_maps (version, note) VALUES (?, ?)")
                    .params(newer.version(), newer.sign(LocalAuthority.NETWORK, authority.signer()))
                    .update());
    assertThatThrownBy(() -> authority.split(0, other))
        .hasMessageContaining("there is a newer shard map");
    assertThat(authority.newestMap()).isEqualTo(newer);
    assertThat(OwnershipRow.read(authority.jdbc, "shard_0").orElseThrow().range())
        .isEqualTo(planned.ranges().get(0));
    assertThat(OwnershipRow.read(authority.jdbc, "shard_2")).isEmpty();
  }

  @Test
  void runningAFinishedSplitAgainChangesNothing() {
    authority.start(2);
    RangeSplit split = authority.split(new RangeSplit.Observer() {});
    RangeSplit.Result first = split.run(0, 2, new SplitPoint.Middle());
    RangeSplit.Result again = split.run(0, 2, new SplitPoint.Median());
    assertThat(again.map()).isEqualTo(first.map());
    assertThat(again.pause()).isNull();
    assertThatThrownBy(() -> split.run(1, 2, new SplitPoint.Middle()))
        .hasMessageContaining("was made from shard 0");
    assertThatThrownBy(() -> split.run(1, 4, new SplitPoint.Middle()))
        .hasMessageContaining("the next new shard is 3");
    assertThatThrownBy(() -> split.run(7, 3, new SplitPoint.Middle()))
        .hasMessageContaining("owns nothing");
  }

  @Test
  void onlyOneSplitRunsAtATime() {
    authority.start(2);
    RangeSplit.Observer second =
        new RangeSplit.Observer() {
          @Override
          public void reached(SplitStep step) {
            assertThatThrownBy(() -> authority.split(1))
                .hasMessageContaining("another split is running");
          }
        };
    authority.split(0, second);
    assertThat(authority.newestMap().version()).isEqualTo(2);
  }

  private SerialNumber lastSerial() {
    return authority
        .jdbc
        .sql("SELECT serial FROM shard_0.serials ORDER BY serial DESC LIMIT 1")
        .query((row, number) -> SerialNumber.of(row.getBytes(1)))
        .single();
  }

  /** Splits shard 0. The copy gets a serial number of its range that shard 0 does not hold. */
  private void splitWithRowOnlyInCopy(Predicate<SerialNumber> place) {
    ShardMap map = authority.newestMap();
    ShardMap after = map.split(0, map.ranges().get(0).middle());
    SerialNumber onlyInCopy =
        authority.transfers.serial(serial -> after.owner(serial) == 2 && place.test(serial));
    authority.split(
        0,
        new RangeSplit.Observer() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.CORES_COPIED) {
              insert("shard_2", onlyInCopy);
            }
          }
        });
  }

  private void insert(String schema, SerialNumber serial) {
    authority
        .jdbc
        .sql("INSERT INTO " + schema + ".serials (serial, core) VALUES (:serial, sha256('x'))")
        .param("serial", serial.bytes())
        .update();
  }

  private void spend(int count) {
    List<SpendRequest<Transfer>> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(authority.request());
    }
    for (int i = 0; i < count; i += 100) {
      List<SpendRequest<Transfer>> batch = requests.subList(i, Math.min(count, i + 100));
      List<Outcome<PartialSignature>> outcomes = authority.submit(batch);
      for (int j = 0; j < batch.size(); j++) {
        acknowledged.put(batch.get(j), outcomes.get(j).get());
      }
    }
  }

  private void submit(SpendRequest<Transfer> request) {
    acknowledged.put(request, authority.submit(request).get());
  }

  /** A request as a crash leaves it: its own serial numbers are reserved, and it has no answer. */
  private SpendRequest<Transfer> reserved() {
    SpendRequest<Transfer> request = authority.request();
    LocalShard owner = authority.ownerOf(request.lead());
    owner.ownership.refresh();
    List<SerialNumber> own = request.serials().stream().filter(owner.ownership::owns).toList();
    new SqlSpendStore<Transfer>(
            owner.ownership, owner.serials, owner.cores, owner.transaction, requests -> {})
        .reserve(List.of(new Reservation<>(request, own)))
        .getFirst()
        .get();
    return request;
  }

  private long triggersLeft() {
    return authority
        .jdbc
        .sql("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'to_shard%'")
        .query(Long.class)
        .single();
  }

  private static List<String> stepNames() {
    return Stream.of(SplitStep.values()).map(step -> "reached " + step).toList();
  }

  /** Stops the split once at every place. */
  private static final class CrashesOnce implements RangeSplit.Observer {
    private final Set<String> crashes = new HashSet<>();

    @Override
    public void reached(SplitStep step) {
      at("reached " + step);
    }

    @Override
    public void copied(SplitStep towards, String table, long rows) {
      at("copied " + towards + " " + table);
    }

    @Override
    public void cuttingOver() {
      at("cuttingOver");
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
