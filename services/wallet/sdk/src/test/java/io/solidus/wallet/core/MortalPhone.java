package io.solidus.wallet.core;

import io.solidus.protocol.MailReplica;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.store.CoreFile;
import io.solidus.wallet.store.CorePages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A phone with a core in a file, whose operating system kills the wallet's process: the host is
 * dropped where it is, and another one goes on from the file.
 */
public final class MortalPhone implements AutoCloseable {
  /** Where around an effect the process dies. */
  public enum Moment {
    /** The state that came with the effect is kept, and the effect is not performed. */
    KEPT,
    /** The effect was performed, and its answer is lost. */
    PERFORMED,
    /** The core has taken the answer, and what follows from it is not kept. */
    ANSWERED
  }

  /** Which effects a process does not outlive. */
  @FunctionalInterface
  public interface Fate {
    /**
     * Decides.
     *
     * @param effect {@code POST /v1/transfers}, without a query, {@code proof} or {@code wake}
     * @param number of the effect in this process, from 1
     * @return null to live on
     */
    @Nullable Moment of(String effect, int number);
  }

  /** Ends a process. Nothing catches it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private final Path path;
  private final SecretKey key = new SecretKeySpec(new byte[32], "AES");
  private final Exchanges exchanges;
  private final ProofMaker proofs;
  private final HostClock clock;
  private final List<String> performed = new ArrayList<>();
  private Fate fate = (effect, number) -> null;
  private CoreFile file;
  private @Nullable CoreHost host;
  private int effects;
  private int deaths;
  private volatile boolean dying;

  /** A phone on which nothing is yet. */
  public MortalPhone(Path path, Exchanges exchanges, ProofMaker proofs, HostClock clock) {
    this.path = path;
    this.exchanges = exchanges;
    this.proofs = proofs;
    this.clock = clock;
    this.file = CoreFile.open(path, key);
  }

  public void create(CoreProfile profile, String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      host = CoreHost.create(parts(), profile, phrase);
    }
  }

  /** The process ends, and the next one opens the wallet. */
  public void reopen() {
    die();
  }

  /** Carries a command out, in as many processes as it takes. */
  public CoreResult run(CoreCommand command, Fate fate) throws InterruptedException {
    this.fate = fate;
    effects = 0;
    deaths = 0;
    performed.clear();
    boolean begun = false;
    while (true) {
      CoreHost alive = host();
      try {
        Optional<CoreResult> left = begun ? alive.resume() : Optional.empty();
        begun = true;
        return left.isPresent() ? left.get() : alive.run(command);
      } catch (Killed e) {
        die();
      }
    }
  }

  public CoreResult run(CoreCommand command) throws InterruptedException {
    return run(command, (effect, number) -> null);
  }

  public CoreView view() {
    return host().view();
  }

  /** Hands the services over, as {@link CoreHost#useServices} does. */
  public boolean useServices(int mailboxBits, List<MailReplica> replicas)
      throws InterruptedException {
    return host().useServices(mailboxBits, replicas);
  }

  /** A page of history, as {@link CoreHost#history} gives it. */
  public Optional<List<CoreView.Transfer>> history(int page) {
    return host().history(page);
  }

  /** How often the process died in the last command. */
  public int deaths() {
    return deaths;
  }

  /** The effects of the last command. */
  public List<String> performed() {
    return List.copyOf(performed);
  }

  @Override
  public void close() {
    file.close();
  }

  private CoreHost host() {
    CoreHost open = host;
    if (open == null) {
      open = CoreHost.open(parts());
      host = open;
    }
    return open;
  }

  private void die() {
    deaths++;
    effects = 0;
    dying = false;
    host = null;
    file.close(); // as the operating system does
    file = CoreFile.open(path, key);
  }

  private HostParts parts() {
    CoreFile kept = file;
    StateStore store =
        new StateStore() {
          @Override
          public byte[] read() {
            return kept.read();
          }

          @Override
          public void write(byte[] state) {
            if (dying) {
              throw new Killed();
            }
            kept.write(state);
          }
        };
    HostClock mortal =
        new HostClock() {
          @Override
          public long now() {
            return clock.now();
          }

          @Override
          public void sleepUntil(long millis) throws InterruptedException {
            before("wake");
            clock.sleepUntil(millis);
            after("wake");
          }
        };
    return new HostParts(
        store,
        new CorePages(path.resolveSibling(path.getFileName() + ".history")),
        exchange -> {
          String path = exchange.path();
          String name = exchange.method() + " " + path.split("\\?", -1)[0];
          return around(name, () -> exchanges.send(exchange));
        },
        (family, witness) -> around("proof", () -> proofs.prove(family, witness)),
        mortal,
        news -> {});
  }

  private <T> T around(String effect, Callable<T> work) {
    before(effect);
    try {
      T done = work.call();
      after(effect);
      return done;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void before(String effect) {
    effects++;
    performed.add(effect);
    if (fate.of(effect, effects) == Moment.KEPT) {
      throw new Killed();
    }
  }

  private void after(String effect) {
    Moment moment = fate.of(effect, effects);
    if (moment == Moment.PERFORMED) {
      throw new Killed();
    }
    dying = moment == Moment.ANSWERED;
  }
}
