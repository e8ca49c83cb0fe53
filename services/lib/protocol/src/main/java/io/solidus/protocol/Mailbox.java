package io.solidus.protocol;

import java.util.regex.Pattern;

/**
 * The mailbox where a payee looks for its coins.
 *
 * @param host empty for the mailbox of the payee's network; otherwise the name of a host, at most
 *     63 bytes, in lower case. A name in another alphabet has its ASCII form (RFC 5891), so that
 *     one host has one text, and no two that look alike
 */
@Spec("F-14")
public record Mailbox(String host) {
  public static final int MAX_BYTES = 63;

  /** The mailbox of the network, which its gateway holds. */
  public static final Mailbox NETWORK = new Mailbox("");

  private static final Pattern SHAPE =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  /**
   * @throws ProtocolException malformed-request for a text that is not the name of a host
   */
  public Mailbox {
    if (host.length() > MAX_BYTES || (!host.isEmpty() && !SHAPE.matcher(host).matches())) {
      throw ProtocolException.malformed(
          "a mailbox is the name of a host in lower case, at most " + MAX_BYTES + " characters");
    }
  }

  /** Returns whether this is another mailbox than the network's. */
  public boolean isForeign() {
    return !host.isEmpty();
  }

  /** The host's name. */
  @Override
  public String toString() {
    return host;
  }
}
