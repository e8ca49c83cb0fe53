package io.solidus.dev.sandbox.demo;

import io.solidus.protocol.Address;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** A person of the story with a wallet. */
public final class Actor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final LocalDate FIRST_BIRTH_DATE = LocalDate.of(1950, 1, 1);
  private static final int BIRTH_DATES = 20_000;

  private final Stage stage;
  private final String name;
  private final Path file;
  private final String words;
  private Wallet wallet;

  private Actor(Stage stage, String name, Path file, String words, Wallet wallet) {
    this.stage = stage;
    this.name = name;
    this.file = file;
    this.words = words;
    this.wallet = wallet;
  }

  /** A new wallet with a fresh seed phrase. */
  public static Actor enter(Stage stage, String name) throws IOException {
    Path file = file(stage, name);
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      String words = phrase.words();
      return new Actor(stage, name, file, words, create(stage, file, phrase));
    }
  }

  private static Path file(Stage stage, String name) throws IOException {
    Path folder = Files.createDirectories(stage.options.data().resolve("demo").resolve(stage.run));
    return folder.resolve(name.toLowerCase(Locale.ROOT) + ".wallet");
  }

  private static Wallet create(Stage stage, Path file, SeedPhrase phrase) {
    return Wallet.create(
        file,
        Stage.PASSPHRASE.clone(),
        phrase,
        stage.profile(null),
        stage.wallets,
        stage.walletOptions(PATIENCE));
  }

  /** The same person with a copy of the wallet's file on another device. */
  Actor withAnotherDevice() throws IOException {
    Path copy = file.resolveSibling("other-" + file.getFileName());
    Files.copy(file, copy);
    Wallet opened =
        Wallet.open(copy, Stage.PASSPHRASE.clone(), stage.wallets, stage.walletOptions(PATIENCE));
    return new Actor(stage, name, copy, words, opened);
  }

  /** Secrets that only this person and the registration service may know. */
  List<String> secrets() {
    Person person = person();
    return List.of(person.familyName(), person.documentNumber(), words);
  }

  String name() {
    return name;
  }

  String words() {
    return words;
  }

  /** The open wallet. */
  public Wallet wallet() {
    return wallet;
  }

  Address address() {
    return wallet.address();
  }

  Path file() {
    return file;
  }

  long total() {
    return wallet.balance().total().minor();
  }

  /** An invented person, with a family name and a birth date that are unique to this run. */
  public Person person() {
    return new Person(
        name,
        "Ångström-" + stage.run,
        birthDate(name + stage.run),
        "FR",
        "DEMO" + name.toUpperCase(Locale.ROOT) + stage.run);
  }

  private static LocalDate birthDate(String seed) {
    return FIRST_BIRTH_DATE.plusDays(Math.floorMod(seed.hashCode(), BIRTH_DATES));
  }

  /** Opens the wallet's file again with another waiting time. */
  void reopen(Duration patience) {
    wallet.close();
    wallet =
        Wallet.open(file, Stage.PASSPHRASE.clone(), stage.wallets, stage.walletOptions(patience));
  }

  void reopen() {
    reopen(PATIENCE);
  }

  /** Deletes the wallet's file and makes a new wallet from the seed phrase. */
  Wallet loseAndStartOver() throws IOException {
    wallet.close();
    Files.delete(file);
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      wallet = create(stage, file, phrase);
    }
    return wallet;
  }

  /**
   * Closes the wallet, so that another program can use its file; {@link #reopen} opens it again.
   */
  void letGo() {
    wallet.close();
  }

  @Override
  public void close() {
    wallet.close();
  }
}
