package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.AdmissionCheck;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.PipelineObserver;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.SpendStore;
import io.solidus.protocol.TxCore;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A guard removed from the production source of {@link SpendPipeline}: the text is changed at one
 * place, compiled and loaded beside the original. It is an error when the place is not found
 * exactly once, so the patterns must follow the source.
 */
enum PipelineMutant {
  STORED_ANSWER_NOT_LOOKED_UP("a stored answer is not looked up", "step(this::answerAgain);", ""),
  SIBLINGS_NOT_LOOKED_AT(
      "the siblings are not asked for holders before reserving",
      "step(this::rejectHeldAtSiblings);",
      ""),
  SILENT_SIBLING_IS_FREE(
      "a sibling that does not answer counts as holding nothing",
      "failAllOf(owner, failed.reason());",
      "failed.reason();"),
  NOT_CHECKED(
      "serial numbers are reserved before the signer has checked the request",
      "step(this::check);",
      ""),
  CONFLICT_IN_BATCH_NOT_DEFERRED(
      "two cores of a batch that want one serial number continue together",
      "step(this::deferTwiceWanted);",
      ""),
  REFUSAL_OF_RESERVATION_IGNORED(
      "a request whose reservation the spend store rejects continues",
      "settle(cores(order), observer.observe(Stage.RESERVE, () -> spendStore.reserve(reservations)));",
      "spendStore.reserve(reservations);"),
  OWN_NOT_RESERVED(
      "the shard's own serial numbers are not reserved before signing",
      "step(this::reserveOwn);",
      ""),
  SIGN_BEFORE_RESERVING(
      "the core is signed before its serial numbers are reserved",
      "step(this::deferTwiceWanted);",
      "step(this::deferTwiceWanted); step(this::sign);"),
  SIBLINGS_BEFORE_LEAD(
      "the siblings' serial numbers are reserved before the lead one",
      "step(this::reserveOwn);",
      "step(this::reserveAtSiblings); step(this::reserveOwn);"),
  SIBLINGS_NOT_RESERVED(
      "the siblings' serial numbers are not reserved", "step(this::reserveAtSiblings);", ""),
  SIBLINGS_NOT_AWAITED(
      "the outcome of a reservation at a sibling is ignored",
      "byOwner.forEach((owner, claims) -> settle(claims.stream().map(Claim::core).toList(), of(owner, replies)));",
      "replies.size();"),
  REFUSAL_SHARED(
      "the same core sent twice shares a rejection",
      "reject(order.get(i), failed.reason());",
      "fail(order.get(i).core(), failed.reason());"),
  ANSWER_NOT_STORED(
      "an answer leaves that was not stored",
      "observer.observe(Stage.STORE, () -> spendStore.store(signed)).forEach((core, answer) -> end(core, Outcome.done(answer)));",
      "signed.forEach(s -> end(s.request().core(), Outcome.done(s.answer())));"),
  FAILED_STEP_IGNORED(
      "a step that throws does not fail its requests",
      "List.copyOf(pending.keySet()).forEach(core -> fail(core, e));",
      "e.getMessage();");

  private static final Path SOURCE =
      Path.of("src/main/java/io/solidus/authority/spend/SpendPipeline.java");
  private static final String NAME = SpendPipeline.class.getName();

  private final String meaning;
  private final String guard;
  private final String instead;

  PipelineMutant(String meaning, String guard, String instead) {
    this.meaning = meaning;
    this.guard = guard;
    this.instead = instead;
  }

  String meaning() {
    return meaning;
  }

  /** Whether this Java runtime has a compiler. */
  static boolean available() {
    return ToolProvider.getSystemJavaCompiler() != null;
  }

  /**
   * Compiles the changed source and loads it.
   *
   * @param folder an empty folder for source and classes
   */
  Pipelines compile(Path folder) {
    try {
      Path source = folder.resolve("SpendPipeline.java");
      Files.writeString(source, mutated(Files.readString(SOURCE)));
      compile(source, folder);
      Class<?> mutant = new MutantLoader(folder).loadClass(NAME);
      return ports -> pipeline(mutant, ports);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private String mutated(String source) {
    String text = onOneLine(source);
    String wanted = onOneLine(guard);
    int at = text.indexOf(wanted);
    if (at < 0 || text.indexOf(wanted, at + 1) >= 0) {
      throw new IllegalStateException(
          this + ": SpendPipeline does not contain the guard exactly once: " + guard);
    }
    return text.replace(wanted, onOneLine(instead));
  }

  /** Joins the lines, so that the patterns do not depend on the formatter. */
  private static String onOneLine(String java) {
    return java.replaceAll("//[^\n]*", "")
        .replaceAll("\\s+", " ")
        .replaceAll(" ?([().,;{}]) ?", "$1");
  }

  private static void compile(Path source, Path folder) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    List<String> options = List.of("--release", "21", "-d", folder.toString(), "-cp", classpath());
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      if (!compiler
          .getTask(problems, files, null, options, null, files.getJavaFileObjects(source))
          .call()) {
        throw new IllegalStateException("the mutant does not compile: " + problems);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String classpath() {
    return Stream.of(SpendPipeline.class, TxCore.class, NullMarked.class)
        .map(PipelineMutant::place)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    try {
      return Path.of(source.getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pipelines.Pipeline pipeline(Class<?> mutant, ShardPorts ports) {
    try {
      Object pipeline =
          mutant
              .getConstructor(
                  Supplier.class,
                  AdmissionCheck.class,
                  SpendStore.class,
                  Siblings.class,
                  Signer.class,
                  Failpoints.class,
                  PipelineObserver.class)
              .newInstance(ports, ports, ports, ports, ports, ports, PipelineObserver.NONE);
      var run = mutant.getMethod("run", List.class);
      return requests -> {
        try {
          @SuppressWarnings("unchecked")
          List<Outcome<SimulatedPartial>> outcomes =
              (List<Outcome<SimulatedPartial>>) run.invoke(pipeline, requests);
          return outcomes;
        } catch (InvocationTargetException e) {
          throw unchecked(e.getCause());
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        }
      };
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) Objects.requireNonNull(cause);
  }

  /**
   * Loads the mutant and its nested classes from the folder, and every other class from the parent
   * loader.
   */
  private static final class MutantLoader extends ClassLoader {
    private final Path folder;

    MutantLoader(Path folder) {
      super(SpendPipeline.class.getClassLoader());
      this.folder = folder;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(NAME) && !name.startsWith(NAME + "$")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try {
        byte[] bytes = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
