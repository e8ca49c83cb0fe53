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
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The keys of tokens with the signatures of a quorum of authorities, each of which countersigns one
 * key for a day. Wallets take no others.
 */
@Component
class CountersignedTokenKeys implements SmartLifecycle {
  /** Limit for one shard; the next shard of the same authority is called after it. */
  private static final Duration SHARD_LIMIT = Duration.ofSeconds(2);

  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(2);

  /** Authorities of an older release refuse for as long as they run. */
  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(10);

  /** What is countersigned stays so; another note ends the pause. */
  private static final Duration PAUSE = Duration.ofDays(1);

  /** Time for the remaining f authorities after a quorum. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final AuthorityClient authorities;
  private final AuthorityFanOut fanOut;
  private final Committee committee;
  private final boolean on;
  private final RepeatedJob attempts =
      RepeatedJob.selfPaced(
          "token-countersignatures", this::attempt, FIRST_BACK_OFF, LONGEST_BACK_OFF);
  private volatile Optional<String> note = Optional.empty();
  private volatile @Nullable SignedNote published;

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
    SignedNote before = published;
    if (before == null || !before.encode().equals(signed.encode())) {
      published = signed;
      attempts.wake();
    }
  }

  private Duration attempt() {
    SignedNote wanted = published;
    if (wanted != null) {
      note = Optional.of(countersigned(wanted));
    }
    return PAUSE;
  }

  /**
   * The note with the signatures of a quorum; while fewer sign, the note before stays.
   *
   * @throws ProtocolException unavailable
   */
  private String countersigned(SignedNote published) {
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
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE,
          lines.size()
              + " authorities countersigned the keys of tokens, "
              + committee.quorum()
              + " are needed");
    }
    lines.sort(Comparator.comparing(NoteSignature::name));
    return new SignedNote(published.text(), lines).encode();
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
