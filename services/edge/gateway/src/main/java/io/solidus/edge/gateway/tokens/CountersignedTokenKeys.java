package io.solidus.edge.gateway.tokens;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.AuthorityFanOut;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.CountersignTokenKeysReply;
import io.solidus.wire.v1.CountersignTokenKeysRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The keys of tokens with the signatures of a quorum of authorities, each of which countersigns one
 * key for a day. Wallets take no others.
 */
@Component
class CountersignedTokenKeys implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(CountersignedTokenKeys.class);

  /** Limit for one shard; the next shard of the same authority is called after it. */
  private static final Duration SHARD_LIMIT = Duration.ofSeconds(2);

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** Authorities of an older release refuse for as long as they run. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  /** Time for the remaining f authorities after a quorum. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final AuthorityClient authorities;
  private final AuthorityFanOut fanOut;
  private final Committee committee;
  private final boolean on;
  private final RepeatedJob attempts =
      new RepeatedJob("token-countersignatures", EVERY, this::attempt);
  private volatile Optional<String> note = Optional.empty();
  private volatile @Nullable SignedNote published;

  // of the one thread that attempts
  private @Nullable SignedNote done;
  private @Nullable SignedNote tried;
  private Duration pause = EVERY;
  private long nextNanos = System.nanoTime();

  CountersignedTokenKeys(
      AuthorityClient authorities,
      AuthorityFanOut fanOut,
      Committee committee,
      GatewayProperties properties) {
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.on = properties.tokens().isOn();
  }

  /**
   * The newest note that a quorum countersigned.
   *
   * @throws ProtocolException not-found where the gateway takes no tokens, unavailable while too
   *     few authorities have countersigned
   */
  String note() {
    if (!on) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this gateway takes no tokens");
    }
    return note.orElseThrow(() ->
        new ProtocolException(
            RejectionCode.UNAVAILABLE,
            "too few authorities have countersigned the keys of tokens"));
  }

  /** Takes what the registration service signed, for the authorities to countersign. */
  void publish(SignedNote signed) {
    published = signed;
  }

  /** Tries again after pauses that grow; anything else than before is tried at once. */
  private void attempt() {
    SignedNote wanted = published;
    if (wanted == null || wanted.equals(done)) {
      return;
    }
    if (!wanted.equals(tried)) {
      tried = wanted;
      pause = EVERY;
    } else if (System.nanoTime() - nextNanos < 0) {
      return;
    }
    if (countersign(wanted)) {
      done = wanted;
    } else {
      nextNanos = System.nanoTime() + pause.toNanos();
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  /** Whether a quorum countersigned; while fewer do, the note before stays. */
  private boolean countersign(SignedNote published) {
    List<NoteSignature> lines = new ArrayList<>();
    CountersignTokenKeysRequest request =
        CountersignTokenKeysRequest.newBuilder().setNote(published.encode()).build();
    AuthorityFanOut.Replies<CountersignTokenKeysReply> replies =
        fanOut.call(
            authorities.indexes(),
            authority ->
                authorities.askAnyShard(
                    authority, SHARD_LIMIT, shard -> shard.countersignTokenKeys(request)));
    for (var reply = replies.next(); reply != null; reply = replies.next()) {
      if (reply instanceof AuthorityFanOut.Reply.Received<CountersignTokenKeysReply> received) {
        line(published.text(), received.authority(), received.value()).ifPresent(lines::add);
        if (lines.size() == committee.quorum()) {
          replies.shortenDeadline(GRACE);
        }
      }
    }
    if (lines.size() < committee.quorum()) {
      log.warn(
          "{} authorities countersigned the keys of tokens, {} are needed",
          lines.size(),
          committee.quorum());
      return false;
    }
    lines.sort(Comparator.comparing(NoteSignature::name));
    note = Optional.of(new SignedNote(published.text(), lines).encode());
    return true;
  }

  private Optional<NoteSignature> line(
      String text, int authority, CountersignTokenKeysReply reply) {
    NoteKey key = committee.member(authority).countersigner();
    try {
      SignedNote signed = SignedNote.parse(reply.getNote());
      return signed.text().equals(text) && signed.isSignedBy(key)
          ? signed.signatures().stream().filter(line -> line.isOf(key)).findFirst()
          : Optional.empty();
    } catch (ProtocolException e) {
      return Optional.empty(); // an invalid note counts as no answer
    }
  }

  @Override
  public void start() {
    if (on) {
      attempts.start();
    }
  }

  @Override
  public void stop() {
    RepeatedJob.stopAll(List.of(attempts));
  }

  @Override
  public boolean isRunning() {
    return attempts.isRunning();
  }
}
