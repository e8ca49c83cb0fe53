package io.solidus.protocol;

import java.util.HashSet;
import java.util.List;

/**
 * A transfer. Its identity, the core, is computed from exactly these fields.
 *
 * @param serials compliance coin, then the inputs, of which TRANSFER and PAY_8 have 2 and CLAIM_16
 *     has 16; TRANSFER_UNREGULATED: input 1, input 2. The first is the lead serial number
 * @param outputs the recipient's coin, then the payer's own (compliance coin or change), then in
 *     PAY_8 the coins of seven further recipients
 * @param period the limit period this transfer counts in
 * @param withdrawn the amount that leaves the network in this transfer
 * @param context digest of the attachments
 */
public record TransferStatement(
    Family family,
    List<SerialNumber> serials,
    List<BlindedCoin> outputs,
    Period period,
    Amount withdrawn,
    Digest32 context) {

  /**
   * @throws ProtocolException malformed-request or serials-not-distinct
   */
  public TransferStatement {
    serials = List.copyOf(serials);
    outputs = List.copyOf(outputs);
    if (!family.isTransfer()) {
      throw ProtocolException.malformed("the statement family is not a transfer");
    }
    if (serials.size() != family.serials()) {
      throw ProtocolException.malformed("wrong number of serial numbers");
    }
    if (outputs.size() != family.outputs()) {
      throw ProtocolException.malformed("wrong number of outputs");
    }
    // a coin shown twice would count twice
    if (new HashSet<>(serials).size() != serials.size()) {
      throw new ProtocolException(
          RejectionCode.SERIALS_NOT_DISTINCT, "serial numbers must be pairwise distinct");
    }
  }

  public InputDigest inputDigest(NetworkId network) {
    return InputDigest.transfer(network, family, serials, withdrawn, context);
  }

  public TxCore core(NetworkId network) {
    return TxCore.transfer(network, this);
  }

  /** The serial number that is reserved first. Its shard coordinates the transfer. */
  public SerialNumber leadSerial() {
    return serials.getFirst();
  }
}
