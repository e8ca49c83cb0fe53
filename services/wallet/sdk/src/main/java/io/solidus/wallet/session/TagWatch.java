package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
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

  private final GatewayClient gateway;
  private final RequestToken tag;
  private final Set<Digest32> seen = new HashSet<>();
  private long newest;
  private boolean full;

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
   */
  @Spec("F-71")
  public <T> List<T> await(
      Duration patience, Function<List<byte[]>, List<T>> accept, Supplier<List<T>> readBucket) {
    long end = System.nanoTime() + patience.toNanos();
    List<T> found = readBucket.get();
    long bucketAt = System.nanoTime() + BUCKET_EVERY.toNanos();
    while (found.isEmpty() && !Thread.currentThread().isInterrupted()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
      found = accept.apply(next(Duration.ofNanos(Math.min(left, BUCKET_EVERY.toNanos()))));
      if (found.isEmpty() && (full || System.nanoTime() - bucketAt >= 0)) {
        found = readBucket.get();
        bucketAt = System.nanoTime() + BUCKET_EVERY.toNanos();
      }
    }
    return found;
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
    } catch (ProtocolException | WalletException e) {
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
