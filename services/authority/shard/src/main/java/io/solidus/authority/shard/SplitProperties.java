package io.solidus.authority.shard;

import io.solidus.authority.shard.range.Cut;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * A split of a shard's range.
 *
 * @param shard keeps the lower part
 * @param newShard gets the upper part: the next number on the map, whose process runs already
 * @param at where the upper part begins: "middle" of the range, "median" of what is stored, or a
 *     serial number in hexadecimal
 */
@Validated
@ConfigurationProperties("solidus.split")
public record SplitProperties(
    @NotNull @Min(0) Integer shard,
    @NotNull @Min(1) Integer newShard,
    @DefaultValue("middle") String at) {

  /**
   * @throws io.solidus.protocol.ProtocolException for a place that cannot be read
   */
  public Cut cut() {
    return Cut.parse(at);
  }
}
