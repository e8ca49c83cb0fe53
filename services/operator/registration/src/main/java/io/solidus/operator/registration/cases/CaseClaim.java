package io.solidus.operator.registration.cases;

import java.time.Instant;

/** An officer works on a case until then. */
public record CaseClaim(String officer, Instant claimedAt, Instant until) {}
