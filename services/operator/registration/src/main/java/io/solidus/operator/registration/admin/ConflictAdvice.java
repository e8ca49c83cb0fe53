package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseConflictException;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers decisions that a case's state does not allow. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ConflictAdvice {

  @ExceptionHandler
  ResponseEntity<Problem> conflict(CaseConflictException e) {
    CaseConflictException.Kind kind = e.kind();
    return ProblemResponses.answer(
        HttpStatus.CONFLICT.value(), kind.code(), kind.detail(), kind.retryable());
  }
}
