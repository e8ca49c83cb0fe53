package io.solidus.protocol;

import java.util.List;

/**
 * A transfer as submitted.
 *
 * @param certificate partial signatures already obtained for this core, usually none. With f+1
 *     valid ones every validator finishes the core under any policy that was ever in force
 *     (protocol section 5, the finish rule)
 */
public record TransferRequest(
    TransferStatement statement,
    Evidence evidence,
    Attachments attachments,
    List<PartialSignature> certificate) {

  public TransferRequest {
    certificate = List.copyOf(certificate);
    if (evidence.shows().size() != statement.serials().size()) {
      throw ProtocolException.malformed("one shown signature per serial number is needed");
    }
    if (evidence.proof().length != statement.family().proofBytes()) {
      throw ProtocolException.malformed("a proof has the length of its family's");
    }
    attachments.requireMemoOf(statement.family());
    if (certificate.size() > Committee.MAX_MEMBERS
        || certificate.stream().map(PartialSignature::authority).distinct().count()
            != certificate.size()) {
      throw ProtocolException.malformed("a certificate names each authority at most once");
    }
    for (PartialSignature partial : certificate) {
      if (partial.points().size() != statement.outputs().size()) {
        throw ProtocolException.malformed("a partial signature has one point per output");
      }
    }
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
}
