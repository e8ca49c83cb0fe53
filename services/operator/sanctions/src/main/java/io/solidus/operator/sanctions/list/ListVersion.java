package io.solidus.operator.sanctions.list;

import java.time.Instant;
import java.util.List;

/**
 * An imported version of a list.
 *
 * @param version 1, 2, ... per list
 * @param fileDigest SHA-256 of the file, hexadecimal
 * @param published what the file says of its own date, or empty
 * @param malformed entries of the file that were left out
 * @param importedBy the operator's subject
 */
public record ListVersion(
    String list,
    long version,
    String fileDigest,
    long fileBytes,
    String published,
    int entries,
    int names,
    int malformed,
    List<Integer> malformedAt,
    String importedBy,
    Instant importedAt) {}
