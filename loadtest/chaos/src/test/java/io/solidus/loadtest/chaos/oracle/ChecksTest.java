package io.solidus.loadtest.chaos.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.loadtest.chaos.load.Book;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.Tap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The checkers bite: a clean history passes, and each thing done to it is noticed by the check that
 * is there for it.
 */
class ChecksTest {

  private static final int QUORUM = 3;
  private static final FieldElement HALF = FieldElement.of(FieldElement.MODULUS.shiftRight(1));

  /**
   * Four authorities, one coin of 100 from which 30 was paid and 5 withdrawn, everywhere signed and
   * kept.
   */
  private static final class World {
    private final SerialNumber coin = serial(7);
    private final SerialNumber paid = serial(8);
    private final SerialNumber change = serial(9);
    private final TxCore core = core(1);
    private final Map<Integer, Map<SerialNumber, TxCore>> serials = new HashMap<>();
    private final Map<Integer, Map<TxCore, byte[]>> answers = new HashMap<>();
    private final Map<Integer, List<Holdings.LogEntry>> log = new HashMap<>();
    private final List<Tap.Signed> tap = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final List<Book.Made> made = new ArrayList<>();
    private final List<Book.Spending> spendings = new ArrayList<>();
    private long worth = 95;
    private long unsettled;
    private boolean whole = true;
    private long miscounted;
    private FieldElement bound = HALF;
    private final List<String> incidents = new ArrayList<>();

    World() {
      made.add(new Book.Made(coin, 100, null));
      made.add(new Book.Made(paid, 30, core));
      made.add(new Book.Made(change, 65, core));
      spendings.add(new Book.Spending(core, List.of(coin), 5));
      operations.add(new Operation(core, Operation.Outcome.OK, List.of()));
      for (int authority = 1; authority <= 4; authority++) {
        sign(authority, core, coin);
        tap.add(new Tap.Signed(authority, core, List.of(coin), reply(authority, 1), true));
      }
    }

    void sign(int authority, TxCore signed, SerialNumber serial) {
      serials.computeIfAbsent(authority, a -> new HashMap<>()).put(serial, signed);
      byte[] reply = reply(authority, 1);
      answers.computeIfAbsent(authority, a -> new HashMap<>()).put(signed, reply);
      log.computeIfAbsent(authority, a -> new ArrayList<>())
          .add(new Holdings.LogEntry(signed, List.of(serial), points(reply)));
    }

    /** Another core for the same coin, kept by some authorities as if it were the only one. */
    void spendAgain(int authorities) {
      TxCore other = core(2);
      made.add(new Book.Made(serial(10), 40, other));
      made.add(new Book.Made(serial(11), 60, other));
      spendings.add(new Book.Spending(other, List.of(coin), 0));
      for (int authority = 1; authority <= authorities; authority++) {
        serials.get(authority).put(coin, other);
        answers.get(authority).put(other, reply(authority, 1));
      }
    }

    Verdict judge() {
      List<Holdings> holdings = new ArrayList<>();
      for (int authority = 1; authority <= 4; authority++) {
        Map<TxCore, byte[]> replies = answers.get(authority);
        holdings.add(
            new Holdings(
                authority,
                List.of(
                    new Holdings.Shard(
                        0,
                        FieldElement.ZERO,
                        bound,
                        false,
                        serials.get(authority),
                        replies,
                        replies.size() + miscounted),
                    new Holdings.Shard(1, HALF, null, false, Map.of(), Map.of(), 0)),
                log.get(authority),
                whole));
      }
      return Checks.judge(
          new Findings(
              QUORUM,
              tap,
              holdings,
              operations,
              new Book.Entries(made, spendings),
              worth,
              unsettled,
              incidents));
    }
  }

