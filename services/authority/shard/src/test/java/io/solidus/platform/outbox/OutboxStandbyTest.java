package io.solidus.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.common.DurableTransactions.NotDurableException;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.wire.v1.EventEnvelope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay of an authority whose standby is away, with a real primary and a real standby. */
@Tag("process")
class OutboxStandbyTest {
  private static final String DATABASE = "postgres";

  @TempDir private Path folder;
  private PrimaryAndStandby pair;
  private HikariDataSource pool;
  private JdbcClient jdbc;
  private DurableTransactions durable;
  private TransactionTemplate durably;
  private Outbox outbox;
  private OutboxRelay relay;
  private final MockProducer<byte[], byte[]> kafka =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
        @Override
        public void close(Duration timeout) {
          // a template closes its producer after each event, and the next one needs it again
        }
      };

  @BeforeEach
  void start() {
    pair = PrimaryAndStandby.start(folder);
    pool = new HikariDataSource();
    pool.setJdbcUrl(pair.primary().url(DATABASE));
    pool.setMaximumPoolSize(4);
    Flyway.configure().dataSource(pool).locations("classpath:db/outbox").load().migrate();
    jdbc = JdbcClient.create(pool);
    durable = new DurableTransactions(pool, 1, Duration.ofSeconds(5));
    durably = new TransactionTemplate(durable);
    outbox = new Outbox(jdbc);
    relay = relay(durably);
  }

  @AfterEach
  void stop() {
    pool.close();
    pair.close();
  }

  @Test
  void publishesNoEventThatAFailOverLoses() {
    UUID kept = append();
    relay.publish();
    assertThat(published()).containsExactly(kept);

    pair.standby().stop();
    UUID lost = UUID.randomUUID();
    assertThat(whileWaitsAreCancelled(() -> append(lost))).isInstanceOf(NotDurableException.class);
    assertThat(stored(pair.primary())).as("visible all the same").containsExactly(kept, lost);
    assertThat(whileWaitsAreCancelled(relay::publish)).isInstanceOf(NotDurableException.class);

    assertThat(stored(pair.failOver())).containsExactly(kept);
    assertThat(published()).as("nothing that the new primary lacks").containsExactly(kept);
  }

  @Test
  void publishesTheEventWhenTheStandbyIsBack() {
    pair.standby().stop();
    UUID late = UUID.randomUUID();
    assertThat(whileWaitsAreCancelled(() -> append(late))).isInstanceOf(NotDurableException.class);
    pair.standby().restart();
    pair.awaitStreaming();
    relay.publish();
    assertThat(published()).containsExactly(late);
    assertThat(stored(pair.failOver())).containsExactly(late);
  }

  /** An event that is appended between the mark and the sending has no mark behind it. */
  @Test
  void publishesOnlyWhatWasThereBeforeTheMark() {
    UUID before = append();
    UUID after = UUID.randomUUID();
    TransactionTemplate interrupted =
        new TransactionTemplate(durable) {
          private static final long serialVersionUID = 1L;
          private boolean marked;

          @Override
          public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            T result = super.execute(action);
            if (!marked) {
              marked = true;
              append(after);
            }
            return result;
          }
        };
    relay(interrupted).publish();
    assertThat(published()).containsExactly(before);
    relay.publish();
    assertThat(published()).containsExactly(before, after);
  }

  private OutboxRelay relay(TransactionTemplate transactions) {
    return new OutboxRelay(
        jdbc,
        transactions,
        new KafkaTemplate<>(() -> kafka),
        new OutboxBacklog(jdbc, new SimpleMeterRegistry()));
  }

  private UUID append() {
    UUID id = UUID.randomUUID();
    append(id);
    return id;
  }

  private void append(UUID id) {
    durably.executeWithoutResult(t ->
        outbox.append(
            Topics.SPENT,
            new byte[0],
            EventEnvelope.newBuilder().setEventId(id.toString()).setType("test").build()));
  }

  /** Runs work, cancels the waits of its commits, and returns its failure. */
  private @Nullable Throwable whileWaitsAreCancelled(Runnable work) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(work);
    Await.until(
        "the end of the work",
        () -> {
          pair.cancelWaiting();
          return done.isDone();
        });
    Throwable failure = catchThrowable(done::join);
    return failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
  }

  private List<UUID> published() {
    return kafka.history().stream()
        .map(event -> UUID.fromString(Events.parse(event.value()).getEventId()))
        .toList();
  }

  private static List<UUID> stored(PostgresServer server) {
    return server
        .jdbc(DATABASE)
        .sql("SELECT event_id FROM outbox ORDER BY sequence")
        .query(UUID.class)
        .list();
  }
}
