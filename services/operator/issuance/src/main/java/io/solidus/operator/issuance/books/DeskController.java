package io.solidus.operator.issuance.books;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import java.time.LocalDate;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** What the controllers of the desk have in common. */
public abstract class DeskController {
  /** Who may hand in, record and propose. */
  public static final String OPERATES = "hasRole('" + Roles.ISSUANCE_OPERATOR + "')";

  /** Who may approve what another person proposed. */
  public static final String APPROVES = "hasRole('" + Roles.MONEY_APPROVER + "')";

  /** Who may refuse what was proposed. */
  public static final String DECIDES =
      "hasAnyRole('" + Roles.ISSUANCE_OPERATOR + "', '" + Roles.MONEY_APPROVER + "')";

  /** Who may read the desk. */
  public static final String READS =
      "hasAnyRole('"
          + Roles.ISSUANCE_OPERATOR
          + "', '"
          + Roles.MONEY_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')";

  private static final int MAX_PAGE = 200;
  private static final Pattern WORD = Pattern.compile("[a-z-]{0,32}");
  private static final int LAST_YEAR = 9999;

  @ExceptionHandler
  ResponseEntity<Problem> refused(DeskConflictException e) {
    return ProblemResponses.answer(
        HttpStatus.CONFLICT.value(), e.code(), String.valueOf(e.getMessage()), false);
  }

  /**
   * Requires the limit of a page.
   *
   * @throws ProtocolException malformed-request unless it is 1 to 200
   */
  protected static void requireLimit(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
  }

  /**
   * Requires a word, such as a status; null stays null.
   *
   * @throws ProtocolException malformed-request unless it has at most 32 characters of a-z and -
   */
  protected static @Nullable String requireWord(@Nullable String word) {
    if (word != null && !WORD.matcher(word).matches()) {
      throw ProtocolException.malformed("a status has at most 32 characters of a-z -");
    }
    return word;
  }

  /**
   * Requires a day that the database knows too.
   *
   * @throws ProtocolException malformed-request unless its year is 1 to 9999
   */
  protected static LocalDate requireDay(LocalDate day) {
    if (day.getYear() < 1 || day.getYear() > LAST_YEAR) {
      throw ProtocolException.malformed("a day is of the years 1 to " + LAST_YEAR);
    }
    return day;
  }

  /**
   * The cursor of the next page, which is that of the last item; null when this one is not full.
   */
  protected static <T> @Nullable Long next(List<T> page, int limit, ToLongFunction<T> cursor) {
    return page.size() < limit ? null : Long.valueOf(cursor.applyAsLong(page.getLast()));
  }

  protected static <T> ResponseEntity<T> uncached(HttpStatus status, T body) {
    return ResponseEntity.status(status).cacheControl(CacheControl.noStore()).body(body);
  }

  protected static <T> ResponseEntity<T> uncached(T body) {
    return uncached(HttpStatus.OK, body);
  }
}
