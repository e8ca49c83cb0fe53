package io.solidus.operator.issuance.books;

import io.solidus.operator.issuance.settings.IssuanceProperties;
import java.time.Clock;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** How long what one person proposed can be approved by another. It can always be refused. */
@Component
public class Expiry {
  private final IssuanceProperties properties;
  private final Clock clock;

  Expiry(IssuanceProperties properties, Clock clock) {
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * Requires that a proposal is not too old.
   *
   * @throws DeskConflictException proposal-expired
   */
  public void require(Instant proposedAt) {
    if (proposedAt.isBefore(oldest())) {
      throw new DeskConflictException(
          "proposal-expired", "nobody approved this in time; refuse it and propose it again");
    }
  }

  /** When the oldest proposal was made that can be approved now. */
  public Instant oldest() {
    return clock.instant().minus(properties.proposalsExpire());
  }
}
