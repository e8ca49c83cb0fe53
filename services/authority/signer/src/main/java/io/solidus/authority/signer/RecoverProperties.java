package io.solidus.authority.signer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A recovery of the database from the sign-log.
 *
 * @param logIsNewest a person vouches that no newer sign-log exists; asked for where there is no
 *     anchor file to show it
 */
@ConfigurationProperties("solidus.recover")
public record RecoverProperties(@DefaultValue("false") boolean logIsNewest) {}
