package io.solidus.operator.issuance.books;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** What the controllers of the desk have in common. */
public abstract class DeskController {
  private static final int MAX_PAGE = 200;

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

  /** The cursor of the next page; null when this one was not full. */
  protected static @Nullable Long next(int found, int limit, long last) {
    return found < limit ? null : Long.valueOf(last);
  }

  protected static <T> ResponseEntity<T> uncached(HttpStatus status, T body) {
    return ResponseEntity.status(status).cacheControl(CacheControl.noStore()).body(body);
  }

  protected static <T> ResponseEntity<T> uncached(T body) {
    return uncached(HttpStatus.OK, body);
  }
}
