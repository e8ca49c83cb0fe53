package io.solidus.operator.sanctions.approval;

import io.solidus.platform.security.Roles;
import java.util.Arrays;

/** The kinds of proposals, each with the role that may propose it. */
public enum ProposalKind {
  ADDRESS_LISTING("address-listing", Roles.SANCTIONS_OPERATOR),
  ADDRESS_DELISTING("address-delisting", Roles.SANCTIONS_OPERATOR),
  POLICY("policy", Roles.POLICY_OPERATOR),
  /** Stops the whole network. */
  POLICY_HALT("policy-halt", Roles.POLICY_OPERATOR),
  POLICY_HALT_LIFTING("policy-halt-lifting", Roles.POLICY_OPERATOR),
  LIST_IMPORT("list-import", Roles.SANCTIONS_OPERATOR);

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
