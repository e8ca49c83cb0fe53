package io.solidus.authority.signer;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.log.LogAudit;
import io.solidus.authority.signer.log.LogDamagedException;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SyncFailedException;
import io.solidus.platform.time.BackOff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Opens, watches and reopens the sign-log while the process runs. Nothing is signed before the log
 * is verified against the database. When the two contradict each other nothing is signed until a
 * person acts, and every shard gets that reason.
 *
 * <p>After a failed write, of a full volume for example, the log is closed, opened and verified
 * again, with growing pauses, until that succeeds; also when a table that it was compared with was
 * replaced. After a failed fsync it is not.
 */
public final class SignLogSupervisor implements SmartLifecycle {

  /** Whether signatures are given. */
  public enum State {
    /** Not yet: the log is verified for the first time. */
    STARTING,
    HEALTHY,
    /**
     * Not now: a write failed or a table was replaced, and the log is opened and verified again.
     */
    HEALING,
    /** Not before a person has acted and has started the process again. */
    NEEDS_RESTART;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The log as it is now. */
  private sealed interface Current {}

  /** A verified log; it may have failed since then. */
  private record Open(SignLog signLog) implements Current {}

  /** No log, with the reason why nothing is signed. */
  private record Closed(State state, String reason) implements Current {}

  private static final Logger log = LoggerFactory.getLogger(SignLogSupervisor.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);
  private static final Closed STARTING =
      new Closed(State.STARTING, "the sign-log is still being verified");

  private final LogAudit audit;
  private final Path path;
  private final BackOff backOff;
  private final AtomicLong failedWrites = new AtomicLong();
  private volatile Current current = STARTING;
  private volatile boolean running;
  private volatile @Nullable Thread keeper;

  SignLogSupervisor(LogAudit audit, Path path) {
    this(audit, path, new BackOff(FIRST_PAUSE, LONGEST_PAUSE));
  }

  SignLogSupervisor(LogAudit audit, Path path, BackOff backOff) {
    this.audit = audit;
    this.path = path;
    this.backOff = backOff;
  }

  /** The reason why nothing is signed; empty while signatures are given. */
  public Optional<String> problem() {
    return switch (current) {
      case Open open -> open.signLog().failure().map(SignLogSupervisor::describe);
      case Closed closed -> Optional.of(closed.reason());
    };
  }

  /** The state; it is healthy exactly when {@link #problem} is empty. */
  public State state() {
    return switch (current) {
      case Open open ->
          open.signLog().failure().map(SignLogSupervisor::stateAfter).orElse(State.HEALTHY);
      case Closed closed -> closed.state();
    };
  }

  /** The number of failed writes since the start; after each one the log is opened again. */
  long failedWrites() {
    return failedWrites.get();
  }

  void requireReady() {
    problem()
        .ifPresent(reason -> {
          throw GrpcReplies.unavailable("the signer does not sign: " + reason);
        });
  }

  SignLog require() {
    requireReady();
    return switch (current) {
      case Open open -> open.signLog();
      case Closed closed ->
          throw GrpcReplies.unavailable("the signer does not sign: the sign-log is closed");
    };
  }

  @Override
  public void start() {
    running = true;
    current = STARTING;
    keeper = Thread.ofPlatform().name("sign-log-keeper").daemon().start(this::keep);
  }

  @Override
  public void stop() {
    running = false;
    Thread thread = keeper;
    try {
      if (thread != null) {
        thread.interrupt();
        thread.join(STOP_DEADLINE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Current last = current;
    current = new Closed(State.STARTING, "it is stopping");
    if (last instanceof Open open) {
      try {
        open.signLog().close();
      } catch (IOException e) {
        log.warn("the sign-log did not close: {}", e.getMessage());
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void keep() {
    try {
      Optional<SignLog> opened = openWithRetries();
      while (opened.isPresent() && heal(opened.get())) {
        opened = openWithRetries();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens the log; empty when it must not be opened, or when the process stops. */
  private Optional<SignLog> openWithRetries() throws InterruptedException {
    while (running) {
      try {
        return hold(audit.open(path));
      } catch (LogDamagedException | SyncFailedException e) {
        stopForGood(describe(e));
        return Optional.empty();
      } catch (IOException e) {
        log.warn("the sign-log cannot be opened yet: {}", e.getMessage());
      } catch (RuntimeException e) {
        log.warn(
            "the sign-log cannot be compared with the database yet: {}",
            e.getClass().getSimpleName());
      }
      Thread.sleep(backOff.next());
    }
    return Optional.empty();
  }

  private Optional<SignLog> hold(SignLog verified) throws IOException {
    if (!running) {
      verified.close();
      return Optional.empty();
    }
    current = new Open(verified);
    log.info("the sign-log is verified; signing may begin");
    return Optional.of(verified);
  }

  /**
   * Waits until the log accepts nothing more, and closes it where opening it again may help.
   *
   * @return whether to open it again
   */
  private boolean heal(SignLog signLog) throws InterruptedException {
    RuntimeException failure = signLog.awaitFailure();
    if (stateAfter(failure) != State.HEALING) {
      // it keeps the files locked until the process stops, and its failure answers every request
      reportStandstill(describe(failure));
      return false;
    }
    boolean failedWrite = SignLog.isFailedWrite(failure);
    if (failedWrite) {
      failedWrites.incrementAndGet();
    }
    log.error(
        "nothing is signed until the sign-log has been opened and verified again: {}",
        describe(failedWrite ? failure.getCause() : failure));
    String reason = failedWrite ? "a write to the sign-log failed" : describe(failure);
    current = new Closed(State.HEALING, reason + "; it is opened and verified again");
    try {
      signLog.closeToReopen();
    } catch (IOException e) {
      stopForGood(describe(e));
      return false;
    }
    if (signLog.used()) {
      backOff.reset();
    }
    Thread.sleep(backOff.next());
    return true;
  }

  private void stopForGood(String reason) {
    current = new Closed(State.NEEDS_RESTART, reason);
    reportStandstill(reason);
  }

  private void reportStandstill(String reason) {
    if (running) {
      log.error(
          "NOTHING IS SIGNED until a person has looked and has started the signer again: {}",
          reason);
    }
  }

  private static State stateAfter(RuntimeException failure) {
    return SignLog.mayBeReopened(failure) ? State.HEALING : State.NEEDS_RESTART;
  }

  private static String describe(@Nullable Throwable failure) {
    String message = failure == null ? null : failure.getMessage();
    return message == null ? String.valueOf(failure) : message;
  }
}
