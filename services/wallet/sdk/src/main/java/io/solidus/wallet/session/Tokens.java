package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RegistrationClient;
import io.solidus.wallet.gateway.TokenSource;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.SpendableToken;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.trust.TokenKeys;
import io.solidus.wire.token.BlindedToken;
import io.solidus.wire.token.Token;
import io.solidus.wire.token.TokenChallenge;
import io.solidus.wire.token.TokenKey;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The blind tokens of a registered wallet: it fetches a batch a day and spends one for each request
 * that costs a gateway something and its sender nothing. Without a token such a request shares the
 * little that strangers get, so nothing here stops a wallet.
 */
@Spec("A-11")
final class Tokens implements TokenSource {
  /** See {@link SpendableToken#usableFrom}. */
  static final Duration REST = Duration.ofHours(1);

  private static final Duration PAUSE = Duration.ofMinutes(10);

  private final WalletStore store;
  private final WalletKeys keys;
  private final NetworkId network;
  private final Committee committee;
  private final String origin;
  private final Clock clock;
  private final SecureRandom random;

  /**
   * A failed attempt is not repeated before: the owner waits for a service that does not answer.
   */
  private Instant next = Instant.MIN;

  /**
   * Makes it.
   *
   * @param origin host name of the wallet's gateway
   */
  Tokens(
      WalletStore store,
      WalletKeys keys,
      NetworkId network,
      Committee committee,
      String origin,
      Clock clock,
      SecureRandom random) {
    this.store = store;
    this.keys = keys;
    this.network = network;
    this.committee = committee;
    this.origin = origin;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Takes a token of the earliest day that counts, any of them: two devices of one phrase draw the
   * same tokens, and the same order would spend each twice.
   */
  @Override
  public synchronized Optional<Token> take() {
    long now = clock.millis();
    List<SpendableToken> usable =
        counting(store.state()).stream().filter(token -> token.usableFrom() <= now).toList();
    long earliest = usable.stream().mapToLong(SpendableToken::day).min().orElse(0);
    List<SpendableToken> first = usable.stream().filter(token -> token.day() == earliest).toList();
    if (first.isEmpty()) {
      return Optional.empty();
    }
    SpendableToken taken = first.get(random.nextInt(first.size()));
    store.update(edit -> edit.tokens.remove(taken));
    return Optional.of(taken.token());
  }

  /**
   * Fetches the batch of today if the wallet is registered, has none of today yet, and either a
   * time of the day that it drew has passed or it has no token left. A failure leaves it without a
   * batch, and the next call after ten minutes tries again.
   */
  synchronized void fetchIfDue(GatewayClient gateway, Supplier<RegistrationClient> registration) {
    WalletState state = store.state();
    RegistrationCase opened = state.registered();
    long today = today();
    if (opened == null
        || clock.instant().isBefore(next)
        || state.tokenDay() >= today
        || !isTime(state, today)) {
      return;
    }
    try {
      fetch(gateway, registration.get(), opened, today);
    } catch (ProtocolException | WalletException e) {
      next = clock.instant().plus(PAUSE);
    }
  }

  private boolean isTime(WalletState state, long today) {
    Instant drawn =
        LocalDate.ofEpochDay(today)
            .atStartOfDay()
            .toInstant(ZoneOffset.UTC)
            .plusSeconds(keys.tokenSecond(today));
    return counting(state).isEmpty() || !clock.instant().isBefore(drawn);
  }

  private void fetch(
      GatewayClient gateway, RegistrationClient registration, RegistrationCase opened, long today) {
    TokenKeyList list = TokenKeys.read(committee, network, gateway.tokenKeys());
    String spki =
        list.keyOf(today)
            .orElseThrow(() ->
                new ProtocolException(RejectionCode.UNAVAILABLE, "today has no key of tokens yet"));
    TokenKey key = TokenKey.of(HexFormat.of().parseHex(spki));
    TokenChallenge challenge = new TokenChallenge(list.issuer(), new byte[0], origin);
    List<BlindedToken> blinded =
        IntStream.range(0, list.batch())
            .mapToObj(number -> keys.token(key, challenge, today, number))
            .toList();
    List<byte[]> signed =
        registration.tokens(opened, today, blinded.stream().map(BlindedToken::request).toList());
    long usableFrom = clock.instant().plus(REST).toEpochMilli();
    List<SpendableToken> fetched = new ArrayList<>();
    for (int i = 0; i < blinded.size(); i++) {
      fetched.add(new SpendableToken(today, usableFrom, blinded.get(i).finish(signed.get(i))));
    }
    store.update(edit -> {
      edit.tokenDay = today;
      edit.tokens.removeIf(token -> token.day() < today - 1);
      edit.tokens.addAll(fetched);
    });
  }

  private List<SpendableToken> counting(WalletState state) {
    long today = today();
    return state.tokens().stream().filter(token -> token.day() >= today - 1).toList();
  }

  private long today() {
    return TokenKeyList.today(clock);
  }
}
