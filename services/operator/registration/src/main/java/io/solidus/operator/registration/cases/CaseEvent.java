package io.solidus.operator.registration.cases;

import java.time.Instant;

/** Something that was done with a case: submitted, screened, viewed, approved, refused. */
public record CaseEvent(Instant at, String actor, String action) {}
