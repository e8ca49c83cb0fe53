package io.solidus.loadtest.byzantine;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.session.MailboxClient;
import io.solidus.wallet.session.Registrar;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.session.WalletSession;
import io.solidus.wallet.store.PassphraseCost;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.transfer.TransferDraft;
import io.solidus.wallet.transfer.TransferFactory;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A wallet of which only the seed phrase is left, with three transfers that the authorities stored:
 * a claim of 1,000, a payment of 100 and one of 200. Its proofs belong to other transfers. The
 * authorities of this test accept declared proofs; everything else is real.
 */
final class LostWallet {
  static final int TRANSFERS = 3;
  static final Amount HELD = new Amount(700);

  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");
  private static final char[] PASSPHRASE = "a passphrase of a test".toCharArray();
  private static final WalletOptions OPTIONS =
      WalletOptions.defaults()
          .withMaxMailboxDelay(Duration.ZERO)
          .withRetryPause(Duration.ofMillis(50))
          .withPatience(Duration.ofSeconds(30))
          .withPassphraseCost(new PassphraseCost(8, 1, 1));

  private final GatewayRig rig;
  private final WalletPlatform platform;
  private final Path folder;
  private final String words;
  private final List<TransferRequest> chain = new ArrayList<>();
  private int files;

  LostWallet(GatewayRig rig, WalletPlatform platform, Path folder) {
    this.rig = rig;
    this.platform = platform;
    this.folder = folder;
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      this.words = phrase.words();
    }
    makeChain();
  }

  /**
   * Stores its transfers at the authorities, the last one at some of them only.
   *
   * @param last the authorities that store the last transfer
   */
  LostWallet stored(Set<Integer> last) {
    chain.forEach(rig.network::declareValid);
    for (AuthorityServer authority : rig.authorities) {
      chain.stream()
          .limit(last.contains(authority.honest.index) ? TRANSFERS : TRANSFERS - 1)
          .forEach(authority.honest::submit);
    }
    return this;
  }

  /** A new wallet of the same phrase; the caller closes it. */
  Wallet fromItsPhrase() {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      return Wallet.create(file(), PASSPHRASE.clone(), phrase, profile(), platform, OPTIONS);
    }
  }

  private void makeChain() {
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletStore store =
            WalletStore.create(
                file(),
                PASSPHRASE.clone(),
                OPTIONS.passphraseCost(),
                phrase,
                WalletState.empty(profile()));
        WalletSession session = new WalletSession(store, platform, OPTIONS, null)) {
      Address self = session.address();
      ComplianceCoin first = new Registrar(session, new MailboxClient(session)).firstCoin();
      SpentInput received =
          new SpentInput(
              Origin.PAYMENT,
              new Amount(1000),
              FieldElement.ofLong(first.rho().hashCode() & 0xffff));
      ComplianceCoin second =
          transfer(session.factory(), first, memo(Amount.ZERO, self, List.of(received)));
      ComplianceCoin third =
          transfer(session.factory(), second, memo(new Amount(100), self, List.of()));
      transfer(session.factory(), third, memo(new Amount(200), self, List.of()));
    }
  }

  private static Memo memo(Amount paid, Address to, List<SpentInput> inputs) {
    return new Memo(0, 1_790_000_000_000L, paid, to, Amount.ZERO, inputs, 0, "");
  }

  private ComplianceCoin transfer(TransferFactory factory, ComplianceCoin cc, Memo memo) {
    try (TransferDraft draft = factory.draft(cc, memo, ForgedNetwork.RULES.period(), null)) {
      chain.add(
          new TransferRequest(
              draft.statement(),
              rig.network.transfer().evidence(),
              draft.attachments(),
              List.of()));
      return draft.prepared().next();
    }
  }

  private Path file() {
    return folder.resolve(words.hashCode() + "-" + files++ + ".sld");
  }

  private WalletProfile profile() {
    return new WalletProfile(
        ForgedNetwork.NETWORK,
        NetworkKind.REGULATED,
        new CurrencyCode("EUR"),
        rig.network.keys.manifestKey(),
        Set.of(KeyClass.LOAD_TEST),
        rig.uri,
        new ServicePins(
            NOWHERE, NOWHERE, NOWHERE, new EncryptionKey(rig.network.keys.manifestKey())),
        rig.network.keys.dir().toString(),
        null);
  }
}
