package io.solidus.authority.signer;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.log.LogAudit;
import io.solidus.authority.signer.log.LogDamagedException;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SyncFailedException;
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
 * The sign-log from start to stop. Until it has been verified against the database nothing is
 * signed; when the two disagree nothing is signed until a person has looked, and every shard that
 * asks is told so.
 *
 * <p>A failed write, of a full volume for example, heals without anybody: the log is closed, opened
 * and verified as at the start, with growing pauses, until that succeeds. A failed fsync does not.
 */
public final class LogHolder implements SmartLifecycle {

  /** Whether signatures are given. */
  public enum State {
    /** Not yet: the log is verified for the first time. */
    STARTING,
    HEALTHY,
    /** Not now: a write failed, and the log is opened and verified again. */
    HEALING,
    /** Not before a person has looked and has started the process again. */
    NEEDS_RESTART;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What holds at a moment; {@code why} nothing is signed, or the open log. */
  private record Standing(State state, @Nullable SignLog open, String why) {}

  private static final Logger log = LoggerFactory.getLogger(LogHolder.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);
  private static final Standing STARTING =
      new Standing(State.STARTING, null, "the sign-log is still being verified");

  private final LogAudit audit;
  private final Path path;
  private final BackOff backOff;
  private final AtomicLong failedWrites = new AtomicLong();
  private volatile Standing standing = STARTING;
  private volatile boolean running;
  private volatile @Nullable Thread keeper;

  LogHolder(LogAudit audit, Path path) {
    this(audit, path, new BackOff(FIRST_PAUSE, LONGEST_PAUSE));
  }

  LogHolder(LogAudit audit, Path path, BackOff backOff) {
    this.audit = audit;
    this.path = path;
    this.backOff = backOff;
  }

  /** Why nothing is signed; empty when all is well. */
  public Optional<String> problem() {
    Standing now = standing;
    return now.open() == null
        ? Optional.of(now.why())
        : now.open().failure().map(RuntimeException::getMessage);
  }

  /** Agrees with {@link #problem}: nothing but a healthy log has none. */
  public State state() {
    Standing now = standing;
    return now.open() == null
        ? now.state()
        : now.open().failure().map(LogHolder::after).orElse(State.HEALTHY);
  }

  /** Failed writes since the start, after each of which the log was, or is being, opened again. */
  long failedWrites() {
    return failedWrites.get();
  }

  void requireReady() {
    problem()
        .ifPresent(why -> {
          throw GrpcReplies.unavailable("the signer does not sign: " + why);
        });
  }

  SignLog require() {
    requireReady();
    SignLog current = standing.open();
    if (current == null) {
      throw GrpcReplies.unavailable("the signer does not sign: the sign-log is closed");
    }
    return current;
  }

  @Override
  public void start() {
    running = true;
    standing = STARTING;
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
    SignLog current = standing.open();
    standing = new Standing(State.STARTING, null, "it is stopping");
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

  private void keep() {
    try {
      Optional<SignLog> opened = openPatiently();
      while (opened.isPresent() && heal(opened.get())) {
        opened = openPatiently();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Empty when it may not be opened. */
  private Optional<SignLog> openPatiently() throws InterruptedException {
    while (running) {
      try {
        return hold(audit.open(path));
      } catch (LogDamagedException | SyncFailedException e) {
        stopForGood(e.getMessage());
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
    standing = new Standing(State.HEALTHY, verified, "");
    log.info("the sign-log is verified; signing may begin");
    return Optional.of(verified);
  }

  /**
   * Waits until the log takes nothing more; closes it where opening it again may help, and says
   * whether.
   */
  private boolean heal(SignLog current) throws InterruptedException {
    RuntimeException why = current.awaitFailure();
    if (after(why) != State.HEALING) {
      // it keeps the files locked until it is stopped, and its failure is the answer to whoever
      // asks
      reportStandstill(why.getMessage());
      return false;
    }
    failedWrites.incrementAndGet();
    log.error(
        "nothing is signed until the sign-log has been opened and verified again: {}",
        why.getCause().getMessage());
    standing =
        new Standing(
            State.HEALING, null, "a write to the sign-log failed; it is opened and verified again");
    try {
      current.closeAfterFailedWrite();
    } catch (IOException e) {
      stopForGood(e.getMessage());
      return false;
    }
    if (current.used()) {
      backOff.reset();
    }
    Thread.sleep(backOff.next());
    return true;
  }

  private void stopForGood(String why) {
    standing = new Standing(State.NEEDS_RESTART, null, why);
    reportStandstill(why);
  }

  private void reportStandstill(String why) {
    if (running) {
      log.error(
          "NOTHING IS SIGNED until a person has looked and has started the signer again: {}", why);
    }
  }

  private static State after(RuntimeException failure) {
    return SignLog.mayBeReopened(failure) ? State.HEALING : State.NEEDS_RESTART;
  }
}
