package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Mint;
import io.solidus.authority.shard.SubmittedRequest.Recover;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferFamilies;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.RecoverRequest;
import io.solidus.wire.v1.TransferRequest;
import java.util.List;

/** Decodes messages to spend requests of this network. */
@Spec("V-01")
record RequestDecoder(NetworkId network, TransferFamilies families) {

  /**
   * Decodes a transfer.
   *
   * @throws ProtocolException naming what is wrong with the message
   */
  SpendRequest<Transfer> transfer(TransferRequest message) {
    var request = Codecs.toDomain(message);
    TransferStatement statement = request.statement();
    families.require(statement.family());
    return new SpendRequest<>(
        statement.core(network), statement.serials(), Transfer.of(request, message));
  }

  /**
   * Decodes a recover and applies the rules about the requests below it (page 9).
   *
   * @throws ProtocolException naming what is wrong with the message
   */
  SpendRequest<Recover> recover(RecoverRequest message) {
    var request = Codecs.toDomain(message);
    AdmissionRule.requireRecovers(families, request.below());
    ResolvedRecover resolved = request.resolve(network);
    return new SpendRequest<>(
        resolved.core(), resolved.serials(), resolved.below(), new Recover(request, message));
  }

  /**
   * Decodes a mint.
   *
   * @throws ProtocolException naming what is wrong with the message
   */
  SpendRequest<Mint> mint(MintRequest message) {
    var request = Codecs.toDomain(message);
    var statement = request.statement();
    return new SpendRequest<>(
        statement.core(network), List.of(statement.serial(network)), new Mint(request, message));
  }
}
