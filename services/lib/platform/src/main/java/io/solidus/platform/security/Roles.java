package io.solidus.platform.security;

import java.util.Set;

/**
 * The roles of the admin API, as in the token's {@code roles} claim, for
 * {@code @PreAuthorize("hasRole('...')")}.
 */
public final class Roles {
  public static final String KYC_OPERATOR = "kyc-operator";
  public static final String SANCTIONS_OPERATOR = "sanctions-operator";
  public static final String POLICY_OPERATOR = "policy-operator";
  public static final String ISSUANCE_OPERATOR = "issuance-operator";
  public static final String APPROVER = "approver";
  public static final String AUDITOR = "auditor";

  /** Another service of this platform, not a person. */
  public static final String SERVICE = "service";

  static final Set<String> ALL =
      Set.of(
          KYC_OPERATOR,
          SANCTIONS_OPERATOR,
          POLICY_OPERATOR,
          ISSUANCE_OPERATOR,
          APPROVER,
          AUDITOR,
          SERVICE);

  private Roles() {}
}
