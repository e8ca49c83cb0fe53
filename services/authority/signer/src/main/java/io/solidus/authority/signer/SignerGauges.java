package io.solidus.authority.signer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** The queues and caches of a signer. The state of the sign-log is in {@link SignLogGauges}. */
record SignerGauges(
    NativePool pool,
    VerificationPool verifications,
    AcceptedEvidence accepted,
    TransferCache cache,
    FinishRule finish)
    implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("solidus.signer.native.queued", pool, NativePool::queued)
        .description("other native work waiting for a thread")
        .register(registry);
    Gauge.builder("solidus.signer.verification.queued", verifications, VerificationPool::waiting)
        .description("transfers waiting to be verified")
        .register(registry);
    Gauge.builder(
            "solidus.signer.verification.batch.limit", verifications, VerificationPool::batchSize)
        .description("the most transfers in one native call at present")
        .register(registry);
    Gauge.builder(
            "solidus.signer.verification.wrong.share", verifications, VerificationPool::wrongShare)
        .description("wrong proofs among the recent transfers outside the quarantine, 0 to 1")
        .register(registry);
    FunctionCounter.builder("solidus.signer.votes.verified", finish, FinishRule::verified)
        .description("votes of certificates that were verified")
        .register(registry);
    Gauge.builder("solidus.signer.verdicts.remembered", accepted, AcceptedEvidence::size)
        .register(registry);
    Gauge.builder("solidus.signer.orders.remembered", cache, TransferCache::checkedCount)
        .description("checked transfers that can be signed by their core alone")
        .register(registry);
    Gauge.builder("solidus.signer.refusals.remembered", cache, TransferCache::rejectedCount)
        .register(registry);
  }
}
