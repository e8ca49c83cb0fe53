package io.solidus.gateway.committee;

import io.solidus.protocol.Committee;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/** Why a round has no quorum. A reason counts when f+1 authorities give it: then at least one honest authority does. */
final class Verdict {
  private Verdict() {}

  static ProtocolException of(Committee committee, Map<Integer, ProtocolException> refusals, int missing) {
    Map<RejectionCode, Long> votes =
        refusals.values().stream().collect(Collectors.groupingBy(ProtocolException::code, Collectors.counting()));
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= committee.weakQuorum())
        .max(
            Comparator.<Map.Entry<RejectionCode, Long>>comparingLong(Map.Entry::getValue)
                .thenComparing(vote -> !vote.getKey().retryable())
                .thenComparing(vote -> vote.getKey().code()))
        .map(vote -> new ProtocolException(vote.getKey(), detail(refusals, vote.getKey())))
        .orElseGet(
            () ->
                new ProtocolException(
                    RejectionCode.NO_QUORUM,
                    "no quorum: " + refusals.size() + " authorities refused for different reasons, " + missing
                        + " did not answer; send the same request again"));
  }

  private static String detail(Map<Integer, ProtocolException> refusals, RejectionCode code) {
    return refusals.values().stream()
        .filter(refusal -> refusal.code() == code)
        .map(ProtocolException::detail)
        .findFirst()
        .orElse(code.code());
  }
}
