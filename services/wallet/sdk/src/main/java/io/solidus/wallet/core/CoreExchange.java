package io.solidus.wallet.core;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request to a service of the network.
 *
 * @param role of the service; its address and its pins are the host's
 * @param method GET or POST
 * @param path with the query
 * @param body empty for GET
 * @param maxBytes how many bytes of the answer count; one more shows the core that it is too long
 * @param deadline for the whole exchange
 */
public record CoreExchange(
    Role role,
    String method,
    String path,
    Map<String, String> headers,
    byte[] body,
    int maxBytes,
    Duration deadline) {
  /** The services that the core speaks with. */
  public enum Role {
    GATEWAY,
    REGISTRATION,
    ISSUANCE;

    private static Role of(int number) {
      return switch (number) {
        case 1 -> GATEWAY;
        case 2 -> REGISTRATION;
        case 3 -> ISSUANCE;
        default -> throw new IllegalStateException("an exchange with role " + number);
      };
    }
  }

  /**
   * What came back.
   *
   * @param status 0 when no answer came
   * @param retryAfter in seconds; 0 when the service asked for no pause
   * @param body at most one byte more than the request allows
   */
  public record Answer(int status, int retryAfter, byte[] body) {
    /** No answer came within the deadline. */
    public static final Answer NONE = new Answer(0, 0, new byte[0]);
  }

  @Override
  public String toString() {
    return "CoreExchange[redacted]";
  }

  static CoreExchange read(RecordReader in) {
    Role role = Role.of(in.u8());
    String method = in.text();
    String path = in.text();
    Map<String, String> headers = new LinkedHashMap<>();
    in.list(one -> headers.put(one.text(), one.text()) == null);
    return new CoreExchange(
        role, method, path, headers, in.sized(), in.u32(), Duration.ofMillis(in.u32()));
  }
}
