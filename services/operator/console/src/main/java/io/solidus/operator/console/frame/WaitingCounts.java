package io.solidus.operator.console.frame;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.solidus.operator.console.api.Api;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How much waits in the queues of a service; it names nobody, so that no view is recorded. */
public record WaitingCounts(List<Count> queues) {

  /**
   * A queue.
   *
   * @param name the service's word for it: a name, the status of a case or the kind of a proposal
   */
  public record Count(
      @JsonAlias({"status", "kind"}) String name, long count, @Nullable Instant oldest) {}

  /**
   * The call that reads what waits in some queues together.
   *
   * @param path of the service's route of counts
   * @param names which queues
   */
  public static Supplier<WorkQueue.State> reader(Api api, String path, Predicate<String> names) {
    return () -> {
      List<Count> own =
          api.get(path, WaitingCounts.class).queues().stream()
              .filter(queue -> names.test(queue.name()))
              .toList();
      return new WorkQueue.State(
          own.stream().mapToLong(Count::count).sum(),
          false,
          own.stream()
              .map(Count::oldest)
              .filter(Objects::nonNull)
              .min(Instant::compareTo)
              .orElse(null));
    };
  }
}
