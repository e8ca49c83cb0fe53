package io.solidus.loadtest.chaos.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.loadtest.chaos.load.CoinLedger;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.wire.Codecs;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct record passes the checks, and the responsible check detects each change to it. */
class InvariantChecksTest {

  private static final int QUORUM = 3;
  private static final FieldElement HALF = FieldElement.of(FieldElement.MODULUS.shiftRight(1));

  /**
   * A correct record of four authorities: one coin of 100, of which 30 was paid and 5 withdrawn,
   * signed and stored everywhere.
   */
  private static final class RunData {
    private final SerialNumber coin = serial(7);
    private final SerialNumber paid = serial(8);
    private final SerialNumber change = serial(9);
    private final TxCore core = core(1);
    private final Map<Integer, Map<SerialNumber, TxCore>> serials = new HashMap<>();
    private final Map<Integer, Map<TxCore, ByteString>> answers = new HashMap<>();
    private final Map<Integer, List<AuthorityState.LogEntry>> log = new HashMap<>();
    private final List<SignatureTap.Signed> tap = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final List<CoinLedger.Made> made = new ArrayList<>();
    private final List<CoinLedger.Spending> spendings = new ArrayList<>();
    private long worth = 95;
    private long unsettled;
    private boolean whole = true;
    private long miscounted;
    private FieldElement bound = HALF;
    private final List<String> incidents = new ArrayList<>();

    RunData() {
      made.add(new CoinLedger.Made(coin, 100, null));
      made.add(new CoinLedger.Made(paid, 30, core));
      made.add(new CoinLedger.Made(change, 65, core));
      spendings.add(new CoinLedger.Spending(core, List.of(coin), 5));
      operations.add(new Operation(core, Operation.Outcome.OK, List.of()));
      for (int authority = 1; authority <= 4; authority++) {
        sign(authority, core, coin);
        tap.add(new SignatureTap.Signed(authority, core, List.of(coin), reply(authority, 1), true));
      }
    }

    void sign(int authority, TxCore signed, SerialNumber serial) {
      serials(authority).put(serial, signed);
      ByteString reply = reply(authority, 1);
      answers(authority).put(signed, reply);
      log(authority).add(new AuthorityState.LogEntry(signed, List.of(serial), points(reply)));
    }

    Map<SerialNumber, TxCore> serials(int authority) {
      return serials.computeIfAbsent(authority, a -> new HashMap<>());
    }

    Map<TxCore, ByteString> answers(int authority) {
      return answers.computeIfAbsent(authority, a -> new HashMap<>());
    }

    List<AuthorityState.LogEntry> log(int authority) {
      return log.computeIfAbsent(authority, a -> new ArrayList<>());
    }

    /** Adds another core for the same coin, which some authorities store instead of the first. */
    void spendAgain(int authorities) {
      TxCore other = core(2);
      made.add(new CoinLedger.Made(serial(10), 40, other));
      made.add(new CoinLedger.Made(serial(11), 60, other));
      spendings.add(new CoinLedger.Spending(other, List.of(coin), 0));
      for (int authority = 1; authority <= authorities; authority++) {
        serials(authority).put(coin, other);
        answers(authority).put(other, reply(authority, 1));
      }
    }

    Verdict judge() {
      List<AuthorityState> states = new ArrayList<>();
      for (int authority = 1; authority <= 4; authority++) {
        Map<TxCore, Set<ByteString>> replies = new HashMap<>();
        answers(authority).forEach((core, reply) -> replies.put(core, Set.of(reply)));
        states.add(
            new AuthorityState(
                authority,
                List.of(
                    new AuthorityState.Shard(
                        0,
                        FieldElement.ZERO,
                        bound,
                        false,
                        serials(authority),
                        replies,
                        replies.size() + miscounted),
                    new AuthorityState.Shard(1, HALF, null, false, Map.of(), Map.of(), 0)),
                log(authority),
                whole));
      }
      return InvariantChecks.judge(
          new RunRecord(
              QUORUM,
              tap,
              states,
              operations,
              new CoinLedger.Entries(made, spendings),
              worth,
              unsettled,
              incidents));
    }
  }

