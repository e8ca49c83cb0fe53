package io.solidus.authority.complianceissuer.issuing;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the compliance issuer.
 *
 * @param authority 1 to N
 * @param signerAddress host:port of this authority's signer
 * @param noteKeyFile 32 bytes: the seed of the authority's note key, from which the token derives
 *     that the signer asks for
 * @param callDeadline of one call to the signer
 * @param maxInFlight registrations in work at the same time; others are rejected as overloaded
 */
@Validated
@ConfigurationProperties("solidus.compliance-issuer")
public record ComplianceIssuerProperties(
    @Min(1) int authority,
    @NotBlank String signerAddress,
    @NotNull Path noteKeyFile,
    @NotNull @DefaultValue("10s") Duration callDeadline,
    @Min(1) @Max(1024) @DefaultValue("32") int maxInFlight) {}
