package io.solidus.edge.gateway.committee;

import io.solidus.platform.description.Refuses;
import io.solidus.protocol.RejectionCode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The codes of authorities that every submission to them may be refused with. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Refuses({
  RejectionCode.IDENTITY_POINT,
  RejectionCode.POINT_NOT_ON_CURVE,
  RejectionCode.POINT_NOT_IN_SUBGROUP,
  RejectionCode.PROOF_INVALID,
  RejectionCode.SIGNATURE_INVALID,
  RejectionCode.OVERLOADED,
  RejectionCode.NO_QUORUM,
  RejectionCode.HEARTBEAT_STALE
})
public @interface RefusedByAuthorities {}