  @Test
  void aCleanHistoryPasses() {
    Verdict verdict = new World().judge();
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict).isEqualTo(new Verdict(0, 0, 0, List.of()));
  }

  @Test
  void aLostAnswerIsNoticed() {
    World world = new World();
    world.answers.get(2).clear();
    Verdict verdict = world.judge();
    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(verdict.violations())
        .singleElement()
        .asString()
        .startsWith("nothing signed is lost");
  }

  @Test
  void aLostRowIsNoticed() {
    World world = new World();
    world.serials.get(2).clear();
    assertThat(world.judge().violations())
        .singleElement()
        .asString()
        .startsWith("the log is in the tables");
  }

  @Test
  void aChangedByteIsNoticed() {
    World world = new World();
    world.answers.get(3).put(world.core, reply(3, 2));
    assertThat(world.judge().lost()).isEqualTo(1);
  }

  @Test
  void aSignatureThatWasNotLoggedIsNoticed() {
    World world = new World();
    world.log.get(4).clear();
    assertThat(world.judge().lost()).isEqualTo(1);
  }

  @Test
  void aLogOfAnotherSignatureIsNoticed() {
    World world = new World();
    world.log.put(
        4, List.of(new Holdings.LogEntry(world.core, List.of(world.coin), points(reply(4, 2)))));
    assertThat(world.judge().lost()).isEqualTo(1);
  }

  @Test
  void aBrokenLogIsNoticed() {
    World world = new World();
    world.whole = false;
    assertThat(world.judge().violations())
        .allMatch(line -> line.startsWith("the log is whole"))
        .hasSize(4);
  }

  @Test
  void aDoubledSerialIsNoticedInTheLog() {
    World world = new World();
    world.log.get(1).add(new Holdings.LogEntry(core(2), List.of(world.coin), points(reply(1, 1))));
    assertThat(world.judge().doubled()).isEqualTo(1);
  }

  @Test
  void aDoubledSerialIsNoticedOnTheTap() {
    World world = new World();
    world.tap.add(new Tap.Signed(1, core(2), List.of(world.coin), reply(1, 1), true));
    assertThat(world.judge().doubled()).isEqualTo(1);
  }

  @Test
  void twoCertificatesAreNoticedAndSoIsTheirMoney() {
    World world = new World();
    world.spendAgain(QUORUM);
    Verdict verdict = world.judge();
    // at each of three authorities the log disagrees with the tables, and the coin has two
    // certificates
    assertThat(verdict.doubled()).isEqualTo(QUORUM + 1);
    assertThat(verdict.driftMinor()).isEqualTo(100);
    assertThat(verdict.violations())
        .anyMatch(line -> line.startsWith("one certificate per serial"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aDriftOfOneUnitIsNoticed(long drift) {
    World world = new World();
    world.worth += drift;
    assertThat(world.judge().driftMinor()).isEqualTo(drift);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aCoinOfAnotherValueIsNoticed(long drift) {
    World world = new World();
    world.made.set(1, new Book.Made(world.paid, 30 + drift, world.core));
    assertThat(world.judge().driftMinor()).isEqualTo(drift);
  }

  @Test
  void otherBytesTheSecondTimeAreNoticed() {
    World world = new World();
    world.tap.add(new Tap.Signed(1, world.core, List.of(world.coin), reply(1, 3), true));
    assertThat(world.judge().violations()).anyMatch(line -> line.startsWith("same bytes again"));
  }

  @Test
  void aWrongSignatureIsNoticed() {
    World world = new World();
    world.tap.set(0, new Tap.Signed(1, world.core, List.of(world.coin), reply(1, 1), false));
    assertThat(world.judge().violations())
        .singleElement()
        .asString()
        .startsWith("signatures are right");
  }

  @Test
  void anUnfinishedTransferIsNoticed() {
    World world = new World();
    world.operations.add(new Operation(core(5), Operation.Outcome.UNKNOWN, List.of()));
    world.unsettled = 2;
    Verdict verdict = world.judge();
    assertThat(verdict.lost()).isEqualTo(3);
    assertThat(verdict.ok()).isFalse();
  }

  @Test
  void aFailedTransferAndASingleRefusalAreNoticed() {
    World world = new World();
    world.operations.set(0, new Operation(world.core, Operation.Outcome.FAIL, List.of()));
    assertThat(world.judge().violations())
        .singleElement()
        .asString()
        .startsWith("no correct wallet fails");
    world.operations.set(
        0,
        new Operation(world.core, Operation.Outcome.OK, List.of("authority 1: serial-conflict")));
    assertThat(world.judge().violations())
        .singleElement()
        .asString()
        .startsWith("no correct wallet is refused");
  }

  @Test
  void aSerialNumberOutsideItsRangeIsNoticed() {
    World world = new World();
    SerialNumber high =
        new SerialNumber(FieldElement.of(FieldElement.MODULUS.subtract(BigInteger.TWO)));
    world.serials.get(1).put(high, core(6));
    assertThat(world.judge().violations())
        .singleElement()
        .asString()
        .startsWith("one owner per serial");
  }

  @Test
  void aGapBetweenRangesIsNoticed() {
    World world = new World();
    world.bound = FieldElement.ofLong(1000);
    assertThat(world.judge().violations())
        .hasSize(4)
        .allMatch(line -> line.startsWith("one owner per serial"));
  }

  @Test
  void aMiscountIsNoticed() {
    World world = new World();
    world.miscounted = 1;
    assertThat(world.judge().violations())
        .hasSize(4)
        .allMatch(line -> line.startsWith("events match the tables"));
  }

  @Test
  void anIncidentIsNoticed() {
    World world = new World();
    world.incidents.add("something did not come back");
    assertThat(world.judge().ok()).isFalse();
  }

  private static SerialNumber serial(long value) {
    return new SerialNumber(FieldElement.ofLong(value));
  }

  private static TxCore core(int value) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) value}));
  }

  private static byte[] reply(int authority, int variant) {
    byte[] point = new byte[G1Point.BYTES];
    point[G1Point.BYTES - 1] = (byte) (16 * authority + variant);
    return Codecs.toBytes(new PartialSignature(authority, 0, List.of(new G1Point(point))));
  }

  private static Digest32 points(byte[] reply) {
    return Digest32.sha256(Codecs.partialSignature(reply).points().getFirst().bytes());
  }
}
