package io.solidus.authority.shard;

import io.solidus.authority.shard.range.SplitPoint;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The properties of a split.
 *
 * @param shard keeps the lower part of its range
 * @param newShard gets the upper part: the next number on the map; its process runs already
 * @param at where the upper part starts: "middle" of the range, "median" of the stored serial
 *     numbers, or a serial number in hexadecimal
 */
@Validated
@ConfigurationProperties("solidus.split")
public record SplitProperties(
    @NotNull @Min(0) Integer shard,
    @NotNull @Min(1) Integer newShard,
    @DefaultValue("middle") String at) {

  /**
   * The split point.
   *
   * @throws io.solidus.protocol.ProtocolException when it cannot be parsed
   */
  public SplitPoint point() {
    return SplitPoint.parse(at);
  }
}
