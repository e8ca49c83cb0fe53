package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.grpc.StatusRuntimeException;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.SubmitReply;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
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
import org.junit.jupiter.api.Test;

/** Two shards under races and crashes, with so many requests that proofs have to be left out. */
class ShardFaultTest {

  private static final int CLIENTS = 8;

  private static RegulatedWorld world;
  private static FakeSigner signer;
  private static RandomTransfers transfers;
  private static ExecutorService clients;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
    signer = new FakeSigner(world.keys.network());
    transfers = new RandomTransfers(world.keys.network());
    world.startShards(signer.address());
    clients = Executors.newFixedThreadPool(CLIENTS);
  }

  @AfterAll
  static void stop() {
    clients.shutdownNow();
    world.close();
    signer.close();
  }

  @Test
  @Spec("V-09")
  void coresThatRaceForOneLeadSerialGetOneSignature() throws Exception {
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
  void coresOfTwoShardsThatRaceForOneInputGetAtMostOneSignature() throws Exception {
    int winners = 0;
    for (int round = 0; round < 30; round++) {
      SerialNumber shared = transfers.serial(Authority.ownedBy(round % 2));
      List<TransferRequest> rivals = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        SerialNumber lead = transfers.serial(Authority.ownedBy(i % 2));
        rivals.add(
            transfers.spending(lead, shared, transfers.serial(Authority.ownedBy(1 - i % 2))));
      }
      long signed = signedOf(race(rivals));
      assertThat(signed).isLessThanOrEqualTo(1);
      winners += (int) signed;
    }
    assertThat(winners).as("one of them wins").isEqualTo(30);
  }

  @Test
  void twoCoresThatEachHoldWhatTheOtherNeedsDoNotBothWin() throws Exception {
    for (int round = 0; round < 20; round++) {
      SerialNumber a = transfers.serial(Authority.ownedBy(0));
      SerialNumber b = transfers.serial(Authority.ownedBy(0));
      SerialNumber c = transfers.serial(Authority.ownedBy(1));
      List<SubmitReply> replies =
          race(List.of(transfers.spending(a, b, c), transfers.spending(b, a, c)));
      assertThat(signedOf(replies)).isEqualTo(1);
    }
  }

  @Test
  void oneCoreSentByManyAtOnceGetsOneAnswer() throws Exception {
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
  void nothingSignedIsLostWhenTheDatabaseIsKilledAgainAndAgain() throws Exception {
    List<TransferRequest> sent = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      List<Future<Optional<SubmitReply>>> pending = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        TransferRequest request = transfers.next();
        sent.add(request);
        pending.add(clients.submit(() -> attempt(request)));
      }
      pending.get(20 + 10 * round).get();
      world.postgres.kill();
      world.postgres.restart();
      for (Future<Optional<SubmitReply>> reply : pending) {
        reply.get();
      }
    }
    Await.until(
        "the shards have found the database again", () -> attempt(transfers.next()).isPresent());
    for (TransferRequest request : sent) {
      TxCore core = request.statement().core(world.keys.network());
      SubmitReply tapped = signer.tap().get(core);
      Await.until("finished", () -> attempt(request).isPresent());
      SubmitReply answer = attempt(request).orElseThrow();
      if (tapped != null) {
        assertThat(answer.toByteArray())
            .as("what left the signer once")
            .isEqualTo(tapped.toByteArray());
      }
    }
    assertThat(
            count(
                "SELECT count(*) FROM (SELECT serial FROM shard_0.serials UNION ALL SELECT serial FROM shard_1.serials) s "
                    + "GROUP BY serial HAVING count(*) > 1"))
        .as("no serial number in two places")
        .isZero();
    assertThat(
            count(
                "SELECT (SELECT count(*) FROM shard_0.cores WHERE reply IS NOT NULL)"
                    + " + (SELECT count(*) FROM shard_1.cores WHERE reply IS NOT NULL)"))
        .as("every signature on the tap is in the database")
        .isEqualTo(signer.tap().size());
  }

  @Test
  void aFencedRangeReservesNothing() throws SQLException {
    TransferRequest request =
        transfers.spending(
            transfers.serial(Authority.ownedBy(0)),
            transfers.serial(Authority.ownedBy(0)),
            transfers.serial(Authority.ownedBy(0)));
    update("UPDATE shard_0.ownership SET fenced = true");
    try {
      Replies.rejected(RejectionCode.SHARD_MOVED, world.submit(request));
    } finally {
      update("UPDATE shard_0.ownership SET fenced = false");
    }
    Replies.signed(world.submit(request));
  }

  @Test
  @Spec("V-09")
  void reservationsAndAnswersCannotBeRewrittenInTheDatabase() {
    for (int i = 0; i < 10; i++) {
      Replies.signed(world.submit(transfers.next()));
    }
    for (String sql :
        List.of(
            "DELETE FROM shard_0.serials",
            "UPDATE shard_1.serials SET core = sha256(core)",
            "TRUNCATE shard_0.serials CASCADE",
            "DELETE FROM shard_1.cores",
            "UPDATE shard_0.cores SET reply = request WHERE reply IS NOT NULL",
            "UPDATE shard_1.cores SET reply = NULL, share_epoch = NULL, signed_at = NULL WHERE reply IS NOT NULL")) {
      assertThat(catchThrowable(() -> update(sql))).as(sql).isInstanceOf(SQLException.class);
    }
  }

  private static List<SubmitReply> race(List<TransferRequest> requests)
      throws InterruptedException, ExecutionException {
    List<Callable<SubmitReply>> calls =
        requests.stream().<Callable<SubmitReply>>map(r -> () -> world.submit(r)).toList();
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

  /** Signed, or not this time. */
  private static Optional<SubmitReply> attempt(TransferRequest request) {
    try {
      return Optional.of(world.submit(request)).filter(SubmitReply::hasSigned);
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private static long count(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(world.authority.jdbcUrl());
        var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  private static void update(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(world.authority.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
