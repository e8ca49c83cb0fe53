package io.solidus.edge.prover;

import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * @param networkId whose proofs are made
 * @param keysDir the directory of proving keys
 * @param manifestKey base64 of the Ed25519 key its manifest is signed with
 * @param allowedKeyClasses classes of keys accepted here
 * @param hpkeKeyFile 32 bytes: the X25519 key that witnesses are sealed to
 * @param parallelism proofs made at a time
 * @param queue requests that may wait; more are told to come back
 * @param deadline for one proof, counted from its arrival; a caller's own deadline may be shorter
 * @param warmUp loads the proving keys at start rather than with the first proof
 */
@Validated
@ConfigurationProperties("solidus.prover")
public record ProverProperties(
    @NotBlank String networkId,
    @DefaultValue("regulated") NetworkKind networkKind,
    @NotNull Path keysDir,
    @NotBlank String manifestKey,
    @NotEmpty Set<KeyClass> allowedKeyClasses,
    @NotNull Path hpkeKeyFile,
    @DefaultValue("1") @Min(1) @Max(64) int parallelism,
    @DefaultValue("8") @Min(1) @Max(1024) int queue,
    @NotNull @DefaultValue("45s") Duration deadline,
    @DefaultValue("false") boolean warmUp) {

  public ProverProperties {
    allowedKeyClasses = allowedKeyClasses == null ? Set.of() : Set.copyOf(allowedKeyClasses);
  }
}
