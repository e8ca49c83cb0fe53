package io.solidus.protocol;

/** A request below a recover: what decides whether it was valid, without attachments. */
public sealed interface RequestBelow {

  /** A transfer. */
  record TransferBelow(TransferStatement statement, Evidence evidence) implements RequestBelow {
    public TransferBelow {
      if (!statement.family().isTransferOf(NetworkKind.REGULATED)) {
        throw ProtocolException.malformed("only regulated transfers are below a recover");
      }
      if (evidence.shows().size() != statement.serials().size()
          || evidence.proof().length != statement.family().proofBytes()) {
        throw ProtocolException.malformed("evidence of another family");
      }
    }
  }

  /** A recover. */
  record RecoverBelow(RecoverStatement statement, RecoverEvidence evidence)
      implements RequestBelow {}
}
