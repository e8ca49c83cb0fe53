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
 * @param hpkeKeyFile 32 bytes: the X25519 key that witnesses are sealed to
 * @param parallelism proofs made at a time
 * @param queue requests that may wait; more are told to come back
 * @param deadline for one proof, counted from its arrival; a caller's own deadline may be shorter
 * @param warmUp loads the proving keys at start rather than with the first proof
 */
@Validated
@ConfigurationProperties("solidus.prover")
public record ProverProperties(
    @NotNull Path hpkeKeyFile,
    @DefaultValue("1") @Min(1) @Max(64) int parallelism,
    @DefaultValue("8") @Min(1) @Max(1024) int queue,
    @NotNull @DefaultValue("45s") Duration deadline,
    @DefaultValue("false") boolean warmUp) {}
