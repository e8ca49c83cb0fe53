package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.PrimaryAndStandby;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole shard processes on a primary whose standby comes and goes. */
class ReplicatedShardTest {

  private static final String DATABASE = "authority_replicated";

  @TempDir Path folder;
  private PrimaryAndStandby pair;
  private RegulatedWorld world;
  private FakeSigner signer;
  private RandomTransfers transfers;

  @BeforeEach
  void start() {
    pair = PrimaryAndStandby.start(folder);
    pair.primary().execute("postgres", "CREATE DATABASE " + DATABASE);
    world = RegulatedWorld.create();
    signer = new FakeSigner(world.keys.network());
    transfers = new RandomTransfers(world.keys.network());
    world
        .authority
        .with("spring.datasource.url", pair.primary().url(DATABASE))
        .with("solidus.validator.synchronous-standbys", 1);
    world.startShards(signer.address());
  }

  @AfterEach
  void stop() {
    world.close();
    signer.close();
    pair.close();
  }

  @Test
  void nothingIsSignedUntilItsReservationIsOnTheStandby() {
    TransferRequest before = transfers.next();
    Replies.signed(world.submit(before));
    assertThat(reserved(pair.standby(), before))
        .as("on the standby when the answer leaves")
        .isEqualTo(3);

    TransferRequest request = onOneShard();
    pair.standby().stop();
    for (int attempt = 1; attempt <= 2; attempt++) {
      CompletableFuture<SubmitReply> reply =
          CompletableFuture.supplyAsync(() -> world.submit(request));
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
    Await.until("signed once the standby is back", () -> world.submit(request).hasSigned());
    assertThat(reserved(pair.failOver(), request)).isEqualTo(3);
  }

  /** Other commits wait as well, so it takes more than one. */
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
        transfers.serial(Authority.ownedBy(0)),
        transfers.serial(Authority.ownedBy(0)),
        transfers.serial(Authority.ownedBy(0)));
  }

  private TxCore core(TransferRequest request) {
    return request.statement().core(world.keys.network());
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
