package io.solidus.validator.signer;

import io.solidus.validator.authority.GrpcReplies;
import io.solidus.validator.signer.log.LogAudit;
import io.solidus.validator.signer.log.LogDamagedException;
import io.solidus.validator.signer.log.SignLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The sign-log from start to stop. Until it has been verified against the database nothing is signed; when the two
 * disagree nothing is signed until a person has looked, and every shard that asks is told so.
 */
public final class LogHolder implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(LogHolder.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final LogAudit audit;
  private final Path path;
  private volatile @Nullable SignLog open;
  private volatile @Nullable String refusal;
  private volatile boolean running;
  private volatile @Nullable Thread opener;

  LogHolder(LogAudit audit, Path path) {
    this.audit = audit;
    this.path = path;
  }

  /** Why nothing is signed; empty when all is well. */
  public Optional<String> problem() {
    String why = refusal;
    if (why != null) {
      return Optional.of(why);
    }
    SignLog current = open;
    return current == null
        ? Optional.of("the sign-log is still being verified")
        : current.failure().map(RuntimeException::getMessage);
  }

  void requireReady() {
    problem().ifPresent(why -> {
      throw GrpcReplies.unavailable("the signer does not sign: " + why);
    });
  }

  SignLog require() {
    requireReady();
    SignLog current = open;
    if (current == null) {
      throw GrpcReplies.unavailable("the signer does not sign: it is stopping");
    }
    return current;
  }

  @Override
  public void start() {
    running = true;
    opener = Thread.ofPlatform().name("sign-log-audit").daemon().start(this::openWhenPossible);
  }

  @Override
  public void stop() {
    running = false;
    Thread thread = opener;
    try {
      if (thread != null) {
        thread.interrupt();
        thread.join(Duration.ofSeconds(10));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    SignLog current = open;
    open = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        log.warn("the sign-log did not close: {}", e.getMessage());
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void openWhenPossible() {
    while (running) {
      try {
        hold(audit.open(path));
        return;
      } catch (LogDamagedException e) {
        refusal = e.getMessage();
        log.error("NOTHING IS SIGNED: {}", e.getMessage());
        return;
      } catch (DataAccessException | TransactionException e) {
        log.warn("the sign-log cannot be compared with the database yet: {}", e.getClass().getSimpleName());
      } catch (IOException e) {
        log.warn("the sign-log cannot be opened yet: {}", e.getMessage());
      }
      pause();
    }
  }

  private void hold(SignLog verified) throws IOException {
    if (!running) {
      verified.close();
      return;
    }
    open = verified;
    log.info("the sign-log is verified; signing may begin");
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
