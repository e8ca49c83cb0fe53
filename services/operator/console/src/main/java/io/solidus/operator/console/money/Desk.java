package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.frame.WaitingCounts;
import io.solidus.operator.console.frame.WorkQueue;
import io.solidus.platform.security.Roles;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.JsonNode;

/** What the pages of the issuance service's desk have in common. */
final class Desk {
  static final String SECTION = "Money";
  static final Set<String> OPERATES = Set.of(Roles.ISSUANCE_OPERATOR);
  static final Set<String> APPROVES = Set.of(Roles.MONEY_APPROVER);
  static final Set<String> READS = Set.of(Roles.ISSUANCE_OPERATOR, Roles.MONEY_APPROVER);
  static final int PAGE = 50;

  /** Commas only between thousands: "1234,50" would otherwise be a hundred times as much. */
  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]{1,15}|[0-9]{1,3}(,[0-9]{3}){1,4})([.][0-9]{2})?");

  private static final int QUEUE = 200;
  private static final int DECIMALS = 2;

  private Desk() {}

  /**
   * Builds a path with a query.
   *
   * @param query names and values in turn; a null or blank value is left out
   */
  static String path(String path, @Nullable Object... query) {
    UriComponentsBuilder builder = UriComponentsBuilder.fromUriString(path);
    for (int i = 0; i < query.length; i += 2) {
      Object value = query[i + 1];
      if (value != null && !value.toString().isBlank()) {
        builder.queryParam(String.valueOf(query[i]), encode(value.toString().strip()));
      }
    }
    return builder.build(true).toUriString();
  }

  /** A part of a path that people or services chose. */
  static String encode(String part) {
    return UriUtils.encode(part, StandardCharsets.UTF_8);
  }

  /** The currency of the books; for the centre's staff alone. */
  static String currency(Api issuance) {
    return issuance.get("/admin/v1/supply").path("currency").asString("");
  }

  /**
   * Minor units of an amount as people write it: 1234.50, 1,234.50 or 1234; empty if it is none.
   */
  static OptionalLong minor(@Nullable String amount) {
    try {
      String written = amount == null ? "" : amount.strip();
      if (!AMOUNT.matcher(written).matches()) {
        return OptionalLong.empty();
      }
      long minor =
          new BigDecimal(written.replace(",", "")).movePointRight(DECIMALS).longValueExact();
      return minor > 0 ? OptionalLong.of(minor) : OptionalLong.empty();
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * A queue that is counted without a look at its names.
   *
   * @param name of the queue in the desk's answer
   */
  static WorkQueue counted(String title, int order, String page, Set<String> roles, String name) {
    return new WorkQueue(
        title,
        order,
        page,
        roles,
        apis -> WaitingCounts.reader(apis.issuance(), "/admin/v1/issuance/queues", name::equals));
  }

  /**
   * A queue that is read from a list of the desk.
   *
   * @param list the list's name in the answer
   * @param since the name of the time since when an item waits
   */
  static WorkQueue queue(
      String title,
      int order,
      String page,
      Set<String> roles,
      String api,
      String list,
      String since) {
    return new WorkQueue(
        title,
        order,
        page,
        roles,
        apis -> {
          Api issuance = apis.issuance();
          return () -> {
            JsonNode answer = issuance.get(path(api, "limit", QUEUE));
            JsonNode items = answer.path(list);
            return new WorkQueue.State(
                items.size(),
                !answer.path("next").isMissingNode() && !answer.path("next").isNull(),
                items.isEmpty() ? null : Instant.parse(items.path(0).path(since).asString()));
          };
        });
  }
}
