package io.solidus.edge.gateway.tokens;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.Spec;
import io.solidus.wire.token.Token;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Tells the requests of registered wallets from all others, without telling wallets apart. A
 * request that spends a valid token gets a place of its class, every other one a place of the class
 * of strangers. Nothing is refused for its token.
 */
@Component
@Spec("A-08")
public class TokenGate {
  private final TokenKeyring keys;
  private final SpentTokens spent;
  private final boolean on;

  TokenGate(TokenKeyring keys, SpentTokens spent, GatewayProperties properties) {
    this.keys = keys;
    this.spent = spent;
    this.on = properties.tokens().isOn();
  }

  /**
   * The class in which a request waits for a place; spends its token.
   *
   * @param authorization the header, if there is one
   * @param own class of requests that show a token, and of all while this gateway takes none
   */
  public RequestClass classOf(@Nullable String authorization, RequestClass own) {
    return !on || spends(authorization) ? own : RequestClass.STRANGER;
  }

  /**
   * Whether a request is a stranger's for certain: it shows no token of this gateway and of a day
   * that counts. One that was spent is not noticed here, and nothing is spent.
   *
   * @param authorization the header, if there is one
   */
  boolean isStrangers(@Nullable String authorization) {
    return on
        && (authorization == null
            || Token.ofAuthorization(authorization).filter(this::isGenuine).isEmpty());
  }

  private boolean spends(@Nullable String authorization) {
    if (authorization == null) {
      return false;
    }
    return Token.ofAuthorization(authorization).filter(this::isSpent).isPresent();
  }

  private boolean isGenuine(Token token) {
    return genuine(token).isPresent();
  }

  /** Cheap comparisons go before the signature, and the signature before the database. */
  private boolean isSpent(Token token) {
    return genuine(token).filter(known -> spent.spend(known.day(), token.nonce())).isPresent();
  }

  private Optional<TokenKeyring.DayKey> genuine(Token token) {
    return keys.find(token.keyId())
        .filter(known -> known.challenge().equals(token.challenge()))
        .filter(known -> token.isSignedBy(known.key()));
  }
}
