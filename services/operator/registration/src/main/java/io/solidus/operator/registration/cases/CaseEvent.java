package io.solidus.operator.registration.cases;

import java.time.Instant;

/** An entry of a case's audit trail, such as submitted, screened, viewed, approved or refused. */
public record CaseEvent(Instant at, String actor, String action) {}
