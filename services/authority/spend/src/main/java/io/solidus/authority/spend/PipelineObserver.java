package io.solidus.authority.spend;

import java.util.function.Supplier;

/**
 * Runs each stage of a {@link SpendPipeline}, to measure it or to act when it ends. The pipeline
 * calls it around every use of a port.
 */
public interface PipelineObserver {

  /** A use of a port, in the order of work. */
  enum Stage {
    /** For each request; every other stage is for a batch. */
    ADMISSION("admission"),
    LOOKUP("lookup"),
    SIBLINGS_LOOKUP("siblings-lookup"),
    CHECK("check"),
    RESERVE("reserve"),
    SIBLINGS_RESERVE("siblings-reserve"),
    SIGN("sign"),
    STORE("store");

    private final String label;

    Stage(String label) {
      this.label = label;
    }

    /** The name in metrics and traces. */
    public String label() {
      return label;
    }
  }

  /** Only runs the work. */
  PipelineObserver NONE =
      new PipelineObserver() {
        @Override
        public <T> T observe(Stage stage, Supplier<T> work) {
          return work.get();
        }
      };

  /** Runs the work once and returns its result, or throws what it throws. */
  <T> T observe(Stage stage, Supplier<T> work);
}
