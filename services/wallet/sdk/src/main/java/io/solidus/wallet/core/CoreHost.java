package io.solidus.wallet.core;

import io.solidus.protocol.Family;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.Spec;
import io.solidus.prover.NativeException;
import io.solidus.prover.WalletCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a host: step, keep, perform. The next state is kept before the first effect that came
 * with it is performed, and every effect has a deadline, after which the core is told that there is
 * no answer. So a process may end between any two of its instructions, and the next one goes on
 * with {@link #resume}.
 *
 * <p>An object of this class is one opening of a wallet. Its methods may be called from any thread;
 * one command is at work at a time. Interrupting the thread of a command ends the call, and leaves
 * the command to {@link #resume}.
 */
@Spec("W-40")
public final class CoreHost {
  private static final int VERSION = 5;
  private static final int SESSION_BYTES = 16;
  private static final int ENTROPY_BYTES = 32;

  /** The core asks for less; these are for a core that is newer than its host. */
  private static final Duration MAX_EXCHANGE = Duration.ofMinutes(2);

  /** A phone of 2019 makes a proof in some seconds. */
  private static final Duration MAX_PROOF = Duration.ofMinutes(3);

  private static final Duration MAX_PAUSE = Duration.ofMinutes(2);

  /** The kinds of events of W-32, with their numbers. */
  private enum Event {
    CREATE(1),
    COMMAND(2),
    REPLY(3),
    PROOF(4),
    WAKE(5),
    RESUME(6),
    LOOK(7),
    CANCEL(8),
    KEPT(9),
    PAGE(10),
    SERVICES(11);

    private final int number;

    Event(int number) {
      this.number = number;
    }
  }

  private final HostParts parts;
  private final SecureRandom random = new SecureRandom();
  private final byte[] session = new byte[SESSION_BYTES];
  private final Object stepping = new Object();
  private final AtomicBoolean working = new AtomicBoolean();
  private volatile @Nullable Future<?> performed;

  private CoreHost(HostParts parts) {
    this.parts = parts;
    random.nextBytes(session);
  }

  /**
   * Makes a wallet of known words, which has to be restored before it is used.
   *
   * @throws WalletException {@code store-exists}; {@code manifest-untrusted} when the pinned key
   *     did not sign the keys
   */
  public static CoreHost create(HostParts parts, CoreProfile profile, SeedPhrase phrase) {
    byte[] before = parts.store().read();
    Arrays.fill(before, (byte) 0);
    if (before.length != 0) {
      throw new WalletException(WalletError.STORE_EXISTS, "there is a wallet already");
    }
    CoreHost host = new CoreHost(parts);
    RecordWriter body = new RecordWriter();
    profile.write(body);
    try {
      host.step(Event.CREATE, body.text(phrase.words()).take());
    } catch (NativeException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "the core does not take the keys: " + e.getMessage(), e);
    }
    return host;
  }

  /**
   * Opens a wallet. {@link #resume} goes on with what its last process left.
   *
   * @throws WalletException {@code store-missing}
   */
  public static CoreHost open(HostParts parts) {
    byte[] before = parts.store().read();
    Arrays.fill(before, (byte) 0);
    if (before.length == 0) {
      throw new WalletException(WalletError.STORE_MISSING, "there is no wallet");
    }
    return new CoreHost(parts);
  }

  /**
   * Carries a command out. A command of this id that is at work goes on; one that has ended well is
   * not made again.
   *
   * @return {@code busy} when another command is at work
   * @throws WalletException when the state cannot be kept
   */
  public CoreResult run(CoreCommand command) throws InterruptedException {
    return exclusively(
        () -> {
          RecordWriter body = new RecordWriter();
          command.write(body);
          return perform(step(Event.COMMAND, body.take()), command.id());
        },
        CoreResult.BUSY);
  }

  /** Goes on with the command that another process left; empty when there is none. */
  public Optional<CoreResult> resume() throws InterruptedException {
    return exclusively(
        () -> {
          String id = view().working();
          return id.isEmpty()
              ? Optional.empty()
              : Optional.of(perform(step(Event.RESUME, new byte[0]), id));
        },
        Optional.of(CoreResult.BUSY));
  }

  /**
   * Hands over what the network's signed services say of the mailbox, where it may be another than
   * in the wallet's profile: after the wallet was opened, and before {@link #resume}.
   *
   * @return false when a command is at work
   * @throws WalletException {@code manifest-untrusted} when the core does not take it
   */
  public boolean useServices(int mailboxBits, List<MailReplica> replicas)
      throws InterruptedException {
    RecordWriter body = new RecordWriter().u8(mailboxBits).list(replicas, CoreProfile::replica);
    return exclusively(
        () -> {
          try {
            // what a command waits for is asked for again by resume
            step(Event.SERVICES, body.take());
            return true;
          } catch (NativeException e) {
            throw new WalletException(
                WalletError.MANIFEST_UNTRUSTED,
                "the core does not take the services: " + e.getMessage(),
                e);
          }
        },
        false);
  }

  public CoreView view() {
    for (Effect effect : step(Event.LOOK, new byte[0])) {
      if (effect instanceof Effect.View shown) {
        return shown.view();
      }
    }
    throw new IllegalStateException("the core shows nothing");
  }

  /**
   * The transfers of a page of history, the newest last.
   *
   * @param page from 0 to {@link CoreView#pages}, exclusive
   * @return empty when the page is lost, or is not the one that was kept
   */
  public Optional<List<CoreView.Transfer>> history(int page) {
    RecordWriter body = new RecordWriter().u32(page).sized(parts.pages().read(page));
    for (Effect effect : step(Event.PAGE, body.take())) {
      if (effect instanceof Effect.Page shown) {
        return shown.code().isEmpty() ? Optional.of(shown.history()) : Optional.empty();
      }
    }
    throw new IllegalStateException("the core shows no page");
  }

  /** Ends the command at work. What it has committed stays. */
  public void cancel() {
    for (Effect effect : step(Event.CANCEL, new byte[0])) {
      if (effect instanceof Effect.Tell told) {
        parts.news().accept(told.news());
      }
    }
    Future<?> now = performed;
    if (now != null) {
      now.cancel(true);
    }
  }

  private interface Work<T> {
    T run() throws InterruptedException;
  }

  private <T> T exclusively(Work<T> work, T busy) throws InterruptedException {
    if (!working.compareAndSet(false, true)) {
      return busy;
    }
    try {
      return work.run();
    } finally {
      working.set(false);
    }
  }

  private CoreResult perform(List<Effect> first, String id) throws InterruptedException {
    CoreResult end = CoreResult.CANCELLED;
    Deque<Effect> queue = new ArrayDeque<>(first);
    for (Effect effect = queue.poll(); effect != null; effect = queue.poll()) {
      switch (effect) {
        case Effect.Asked asked -> queue.addAll(answer(asked));
        case Effect.Tell told -> {
          if (told.news().ends(id)) {
            end = new CoreResult(told.news().code());
          }
          parts.news().accept(told.news());
        }
        case Effect.View shown -> throw new IllegalStateException("a view that nobody asked for");
        case Effect.Page shown -> throw new IllegalStateException("a page that nobody asked for");
      }
    }
    return end;
  }

  private List<Effect> answer(Effect.Asked effect) throws InterruptedException {
    RecordWriter body = new RecordWriter().u64(effect.number());
    return switch (effect) {
      case Effect.Http http -> {
        CoreExchange.Answer answer = exchange(http.exchange());
        body.u16(answer.status()).u32(answer.retryAfter()).sized(answer.body());
        yield step(Event.REPLY, body.take());
      }
      case Effect.Prove proof -> {
        try {
          byte[] made = within(MAX_PROOF, () -> prove(proof), new byte[0]);
          yield step(Event.PROOF, body.sized(made).take());
        } finally {
          Arrays.fill(proof.witness(), (byte) 0);
        }
      }
      case Effect.Wake wake -> {
        within(MAX_PAUSE, () -> sleepUntil(wake.atMillis()), false);
        yield step(Event.WAKE, body.take());
      }
      case Effect.Archive page -> {
        boolean kept =
            within(MAX_PAUSE, () -> parts.pages().write(page.page(), page.bytes()), false);
        yield step(Event.KEPT, body.u8(kept ? 1 : 0).take());
      }
    };
  }

  private CoreExchange.Answer exchange(CoreExchange asked) throws InterruptedException {
    Duration limit = asked.deadline().compareTo(MAX_EXCHANGE) < 0 ? asked.deadline() : MAX_EXCHANGE;
    return within(limit, () -> parts.exchanges().send(asked), CoreExchange.Answer.NONE);
  }

  private boolean sleepUntil(long millis) throws InterruptedException {
    parts.clock().sleepUntil(millis);
    return true;
  }

  /** In the form of the bridge's reply: two bytes of zero, then the proof. */
  private byte[] prove(Effect.Prove proof) {
    byte[] witness = proof.witness().clone();
    try {
      byte[] made = parts.proofs().prove(Family.of(proof.family()), witness);
      return new RecordWriter().u16(0).raw(made).take();
    } finally {
      Arrays.fill(witness, (byte) 0);
    }
  }

  /**
   * What the work gives within a time; otherwise, and when it fails for a reason that may pass, the
   * answer that there is none.
   */
  private <T> T within(Duration limit, Callable<T> work, T otherwise) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    performed = task;
    Thread.ofVirtual().name("effect").start(task);
    try {
      return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | CancellationException e) {
      return otherwise;
    } catch (ExecutionException e) {
      return orThrow(e.getCause(), otherwise);
    } finally {
      performed = null;
      task.cancel(true);
    }
  }

  private static <T> T orThrow(@Nullable Throwable failure, T otherwise) {
    if (failure instanceof WalletException || failure instanceof NativeException) {
      return otherwise;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw failure instanceof RuntimeException defect
        ? defect
        : new IllegalStateException("an effect failed", failure);
  }

  /** Hands an event to the core, and keeps the next state before it returns the effects. */
  private List<Effect> step(Event event, byte[] body) {
    synchronized (stepping) {
      byte[] entropy = new byte[ENTROPY_BYTES];
      random.nextBytes(entropy);
      byte[] record =
          new RecordWriter()
              .u8(VERSION)
              .raw(session)
              .u64(parts.clock().now())
              .raw(entropy)
              .u8(event.number)
              .sized(body)
              .take();
      byte[] state = {};
      byte[] next = {};
      byte[] effects = {};
      try {
        state = parts.store().read();
        WalletCore.Step step = WalletCore.step(state, record);
        next = step.state();
        effects = step.effects();
        if (event != Event.LOOK && event != Event.PAGE) {
          parts.store().write(next);
        }
        return Effect.list(effects);
      } finally {
        for (byte[] secret : List.of(state, next, effects, record, entropy, body)) {
          Arrays.fill(secret, (byte) 0);
        }
      }
    }
  }
}
