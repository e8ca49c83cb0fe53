package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.grpc.StatusRuntimeException;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.SubmitReply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;

/**
 * Races and crashes on two shards. The signer is fake, because the tests need more transfers than
 * can be proved.
 */
@Tag("process")
class ShardFaultTest {

  private static final int CLIENTS = 8;

  @TempDir private static Path folder;
  private static PostgresServer postgres;
  private static RegulatedNetwork network;
  private static FakeSigner signer;
  private static RandomTransfers transfers;
  private static ExecutorService clients;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start(folder.resolve("postgres"));
    network = RegulatedNetwork.on(postgres);
    signer = new FakeSigner(network.keys.network());
    transfers = new RandomTransfers(network.keys.network());
    network.startShards(signer.address());
    clients = Executors.newFixedThreadPool(CLIENTS);
  }

  @AfterAll
  static void stop() {
    clients.shutdownNow();
    network.close();
    postgres.close();

    signer.close();
  }

  @Test
  @Spec("V-09")
  void coresWithTheSameLeadSerialGetOneSignature() throws Exception {
    for (int round = 0; round < 10; round++) {
      SerialNumber lead = transfers.serial(s -> true);
      List<TransferRequest> rivals = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        rivals.add(
            transfers.spending(lead, transfers.serial(s -> true), transfers.serial(s -> true)));
      }
      assertThat(signedOf(race(rivals))).isEqualTo(1);
    }
  }

  @Test
  void coresOfTwoShardsWithTheSameInputGetOneSignature() throws Exception {
    int winners = 0;
    for (int round = 0; round < 30; round++) {
      SerialNumber shared = transfers.serial(TestAuthority.ownedBy(round % 2));
      List<TransferRequest> rivals = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        SerialNumber lead = transfers.serial(TestAuthority.ownedBy(i % 2));
        rivals.add(
            transfers.spending(lead, shared, transfers.serial(TestAuthority.ownedBy(1 - i % 2))));
      }
      long signed = signedOf(race(rivals));
      assertThat(signed).isLessThanOrEqualTo(1);
      winners += (int) signed;
    }
    assertThat(winners).as("one core wins each round").isEqualTo(30);
  }

  @Test
  void coresThatHoldEachOthersInputsGetOneSignature() throws Exception {
    for (int round = 0; round < 20; round++) {
      SerialNumber a = transfers.serial(TestAuthority.ownedBy(0));
      SerialNumber b = transfers.serial(TestAuthority.ownedBy(0));
      SerialNumber c = transfers.serial(TestAuthority.ownedBy(1));
      List<SubmitReply> replies =
          race(List.of(transfers.spending(a, b, c), transfers.spending(b, a, c)));
      assertThat(signedOf(replies)).isEqualTo(1);
    }
  }

  @Test
  void simultaneousCopiesOfOneCoreGetTheSameAnswer() throws Exception {
    for (int round = 0; round < 10; round++) {
      TransferRequest request = transfers.next();
      List<TransferRequest> same = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        same.add(request);
      }
      assertThat(race(same).stream().map(SubmitReply::toByteString).distinct()).hasSize(1);
    }
  }

  @Test
  void noSignatureIsLostWhenTheDatabaseCrashesRepeatedly() throws Exception {
    List<TransferRequest> sent = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      List<Future<Optional<SubmitReply>>> pending = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        TransferRequest request = transfers.next();
        sent.add(request);
        pending.add(clients.submit(() -> attempt(request)));
      }
      pending.get(20 + 10 * round).get();
      postgres.kill();
      postgres.restart();
      for (Future<Optional<SubmitReply>> reply : pending) {
        reply.get();
      }
    }
    Await.until("the shards have recovered", () -> attempt(transfers.next()).isPresent());
    for (TransferRequest request : sent) {
      TxCore core = request.statement().core(network.keys.network());
      SubmitReply tapped = signer.tap().get(core);
      Await.until("finished", () -> attempt(request).isPresent());
      SubmitReply answer = attempt(request).orElseThrow();
      if (tapped != null) {
        assertThat(answer.toByteArray())
            .as("the signature that left the signer")
            .isEqualTo(tapped.toByteArray());
      }
    }
    assertThat(count("SELECT count(*) FROM shard_0.serials JOIN shard_1.serials USING (serial)"))
        .as("serial numbers on both shards")
        .isZero();
    assertThat(
            count(
                "SELECT (SELECT count(*) FROM shard_0.cores WHERE reply IS NOT NULL)"
                    + " + (SELECT count(*) FROM shard_1.cores WHERE reply IS NOT NULL)"))
        .as("stored answers, compared with signatures of the signer")
        .isEqualTo(signer.tap().size());
  }

  @Test
  void aFencedRangeRejectsReservations() {
    TransferRequest request =
        transfers.spending(
            transfers.serial(TestAuthority.ownedBy(0)),
            transfers.serial(TestAuthority.ownedBy(0)),
            transfers.serial(TestAuthority.ownedBy(0)));
    update("UPDATE shard_0.ownership SET fenced = true");
    try {
      Replies.rejected(RejectionCode.SHARD_MOVED, network.submit(request));
    } finally {
      update("UPDATE shard_0.ownership SET fenced = false");
    }
    Replies.signed(network.submit(request));
  }

  @Test
  @Spec("V-09")
  void theDatabaseRefusesToChangeReservationsAndAnswers() {
    for (int i = 0; i < 10; i++) {
      Replies.signed(network.submit(transfers.next()));
    }
    for (String sql :
        List.of(
            "DELETE FROM shard_0.serials",
            "UPDATE shard_1.serials SET core = sha256(core)",
            "TRUNCATE shard_0.serials CASCADE",
            "DELETE FROM shard_1.cores",
            "UPDATE shard_0.cores SET reply = request WHERE reply IS NOT NULL",
            "UPDATE shard_1.cores SET reply = NULL, share_epoch = NULL, signed_at = NULL WHERE reply IS NOT NULL")) {
      assertThat(catchThrowable(() -> update(sql))).as(sql).isInstanceOf(DataAccessException.class);
    }
  }

  private static List<SubmitReply> race(List<TransferRequest> requests)
      throws InterruptedException, ExecutionException {
    List<Callable<SubmitReply>> calls =
        requests.stream().<Callable<SubmitReply>>map(r -> () -> network.submit(r)).toList();
    List<SubmitReply> replies = new ArrayList<>();
    for (Future<SubmitReply> reply : clients.invokeAll(calls)) {
      replies.add(reply.get());
    }
    return replies;
  }

  private static long signedOf(List<SubmitReply> replies) {
    for (SubmitReply reply : replies) {
      if (!reply.hasSigned()) {
        Replies.rejected(RejectionCode.SERIAL_CONFLICT, reply);
      }
    }
    return replies.stream().filter(SubmitReply::hasSigned).count();
  }

  /** The answer, when the transfer was signed this time. */
  private static Optional<SubmitReply> attempt(TransferRequest request) {
    try {
      return Optional.of(network.submit(request)).filter(SubmitReply::hasSigned);
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private static long count(String sql) {
    return network.database.jdbc().sql(sql).query(Long.class).single();
  }

  private static void update(String sql) {
    network.database.jdbc().sql(sql).update();
  }
}
