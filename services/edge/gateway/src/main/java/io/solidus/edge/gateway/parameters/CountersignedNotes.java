package io.solidus.edge.gateway.parameters;

import io.solidus.edge.gateway.committee.Authorities;
import io.solidus.edge.gateway.committee.FanOut;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;

/**
 * The newest policy and checkpoint that f+1 authorities have countersigned, as one note. Kept for a
 * second, so that many wallets make one question.
 */
@Component
class CountersignedNotes {
  private static final long KEEP_NANOS = 1_000_000_000L;

  /** For one shard; another of the same authority is asked after it. */
  private static final Duration STATUS_LIMIT = Duration.ofSeconds(1);

  /** For the f authorities beyond a quorum: everybody waits while they are asked. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final Authorities authorities;
  private final FanOut fanOut;
  private final Committee committee;
  private final NetworkId network;
  private final ReentrantLock asking = new ReentrantLock();
  private Map<Integer, GetStatusReply> statuses = Map.of();
  private long askedAt = System.nanoTime() - KEEP_NANOS - 1;

  CountersignedNotes(
      Authorities authorities, FanOut fanOut, Committee committee, NetworkId network) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.network = network;
  }

  /**
   * @throws ProtocolException unavailable while fewer than f+1 authorities state the same
   */
  String policy() {
    return merged(GetStatusReply::getPolicyNote, text -> Policy.parse(network, text).version());
  }

  /**
   * @throws ProtocolException unavailable while fewer than f+1 authorities state the same
   */
  String checkpoint() {
    return merged(
        GetStatusReply::getCheckpointNote,
        text -> SanctionCheckpoint.parse(network, text).version());
  }

  private String merged(Function<GetStatusReply, String> noteOf, ToLongFunction<String> versionOf) {
    Map<String, MergedNote> byText = new LinkedHashMap<>();
    statuses()
        .forEach((authority, status) -> {
          String encoded = noteOf.apply(status);
          if (!encoded.isEmpty()) {
            add(byText, authority, encoded, versionOf);
          }
        });
    return byText.values().stream()
        .filter(note -> note.countersigned() >= committee.weakQuorum())
        .max(Comparator.comparingLong(MergedNote::version))
        .map(note -> note.encode(committee.weakQuorum()))
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.UNAVAILABLE, "nothing is countersigned by enough authorities yet"));
  }

  private void add(
      Map<String, MergedNote> byText,
      int authority,
      String encoded,
      ToLongFunction<String> versionOf) {
    try {
      SignedNote note =
          SignedNote.parse(encoded).requireSignedBy(committee.member(authority).countersigner());
      // the version is what the signed text says, not what an authority says of it
      long version = versionOf.applyAsLong(note.text());
      byText
          .computeIfAbsent(note.text(), text -> new MergedNote(text, version))
          .add(note, committee.member(authority).countersigner());
    } catch (ProtocolException faulty) {
      // an authority that states nonsense states nothing
    }
  }

  private Map<Integer, GetStatusReply> statuses() {
    asking.lock();
    try {
      if (System.nanoTime() - askedAt > KEEP_NANOS) {
        statuses = ask();
        askedAt = System.nanoTime();
      }
      return statuses;
    } finally {
      asking.unlock();
    }
  }

  private Map<Integer, GetStatusReply> ask() {
    Map<Integer, GetStatusReply> heard = new LinkedHashMap<>();
    FanOut.Answers<GetStatusReply> answers =
        fanOut.ask(
            authorities.indexes(),
            authority ->
                authorities.askAnyShard(
                    authority,
                    STATUS_LIMIT,
                    shard -> shard.getStatus(GetStatusRequest.getDefaultInstance())));
    for (FanOut.Answer<GetStatusReply> answer = answers.next();
        answer != null;
        answer = answers.next()) {
      if (answer instanceof FanOut.Answer.Given<GetStatusReply> given) {
        heard.put(given.authority(), given.value());
        if (heard.size() == committee.quorum()) {
          answers.enough(GRACE);
        }
      }
    }
    return heard;
  }
}
