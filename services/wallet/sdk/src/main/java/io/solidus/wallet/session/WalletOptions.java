package io.solidus.wallet.session;

import io.solidus.protocol.MailReplica;
import io.solidus.wallet.store.PassphraseCost;
import java.net.ProxySelector;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a wallet. Every wait is bounded.
 *
 * @param httpTimeout for one exchange with a service
 * @param patience how long a sent transfer is retried before the wallet reports it as in flight
 * @param retryPause between two attempts
 * @param maxMailboxDelay a parcel is posted after a random part of this delay, so that its post is
 *     harder to link to its payment
 * @param pollInterval between two polls of a registration or a mint that waits for a decision
 * @param passphraseCost of a new file
 * @param clock gives the times in the history
 * @param progress listener for the steps of operations
 * @param proxy for all calls, such as that of an onion router; null for none
 * @param mailboxBits of an address that its bucket of the mailbox tells, 0 to 6, in a development
 *     network without signed services; elsewhere these say it
 * @param relay whether requests go through the network's relay
 * @param replicas of the mailbox, in the order of the authorities, in a development network without
 *     signed services; elsewhere these name them
 * @param onlyDevice whether no other device uses the wallet's words: only then a transfer may claim
 *     more than two coins
 */
public record WalletOptions(
    Duration httpTimeout,
    Duration patience,
    Duration retryPause,
    Duration maxMailboxDelay,
    Duration pollInterval,
    PassphraseCost passphraseCost,
    Clock clock,
    Progress progress,
    @Nullable ProxySelector proxy,
    int mailboxBits,
    RelayUse relay,
    List<MailReplica> replicas,
    boolean onlyDevice) {
  public WalletOptions {
    replicas = List.copyOf(replicas);
  }

  /**
   * The defaults: 30 s per exchange, 60 s of retries every 0.5 s, up to 3 s before a post, polls
   * every second, {@link PassphraseCost#DEFAULT}.
   */
  public static WalletOptions defaults() {
    return new WalletOptions(
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofMillis(500),
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        PassphraseCost.DEFAULT,
        Clock.systemUTC(),
        Progress.NONE,
        null,
        0,
        RelayUse.SIGNED,
        List.of(),
        false);
  }

  public WalletOptions withProgress(Progress listener) {
    return change(draft -> draft.progress = listener);
  }

  public WalletOptions withMaxMailboxDelay(Duration delay) {
    return change(draft -> draft.maxMailboxDelay = delay);
  }

  public WalletOptions withPatience(Duration wait) {
    return change(draft -> draft.patience = wait);
  }

  public WalletOptions withRetryPause(Duration pause) {
    return change(draft -> draft.retryPause = pause);
  }

  public WalletOptions withPassphraseCost(PassphraseCost cost) {
    return change(draft -> draft.passphraseCost = cost);
  }

  public WalletOptions withClock(Clock time) {
    return change(draft -> draft.clock = time);
  }

  public WalletOptions withProxy(ProxySelector selector) {
    return change(draft -> draft.proxy = selector);
  }

  public WalletOptions withMailboxBits(int bits) {
    return change(draft -> draft.mailboxBits = bits);
  }

  /** Who says {@link RelayUse#NONE} shows the wallet's network address to the gateway. */
  public WalletOptions withRelay(RelayUse use) {
    return change(draft -> draft.relay = use);
  }

  public WalletOptions withReplicas(List<MailReplica> all) {
    return change(draft -> draft.replicas = all);
  }

  /**
   * Says that no other device uses the wallet's words. Two devices that claim many coins at one
   * moment may lose some of them.
   */
  public WalletOptions withOnlyDevice() {
    return change(draft -> draft.onlyDevice = true);
  }

  private WalletOptions change(Consumer<Draft> edit) {
    Draft draft = new Draft(this);
    edit.accept(draft);
    return new WalletOptions(
        httpTimeout,
        draft.patience,
        draft.retryPause,
        draft.maxMailboxDelay,
        pollInterval,
        draft.passphraseCost,
        draft.clock,
        draft.progress,
        draft.proxy,
        draft.mailboxBits,
        draft.relay,
        draft.replicas,
        draft.onlyDevice);
  }

  /** A mutable copy of what may be changed. */
  private static final class Draft {
    private Duration patience;
    private Duration retryPause;
    private Duration maxMailboxDelay;
    private PassphraseCost passphraseCost;
    private Clock clock;
    private Progress progress;
    private @Nullable ProxySelector proxy;
    private int mailboxBits;
    private RelayUse relay;
    private List<MailReplica> replicas;
    private boolean onlyDevice;

    private Draft(WalletOptions options) {
      patience = options.patience;
      retryPause = options.retryPause;
      maxMailboxDelay = options.maxMailboxDelay;
      passphraseCost = options.passphraseCost;
      clock = options.clock;
      progress = options.progress;
      proxy = options.proxy;
      mailboxBits = options.mailboxBits;
      relay = options.relay;
      replicas = options.replicas;
      onlyDevice = options.onlyDevice;
    }
  }
}
