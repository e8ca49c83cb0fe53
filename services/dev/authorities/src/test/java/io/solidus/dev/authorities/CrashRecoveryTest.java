package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the same core completes after a crash at any step. */
@Tag("process")
class CrashRecoveryTest {

  @TempDir private static Path folder;
  private static PostgresServer postgres;
  private static RegulatedNetwork network;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start(folder.resolve("postgres"));
    network = RegulatedNetwork.on(postgres).start();
  }

  @AfterAll
  static void stop() {
    network.close();
    postgres.close();
  }

  @AfterEach
  void disarm() {
    network.authority.failpoints().disarm();
  }

  @Test
  void theSameCoreCompletesAfterACrashAtAnyStep() {
    TransferRequest request = network.transfer(0, 1);

    crashAt(Step.CHECKED, request);
    assertThat(rows(request))
        .as("nothing is reserved before the end of the checks")
        .isEqualTo("0/0/0/0");
    restartShards();

    crashAt(Step.OWN_SERIALS_RESERVED, request);
    assertThat(rows(request))
        .as("the lead serial comes first, on its own shard")
        .matches("[12]/0/1/0");
    restartShards();

    crashAt(Step.ALL_SERIALS_RESERVED, request);
    assertThat(total(request)).isEqualTo(3);
    assertThat(rows(request)).endsWith("/1/0");
    restartShards();

    crashAt(Step.SIGNED, request);
    assertThat(rows(request)).as("signed and logged, but not stored").endsWith("/1/0");
    restartAll();

    crashAt(Step.ANSWER_STORED, request);
    assertThat(rows(request)).endsWith("/1/1");
    restartAll();

    SubmitReply answer = Replies.signed(network.submit(request));
    restartAll();
    assertThat(network.submit(request).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  void aReservationSurvivesACrashAndRejectsOtherCores() {
    TestWallet wallet = network.walletOn(1);
    TransferRequest first = network.draft(wallet, 0).prove(network.rules());
    TransferRequest other = network.draft(wallet, 0).prove(network.rules());
    crashAt(Step.OWN_SERIALS_RESERVED, first);
    restartShards();
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(other));
    Replies.signed(network.submit(first));
  }

  @Test
  void completesAfterAnOutageOfTheOtherShard() {
    TransferRequest request = network.transfer(0, 1);
    network.authority.stopShard(1);
    Replies.rejected(RejectionCode.UNAVAILABLE, network.submit(request));
    network.authority.startShard(1);
    Await.until("signed after the restart of the shard", () -> network.submit(request).hasSigned());
  }

  @Test
  void completesAfterAnOutageOfTheSigner() {
    TransferRequest request = network.transfer(0, 1);
    network.authority.stopSigner();
    Replies.rejected(RejectionCode.UNAVAILABLE, network.submit(request));
    assertThat(total(request)).as("nothing is reserved without a signer").isZero();
    network.authority.startSigner();
    Await.until(
        "signed after the restart of the signer", () -> network.submit(request).hasSigned());
  }

  @Test
  void shardsReportTheReasonWhenTheSignLogIsMissing() throws IOException {
    Replies.signed(network.submit(network.transfer(0, 1)));
    TransferRequest request = network.transfer(1, 0);
    Path log = network.authority.signLog();
    Path aside = log.resolveSibling("aside");
    network.authority.stopSigner();
    Files.move(log, aside);
    network.authority.startSigner();
    Await.until(
        "the signer has noticed",
        () ->
            network
                .submit(request)
                .getRejected()
                .getDetail()
                .contains("does not hold the anchored record"));
    assertThat(total(request)).isZero();

    network.authority.stopSigner();
    Files.move(aside, log, StandardCopyOption.REPLACE_EXISTING);
    network.authority.startSigner();
    Await.until("signed with the original log", () -> network.submit(request).hasSigned());
  }

  @Test
  void completesAfterACrashOfTheDatabase() {
    TransferRequest signed = network.transfer(0, 1);
    SubmitReply answer = Replies.signed(network.submit(signed));
    TransferRequest waiting = network.transfer(1, 0);

    postgres.kill();
    assertThat(network.submit(waiting).getRejected().getCode()).isEqualTo("unavailable");
    postgres.restart();

    Await.until("the connection pools have recovered", () -> network.submit(waiting).hasSigned());
    assertThat(network.submit(signed).toByteArray()).isEqualTo(answer.toByteArray());
    network.awaitReady();
  }

  private static void crashAt(Step step, TransferRequest request) {
    network.authority.failpoints().arm(step);
    int shard = TestAuthority.ownerOf(request.statement().leadSerial());
    var stub = network.authority.validator(shard).withDeadlineAfter(30, TimeUnit.SECONDS);
    assertThat(
            catchThrowableOfType(
                StatusRuntimeException.class, () -> stub.submitTransfer(Codecs.toWire(request))))
        .as("a crashed process does not answer")
        .isNotNull();
    network.authority.failpoints().disarm();
  }

  private static void restartShards() {
    for (int i = 0; i < TestAuthority.SHARDS; i++) {
      network.authority.stopShard(i);
      network.authority.startShard(i);
    }
    network.awaitReady();
  }

  private static void restartAll() {
    network.authority.stopSigner();
    network.authority.startSigner();
    restartShards();
  }

  /**
   * Counts of serial numbers on shard 0, serial numbers on shard 1, cores and answered cores,
   * joined by slashes.
   */
  private static String rows(TransferRequest request) {
    return query(
        """
        SELECT (SELECT count(*) FROM shard_0.serials WHERE core = :core) || '/' ||
               (SELECT count(*) FROM shard_1.serials WHERE core = :core) || '/' ||
               (SELECT count(*) FROM shard_0.cores WHERE core = :core) || '/' ||
               (SELECT count(*) FROM shard_0.cores WHERE core = :core AND reply IS NOT NULL)
        """,
        request,
        String.class);
  }

  private static long total(TransferRequest request) {
    return query(
        """
        SELECT (SELECT count(*) FROM shard_0.serials WHERE core = :core)
             + (SELECT count(*) FROM shard_1.serials WHERE core = :core)
        """,
        request,
        Long.class);
  }

  private static <T> T query(String sql, TransferRequest request, Class<T> type) {
    return network
        .database
        .jdbc()
        .sql(sql)
        .param("core", request.statement().core(network.keys.network()).bytes())
        .query(type)
        .single();
  }
}
