package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.SubmitReply;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs shards on a primary whose standby stops and starts. */
@Tag("process")
class ReplicatedShardTest {

  private static final String DATABASE = "authority_replicated";

  @TempDir private Path folder;
  private PrimaryAndStandby pair;
  private RegulatedNetwork network;
  private FakeSigner signer;
  private RandomTransfers transfers;

  @BeforeEach
  void start() {
    pair = PrimaryAndStandby.start(folder);
    pair.primary().execute("postgres", "CREATE DATABASE " + DATABASE);
    network =
        RegulatedNetwork.on(new TestDatabase(pair.primary().url(DATABASE), "postgres", "postgres"));

    signer = new FakeSigner(network.keys.network());
    transfers = new RandomTransfers(network.keys.network());
    network.authority.with("solidus.validator.synchronous-standbys", 1);
    network.startShards(signer.address());
  }

  @AfterEach
  void stop() {
    network.close();
    signer.close();
    pair.close();
  }

  @Test
  void signsOnlyAfterTheReservationIsOnTheStandby() {
    TransferRequest before = transfers.next();
    Replies.signed(network.submit(before));
    assertThat(reserved(pair.standby(), before))
        .as("on the standby before the answer")
        .isEqualTo(3);

    TransferRequest request = onOneShard();
    pair.standby().stop();
    for (int attempt = 1; attempt <= 2; attempt++) {
      CompletableFuture<SubmitReply> reply =
          CompletableFuture.supplyAsync(() -> network.submit(request));
      Replies.rejected(RejectionCode.UNAVAILABLE, cancelUntilAnswered(reply));
      assertThat(reserved(pair.primary(), request))
          .as("visible after attempt %d", attempt)
          .isEqualTo(3);
      assertThat(signer.tap())
          .as("not signed at attempt %d", attempt)
          .doesNotContainKey(core(request));
    }

    pair.standby().restart();
    pair.awaitStreaming();
    Await.until(
        "signed after the restart of the standby", () -> network.submit(request).hasSigned());
    assertThat(reserved(pair.failOver(), request)).isEqualTo(3);
  }

  /**
   * Cancels waiting commits until the call is answered. Other transactions wait as well, so one
   * round may not be enough.
   */
  private SubmitReply cancelUntilAnswered(CompletableFuture<SubmitReply> reply) {
    Await.until(
        "an answer",
        () -> {
          pair.cancelWaiting();
          return reply.isDone();
        });
    return reply.join();
  }

  private TransferRequest onOneShard() {
    return transfers.spending(
        transfers.serial(TestAuthority.ownedBy(0)),
        transfers.serial(TestAuthority.ownedBy(0)),
        transfers.serial(TestAuthority.ownedBy(0)));
  }

  private TxCore core(TransferRequest request) {
    return request.statement().core(network.keys.network());
  }

  private long reserved(PostgresServer server, TransferRequest request) {
    return server
        .jdbc(DATABASE)
        .sql(
            """
            SELECT (SELECT count(*) FROM shard_0.serials WHERE core = :core) + (SELECT count(*) FROM shard_1.serials WHERE core = :core)
            """)
        .param("core", core(request).bytes())
        .query(Long.class)
        .single();
  }
}
