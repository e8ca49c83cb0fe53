package io.solidus.platform.security;

import java.util.Set;

/**
 * The roles of the admin API, as in the tokens' claims, for
 * {@code @PreAuthorize("hasRole('...')")}.
 */
public final class Roles {
  public static final String KYC_OPERATOR = "kyc-operator";
  public static final String SANCTIONS_OPERATOR = "sanctions-operator";
  public static final String POLICY_OPERATOR = "policy-operator";
  public static final String ISSUANCE_OPERATOR = "issuance-operator";

  /** Approves mints, payouts and what changes the books. */
  public static final String MONEY_APPROVER = "money-approver";

  /** Approves imports of lists, and listed addresses. */
  public static final String LIST_APPROVER = "list-approver";

  /** Approves policies. */
  public static final String RULES_APPROVER = "rules-approver";

  /** Approves persons whom one officer may not decide alone. */
  public static final String PEOPLE_APPROVER = "people-approver";

  /** Has the roles of all four approvers. */
  public static final String APPROVER = "approver";

  /** Reads everything and does nothing; a token with it has no other role. */
  public static final String AUDITOR = "auditor";

  /** Another service of this platform, not a person; a token with it has no other role. */
  public static final String SERVICE = "service";

  private static final Set<String> APPROVERS =
      Set.of(MONEY_APPROVER, LIST_APPROVER, RULES_APPROVER, PEOPLE_APPROVER);

  private static final Set<String> ALL =
      Set.of(
          KYC_OPERATOR,
          SANCTIONS_OPERATOR,
          POLICY_OPERATOR,
          ISSUANCE_OPERATOR,
          MONEY_APPROVER,
          LIST_APPROVER,
          RULES_APPROVER,
          PEOPLE_APPROVER,
          APPROVER,
          AUDITOR,
          SERVICE);

  private Roles() {}

  /** Every role; a token's other roles do not count. */
  public static Set<String> all() {
    return ALL;
  }

  /** The approvers' roles, by what they approve. */
  public static Set<String> approvers() {
    return APPROVERS;
  }
}
