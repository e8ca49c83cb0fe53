package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A crash anywhere is mended by sending the same core again. */
class CrashRecoveryTest {

  private static RegulatedWorld world;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create().start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @AfterEach
  void disarm() {
    world.authority.failpoints().disarm();
  }

  @Test
  void aCrashAtAnyStepIsMendedByTheSameCore() {
    TestWallet wallet = world.walletOn(0);
    TransferRequest request = world.draft(wallet, 1).prove(world.rules());

    dieAt(Step.CHECKED, request);
    assertThat(rows(request))
        .as("nothing is reserved before the checks are over")
        .isEqualTo("0/0/0/0");
    restartShards();

    dieAt(Step.OWN_SERIALS_RESERVED, request);
    assertThat(rows(request))
        .as("the lead serial comes first, on its own shard")
        .matches("[12]/0/1/0");
    restartShards();

    dieAt(Step.ALL_SERIALS_RESERVED, request);
    assertThat(total(request)).isEqualTo(3);
    assertThat(rows(request)).endsWith("/1/0");
    restartShards();

    dieAt(Step.SIGNED, request);
    assertThat(rows(request)).as("signed, logged, but not stored").endsWith("/1/0");
    restartAll();

    dieAt(Step.ANSWER_STORED, request);
    assertThat(rows(request)).endsWith("/1/1");
    restartAll();

    SubmitReply answer = Replies.signed(world.submit(request));
    restartAll();
    assertThat(world.submit(request).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  void aReservationSurvivesAndRefusesEveryOtherCore() {
    TestWallet wallet = world.walletOn(1);
    TransferRequest first = world.draft(wallet, 0).prove(world.rules());
    TransferRequest other = world.draft(wallet, 0).prove(world.rules());
    dieAt(Step.OWN_SERIALS_RESERVED, first);
    restartShards();
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, world.submit(other));
    Replies.signed(world.submit(first));
  }

  @Test
  void waitsForASiblingThatIsDown() {
    TestWallet wallet = world.walletOn(0);
    TransferRequest request = world.draft(wallet, 1).prove(world.rules());
    world.authority.stopShard(1);
    Replies.rejected(RejectionCode.UNAVAILABLE, world.submit(request));
    world.authority.startShard(1);
    Await.until("finished once the sibling is back", () -> world.submit(request).hasSigned());
  }

  @Test
  void waitsForTheSigner() {
    TestWallet wallet = world.walletOn(0);
    TransferRequest request = world.draft(wallet, 1).prove(world.rules());
    world.authority.stopSigner();
    Replies.rejected(RejectionCode.UNAVAILABLE, world.submit(request));
    assertThat(total(request)).as("nothing is reserved that could not be signed").isZero();
    world.authority.startSigner();
    Await.until("finished once the signer is back", () -> world.submit(request).hasSigned());
  }

  @Test
  void everyShardSaysSoWhenTheSignerFindsItsLogGone() throws IOException {
    Replies.signed(world.submit(world.draft(world.walletOn(0), 1).prove(world.rules())));
    TransferRequest request = world.draft(world.walletOn(1), 0).prove(world.rules());
    Path log = world.authority.signLog();
    Path aside = log.resolveSibling("aside");
    world.authority.stopSigner();
    Files.move(log, aside);
    world.authority.startSigner();
    Await.until(
        "the signer has found out",
        () ->
            world
                .submit(request)
                .getRejected()
                .getDetail()
                .contains("does not hold the anchored record"));
    assertThat(total(request)).isZero();

    world.authority.stopSigner();
    Files.move(aside, log, StandardCopyOption.REPLACE_EXISTING);
    world.authority.startSigner();
    Await.until("signing again with the true log", () -> world.submit(request).hasSigned());
  }

  @Test
  void survivesTheDatabasesSuddenDeath() {
    TestWallet before = world.walletOn(0);
    TransferRequest signed = world.draft(before, 1).prove(world.rules());
    SubmitReply answer = Replies.signed(world.submit(signed));
    TransferRequest waiting = world.draft(world.walletOn(1), 0).prove(world.rules());

    world.postgres.kill();
    assertThat(world.submit(waiting).getRejected().getCode()).isEqualTo("unavailable");
    world.postgres.restart();

    Await.until("the pools find the database again", () -> world.submit(waiting).hasSigned());
    assertThat(world.submit(signed).toByteArray()).isEqualTo(answer.toByteArray());
    world.awaitReady();
  }

  private static void dieAt(Step step, TransferRequest request) {
    world.authority.failpoints().arm(step);
    int shard = Authority.ownerOf(request.statement().leadSerial());
    var stub = world.authority.validator(shard).withDeadlineAfter(30, TimeUnit.SECONDS);
    assertThat(
            catchThrowableOfType(
                StatusRuntimeException.class, () -> stub.submitTransfer(Codecs.toWire(request))))
        .as("no answer from a dead process")
        .isNotNull();
    world.authority.failpoints().disarm();
  }

  private static void restartShards() {
    for (int i = 0; i < Authority.SHARDS; i++) {
      world.authority.stopShard(i);
      world.authority.startShard(i);
    }
    world.awaitReady();
  }

  private static void restartAll() {
    world.authority.stopSigner();
    world.authority.startSigner();
    restartShards();
  }

  /** Serial numbers on shard 0, on shard 1, cores, answered cores. */
  private static String rows(TransferRequest request) {
    String core = hex(request);
    return query(
        "SELECT (SELECT count(*) FROM shard_0.serials WHERE core = "
            + core
            + ") || '/' || "
            + "(SELECT count(*) FROM shard_1.serials WHERE core = "
            + core
            + ") || '/' || "
            + "(SELECT count(*) FROM shard_0.cores WHERE core = "
            + core
            + ") || '/' || "
            + "(SELECT count(*) FROM shard_0.cores WHERE core = "
            + core
            + " AND reply IS NOT NULL)");
  }

  private static long total(TransferRequest request) {
    String core = hex(request);
    return Long.parseLong(
        query(
            "SELECT (SELECT count(*) FROM shard_0.serials WHERE core = "
                + core
                + ") + (SELECT count(*) FROM shard_1.serials WHERE core = "
                + core
                + ")"));
  }

  private static String hex(TransferRequest request) {
    return "'\\x" + request.statement().core(world.keys.network()).hex() + "'::bytea";
  }

  private static String query(String sql) {
    try (var connection = DriverManager.getConnection(world.authority.jdbcUrl());
        var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
