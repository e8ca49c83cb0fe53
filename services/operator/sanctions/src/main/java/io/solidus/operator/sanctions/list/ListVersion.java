package io.solidus.operator.sanctions.list;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An imported version of a list.
 *
 * @param version 1, 2, ... per list
 * @param fileDigest SHA-256 of the file, hexadecimal
 * @param published the date that the file states, or empty
 * @param malformed how many entries of the file were skipped
 * @param importedBy the operator's subject
 * @param acceptedBy the subject of the person who accepted it; null for a version from before two
 *     persons imported
 * @param reader which reader of this service read the file: a later one reads more of it
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
    Instant importedAt,
    @Nullable String acceptedBy,
    int reader) {}
