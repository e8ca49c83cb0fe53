package io.solidus.platform.problem;

import io.solidus.platform.database.DatabaseOutages;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.ConstraintViolationException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Converts every failure of a REST call to a problem document. Callers get a stable code and never
 * a stack trace. An unforeseen exception is logged with its class and place only, because its
 * message may quote the request.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
public class ProblemAdvice {
  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  @ExceptionHandler(ProtocolException.class)
  ResponseEntity<Problem> refused(ProtocolException refusal) {
    return refusal instanceof OverloadedException overloaded
        ? ProblemResponses.answer(refusal.code(), refusal.detail(), overloaded.retryAfter())
        : ProblemResponses.answer(refusal.code(), refusal.detail());
  }

  @ExceptionHandler(RefusedException.class)
  ResponseEntity<Problem> refused(RefusedException refusal) {
    return ProblemResponses.answer(
        refusal.status(), refusal.code(), String.valueOf(refusal.getMessage()), false);
  }

  @ExceptionHandler(BodyTooLargeException.class)
  ResponseEntity<Problem> tooLarge(BodyTooLargeException refusal) {
    return ProblemResponses.answer(RejectionCode.BODY_TOO_LARGE, refusal.detail());
  }

  @ExceptionHandler(HttpMessageNotReadableException.class)
  ResponseEntity<Problem> unreadable(HttpMessageNotReadableException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyTooLargeException tooLarge) {
        return tooLarge(tooLarge);
      }
      if (cause instanceof BodyTooSlowException tooSlow) {
        return ProblemResponses.answer(RejectionCode.MALFORMED_REQUEST, tooSlow.detail());
      }
      if (cause instanceof ProtocolException refusal) {
        return refused(refusal);
      }
    }
    return ProblemResponses.answer(
        RejectionCode.MALFORMED_REQUEST, "the body is not what this call takes");
  }

  @ExceptionHandler(ConstraintViolationException.class)
  ResponseEntity<Problem> invalid(ConstraintViolationException failure) {
    return ProblemResponses.answer(
        RejectionCode.MALFORMED_REQUEST, "a value is missing or out of range");
  }

  @ExceptionHandler(AccessDeniedException.class)
  ResponseEntity<Problem> denied(AccessDeniedException failure) {
    return ProblemResponses.answer(RejectionCode.FORBIDDEN, "this call needs another role");
  }

  @ExceptionHandler(AuthenticationException.class)
  ResponseEntity<Problem> unauthenticated(AuthenticationException failure) {
    return ProblemResponses.answer(RejectionCode.UNAUTHORIZED, "a valid access token is needed");
  }

  /**
   * Handles parameters of another type, and queries that Tomcat cannot parse, such as {@code ?=}.
   */
  @ExceptionHandler({TypeMismatchException.class, InvalidParameterException.class})
  ResponseEntity<Problem> mistyped(Exception failure) {
    return ProblemResponses.answer(
        RejectionCode.MALFORMED_REQUEST, "a parameter is not what this call takes");
  }

  @ExceptionHandler({DataAccessException.class, TransactionException.class})
  ResponseEntity<Problem> database(Exception failure) {
    if (!DatabaseOutages.isOutage(failure)) {
      return unforeseen(failure);
    }
    log.warn("the database is unavailable: {}", failure.getClass().getSimpleName());
    return ProblemResponses.answer(
        RejectionCode.UNAVAILABLE,
        "the service got no answer from its database, and may have done what was asked");
  }

  /**
   * Handles a content type with a wildcard, which the framework parses and then refuses to set. Any
   * other illegal argument is a defect of the service.
   */
  @ExceptionHandler(IllegalArgumentException.class)
  ResponseEntity<Problem> illegal(IllegalArgumentException failure, HttpServletRequest request) {
    String contentType = request.getContentType();
    return contentType != null && contentType.contains("*")
        ? ofStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE.value())
        : unforeseen(failure);
  }

  @ExceptionHandler(Exception.class)
  ResponseEntity<Problem> unforeseen(Exception failure) {
    if (failure instanceof ErrorResponse response) {
      return ofStatus(response.getStatusCode().value());
    }
    log.error("unforeseen failure: {} at {}", failure.getClass().getName(), place(failure));
    return ProblemResponses.answer(
        RejectionCode.INTERNAL, "the service failed; the trace id finds the entry in its log");
  }

  /** Returns the problem of a status that the framework or the container set. */
  static ResponseEntity<Problem> ofStatus(int status) {
    return switch (status) {
      case 401 -> ProblemResponses.answer(RejectionCode.UNAUTHORIZED, "an access token is needed");
      case 403 -> ProblemResponses.answer(RejectionCode.FORBIDDEN, "this call needs another role");
      case 404 -> ProblemResponses.answer(RejectionCode.NOT_FOUND, "no resource has this address");
      case 413 -> ProblemResponses.answer(RejectionCode.BODY_TOO_LARGE, "the body is too large");
      case 503 -> ProblemResponses.answer(RejectionCode.UNAVAILABLE, "the service is not ready");
      default ->
          status < 500
              ? methodOrMalformed(status)
              : ProblemResponses.answer(RejectionCode.INTERNAL, "the service failed");
    };
  }

  /** 405, 406 and 415 keep their status; every other 4xx is a malformed request. */
  private static ResponseEntity<Problem> methodOrMalformed(int status) {
    RejectionCode code = RejectionCode.MALFORMED_REQUEST;
    int kept = status == 405 || status == 406 || status == 415 ? status : code.http();
    String detail = "the method, the content type or the form of the request is not accepted";
    return ResponseEntity.status(kept)
        .header("Content-Type", Problem.MEDIA_TYPE)
        .body(Problem.of(code, kept, detail, ProblemResponses.traceId()));
  }

  private static String place(Exception failure) {
    StackTraceElement[] stack = failure.getStackTrace();
    for (StackTraceElement element : stack) {
      if (element.getClassName().startsWith("io.solidus")) {
        return element.toString();
      }
    }
    return stack.length == 0 ? "unknown" : stack[0].toString();
  }
}
