package io.solidus.authority.replica;

import io.solidus.protocol.NetworkId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of a replica ({@code solidus.replica.*}).
 *
 * @param networkId of the network whose mailbox it copies
 * @param authority 1 to N
 * @param gateway base URL of a gateway that makes tables
 * @param keyFile 32 bytes, from which the keys for shares and for countersignatures follow
 * @param memory for the messages of tables, without a folder; the oldest tables go when it is full
 * @param folder for tables of 90 days on disk; none keeps those of a day in memory
 * @param disk for the files of the folder; the oldest days go when it is full
 * @param earlierDays whether queries for days before the last one are answered, with a folder; no
 *     wallet asks for them yet, and each reads a day from the disk
 * @param interval pause between two questions for a newer list
 * @param parallelism readings of tables at the same time, each for all waiting queries of a bucket
 * @param queue queries that wait; further ones are refused as overloaded
 * @param patience for which a query waits
 * @param pod name of the only pod that may run this replica; none where no StatefulSet runs it
 */
@Validated
@ConfigurationProperties("solidus.replica")
public record ReplicaProperties(
    @NotBlank String networkId,
    @Min(1) @Max(100) int authority,
    @NotBlank String gateway,
    @NotNull Path keyFile,
    @NotNull @DefaultValue("512MB") DataSize memory,
    @Nullable Path folder,
    @NotNull @DefaultValue("250GB") DataSize disk,
    @DefaultValue("false") boolean earlierDays,
    @NotNull @DefaultValue("5s") Duration interval,
    @DefaultValue("1") @Min(1) @Max(64) int parallelism,
    @DefaultValue("256") @Min(1) @Max(10_000) int queue,
    @NotNull @DefaultValue("10s") Duration patience,
    @Nullable String pod) {
  NetworkId network() {
    return new NetworkId(networkId);
  }

  /** The gateway's address. */
  public URI address() {
    return URI.create(gateway);
  }
}
