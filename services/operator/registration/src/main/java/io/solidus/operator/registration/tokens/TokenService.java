package io.solidus.operator.registration.tokens;

import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.cases.CaseSubmissionService;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.token.TokenIssuer;
import io.solidus.wire.token.TokenRequest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Issues a batch of tokens to each registered wallet and day. It signs blindly: it learns who asks
 * and nothing of what becomes of the tokens. A batch that is asked for again gets the same answers.
 */
@Spec("A-09")
public final class TokenService {
  /** Keys are published so many days ahead, so that gateways have them in time. */
  private static final int DAYS_AHEAD = 2;

  /** Batches that are signed at a time; each takes about a quarter of a second of a processor. */
  private static final int AT_A_TIME = 4;

  private final NetworkId network;
  private final NoteSigner signer;
  private final TokenStore store;
  private final CaseSubmissionService cases;
  private final Clock clock;
  private final RegistrationProperties.TokenSettings settings;
  private final SecureRandom random = new SecureRandom();
  private final Bulkhead batches =
      new Bulkhead(AT_A_TIME, "too many tokens are being issued; try again shortly");

  TokenService(
      NetworkId network,
      NoteSigner signer,
      TokenStore store,
      CaseSubmissionService cases,
      Clock clock,
      RegistrationProperties.TokenSettings settings) {
    this.network = network;
    this.signer = signer;
    this.store = store;
    this.cases = cases;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * The signed keys of yesterday, as far as there were any, of today and of the days to come.
   *
   * @throws ProtocolException not-found where no tokens are issued, or no keys are made yet
   */
  public String keys() {
    requireOn();
    List<TokenStore.Day> days = store.from(today() - 1);
    if (days.isEmpty()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "there are no keys of tokens yet");
    }
    TokenKeyList list =
        new TokenKeyList(
            settings.issuer(),
            settings.perDay(),
            days.getFirst().day(),
            days.stream().map(day -> HexFormat.of().formatHex(day.key().spki())).toList());
    return SignedNote.sign(list.toNoteText(network), signer).encode();
  }

  /**
   * Signs the batch of a case and day.
   *
   * @param token of the case
   * @param day in days since 1970 (UTC); today alone
   * @param requests exactly as many as a day has
   * @return the answers, in the order of the requests
   * @throws ProtocolException not-found without such a case whose registration stands,
   *     idempotency-mismatch when another batch was asked for on that day, malformed-request,
   *     overloaded
   */
  public List<byte[]> issue(UUID caseId, String token, long day, List<TokenRequest> requests) {
    requireOn();
    cases.requireRegistered(caseId, token);
    if (day != today() || requests.size() != settings.perDay()) {
      throw ProtocolException.malformed(
          "ask for the " + settings.perDay() + " tokens of today (UTC)");
    }
    return batches.run(() -> signed(caseId, day, requests));
  }

  private List<byte[]> signed(UUID caseId, long day, List<TokenRequest> requests) {
    TokenIssuer issuer =
        store
            .issuer(day)
            .orElseThrow(() ->
                new ProtocolException(RejectionCode.UNAVAILABLE, "today's key is not made yet"));
    // signed first, so that a batch that cannot be signed is none
    List<byte[]> answers = requests.stream().map(issuer::sign).toList();
    Digest32 digest =
        Digest32.sha256(requests.stream().map(TokenRequest::encode).toArray(byte[][]::new));
    if (!store.isTheBatch(caseId, day, digest)) {
      throw new ProtocolException(
          RejectionCode.IDEMPOTENCY_MISMATCH, "another batch was asked for on this day");
    }
    return answers;
  }

  /** Makes the keys that are missing, and destroys the private keys of the days that are over. */
  public void refreshKeys() {
    long today = today();
    List<Long> known = store.from(today).stream().map(TokenStore.Day::day).toList();
    for (long day = today; day <= today + DAYS_AHEAD; day++) {
      if (!known.contains(day)) {
        store.add(day, TokenIssuer.generate(random));
      }
    }
    store.endBefore(today);
  }

  private void requireOn() {
    if (!settings.isOn()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this network issues no tokens");
    }
  }

  private long today() {
    return TokenKeyList.today(clock);
  }
}
