package io.solidus.loadtest.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Verifier;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestPoolTest {
  private static final int COUNT = 25;
  private static final int CHUNK = 10;

  @TempDir private Path temporary;
  private KeySet keys;
  private Verifier verifier;
  private PublishedRules rules;

  @BeforeAll
  void open() {
    keys = ForgeFixture.keys().open();
    verifier = Verifier.open(keys, keys.committee());
    rules = rules();
  }

  @AfterAll
  void close() {
    verifier.close();
    keys.close();
  }

  private static PublishedRules rules() {
    SanctionList list =
        new SanctionList(List.of(SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10")));
    Policy policy =
        new Policy(
            3,
            ForgeFixture.PERIOD,
            new Amount(100_000),
            new Amount(170_000),
            new Amount(300_000),
            Amount.ZERO,
            100,
            new Amount(1_000_000),
            0);
    try (SanctionTree tree = SanctionTree.build(ForgeFixture.NETWORK, list.toBytes())) {
      SanctionCheckpoint checkpoint =
          new SanctionCheckpoint(9, tree.root(), tree.size(), list.digest(ForgeFixture.NETWORK), 0);
      return new PublishedRules(ForgeFixture.NETWORK, policy, checkpoint, list);
    }
  }

  private Path forged(String name, long first, long count) {
    Path dir = temporary.resolve(name);
    new PoolWriter(dir, CHUNK, done -> {})
        .forge(ForgeFixture.keys(), keys, rules, new TransferSeries("pool", first, count, 0, 2));
    return dir;
  }

  private static List<RestTransfer> all(Path dir) {
    List<RestTransfer> all = new ArrayList<>();
    try (RequestPool pool = RequestPool.open(dir)) {
      for (Optional<RestTransfer> next = pool.next(); next.isPresent(); next = pool.next()) {
        all.add(next.get());
      }
      assertThat(pool.left()).isZero();
    }
    return all;
  }

  private NativeErrorCode verdict(RestTransfer transfer) {
    TransferRequest request = request(transfer);
    return verifier.verifyTransfer(
        request.statement(),
        request.evidence(),
        Limits.of(rules.policy()),
        rules.checkpoint().root());
  }

  /** As the gateway reads a body. */
  private static TransferRequest request(RestTransfer transfer) {
    TransferRequest request = WireJson.read(transfer.body(), TransferRequestJson.class).toDomain();
    request.requireContext(ForgeFixture.NETWORK);
    assertThat(request.statement().core(ForgeFixture.NETWORK).hex()).isEqualTo(transfer.core());
    return request;
  }

  @Test
  void everyTransferOfAPoolIsHandedOutOnceAndVerifies() {
    List<RestTransfer> all = all(forged("whole", 0, COUNT));
    assertThat(all).hasSize(COUNT);
    assertThat(all.stream().map(RestTransfer::core)).doesNotHaveDuplicates();
    assertThat(all.stream().map(RestTransfer::lead)).doesNotHaveDuplicates();
    assertThat(all)
        .allSatisfy(transfer -> assertThat(verdict(transfer)).isEqualTo(NativeErrorCode.OK));
  }

  /** What several generators are given adds up to one series. */
  @Test
  void partsOfASeriesAreItsParts() {
    List<RestTransfer> whole = all(forged("series", 0, COUNT));
    assertThat(all(forged("second-half", 12, COUNT - 12))).isEqualTo(whole.subList(12, COUNT));
  }

  @Test
  void linesComeInTheNumbersAskedForUntilTheyEnd() {
    try (RequestPool pool = RequestPool.open(forged("lines", 0, COUNT))) {
      assertThat(pool.count()).isEqualTo(COUNT);
      assertThat(pool.simulated()).isTrue();
      assertThat(pool.manifestDigest()).isEqualTo(keys.manifestDigest());
      assertThat(pool.take(15)).hasSize(15);
      assertThat(pool.take(15)).hasSize(10);
      assertThat(pool.take(15)).isEmpty();
    }
  }

  @Test
  void incompletePoolsAreRefused() throws IOException {
    Path dir = forged("damaged", 0, COUNT);
    assertThatThrownBy(() ->
            new PoolWriter(dir, done -> {})
                .forge(ForgeFixture.keys(), keys, rules, TransferSeries.of("again", 1)))
        .isInstanceOf(ForgeException.class)
        .hasMessageContaining("not empty");
    try (RandomAccessFile file =
        new RandomAccessFile(dir.resolve("transfers-000001.txt").toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }
    assertThatThrownBy(() -> RequestPool.open(dir))
        .isInstanceOf(ForgeException.class)
        .hasMessageContaining("transfers-000001.txt");
    Files.delete(dir.resolve(RequestPool.INDEX));
    assertThatThrownBy(() -> RequestPool.open(dir))
        .isInstanceOf(ForgeException.class)
        .hasMessageContaining("no pool");
  }

  /**
   * With simulated proofs, since these keys have no others; the witnesses are judged as a prover
   * judges them.
   */
  @Test
  void transfersMadeByWalletsVerifyToo() {
    Path dir = temporary.resolve("proved");
    try (Simulator simulator = Simulator.start(ForgeFixture.keys());
        ProvedTransfers proved =
            new ProvedTransfers(
                ForgeFixture.keys().dir(), keys, rules, new SimulatedProofs(simulator))) {
      new PoolWriter(dir, CHUNK, done -> {}).prove(proved, keys, rules, "people", 3);
      assertThat(all(dir))
          .hasSize(3)
          .allSatisfy(transfer -> assertThat(verdict(transfer)).isEqualTo(NativeErrorCode.OK));
      RestTransfer first = all(dir).getFirst();
      assertThat(proved.prove("people", 0).statement()).isEqualTo(request(first).statement());
      assertThat(proved.prove("others", 0).statement().serials())
          .isNotEqualTo(request(first).statement().serials());
    }
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    RestTransfer transfer = all(forged("line", 0, 1)).getFirst();
    assertThat(RestTransfer.parse(transfer.line())).isEqualTo(transfer);
    assertThatThrownBy(() -> RestTransfer.parse(transfer.line().substring(1)))
        .isInstanceOf(ForgeException.class);
    assertThatThrownBy(() -> RestTransfer.parse("")).isInstanceOf(ForgeException.class);
  }
}
