package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.batch.CheckPermits;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.TransferRequest;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Assembles the pipeline of transfers: queues, decoder, order of work, retry after a shard move. It
 * closes after the gRPC server, which waits for its calls, and before everything a batch needs.
 *
 * <p>Transfers that a gateway marks as doubtful, and those with a certificate, have a queue, a
 * worker and a permit of their own. Everybody can send them without a coin, so they share no batch
 * with others.
 */
final class TransferPipeline implements AutoCloseable {
  private static final String KIND = "transfer";
  private static final String KIND_APART = "transfer-apart";

  private final Batcher<QueuedMessage<TransferRequest>, PartialSignature> queue;
  private final Batcher<QueuedMessage<TransferRequest>, PartialSignature> apart;

  TransferPipeline(
      ShardProperties.Batch properties,
      RequestDecoder decoder,
      TransferAdmission admission,
      SqlSpendStore.FirstTime<Transfer> firstTime,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    CheckPermits permits = properties.checkPermits();
    BatchLimits limitsApart = properties.transfersApart();
    CheckPermits permitsApart = new CheckPermits(limitsApart.workers());
    SpendPipeline<Transfer, PartialSignature> pipeline =
        new SpendPipeline<>(
            stores.ownership()::ranges,
            admission,
            stores.spends(firstTime),
            siblings,
            new TransferSignerClient(signer),
            failpoints,
            metrics.stageObserver(KIND, EnumSet.allOf(Stage.class), permits::release));
    SubmissionWork<TransferRequest, Transfer> work =
        new SubmissionWork<>(
            KIND,
            decoder::transfer,
            new RetryOnShardMove<>(
                stores.ownership()::ranges, stores.ownership()::refresh, pipeline),
            UnaryOperator.identity(),
            metrics.spans());
    queue =
        new Batcher<>(
            "transfers", properties.transfers(), work, permits, metrics.batchObserver(KIND));
    metrics.registerQueue(KIND, queue);
    apart =
        new Batcher<>(
            "transfers-apart", limitsApart, work, permitsApart, metrics.batchObserver(KIND_APART));
    metrics.registerQueue(KIND_APART, apart);
  }

  /** Queues a transfer, as {@link Batcher#submit}. */
  void submit(
      QueuedMessage<TransferRequest> message,
      BooleanSupplier abandoned,
      Consumer<Outcome<PartialSignature>> answer) {
    (isApart(message.message()) ? apart : queue).submit(message, abandoned, answer);
  }

  private static boolean isApart(TransferRequest message) {
    return message.getDoubtful() || message.getCertificateCount() > 0;
  }

  @Override
  public void close() {
    try (apart) {
      queue.close();
    }
  }
}
