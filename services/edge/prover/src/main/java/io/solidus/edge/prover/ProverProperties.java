package io.solidus.edge.prover;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of the prover ({@code solidus.prover.*}).
 *
 * @param hpkeKeyFile file of 32 bytes: the X25519 private key; wallets seal witnesses to its public
 *     key
 * @param parallelism proofs made at the same time
 * @param queue bound of waiting requests; further ones are refused as overloaded
 * @param deadline limit for one request from its arrival on; the caller's deadline may be shorter
 * @param warmUp whether the proving keys are loaded at the start and not with the first proof
 */
@Validated
@ConfigurationProperties("solidus.prover")
public record ProverProperties(
    @NotNull Path hpkeKeyFile,
    @DefaultValue("1") @Min(1) @Max(64) int parallelism,
    @DefaultValue("8") @Min(1) @Max(1024) int queue,
    @NotNull @DefaultValue("45s") Duration deadline,
    @DefaultValue("false") boolean warmUp) {}
