package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Records fundings and lends their value to mints. */
@Service
public class Fundings {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final int MAX_REFERENCE_CHARS = 140;

  /** Every JSON reader takes integers up to 2^53. */
  private static final long MAX_AMOUNT_MINOR = 1L << 53;

  private static final byte[] NO_TOKEN = new byte[Digest32.BYTES];

  private final FundingStore store;
  private final Ledger ledger;
  private final OperatorAuditLog record;
  private final RedemptionKeys keys;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  Fundings(FundingStore store, Ledger ledger, OperatorAuditLog record, RedemptionKeys keys, Clock clock) {
    this.store = store;
    this.ledger = ledger;
    this.record = record;
    this.keys = keys;
    this.clock = clock;
  }

  /** Books money received; the token is seen this once. */
  @Transactional
  AccessToken record(
      String fundingId,
      Amount amount,
      @Nullable Digest32 holder,
      @Nullable String reference,
      String operator) {
    requireValid(fundingId, amount, holder, reference);
    AccessToken token = AccessToken.create(random);
    Funding funding =
        new Funding(
            fundingId,
            amount,
            Amount.ZERO,
            holder == null ? null : holder.bytes(),
            reference == null ? null : keys.sealRecord(reference.getBytes(StandardCharsets.UTF_8)),
            token.hash(),
            operator,
            clock.instant());
    if (!store.insert(funding)) {
      throw new FundingConflictException("a funding of this id was recorded before");
    }
    ledger.funded(fundingId, amount);
    record.add(operator, "funding recorded", fundingId);
    return token;
  }

  /**
   * A new token in place of one that was lost. Only for who recorded the funding, since whoever
   * knows a token decides whose coin it becomes and must not approve it, and only while nobody has
   * asked for a mint.
   */
  @Transactional
  AccessToken replaceToken(String fundingId, String operator) {
    Funding funding = store.lock(fundingId).orElseThrow(Fundings::notFound);
    if (!funding.recordedBy().equals(operator)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "only who recorded a funding replaces its access token");
    }
    if (!funding.reserved().isZero()) {
      throw new FundingConflictException("a mint of this funding was asked for");
    }
    AccessToken token = AccessToken.create(random);
    store.replaceToken(fundingId, token.hash());
    record.add(operator, "access token replaced", fundingId);
    return token;
  }

  Funding view(String fundingId, String operator) {
    Funding funding = store.find(fundingId).orElseThrow(Fundings::notFound);
    record.add(operator, "funding viewed", fundingId);
    return funding;
  }

  /** The sender's account, in the clear. */
  Optional<String> reference(Funding funding) {
    byte[] sealed = funding.sealedReference();
    return sealed == null
        ? Optional.empty()
        : Optional.of(new String(keys.openRecord(sealed), StandardCharsets.UTF_8));
  }

  /**
   * @throws ProtocolException unauthorized, whether there is no such funding or the token is
   *     another one's
   */
  public Funding open(String fundingId, String accessToken) {
    Optional<Funding> funding = store.find(fundingId);
    if (!AccessToken.opens(accessToken, funding.map(Funding::tokenHash).orElse(NO_TOKEN))
        || funding.isEmpty()) {
      throw notOpened();
    }
    return funding.get();
  }

  /**
   * Reserves a part of a funding; others wait for the end of the transaction.
   *
   * @param opened as its access token opened it
   * @throws ProtocolException insufficient-funds when less is left, unauthorized when the token was
   *     replaced meanwhile
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void reserve(Funding opened, Amount value) {
    Funding funding = store.lock(opened.fundingId()).orElseThrow(Fundings::notFound);
    if (!Arrays.equals(funding.tokenHash(), opened.tokenHash())) {
      throw notOpened();
    }
    requireCovers(funding, value);
    store.reserve(funding.fundingId(), value.minor());
  }

  /**
   * @throws ProtocolException insufficient-funds
   */
  public static void requireCovers(Funding funding, Amount value) {
    if (value.compareTo(funding.remaining()) > 0) {
      throw new ProtocolException(RejectionCode.INSUFFICIENT_FUNDS, "less is left of the funding");
    }
  }

  /** Gives back what a refused mint had reserved. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void free(String fundingId, Amount value) {
    store.reserve(fundingId, -value.minor());
  }

  private static void requireValid(
      String fundingId, Amount amount, @Nullable Digest32 holder, @Nullable String reference) {
    if (!ID.matcher(fundingId).matches()) {
      throw ProtocolException.malformed(
          "a fundingId has 1 to 64 characters of A-Z a-z 0-9 . _ : -");
    }
    if (amount.isZero() || amount.minor() > MAX_AMOUNT_MINOR) {
      throw ProtocolException.malformed("a funding's amount is positive and at most 2^53");
    }
    if (holder == null && reference == null) {
      throw ProtocolException.malformed("a funding names its holder or the account it came from");
    }
    if (reference != null && (reference.isBlank() || reference.length() > MAX_REFERENCE_CHARS)) {
      throw ProtocolException.malformed(
          "an account reference has 1 to " + MAX_REFERENCE_CHARS + " characters");
    }
  }

  private static ProtocolException notOpened() {
    return new ProtocolException(
        RejectionCode.UNAUTHORIZED, "the funding does not open with this access token");
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such funding");
  }
}
