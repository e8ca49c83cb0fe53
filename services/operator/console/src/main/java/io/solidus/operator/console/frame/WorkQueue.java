package io.solidus.operator.console.frame;

import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.login.Person;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits for people with a role, on the first page.
 *
 * @param title in words, such as "Cases to review"
 * @param path of the page where the work is done
 * @param roles whose work it is
 * @param central whether it is the centre's staff's alone
 * @param reader reads the state with the APIs of the person who looks; it is called on the
 *     request's thread and returns the call itself, which may run on another
 */
public record WorkQueue(
    String title, int order, String path, Set<String> roles, boolean central, Reader reader) {
  public WorkQueue {
    roles = Set.copyOf(roles);
  }

  /** A queue for the staff of the centre and of banks. */
  public WorkQueue(String title, int order, String path, Set<String> roles, Reader reader) {
    this(title, order, path, roles, false, reader);
  }

  /** The same, for the centre's staff alone. */
  public WorkQueue forCentre() {
    return new WorkQueue(title, order, path, roles, true, reader);
  }

  /** Prepares the call that reads a queue. */
  @FunctionalInterface
  public interface Reader {
    Supplier<State> prepare(Apis apis);
  }

  /**
   * How much waits.
   *
   * @param count of those that were read
   * @param more whether there are more than were read
   * @param oldest since when the oldest waits; null if unknown or if nothing waits
   */
  public record State(long count, boolean more, @Nullable Instant oldest) {}

  /** Whether the work is somebody's. */
  public boolean isFor(Person person) {
    return (person.isOfCentre() || !central) && !Collections.disjoint(roles, person.roles());
  }
}
