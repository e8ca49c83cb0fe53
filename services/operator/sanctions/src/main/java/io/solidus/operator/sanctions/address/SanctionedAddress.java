package io.solidus.operator.sanctions.address;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A listed address.
 *
 * @param key the leading 160 bits that are compared, 40 hexadecimal digits
 * @param address as it was typed; null when it was listed before that was kept
 * @param subject whose address it is; null when it was not said
 * @param listedAt time of the approval; the next checkpoint contains the address
 * @param replaced whether its owner has another one; it stays on the list for ever
 */
public record SanctionedAddress(
    String key,
    @Nullable String address,
    @Nullable String subject,
    String reason,
    Instant listedAt,
    boolean replaced) {}
