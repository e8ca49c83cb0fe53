package io.solidus.authority.complianceissuer.issuing;

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
 * @param networkId whose coins these are
 * @param authority 1 to N
 * @param keysDir the directory of the key manifest, which names the committee
 * @param manifestKey Ed25519 public key (base64) that the manifest is signed with
 * @param allowedKeyClasses e.g. ceremony
 * @param signerAddress host:port of this authority's signer
 * @param callDeadline for one call to it
 * @param maxInFlight registrations worked on at a time; more are told to come back
 */
@Validated
@ConfigurationProperties("solidus.compliance-issuer")
public record ComplianceIssuerProperties(
    @NotBlank String networkId,
    @NotNull @DefaultValue("regulated") NetworkKind networkKind,
    @Min(1) int authority,
    @NotNull Path keysDir,
    @NotBlank String manifestKey,
    @NotEmpty Set<KeyClass> allowedKeyClasses,
    @NotBlank String signerAddress,
    @NotNull @DefaultValue("10s") Duration callDeadline,
    @Min(1) @Max(1024) @DefaultValue("32") int maxInFlight) {

  public ComplianceIssuerProperties {
    allowedKeyClasses = allowedKeyClasses == null ? Set.of() : Set.copyOf(allowedKeyClasses);
  }
}
