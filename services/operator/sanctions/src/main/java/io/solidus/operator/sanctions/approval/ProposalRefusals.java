package io.solidus.operator.sanctions.approval;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers refusals of proposals with their own codes. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ProposalRefusals {
  @ExceptionHandler
  ResponseEntity<Problem> refused(ProposalRefusedException e) {
    return ProblemResponses.answer(e.status(), e.code(), e.detail(), false);
  }
}
