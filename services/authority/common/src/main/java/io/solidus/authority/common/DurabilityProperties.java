package io.solidus.authority.common;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The durability that the authority's configuration requires of its database; the same for all of
 * its processes.
 *
 * @param synchronousStandbys the number of standbys that must have a commit before it counts; 0 for
 *     a database without standbys
 * @param durabilityRecheck how long the checked settings of a session count as unchanged
 */
@Validated
@ConfigurationProperties("solidus.validator")
public record DurabilityProperties(
    @Min(0) @Max(16) @DefaultValue("0") int synchronousStandbys,
    @NotNull @DefaultValue("5s") Duration durabilityRecheck) {

  /** Transactions of this durability. */
  public DurableTransactions transactions(DataSource database) {
    return new DurableTransactions(database, synchronousStandbys, durabilityRecheck);
  }
}
