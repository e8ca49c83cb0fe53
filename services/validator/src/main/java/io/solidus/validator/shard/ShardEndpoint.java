package io.solidus.validator.shard;

import io.grpc.stub.StreamObserver;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.validator.authority.GrpcReplies;
import io.solidus.wire.v1.ReserveReply;
import io.solidus.wire.v1.ReserveRequest;
import io.solidus.wire.v1.Reserved;
import io.solidus.wire.v1.ShardServiceGrpc;
import java.util.List;
import org.springframework.transaction.support.TransactionTemplate;

/** What sibling shards ask: to hold serial numbers of this shard's range for a core they coordinate. */
public class ShardEndpoint extends ShardServiceGrpc.ShardServiceImplBase {

  private static final int MAX_SERIALS = 16;

  private final Ownership ownership;
  private final SerialStore serials;
  private final TransactionTemplate transaction;

  ShardEndpoint(Ownership ownership, SerialStore serials, TransactionTemplate transaction) {
    this.ownership = ownership;
    this.serials = serials;
    this.transaction = transaction;
  }

  @Override
  public void reserve(ReserveRequest request, StreamObserver<ReserveReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> {
          ownership.requireVersion(request.getShardMapVersion());
          TxCore core = TxCore.of(request.getCore().toByteArray());
          List<SerialNumber> wanted = serials(request);
          transaction.executeWithoutResult(t -> serials.reserve(wanted, core));
          return ReserveReply.newBuilder().setReserved(Reserved.getDefaultInstance()).build();
        },
        GrpcReplies::rejectedReserve);
  }

  private static List<SerialNumber> serials(ReserveRequest request) {
    if (request.getSerialsCount() == 0 || request.getSerialsCount() > MAX_SERIALS) {
      throw ProtocolException.malformed("wrong number of serial numbers");
    }
    List<SerialNumber> serials =
        request.getSerialsList().stream().map(s -> SerialNumber.of(s.toByteArray())).distinct().toList();
    if (serials.size() != request.getSerialsCount()) {
      throw ProtocolException.malformed("serial numbers must be distinct");
    }
    return serials;
  }
}
