package io.solidus.operator.console.start;

import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Together;
import io.solidus.operator.console.frame.WorkQueue;
import io.solidus.operator.console.login.Person;
import io.solidus.operator.console.login.Persons;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The first page: what waits for whoever is logged in. */
@Controller
class StartController implements ConsolePage {
  private static final Set<Integer> ABSENT = Set.of(403, 404);

  private final ObjectProvider<ConsolePage> pages;
  private final Persons persons;
  private final Apis apis;

  StartController(ObjectProvider<ConsolePage> pages, Persons persons, Apis apis) {
    this.pages = pages;
    this.persons = persons;
    this.apis = apis;
  }

  /**
   * A queue as it is shown.
   *
   * @param state null when the service did not answer
   */
  record Line(String title, String path, WorkQueue.@Nullable State state) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(new NavEntry("Work", 0, "Start", "/", Set.of()));
  }

  @GetMapping("/")
  String start(Model model) {
    model.addAttribute("queues", lines());
    return "start";
  }

  @GetMapping("/live/queues")
  String queues(Model model) {
    model.addAttribute("queues", lines());
    return "start :: queues";
  }

  private List<Line> lines() {
    Person me = persons.current().orElseThrow();
    List<Supplier<Optional<Line>>> calls =
        pages.stream()
            .flatMap(page -> page.queues().stream())
            .filter(queue -> queue.isFor(me))
            .sorted(Comparator.comparingInt(WorkQueue::order))
            .map(this::call)
            .toList();
    return Together.all(calls).stream().flatMap(Optional::stream).toList();
  }

  /**
   * A queue that the person may not read is absent, because roles may have changed since the login;
   * so is one that the service does not count.
   */
  private Supplier<Optional<Line>> call(WorkQueue queue) {
    Supplier<WorkQueue.State> state = queue.reader().prepare(apis);
    return () -> {
      try {
        return Optional.of(new Line(queue.title(), queue.path(), state.get()));
      } catch (ApiProblem problem) {
        return ABSENT.contains(problem.status())
            ? Optional.empty()
            : Optional.of(new Line(queue.title(), queue.path(), null));
      }
    };
  }
}
