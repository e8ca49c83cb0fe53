package io.solidus.edge.gateway.committee;

import io.solidus.protocol.Committee;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The refusal that a wallet gets when a round has no quorum. A reason counts when f+1 authorities
 * give it, because then at least one honest authority does.
 */
final class QuorumFailure {
  private QuorumFailure() {}

  static ProtocolException of(
      Committee committee, Map<Integer, ProtocolException> refusals, int missing) {
    Map<RejectionCode, Long> votes =
        refusals.values().stream()
            .collect(Collectors.groupingBy(ProtocolException::code, Collectors.counting()));
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= committee.weakQuorum())
        .max(
            Comparator.<Map.Entry<RejectionCode, Long>>comparingLong(Map.Entry::getValue)
                .thenComparing(vote -> !vote.getKey().retryable())
                .thenComparing(vote -> vote.getKey().code()))
        .map(vote -> refusal(committee, refusals, vote.getKey()))
        .orElseGet(() ->
            new ProtocolException(
                RejectionCode.NO_QUORUM,
                "no quorum: "
                    + refusals.size()
                    + " authorities refused for different reasons, "
                    + missing
                    + " did not answer; send the same request again"));
  }

  private static ProtocolException refusal(
      Committee committee, Map<Integer, ProtocolException> refusals, RejectionCode code) {
    // The shortest wait counts, so that a dishonest authority cannot make a wallet wait longer than
    // a correct authority would.
    return refusals.values().stream()
        .filter(OverloadedException.class::isInstance)
        .map(refusal -> ((OverloadedException) refusal).retryAfter())
        .min(Comparator.naturalOrder())
        .filter(wait -> code == RejectionCode.OVERLOADED)
        .<ProtocolException>map(
            wait -> new OverloadedException(wait, detail(committee, refusals, code)))
        .orElseGet(() -> new ProtocolException(code, detail(committee, refusals, code)));
  }

  /**
   * A detail text that f+1 authorities sent, otherwise the code. A single authority must not be
   * able to send arbitrary text to the wallet.
   */
  private static String detail(
      Committee committee, Map<Integer, ProtocolException> refusals, RejectionCode code) {
    return refusals.values().stream()
        .filter(refusal -> refusal.code() == code)
        .collect(Collectors.groupingBy(ProtocolException::detail, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(text -> text.getValue() >= committee.weakQuorum())
        .map(Map.Entry::getKey)
        .min(Comparator.naturalOrder())
        .orElse(code.code());
  }
}
