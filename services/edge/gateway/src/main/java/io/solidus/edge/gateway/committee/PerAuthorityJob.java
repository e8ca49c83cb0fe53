package io.solidus.edge.gateway.committee;

import io.solidus.platform.time.Periodically;
import java.time.Duration;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Repeats a job for each authority while the context runs. Each authority has a thread of its own,
 * so that one that does not answer delays no other.
 */
public abstract class PerAuthorityJob implements SmartLifecycle {
  private final List<Periodically> workers;
  private volatile boolean running;

  /**
   * Creates the workers; the context starts them.
   *
   * @param name of the threads, followed by the authority's index
   */
  protected PerAuthorityJob(
      String name, AuthorityClient authorities, Duration pause, Duration pauseAfterFailure) {
    this.workers =
        authorities.indexes().stream()
            .map(index ->
                new Periodically(name + "-" + index, pause, pauseAfterFailure, () -> run(index)))
            .toList();
  }

  protected abstract void run(int authority);

  @Override
  public void start() {
    running = true;
    workers.forEach(Periodically::start);
  }

  @Override
  public void stop() {
    running = false;
    Periodically.stopAll(workers);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
