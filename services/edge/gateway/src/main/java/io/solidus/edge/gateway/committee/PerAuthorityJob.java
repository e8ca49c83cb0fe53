package io.solidus.edge.gateway.committee;

import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Repeats a job for each authority while the context runs. Each authority has a thread of its own,
 * so that one that does not answer delays no other.
 */
public abstract class PerAuthorityJob implements SmartLifecycle {
  private final String name;
  private final AuthorityClient authorities;
  private final Duration pause;
  private final Duration pauseAfterFailure;
  private volatile List<RepeatedJob> workers = List.of();

  /**
   * @param name of the threads, followed by the authority's index
   */
  protected PerAuthorityJob(
      String name, AuthorityClient authorities, Duration pause, Duration pauseAfterFailure) {
    this.name = name;
    this.authorities = authorities;
    this.pause = pause;
    this.pauseAfterFailure = pauseAfterFailure;
  }

  protected abstract void run(int authority);

  @Override
  public void start() {
    workers = authorities.indexes().stream().map(this::worker).toList();
    workers.forEach(RepeatedJob::start);
  }

  private RepeatedJob worker(int authority) {
    return new RepeatedJob(name + "-" + authority, pause, pauseAfterFailure, () -> run(authority));
  }

  @Override
  public void stop() {
    List<RepeatedJob> stopping = workers;
    workers = List.of();
    RepeatedJob.stopAll(stopping);
  }

  @Override
  public boolean isRunning() {
    return !workers.isEmpty();
  }
}
