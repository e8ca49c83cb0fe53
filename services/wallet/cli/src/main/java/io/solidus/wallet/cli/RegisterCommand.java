package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.gateway.Applicant;
import io.solidus.wallet.gateway.Organisation;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.model.RegistrationStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code register}. */
@Command(
    name = "register",
    description = {
      "Registers the wallet's owner, or shows the status of the registration.",
      "The details go to the registration service only; the wallet does not store them.",
      "Asks for the details of a person. They may come from a file of options instead: @FILE."
    })
final class RegisterCommand extends OpenWalletCommand {
  private static final int MAX_BYTES = 64 * 1024;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--given-name", paramLabel = "NAME")
  private @Nullable String givenName;

  @Option(names = "--family-name", paramLabel = "NAME")
  private @Nullable String familyName;

  @Option(names = "--birth-date", paramLabel = "YYYY-MM-DD")
  private @Nullable String birthDate;

  @Option(names = "--nationality", paramLabel = "CC", description = "ISO 3166-1, two letters")
  private @Nullable String nationality;

  @Option(names = "--document-number", paramLabel = "NUMBER")
  private @Nullable String documentNumber;

  @Option(
      names = "--organisation",
      paramLabel = "FILE",
      description = "registers a company, association or public body: its details as JSON")
  private @Nullable Path organisation;

  @Option(
      names = "--bank",
      paramLabel = "ID",
      description = "whose customer you become, where there are several banks")
  private @Nullable String bank;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "how long to wait for the decision")
  private int waitSeconds;

  RegisterCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    RegistrationStatus status = wallet.collectRegistration();
    if (status.stage() == RegistrationStatus.Stage.NONE) {
      status = wallet.register(applicant());
    }
    if (status.stage() == RegistrationStatus.Stage.PENDING && waitSeconds > 0) {
      status = wallet.awaitRegistration(Duration.ofSeconds(waitSeconds));
    }
    return result(status);
  }

  private Applicant applicant() {
    if (organisation == null) {
      return person();
    }
    try (InputStream in = Files.newInputStream(organisation)) {
      return Organisation.ofJson(
          new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8), bank);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "the organisation's file cannot be read, or is no JSON object", e);
    }
  }

  private Person person() {
    Answers answers = new Answers(top.terminal(), spec);
    return new Person(
        answers.orAsk(givenName, "Given name"),
        answers.orAsk(familyName, "Family name"),
        date(answers.orAsk(birthDate, "Birth date (YYYY-MM-DD)")),
        answers.orAsk(nationality, "Nationality (two letters, ISO 3166-1)"),
        answers.orAsk(documentNumber, "Document number"),
        bank);
  }

  private LocalDate date(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "the birth date is not of the form YYYY-MM-DD", e);
    }
  }

  private static Result result(RegistrationStatus status) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("registration", EnumText.of(status.stage()));
    if (status.reason() != null) {
      json.put("reason", status.reason());
    }
    String text =
        switch (status.stage()) {
          case REGISTERED -> "Registered.";
          case REFUSED ->
              "The registration was refused"
                  + (status.reason() == null ? "." : ": " + status.reason());
          default ->
              "The registration waits for its decision; check later with 'solidus wallet"
                  + " register'.";
        };
    int exit =
        switch (status.stage()) {
          case REGISTERED -> WalletError.Exit.OK;
          case REFUSED -> WalletError.Exit.REFUSED;
          default -> WalletError.Exit.NOT_YET;
        };
    return new Result(json, text, exit);
  }
}
