package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.Banks;
import io.solidus.protocol.Amount;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Which line of the bank's statement brought the money of which funding. */
@Service
public class FundingLines {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final int MAX_WORDS = 60;

  private final JdbcClient jdbc;
  private final RedemptionKeys keys;
  private final Banks banks;

  FundingLines(JdbcClient jdbc, RedemptionKeys keys, Banks banks) {
    this.jdbc = jdbc;
    this.keys = keys;
    this.banks = banks;
  }

  /**
   * Requires that a funding's id is one of its bank's words. Payers write it, and its bank gets
   * their money and reads who they are.
   *
   * @throws DeskConflictException funding-id-of-bank
   */
  void requireWord(String bank, String fundingId) {
    if (!isOf(bank, fundingId)) {
      throw new DeskConflictException(
          "funding-id-of-bank", "a fundingId begins with its bank here: " + bank + ":");
    }
  }

  private boolean isOf(String bank, String fundingId) {
    return banks.all().size() == 1 || banks.ofWord(fundingId).filter(bank::equals).isPresent();
  }

  /**
   * Those of a line's words that can name fundings of its bank. A word that begins with a bank's id
   * says whose the money is, so the other words count no more; words that name two banks say
   * nothing.
   */
  public Set<String> ofOneBank(Set<String> words) {
    if (banks.all().size() == 1 || words.stream().noneMatch(banks::isNamed)) {
      return words;
    }
    Set<String> naming =
        words.stream().filter(banks::isNamed).collect(Collectors.toCollection(LinkedHashSet::new));
    return naming.stream().map(banks::ofWord).distinct().count() == 1 ? naming : Set.of();
  }

  /** A funding that a line can name. */
  public record Named(String fundingId, long sequence, long amountMinor, boolean hasLine) {}

  /**
   * The line of a funding.
   *
   * @param counterparty JSON with name, account and text of the payer
   */
  public record FundingLine(
      long lineId, String reference, LocalDate bookedOn, long amountMinor, byte[] counterparty) {
    @Override
    public String toString() {
      return "FundingLine[" + lineId + "]";
    }
  }

  /** The words of a line that can be a funding's id: its references, and what the payer wrote. */
  public static Set<String> words(
      @Nullable String endToEndId, String reference, @Nullable String remittance) {
    Set<String> words = new LinkedHashSet<>();
    words.add(reference);
    if (endToEndId != null) {
      words.add(endToEndId);
    }
    Matcher matcher = WORD.matcher(remittance == null ? "" : remittance);
    while (matcher.find() && words.size() < MAX_WORDS) {
      words.add(matcher.group());
    }
    return words;
  }

  /**
   * The fundings with these ids that were not reversed, by their ids. Those whose ids are not of
   * their bank are left out: they are from before there were several banks.
   */
  public Map<String, Named> named(Collection<String> ids) {
    return jdbc
        .sql(
            "SELECT funding.funding_id, sequence, amount_minor, l.line_id IS NOT NULL, bank FROM funding"
                + " LEFT JOIN funding_line l ON l.funding_id = funding.funding_id AND NOT l.voided"
                + " WHERE NOT reversed AND funding.funding_id = ANY(?)")
        .param(ids.toArray(String[]::new))
        .query((row, n) -> {
          Named named =
              new Named(row.getString(1), row.getLong(2), row.getLong(3), row.getBoolean(4));
          return isOf(row.getString(5), named.fundingId())
              ? Optional.of(named)
              : Optional.<Named>empty();
        })
        .list()
        .stream()
        .flatMap(Optional::stream)
        .collect(Collectors.toMap(Named::fundingId, named -> named));
  }

  /** Ties lines to fundings of their amounts. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void assignAll(Map<String, Long> linesByFunding) {
    jdbc.sql("INSERT INTO funding_line (funding_id, line_id) SELECT * FROM unnest(?, ?)")
        .params(
            linesByFunding.keySet().toArray(String[]::new),
            linesByFunding.values().toArray(Long[]::new))
        .update();
  }

  /**
   * Ties a line to a funding of its amount.
   *
   * @throws DeskConflictException line-taken when the line is unknown, of another amount, or backs
   *     another funding
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void assign(String fundingId, long lineId) {
    try {
      jdbc.sql("INSERT INTO funding_line (funding_id, line_id) VALUES (?, ?)")
          .params(fundingId, lineId)
          .update();
    } catch (DataIntegrityViolationException e) {
      throw taken();
    }
  }

  /**
   * Whether a line of this amount is in suspense, so that a funding can take it from there, and
   * nobody has said that its money is something else.
   */
  boolean isInSuspense(long lineId, Amount amount) {
    return jdbc.sql(
            """
            SELECT EXISTS (SELECT 1 FROM bank_line WHERE line_id = :line AND credit AND amount_minor = :amount)
               AND in_suspense(:line) = :amount
               AND NOT EXISTS (SELECT 1 FROM line_assignment WHERE credit_line = :line AND status <> 'refused')
            """)
        .param("line", lineId)
        .param("amount", amount.minor())
        .query(Boolean.class)
        .single();
  }

  static DeskConflictException taken() {
    return new DeskConflictException(
        "line-taken",
        "the line is not a credit of this amount in suspense, or it backs another funding");
  }

  /** Closes the difference of a line whose money a funding explains. */
  @Transactional(propagation = Propagation.MANDATORY)
  void explain(long lineId, String fundingId, String operator, Instant at) {
    jdbc.sql(
            "UPDATE bank_difference SET closed_by = ?, closed_at = ?, note = ?"
                + " WHERE line_id = ? AND name = 'unknown-credit' AND closed_by IS NULL")
        .params(
            operator,
            OffsetDateTime.ofInstant(at, ZoneOffset.UTC),
            "the funding " + fundingId,
            lineId)
        .update();
  }

  /** Takes the line from a reversed funding. */
  @Transactional(propagation = Propagation.MANDATORY)
  void release(String fundingId) {
    jdbc.sql("UPDATE funding_line SET active = false WHERE funding_id = ? AND NOT voided")
        .param(fundingId)
        .update();
  }

  boolean hasLine(String fundingId) {
    return find(fundingId).isPresent();
  }

  /** The line on which a funding's money came, opened. */
  Optional<FundingLine> find(String fundingId) {
    return jdbc.sql(
            "SELECT line_id, reference, booked_on, amount_minor, sealed FROM funding_line JOIN bank_line USING (line_id)"
                + " WHERE funding_id = ? AND NOT funding_line.voided")
        .param(fundingId)
        .query((row, n) ->
            new FundingLine(
                row.getLong(1),
                row.getString(2),
                row.getObject(3, LocalDate.class),
                row.getLong(4),
                keys.openRecord(row.getBytes(5))))
        .optional();
  }
}
