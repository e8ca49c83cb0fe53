package io.solidus.operator.sanctions.address;

import java.time.Instant;

/**
 * A listed address.
 *
 * @param key the compared leading 160 bits, 40 hexadecimal digits
 * @param listedAt when the second person approved; it counts from the next checkpoint on
 */
public record SanctionedAddress(String key, String reason, Instant listedAt) {}
