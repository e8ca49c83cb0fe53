package io.solidus.platform.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The issuer of the operators' tokens: either a public key (PEM) or an OpenID issuer.
 *
 * @param publicKey PEM of an RSA or EC key; empty when an issuer is given
 * @param issuerUri of the OpenID provider; empty when a key is given
 * @param audience the tokens' audience
 */
@ConfigurationProperties("solidus.security.jwt")
public record SecurityProperties(
    @DefaultValue("") String publicKey,
    @DefaultValue("") String issuerUri,
    @DefaultValue("solidus") String audience) {}
