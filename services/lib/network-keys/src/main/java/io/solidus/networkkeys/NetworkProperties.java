package io.solidus.networkkeys;

import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The network that a service serves.
 *
 * @param id of the network, 3 to 32 characters
 * @param keysDir directory with the signed key manifest
 * @param manifestKey base64 of the Ed25519 public key that the manifest is signed with
 * @param allowedKeyClasses classes of keys that may be opened; in production "ceremony" alone
 * @param transcripts SHA-256 in hexadecimal of the ceremonies that made the keys, in the order of
 *     the manifest and then of its shapes; production asks for them
 * @param suiteReview the external review of the cryptographic suite by name; production asks for it
 */
@Validated
@ConfigurationProperties("solidus.network")
public record NetworkProperties(
    @NotBlank String id,
    @NotNull @DefaultValue("regulated") NetworkKind kind,
    @NotNull Path keysDir,
    @NotBlank String manifestKey,
    @NotEmpty Set<KeyClass> allowedKeyClasses,
    @DefaultValue List<@Pattern(regexp = "[0-9a-f]{64}") String> transcripts,
    @DefaultValue("") String suiteReview) {

  /** Turns a missing set into an empty one, which validation reports. */
  public NetworkProperties {
    allowedKeyClasses = allowedKeyClasses == null ? Set.of() : Set.copyOf(allowedKeyClasses);
  }
}
