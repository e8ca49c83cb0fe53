package io.solidus.operator.console.sanctions;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A policy: limits for a month. Amounts are in minor units. */
record Policy(
    long version,
    int period,
    long maxPerTransferMinor,
    long maxPerPeriodMinor,
    long maxHeldMinor,
    long maxEscrowMinor,
    int maxTransfersPerPeriod,
    long mintCapPerDayMinor,
    long effectiveAtMillis) {

  /** The fields of a form with the names of the API, and what they mean. */
  static final Map<String, String> AMOUNTS = new LinkedHashMap<>();

  static {
    AMOUNTS.put("maxPerTransferMinor", "Most for one transfer");
    AMOUNTS.put("maxPerPeriodMinor", "Most that one holder pays in a month");
    AMOUNTS.put("maxHeldMinor", "Most that one holder may hold");
    AMOUNTS.put("maxEscrowMinor", "Most that one escrow may hold");
    AMOUNTS.put("mintCapPerDayMinor", "Most that may be minted in a day");
  }

  /**
   * A limit beside the one in force.
   *
   * @param before a dash when nothing is in force
   */
  record Difference(String field, String before, String after, boolean differs) {}

  public Instant effectiveAt() {
    return Instant.ofEpochMilli(effectiveAtMillis);
  }

  /** Whether nobody can pay. */
  public boolean isHalt() {
    return maxPerTransferMinor == 0 && maxTransfersPerPeriod == 0;
  }

  public long amount(String field) {
    return switch (field) {
      case "maxPerTransferMinor" -> maxPerTransferMinor;
      case "maxPerPeriodMinor" -> maxPerPeriodMinor;
      case "maxHeldMinor" -> maxHeldMinor;
      case "maxEscrowMinor" -> maxEscrowMinor;
      case "mintCapPerDayMinor" -> mintCapPerDayMinor;
      default -> throw new IllegalArgumentException(field);
    };
  }

  /** An amount for a form: 1000.00. */
  public String typed(String field) {
    return BigDecimal.valueOf(amount(field), 2).toPlainString();
  }

  /** A month as people write it: 2026-11. */
  public static String month(int period) {
    return "%04d-%02d".formatted(period / 100, period % 100);
  }

  /**
   * The newest policy that is in force at a time.
   *
   * @param newestFirst by version
   */
  static @Nullable Policy inForce(List<Policy> newestFirst, Instant at) {
    return newestFirst.stream()
        .filter(policy -> !policy.effectiveAt().isAfter(at))
        .findFirst()
        .orElse(null);
  }

  /** What a proposal changes against a policy, field by field. */
  static List<Difference> against(@Nullable Policy inForce, JsonNode proposed) {
    List<Difference> all = new ArrayList<>();
    all.add(
        difference(
            "Month",
            inForce == null ? null : month(inForce.period()),
            month(proposed.path("period").asInt(0))));
    AMOUNTS.forEach((field, words) ->
        all.add(
            difference(
                words,
                inForce == null ? null : shown(inForce.amount(field)),
                shown(proposed.path(field).asLong(0)))));
    all.add(
        difference(
            "Most transfers of one holder in a month",
            inForce == null ? null : Integer.toString(inForce.maxTransfersPerPeriod()),
            Integer.toString(proposed.path("maxTransfersPerPeriod").asInt(0))));
    return all;
  }

  private static String shown(long minor) {
    return String.format(Locale.ENGLISH, "%,.2f", BigDecimal.valueOf(minor, 2));
  }

  private static Difference difference(String field, @Nullable String before, String after) {
    return new Difference(field, before == null ? "–" : before, after, !after.equals(before));
  }

  /** The first moment of a month in UTC. */
  static long firstMillis(YearMonth month) {
    return month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }
}
