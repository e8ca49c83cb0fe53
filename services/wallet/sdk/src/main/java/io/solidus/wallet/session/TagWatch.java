package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.gateway.TaggedPage;
import io.solidus.wallet.request.RequestToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the payment of a request by its one-time tag. What the gateway says of a tag is a hint:
 * the caller verifies each message as if it came from anywhere, and the bucket is read as well,
 * because a gateway can drop a tag, and junk can fill it.
 */
public final class TagWatch {
  /** Between two questions where no stream can be opened. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** After which the bucket is read although the gateway says that nothing came. */
  private static final Duration BUCKET_EVERY = Duration.ofSeconds(10);

  /** Messages of one tag that are looked at; a gateway that shows more lies. */
  private static final int MAX_MESSAGES = 256;

  /** What a gateway can cause, and what may be over at the next reading. */
  private static final Set<WalletError> OF_THE_GATEWAY =
      Set.of(
          WalletError.GATEWAY_UNREACHABLE,
          WalletError.GATEWAY_MISBEHAVED,
          WalletError.MAILBOX_STALE);

  private final GatewayClient gateway;
  private final RequestToken tag;
  private final Set<Digest32> seen = new HashSet<>();
  private long newest;
  private boolean full;
  private boolean answered;
  private @Nullable RuntimeException unread;

  public TagWatch(GatewayClient gateway, RequestToken tag) {
    this.gateway = gateway;
    this.tag = tag;
  }

  /**
   * Waits until something is accepted.
   *
   * @param patience the longest wait
   * @param accept takes messages that anybody can have sent; returns what it accepted
   * @param readBucket reads the bucket and returns what it accepted
   * @return empty when nothing came in this time
   * @throws ProtocolException when the bucket could not be read, and the gateway did not answer for
   *     the tag at last either; at once when another try cannot help
   * @throws WalletException in the same case, and when lists of mail are stale; at once when the
   *     cause is not the gateway
   */
  @Spec("F-71")
  public <T> List<T> await(
      Duration patience, Function<List<byte[]>, List<T>> accept, Supplier<List<T>> readBucket) {
    long end = System.nanoTime() + patience.toNanos();
    List<T> found = bucket(readBucket);
    long bucketAt = System.nanoTime() + BUCKET_EVERY.toNanos();
    while (found.isEmpty() && !Thread.currentThread().isInterrupted()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
      found = accept.apply(next(Duration.ofNanos(Math.min(left, BUCKET_EVERY.toNanos()))));
      boolean unsure =
          full && unread == null; // a bucket that was just refused is not asked at once
      if (found.isEmpty() && (unsure || System.nanoTime() - bucketAt >= 0)) {
        found = bucket(readBucket);
        bucketAt = System.nanoTime() + BUCKET_EVERY.toNanos();
      }
    }
    if (found.isEmpty() && unread != null && (!answered || isStale(unread))) {
      throw unread;
    }
    return found;
  }

  /** Whether a gateway shows no new list of mail, which its owner has to hear of. */
  private static boolean isStale(RuntimeException refusal) {
    return refusal instanceof WalletException e && e.error() == WalletError.MAILBOX_STALE;
  }

  /** One reading that fails ends no wait: the tag may have the payment, or the next reading. */
  private <T> List<T> bucket(Supplier<List<T>> read) {
    try {
      List<T> found = read.get();
      unread = null;
      return found;
    } catch (ProtocolException e) {
      if (!e.code().retryable()) {
        throw e;
      }
      unread = e;
    } catch (WalletException e) {
      if (!OF_THE_GATEWAY.contains(e.error())) {
        throw e;
      }
      unread = e;
    }
    return List.of();
  }

  /** Messages with the tag that were not there before; waits for one. */
  private List<byte[]> next(Duration patience) {
    long begun = System.nanoTime();
    if (!gateway.awaitTagged(tag, newest, patience)) {
      pause(Math.min(PAUSE.toNanos(), patience.toNanos()) - (System.nanoTime() - begun));
    }
    TaggedPage page;
    try {
      page = gateway.tagged(tag);
      answered = true;
    } catch (ProtocolException | WalletException e) {
      answered = false;
      full = true; // the bucket says whether the gateway answers at all
      pause(PAUSE.toNanos() - (System.nanoTime() - begun));
      return List.of();
    }
    List<byte[]> fresh = new ArrayList<>();
    for (MailboxPage.Entry entry : page.entries()) {
      newest = entry.sequence();
      if (seen.size() < MAX_MESSAGES && seen.add(Digest32.sha256(entry.blob()))) {
        fresh.add(entry.blob());
      }
    }
    full = page.full() || seen.size() == MAX_MESSAGES;
    if (fresh.isEmpty()) {
      pause(PAUSE.toNanos() - (System.nanoTime() - begun));
    }
    return fresh;
  }

  private static void pause(long nanos) {
    if (nanos > 0) {
      try {
        Thread.sleep(Duration.ofNanos(nanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
