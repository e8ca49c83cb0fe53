package io.solidus.dev.openid;

/**
 * A web application where people log in.
 *
 * @param redirectUri where the provider sends a browser after the login
 * @param loggedOutUri where it sends one after the logout
 */
public record WebClient(String id, String secret, String redirectUri, String loggedOutUri) {

  @Override
  public String toString() {
    return "WebClient[" + id + "]";
  }
}
