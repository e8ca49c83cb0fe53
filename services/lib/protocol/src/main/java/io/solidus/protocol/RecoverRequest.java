package io.solidus.protocol;

import java.util.List;

/**
 * A recover as submitted.
 *
 * @param below the requests below it, each once, after those that it is over; a recover names its
 *     requests by their positions in this list
 */
public record RecoverRequest(
    List<RequestBelow> below,
    RecoverStatement statement,
    RecoverEvidence evidence,
    Attachments attachments) {

  public RecoverRequest {
    below = List.copyOf(below);
    if (below.isEmpty() || below.size() > ResolvedRecover.MAX_BELOW) {
      throw ProtocolException.malformed("a recover is over 1 to 16 requests");
    }
    attachments.requireMemoOf(Family.RECOVER);
  }

  /**
   * Requires that the statement's context is the digest of the attachments.
   *
   * @throws ProtocolException context-mismatch otherwise
   */
  public void requireContext(NetworkId network) {
    if (!attachments.context(network).equals(statement.context())) {
      throw new ProtocolException(
          RejectionCode.CONTEXT_MISMATCH, "the attachments do not belong to the statement");
    }
  }

  /** Applies the rules about the requests below. */
  public ResolvedRecover resolve(NetworkId network) {
    return ResolvedRecover.of(network, below, statement);
  }
}
