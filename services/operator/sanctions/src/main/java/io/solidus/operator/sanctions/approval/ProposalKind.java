package io.solidus.operator.sanctions.approval;

import io.solidus.platform.security.Roles;
import java.util.Arrays;

/** The kinds of proposals, each with the role that may propose it. */
public enum ProposalKind {
  ADDRESS_LISTING("address-listing", Roles.SANCTIONS_OPERATOR),
  ADDRESS_DELISTING("address-delisting", Roles.SANCTIONS_OPERATOR),
  POLICY("policy", Roles.POLICY_OPERATOR);

  private final String id;
  private final String role;

  ProposalKind(String id, String role) {
    this.id = id;
    this.role = role;
  }

  public String id() {
    return id;
  }

  /** The role that may propose it and may approve proposals of others. */
  String role() {
    return role;
  }

  static ProposalKind of(String id) {
    return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst().orElseThrow();
  }
}
