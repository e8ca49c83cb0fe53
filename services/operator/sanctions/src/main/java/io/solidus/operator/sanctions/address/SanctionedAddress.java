package io.solidus.operator.sanctions.address;

import java.time.Instant;

/**
 * A listed address.
 *
 * @param key the leading 160 bits that are compared, 40 hexadecimal digits
 * @param listedAt time of the approval; the next checkpoint contains the address
 */
public record SanctionedAddress(String key, String reason, Instant listedAt) {}
