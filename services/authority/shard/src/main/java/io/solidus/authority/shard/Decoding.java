package io.solidus.authority.shard;

import io.solidus.authority.shard.Submitted.Mint;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.TransferRequest;
import java.util.List;

/** From messages to spends of this network. */
@Spec("V-01")
record Decoding(NetworkId network, NetworkKind kind) {

  /**
   * @throws ProtocolException naming what is wrong with the message
   */
  Spend<Transfer> transfer(TransferRequest message) {
    var request = Codecs.toDomain(message);
    TransferStatement statement = request.statement();
    requireFamily(statement.family());
    return new Spend<>(statement.core(network), statement.serials(), Transfer.of(request, message));
  }

  /**
   * @throws ProtocolException naming what is wrong with the message
   */
  Spend<Mint> mint(MintRequest message) {
    var request = Codecs.toDomain(message);
    var statement = request.statement();
    return new Spend<>(
        statement.core(network), List.of(statement.serial(network)), new Mint(request, message));
  }

  /**
   * A network is regulated or not, never both: the other kind's transfers would bypass every limit.
   */
  private void requireFamily(Family family) {
    Family accepted = kind == NetworkKind.REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
    if (family != accepted) {
      throw ProtocolException.malformed("this network does not accept the statement's family");
    }
  }
}
