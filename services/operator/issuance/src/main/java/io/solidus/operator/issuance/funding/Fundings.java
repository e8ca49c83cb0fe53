package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.BankScope;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Records fundings and reserves their value for mints. */
@Service
public class Fundings {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final int MAX_REFERENCE_CHARS = 140;

  /** All JSON parsers read integers up to 2^53 exactly. */
  private static final long MAX_AMOUNT_MINOR = 1L << 53;

  private static final Digest32 NO_TOKEN = new Digest32(new byte[Digest32.BYTES]);

  private final FundingStore store;
  private final Ledger ledger;
  private final OperatorAuditLog audit;
  private final RedemptionKeys keys;
  private final FundingLines lines;
  private final boolean lineNeeded;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  Fundings(
      FundingStore store,
      Ledger ledger,
      OperatorAuditLog audit,
      RedemptionKeys keys,
      FundingLines lines,
      IssuanceProperties properties,
      Clock clock) {
    this.store = store;
    this.ledger = ledger;
    this.audit = audit;
    this.keys = keys;
    this.lines = lines;
    this.lineNeeded = properties.bank() != null && properties.bank().fundingsNeedLine();
    this.clock = clock;
  }

  /**
   * Records received money and returns its access token, which cannot be read again.
   *
   * @param bank whose customer paid
   * @param lineId the line of the bank's statement that brought the money, or null
   * @throws DeskConflictException line-needed, line-taken, books-full; funding-id-of-bank when the
   *     platform has several banks and the id does not begin with this one
   */
  @Transactional
  AccessToken record(
      String bank,
      String fundingId,
      Amount amount,
      @Nullable Digest32 holder,
      @Nullable String reference,
      @Nullable Long lineId,
      String operator) {
    if (lineId == null && lineNeeded) {
      throw new DeskConflictException(
          "line-needed", "a funding is recorded against a line of the bank's statement here");
    }
    requireValid(fundingId, amount, holder, reference);
    lines.requireWord(bank, fundingId);
    // two persons may be reversing the message of the line
    ledger.lock();
    AccessToken token = AccessToken.create(random);
    Funding funding =
        new Funding(
            0,
            fundingId,
            amount,
            Amount.ZERO,
            holder,
            reference == null ? null : keys.sealRecord(reference.getBytes(StandardCharsets.UTF_8)),
            token.hash(),
            operator,
            clock.instant(),
            false,
            bank);
    if (!store.insert(funding)) {
      throw new FundingConflictException("a funding with this id already exists");
    }
    if (lineId == null) {
      ledger.funded(fundingId, amount);
    } else {
      if (!lines.isInSuspense(lineId, amount)) {
        throw FundingLines.taken();
      }
      lines.assign(fundingId, lineId);
      lines.explain(lineId, fundingId, operator, clock.instant());
      ledger.creditAssigned(fundingId, amount);
    }
    audit.add(operator, "funding recorded", fundingId);
    return token;
  }

  /**
   * Replaces a lost access token. Only the operator who recorded the funding may do so: the token
   * decides who gets the coin, and this operator cannot approve the funding's mints. It is refused
   * once a mint was requested.
   */
  @Transactional
  AccessToken replaceToken(String fundingId, String operator) {
    Funding funding = store.lock(fundingId).orElseThrow(Fundings::notFound);
    if (!funding.recordedBy().equals(operator)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN,
          "only the operator who recorded a funding can replace its access token");
    }
    if (!funding.reserved().isZero() || funding.reversed()) {
      throw new FundingConflictException(
          "a mint of this funding was already requested, or it was reversed");
    }
    AccessToken token = AccessToken.create(random);
    store.replaceToken(fundingId, token.hash());
    audit.add(operator, "access token replaced", fundingId);
    return token;
  }

  Funding view(String fundingId, String operator) {
    Funding funding = store.find(fundingId).orElseThrow(Fundings::notFound);
    audit.add(operator, "funding viewed", fundingId);
    return funding;
  }

  /** Returns a page of fundings and records that the operator viewed it. */
  List<Funding> page(
      BankScope scope, FundingStore.Filter filter, long cursor, int limit, String operator) {
    List<Funding> page = store.page(scope, filter, cursor, limit);
    audit.add(operator, "fundings viewed", "after " + cursor + ", " + page.size());
    return page;
  }

  /** The sender's account, decrypted. */
  Optional<String> reference(Funding funding) {
    byte[] sealed = funding.sealedReference();
    return sealed == null
        ? Optional.empty()
        : Optional.of(new String(keys.openRecord(sealed), StandardCharsets.UTF_8));
  }

  /**
   * Returns a funding to the holder of its access token.
   *
   * @throws ProtocolException unauthorized, for an unknown funding as for a wrong token
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
   * Reserves a part of a funding and locks its row until the transaction ends.
   *
   * @param opened the funding as {@link #open} returned it
   * @throws ProtocolException insufficient-funds when less is left, unauthorized when the token was
   *     replaced in the meantime
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void reserve(Funding opened, Amount value) {
    Funding funding = store.lock(opened.fundingId()).orElseThrow(Fundings::notFound);
    if (!funding.tokenHash().equals(opened.tokenHash())) {
      throw notOpened();
    }
    requireCovers(funding, value);
    store.reserve(funding.fundingId(), value.minor());
  }

  /**
   * Checks that a funding still has this value.
   *
   * @throws ProtocolException insufficient-funds when less is left
   */
  public static void requireCovers(Funding funding, Amount value) {
    if (value.compareTo(funding.remaining()) > 0) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS, "the funding has less than this value left");
    }
  }

  /** Frees the value that a refused mint had reserved. */
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
      throw ProtocolException.malformed("a funding's amount must be positive and at most 2^53");
    }
    if (holder == null && reference == null) {
      throw ProtocolException.malformed("a funding needs its holder or the sender's account");
    }
    if (reference != null && (reference.isBlank() || reference.length() > MAX_REFERENCE_CHARS)) {
      throw ProtocolException.malformed(
          "an account reference has 1 to " + MAX_REFERENCE_CHARS + " characters");
    }
  }

  private static ProtocolException notOpened() {
    return new ProtocolException(
        RejectionCode.UNAUTHORIZED, "this access token does not belong to the funding");
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such funding");
  }
}
