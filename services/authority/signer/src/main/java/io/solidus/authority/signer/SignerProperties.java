package io.solidus.authority.signer;

import io.solidus.authority.custody.TokenAccess;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The signer of one authority.
 *
 * @param authority 1 to N
 * @param shareFile this authority's key share; readable by its owner alone where it is not wrapped
 * @param token what the share is wrapped with; absent for a share that is not
 * @param signLog on a volume of its own
 * @param anchorFile where to keep the sign-log's head besides, on a volume that no snapshot takes
 *     back together with the log or the database; absent for none
 * @param policyGrace as the shards'
 * @param periodGrace as the shards'
 * @param heartbeatMaxAge as the shards'
 * @param refreshInterval between two looks at what the shards learnt
 * @param verifyThreads native verifications at a time; 0 for one on each processor
 * @param verifyBatch the most transfers in one native verification; the more, the cheaper each and
 *     the later the first
 * @param verifyQueue transfers that may wait for verification, more are told to come back; 0 for
 *     512 for each thread
 * @param verdicts remembered verdicts, and as many checked transfers and refusals
 * @param deadline for one verification or one durable record
 */
@Validated
@ConfigurationProperties("solidus.signer")
public record SignerProperties(
    @Min(1) int authority,
    @NotNull Path shareFile,
    @Nullable @Valid TokenAccess token,
    @NotNull Path signLog,
    @Nullable Path anchorFile,
    @DefaultValue("10m") Duration policyGrace,
    @DefaultValue("24h") Duration periodGrace,
    @DefaultValue("60s") Duration heartbeatMaxAge,
    @DefaultValue("500ms") Duration refreshInterval,
    @Min(0) @Max(256) @DefaultValue("0") int verifyThreads,
    @Min(1) @Max(256) @DefaultValue("256") int verifyBatch,
    @Min(0) @Max(100_000) @DefaultValue("0") int verifyQueue,
    @Min(1) @Max(1_000_000) @DefaultValue("20000") int verdicts,
    @DefaultValue("10s") Duration deadline) {

  private static final int QUEUE_PER_THREAD = 512;

  VerificationPool.Limits verification() {
    return new VerificationPool.Limits(
        threads(), verifyBatch, verifyQueue > 0 ? verifyQueue : threads() * QUEUE_PER_THREAD);
  }

  int threads() {
    return verifyThreads > 0 ? verifyThreads : Runtime.getRuntime().availableProcessors();
  }
}