  @Test
  void aCorrectRecordPasses() {
    Verdict verdict = new RunData().judge();
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict).isEqualTo(new Verdict(0, 0, 0, List.of()));
  }

  @Test
  void aLostAnswerIsDetected() {
    RunData record = new RunData();
    record.answers(2).clear();
    Verdict verdict = record.judge();
    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(verdict.violations())
        .singleElement()
        .asString()
        .startsWith("nothing signed is lost");
  }

  @Test
  void aLostRowIsDetected() {
    RunData record = new RunData();
    record.serials(2).clear();
    assertThat(record.judge().violations())
        .singleElement()
        .asString()
        .startsWith("the log is in the tables");
  }

  @Test
  void aChangedByteIsDetected() {
    RunData record = new RunData();
    record.answers(3).put(record.core, reply(3, 2));
    assertThat(record.judge().lost()).isEqualTo(1);
  }

  @Test
  void aSignatureThatWasNotLoggedIsDetected() {
    RunData record = new RunData();
    record.log(4).clear();
    assertThat(record.judge().lost()).isEqualTo(1);
  }

  @Test
  void aLogOfAnotherSignatureIsDetected() {
    RunData record = new RunData();
    record.log.put(
        4,
        List.of(
            new AuthorityState.LogEntry(record.core, List.of(record.coin), points(reply(4, 2)))));
    assertThat(record.judge().lost()).isEqualTo(1);
  }

  @Test
  void aBrokenLogIsDetected() {
    RunData record = new RunData();
    record.whole = false;
    assertThat(record.judge().violations())
        .allMatch(line -> line.startsWith("the log is whole"))
        .hasSize(4);
  }

  @Test
  void aDoubledSerialIsDetectedInTheLog() {
    RunData record = new RunData();
    record
        .log(1)
        .add(new AuthorityState.LogEntry(core(2), List.of(record.coin), points(reply(1, 1))));
    assertThat(record.judge().doubled()).isEqualTo(1);
  }

  @Test
  void aDoubledSerialIsDetectedOnTheTap() {
    RunData record = new RunData();
    record.tap.add(new SignatureTap.Signed(1, core(2), List.of(record.coin), reply(1, 1), true));
    assertThat(record.judge().doubled()).isEqualTo(1);
  }

  @Test
  void twoCertificatesAreDetectedAndSoIsTheDriftOfMoney() {
    RunData record = new RunData();
    record.spendAgain(QUORUM);
    Verdict verdict = record.judge();
    // at each of three authorities the log disagrees with the tables, and the coin has two
    // certificates
    assertThat(verdict.doubled()).isEqualTo(QUORUM + 1);
    assertThat(verdict.driftMinor()).isEqualTo(100);
    assertThat(verdict.violations())
        .anyMatch(line -> line.startsWith("one certificate per serial"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aDriftOfOneUnitIsDetected(long drift) {
    RunData record = new RunData();
    record.worth += drift;
    assertThat(record.judge().driftMinor()).isEqualTo(drift);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aCoinOfAnotherValueIsDetected(long drift) {
    RunData record = new RunData();
    record.made.set(1, new CoinLedger.Made(record.paid, 30 + drift, record.core));
    assertThat(record.judge().driftMinor()).isEqualTo(drift);
  }

  @Test
  void otherBytesTheSecondTimeAreDetected() {
    RunData record = new RunData();
    record.tap.add(
        new SignatureTap.Signed(1, record.core, List.of(record.coin), reply(1, 3), true));
    assertThat(record.judge().violations()).anyMatch(line -> line.startsWith("same bytes again"));
  }

  @Test
  void aWrongSignatureIsDetected() {
    RunData record = new RunData();
    record.tap.set(
        0, new SignatureTap.Signed(1, record.core, List.of(record.coin), reply(1, 1), false));
    assertThat(record.judge().violations())
        .singleElement()
        .asString()
        .startsWith("signatures are right");
  }

  @Test
  void anUnfinishedTransferIsDetected() {
    RunData record = new RunData();
    record.operations.add(new Operation(core(5), Operation.Outcome.UNKNOWN, List.of()));
    record.unsettled = 2;
    Verdict verdict = record.judge();
    assertThat(verdict.lost()).isEqualTo(3);
    assertThat(verdict.ok()).isFalse();
  }

  @Test
  void aFailedTransferAndASingleRefusalAreDetected() {
    RunData record = new RunData();
    record.operations.set(0, new Operation(record.core, Operation.Outcome.FAIL, List.of()));
    assertThat(record.judge().violations())
        .singleElement()
        .asString()
        .startsWith("no correct wallet fails");
    record.operations.set(
        0,
        new Operation(record.core, Operation.Outcome.OK, List.of("authority 1: serial-conflict")));
    assertThat(record.judge().violations())
        .singleElement()
        .asString()
        .startsWith("no correct wallet is refused");
  }

  @Test
  void aSerialNumberOutsideItsRangeIsDetected() {
    RunData record = new RunData();
    SerialNumber high =
        new SerialNumber(FieldElement.of(FieldElement.MODULUS.subtract(BigInteger.TWO)));
    record.serials(1).put(high, core(6));
    assertThat(record.judge().violations())
        .singleElement()
        .asString()
        .startsWith("one owner per serial");
  }

  @Test
  void aGapBetweenRangesIsDetected() {
    RunData record = new RunData();
    record.bound = FieldElement.ofLong(1000);
    assertThat(record.judge().violations())
        .hasSize(4)
        .allMatch(line -> line.startsWith("one owner per serial"));
  }

  @Test
  void aWrongCountIsDetected() {
    RunData record = new RunData();
    record.miscounted = 1;
    assertThat(record.judge().violations())
        .hasSize(4)
        .allMatch(line -> line.startsWith("events match the tables"));
  }

  @Test
  void anIncidentIsDetected() {
    RunData record = new RunData();
    record.incidents.add("a process did not come back");
    assertThat(record.judge().ok()).isFalse();
  }

  private static SerialNumber serial(long value) {
    return new SerialNumber(FieldElement.ofLong(value));
  }

  private static TxCore core(int value) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) value}));
  }

  private static ByteString reply(int authority, int variant) {
    byte[] point = new byte[G1Point.BYTES];
    point[G1Point.BYTES - 1] = (byte) (16 * authority + variant);
    return ByteString.copyFrom(
        Codecs.toBytes(
            new PartialSignature(
                authority, 0, List.of(new G1Point(point)), new Vote(new byte[Vote.BYTES]))));
  }

  private static Digest32 points(ByteString reply) {
    return Digest32.sha256(
        Codecs.partialSignature(reply.toByteArray()).points().getFirst().bytes());
  }
}
