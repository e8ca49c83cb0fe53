package io.solidus.edge.gateway.parameters;

import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.AuthorityFanOut;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;

/**
 * The newest policy and the newest checkpoint that f+1 authorities have countersigned, each as one
 * note. The authorities' answers are cached for a second, so that many wallets cause one round of
 * calls.
 */
@Component
class CountersignedNotes {
  private static final long CACHE_NANOS = 1_000_000_000L;

  /** Limit for one shard; the next shard of the same authority is called after it. */
  private static final Duration STATUS_LIMIT = Duration.ofSeconds(1);

  /** Time for the remaining f authorities after a quorum; all callers wait for it. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** How many of the newest checkpoints are remembered, for wallets that just read an older one. */
  private static final int LISTS = 4;

  private final AuthorityClient authorities;
  private final AuthorityFanOut fanOut;
  private final Committee committee;
  private final NetworkId network;
  private final ReentrantLock lock = new ReentrantLock();
  private final LruMap<Long, Boolean> lists = new LruMap<>(LISTS);
  private volatile long lookedAt = System.nanoTime() - CACHE_NANOS - 1;
  private Map<Integer, GetStatusReply> statuses = Map.of();
  private long fetchedAt = System.nanoTime() - CACHE_NANOS - 1;

  CountersignedNotes(
      AuthorityClient authorities, AuthorityFanOut fanOut, Committee committee, NetworkId network) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.network = network;
  }

  /**
   * The newest policy as a signed note.
   *
   * @throws ProtocolException unavailable while fewer than f+1 authorities return the same policy
   */
  String policy() {
    return merged(GetStatusReply::getPolicyNote, text -> Policy.parse(network, text).version())
        .encode(committee.weakQuorum());
  }

  /**
   * The newest sanction checkpoint as a signed note.
   *
   * @throws ProtocolException unavailable while fewer than f+1 authorities return the same
   *     checkpoint
   */
  String checkpoint() {
    NoteSignatureMerger newest =
        merged(
            GetStatusReply::getCheckpointNote,
            text -> SanctionCheckpoint.parse(network, text).version());
    lists.remember(newest.version(), true);
    return newest.encode(committee.weakQuorum());
  }

  /**
   * Whether a sanction checkpoint that was in force, since this gateway started, names the list of
   * this version. Looks for a newer checkpoint once a second at most.
   *
   * @throws ProtocolException unavailable as with {@link #checkpoint}
   */
  boolean namesList(long version) {
    if (lists.find(version).isEmpty() && System.nanoTime() - lookedAt > CACHE_NANOS) {
      String unused = checkpoint();
      lookedAt = System.nanoTime();
    }
    return lists.find(version).isPresent();
  }

  private NoteSignatureMerger merged(
      Function<GetStatusReply, String> noteOf, ToLongFunction<String> versionOf) {
    Map<String, NoteSignatureMerger> byText = new LinkedHashMap<>();
    statuses()
        .forEach((authority, status) -> {
          String encoded = noteOf.apply(status);
          if (!encoded.isEmpty()) {
            add(byText, authority, encoded, versionOf);
          }
        });
    return byText.values().stream()
        .filter(note -> note.countersigned() >= committee.weakQuorum())
        .max(Comparator.comparingLong(NoteSignatureMerger::version))
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.UNAVAILABLE,
                "too few authorities have countersigned the same version so far"));
  }

  private void add(
      Map<String, NoteSignatureMerger> byText,
      int authority,
      String encoded,
      ToLongFunction<String> versionOf) {
    try {
      SignedNote note =
          SignedNote.parse(encoded).requireSignedBy(committee.member(authority).countersigner());
      // the version of the signed text counts, not the version field of the answer
      long version = versionOf.applyAsLong(note.text());
      byText
          .computeIfAbsent(note.text(), text -> new NoteSignatureMerger(text, version))
          .add(note, committee.member(authority).countersigner());
    } catch (ProtocolException e) {
      // an invalid note counts as no answer
    }
  }

  private Map<Integer, GetStatusReply> statuses() {
    lock.lock();
    try {
      if (System.nanoTime() - fetchedAt > CACHE_NANOS) {
        statuses = fetch();
        fetchedAt = System.nanoTime();
      }
      return statuses;
    } finally {
      lock.unlock();
    }
  }

  private Map<Integer, GetStatusReply> fetch() {
    // by index, so that notes with the same signatures have the same text
    Map<Integer, GetStatusReply> received = new TreeMap<>();
    AuthorityFanOut.Replies<GetStatusReply> replies =
        fanOut.call(
            authorities.indexes(),
            authority ->
                authorities.askAnyShard(
                    authority,
                    STATUS_LIMIT,
                    shard -> shard.getStatus(GetStatusRequest.getDefaultInstance())));
    for (var reply = replies.next(); reply != null; reply = replies.next()) {
      if (reply instanceof AuthorityFanOut.Reply.Received<GetStatusReply> status) {
        received.put(status.authority(), status.value());
        if (received.size() == committee.quorum()) {
          replies.shortenDeadline(GRACE);
        }
      }
    }
    return received;
  }
}
