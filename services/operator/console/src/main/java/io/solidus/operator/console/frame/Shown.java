package io.solidus.operator.console.frame;

import io.solidus.platform.bank.BankProperties;
import io.solidus.platform.bank.Banks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** How values are written on pages; templates call it {@code @shown}. */
@Component
public final class Shown {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final long MINUTES_OF_TWO_HOURS = 120;
  private static final long HOURS_OF_TWO_DAYS = 48;

  private final Clock clock;
  private final Banks banks;

  Shown(Clock clock, Banks banks) {
    this.clock = clock;
    this.banks = banks;
  }

  /** A time in UTC; a dash for none. */
  public String time(@Nullable Instant time) {
    return time == null ? "–" : TIME.format(time);
  }

  /** A time in milliseconds since 1970, in UTC. */
  public String millis(long time) {
    return TIME.format(Instant.ofEpochMilli(time));
  }

  /** How long ago a time was, such as "3 hours"; a dash for none. */
  public String age(@Nullable Instant since) {
    if (since == null) {
      return "–";
    }
    Duration age = Duration.between(since, clock.instant());
    if (age.toMinutes() < 1) {
      return "less than a minute";
    }
    if (age.toMinutes() < MINUTES_OF_TWO_HOURS) {
      return age.toMinutes() == 1 ? "1 minute" : age.toMinutes() + " minutes";
    }
    return age.toHours() < HOURS_OF_TWO_DAYS ? age.toHours() + " hours" : age.toDays() + " days";
  }

  /** Whether the platform has several banks, so that pages say whose something is. */
  public boolean severalBanks() {
    return banks.all().size() > 1;
  }

  /** The banks, for a choice. */
  public List<BankProperties.Bank> banks() {
    return banks.all();
  }

  /** A bank's name; its id when it has no name or is not known here. */
  public String bank(@Nullable String id) {
    if (id == null || id.isEmpty()) {
      return "no bank of the platform";
    }
    return banks.all().stream()
        .filter(bank -> bank.id().equals(id) && !bank.name().isEmpty())
        .map(BankProperties.Bank::name)
        .findFirst()
        .orElse(id);
  }

  /** Whether what names no bank belongs to one. */
  public boolean hasUnnamedBank() {
    return banks.unnamed().isPresent();
  }

  /** An id such as "list-approver" in words. */
  public String words(@Nullable String id) {
    return id == null ? "–" : id.replace('-', ' ');
  }

  /** A share between 0 and 1 in percent. */
  public String percent(double share) {
    return Math.round(share * 100) + " %";
  }

  /** An amount in minor units with two decimals. */
  public String money(long minor) {
    return String.format(
        Locale.ENGLISH,
        "%s%,d.%02d",
        minor < 0 ? "−" : "",
        Math.abs(minor / 100),
        Math.abs(minor % 100));
  }

  /** A new id, for a form that must have one effect however often it is sent. */
  public String newId() {
    return UUID.randomUUID().toString();
  }
}
