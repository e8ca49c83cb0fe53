package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.model.TillState;
import io.solidus.wallet.model.WalletProfile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Spec("W-16")
class TillStoreTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final char[] PASSPHRASE = "of the till".toCharArray();
  private static final PassphraseCost COST = new PassphraseCost(8, 1, 1);
  private static final MailboxCursor PLACE = new MailboxCursor(7, Digest32.sha256(new byte[1]));

  @TempDir private Path folder;
  private final SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
  private final WalletKeys keys = WalletKeys.derive(phrase, NETWORK);

  @AfterEach
  void close() {
    keys.close();
    phrase.close();
  }

  private Path create() {
    Path file = folder.resolve("till");
    URI service = URI.create("https://services.example.org");
    WalletProfile profile =
        new WalletProfile(
            NETWORK,
            NetworkKind.REGULATED,
            new CurrencyCode("EUR"),
            new byte[32],
            Set.of(KeyClass.CEREMONY),
            service,
            new ServicePins(service, service, service, keys.encryptionKey().publicKey(), Set.of()),
            "keys",
            null);
    TillState state = new TillState(profile, new Apk(rho(1)), PLACE, Set.of(rho(2)));
    TillStore.create(file, PASSPHRASE, COST, keys.encryptionKey(), state);
    return file;
  }

  private static FieldElement rho(int value) {
    byte[] bytes = new byte[FieldElement.BYTES];
    bytes[FieldElement.BYTES - 1] = (byte) value;
    return FieldElement.of(bytes);
  }

  private static TillPayment payment(int rho) {
    return new TillPayment(new Amount(rho * 100L), rho(rho), 1_000 + rho, "order " + rho);
  }

  private static PendingDelivery message(int time) {
    return PendingDelivery.tagged(new byte[1200], time);
  }

  @Test
  void everyPageIsInTheFile() {
    Path file = create();
    MailboxCursor next = new MailboxCursor(9, Digest32.sha256(new byte[2]));
    try (TillStore store = TillStore.open(file, PASSPHRASE)) {
      assertThat(store.state().mailboxCursor()).isEqualTo(PLACE);
      store.add(next, List.of(payment(3), payment(4)), List.of());
      store.add(next, List.of(), List.of(message(1), message(2)));
      store.add(next, List.of(payment(5)), List.of(message(2)));
    }
    try (TillStore store = TillStore.open(file, PASSPHRASE)) {
      assertThat(store.state().mailboxCursor()).isEqualTo(next);
      assertThat(store.state().payments()).containsExactly(payment(3), payment(4), payment(5));
      assertThat(store.state().unread()).containsExactly(message(2));
      assertThat(store.state().seenRhos())
          .containsExactlyInAnyOrder(rho(2), rho(3), rho(4), rho(5));
      assertThat(store.key().publicKey()).isEqualTo(keys.encryptionKey().publicKey());
    }
  }

  /** Cut anywhere, the file opens with whole pages, or is refused. */
  @Test
  void aCrashLosesAPageAsAWhole() throws IOException {
    Path file = create();
    int before = (int) Files.size(file);
    try (TillStore store = TillStore.open(file, PASSPHRASE)) {
      store.add(PLACE, List.of(payment(3), payment(4)), List.of());
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = before; length < whole.length; length += 7) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (TillStore store = TillStore.open(file, PASSPHRASE)) {
        assertThat(store.state().payments()).as("cut to %d bytes", length).isEmpty();
      }
    }
    byte[] changed = whole.clone();
    changed[before - 50] ^= 1;
    Files.write(file, changed);
    assertThat(
            catchThrowableOfType(WalletException.class, () -> TillStore.open(file, PASSPHRASE))
                .error())
        .isEqualTo(WalletError.STORE_CORRUPT);
  }

  /** Whoever steals the till, and its passphrase, cannot spend. */
  @Test
  void theFileHasTheKeyOfTheAddressAndNoOther() throws IOException {
    byte[] sealed = Files.readAllBytes(create());
    String content;
    try (StoreCipher cipher = StoreCipher.open(sealed, PASSPHRASE)) {
      content = HexFormat.of().formatHex(cipher.read(sealed).entries().getFirst());
    }
    assertThat(content)
        .contains(hex(keys.encryptionKey().bytes()))
        .doesNotContain(hex(phrase.entropy()))
        .doesNotContain(keys.nullifierKey().hex())
        .doesNotContain(hex(keys.memoKey()))
        .doesNotContain(hex(keys.spendKey().bytes()));
    assertThat(new EncryptionKey(keys.encryptionKey().publicKey().bytes()))
        .isEqualTo(keys.encryptionKey().publicKey());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
