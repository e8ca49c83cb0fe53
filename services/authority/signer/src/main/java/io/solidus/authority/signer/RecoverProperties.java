package io.solidus.authority.signer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of a recovery.
 *
 * @param logIsNewest a person confirms that no newer sign-log exists; needed where no anchor file
 *     shows it
 */
@ConfigurationProperties("solidus.recover")
public record RecoverProperties(@DefaultValue("false") boolean logIsNewest) {}
