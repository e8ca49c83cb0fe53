package io.solidus.wallet.model;

/** A case at the registration service and the token that gives access to it. */
public record RegistrationCase(String id, String accessToken) {
  @Override
  public String toString() {
    return "RegistrationCase[" + id + "]";
  }
}
