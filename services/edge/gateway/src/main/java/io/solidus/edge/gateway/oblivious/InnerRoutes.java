package io.solidus.edge.gateway.oblivious;

import io.solidus.wire.ohttp.BinaryRequest;
import java.util.regex.Pattern;

/**
 * What a relayed request may ask for: the calls of wallets whose answers have a bounded length.
 * Streams of events and files of keys are not among them, and neither is another relayed request.
 */
final class InnerRoutes {
  private static final Pattern POSTS =
      Pattern.compile(
          "/v1/(transfers|recovers|mints|registrations/signatures|coins/state|proofs|mailbox"
              + "|mailbox/queries)");
  private static final Pattern GETS =
      Pattern.compile(
          "/v1/(info|capabilities|keys|policy|sanctions/checkpoint|mailbox"
              + "|tokens/keys|mailbox/buckets/[0-9]{1,3}|mailbox/tags/[0-9a-f]{32}"
              + "|mailbox/tables(/note|/[0-9]{1,3}/(headers|records))?"
              + "|transfers/[0-9a-f]{64})(\\?([A-Za-z0-9=&_.-]|%[0-9A-Fa-f]{2}){0,256})?");

  private InnerRoutes() {}

  static boolean allows(BinaryRequest request) {
    return switch (request.method()) {
      case "POST" -> POSTS.matcher(request.path()).matches();
      case "GET" -> request.content().length == 0 && GETS.matcher(request.path()).matches();
      default -> false;
    };
  }
}
