package io.solidus.edge.gateway.tokens;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.token.TokenChallenge;
import io.solidus.wire.token.TokenKey;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The keys of the days whose tokens count, from the note that the registration service signs. While
 * that service does not answer, the keys that are known go on.
 */
@Component
class TokenKeyring implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(TokenKeyring.class);
  private static final String PATH = "/v1/tokens/keys";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration EVERY = Duration.ofMinutes(10);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final int MAX_BYTES = 64 * 1024;

  private final NetworkId network;
  private final NoteTrust trust;
  private final Clock clock;
  private final GatewayProperties.Tokens tokens;
  private final CountersignedTokenKeys countersigned;
  private final BoundedCalls http;
  private final RepeatedJob refresh =
      new RepeatedJob("token-keys", EVERY, AFTER_FAILURE, this::refresh);

  private volatile Map<Digest32, DayKey> keys = Map.of();

  /**
   * A key.
   *
   * @param day whose tokens it signs, in days since 1970
   * @param challenge digest of the challenge that tokens for this gateway answer
   */
  record DayKey(TokenKey key, long day, Digest32 challenge) {}

  TokenKeyring(
      NetworkId network,
      NoteTrust trust,
      Clock clock,
      GatewayProperties properties,
      CountersignedTokenKeys countersigned,
      HttpClients clients) {
    this.network = network;
    this.trust = trust;
    this.clock = clock;
    this.tokens = properties.tokens();
    this.countersigned = countersigned;
    this.http = new BoundedCalls(clients.open(CONNECT_TIMEOUT));
  }

  /** The key of this id, if its tokens count now. */
  Optional<DayKey> find(Digest32 id) {
    return Optional.ofNullable(keys.get(id))
        .filter(known ->
            known.day() >= TokenDays.oldest(clock) && known.day() <= TokenKeyList.today(clock));
  }

  private void refresh() {
    BoundedCalls.Answer answer;
    try {
      answer =
          http.send(HttpRequest.newBuilder(URI.create(tokens.url() + PATH)), TIMEOUT, MAX_BYTES);
    } catch (NoAnswerException e) {
      throw unavailable(String.valueOf(e.getMessage()));
    }
    if (!answer.isOk()) {
      throw unavailable("answered with status " + answer.status());
    }
    SignedNote published =
        trust
            .registration()
            .require(
                SignedNote.parse(new String(answer.body(), StandardCharsets.UTF_8)),
                clock.instant());
    keys = read(published.text());
    countersigned.publish(published);
  }

  private static ProtocolException unavailable(String why) {
    log.warn("the registration service {}; the keys of tokens stay as they are", why);
    return new ProtocolException(RejectionCode.UNAVAILABLE, "the keys of tokens are unavailable");
  }

  private Map<Digest32, DayKey> read(String text) {
    TokenKeyList list = TokenKeyList.parse(network, text);
    Digest32 challenge = new TokenChallenge(list.issuer(), new byte[0], tokens.origin()).digest();
    Map<Digest32, DayKey> read = new HashMap<>();
    for (int i = 0; i < list.keys().size(); i++) {
      TokenKey key = TokenKey.of(HexFormat.of().parseHex(list.keys().get(i)));
      read.put(key.id(), new DayKey(key, list.firstDay() + i, challenge));
    }
    return Map.copyOf(read);
  }

  @Override
  public void start() {
    if (tokens.isOn()) {
      refresh.start();
    }
  }

  @Override
  public void stop() {
    RepeatedJob.stopAll(List.of(refresh));
    http.close();
  }

  @Override
  public boolean isRunning() {
    return refresh.isRunning();
  }
}
