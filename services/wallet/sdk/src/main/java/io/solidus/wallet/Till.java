package io.solidus.wallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeException;
import io.solidus.prover.Suite;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.gateway.TokenSource;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.model.TillState;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestText;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.GatewayAccess;
import io.solidus.wallet.session.MailboxReader;
import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.TagWatch;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.store.TillStore;
import io.solidus.wallet.trust.SignedServices;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device in a shop that sees the payments to a wallet, verifies them and cannot spend. It has the
 * wallet's address and the key that opens what is sealed to it; {@link Wallet#makeTill} writes its
 * file.
 *
 * <p>A payment that a till shows is the wallet's money: the network signed the coin, only the
 * wallet can spend it, and it was never shown before. A till sees everything that is sealed to the
 * address, so also the wallet's copies of its own coins, but no payment that the wallet made.
 *
 * <p>All methods may be called from any thread; {@link #receive} runs one at a time.
 */
public final class Till implements AutoCloseable {
  private final TillStore store;
  private final WalletOptions options;
  private final WalletProfile profile;
  private final KeySet keys;
  private final Suite suite;
  private final ParcelCipher parcels;
  private final HttpClient http;
  private final GatewayClient gateway;

  private Till(TillStore store, WalletProfile profile, KeySet keys, WalletOptions options) {
    this.store = store;
    this.options = options;
    this.profile = profile;
    this.keys = keys;
    this.suite = new Suite(keys.network(), keys.kind());
    suite.checkCommittee(keys.committee());
    this.parcels = new ParcelCipher(profile.network());
    this.http =
        Connections.client(options.httpTimeout(), profile.services().tlsKeys(), options.proxy());
    this.gateway = GatewayAccess.open(http, profile, options, TokenSource.NONE);
  }

  /**
   * Opens a till's file.
   *
   * @param passphrase of the till; the caller clears it
   * @param keysDir folder with the network's keys on this device, of which no proving key is used;
   *     null for the folder that the wallet has
   * @throws WalletException {@code store-missing}, {@code store-locked}, {@code wrong-passphrase},
   *     {@code store-corrupt}, {@code store-version}, {@code manifest-untrusted}, {@code
   *     network-mismatch} or {@code insecure-address}
   */
  public static Till open(
      Path file, char[] passphrase, @Nullable Path keysDir, WalletOptions options) {
    TillStore store = TillStore.open(file, passphrase);
    KeySet keys = null;
    try {
      WalletProfile made = store.state().profile();
      WalletProfile profile =
          SignedServices.applied(
              keysDir == null ? made : made.withKeysDir(keysDir.toAbsolutePath().toString()));
      keys =
          KeySet.open(
              Path.of(profile.keysDir()),
              profile.network(),
              profile.kind(),
              profile.keyClasses(),
              profile.manifestKey());
      return new Till(store, profile, keys, options);
    } catch (NativeException e) {
      store.close();
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the network's keys cannot be used: " + e.getMessage(),
          e);
    } catch (RuntimeException e) {
      if (keys != null) {
        keys.close();
      }
      store.close();
      throw e;
    }
  }

  /** The network, its currency and its services. */
  public WalletProfile profile() {
    return profile;
  }

  /** The address for payments to the wallet. */
  public Address address() {
    return new Address(store.state().apk(), store.key().publicKey());
  }

  /** The URI of a payment request to the wallet, not signed: the till has no key for that. */
  public String writeRequest(PaymentRequest request) {
    if (!request.payee().equals(address())) {
      throw ProtocolException.malformed("a till asks for payments to its wallet");
    }
    return RequestText.write(profile.network(), request, null);
  }

  /** The payments that this till has seen, in their order. */
  public List<TillPayment> payments() {
    return store.state().payments();
  }

  /**
   * Reads the mailbox from the stored place on, and returns the payments that are new. They are in
   * the file before this returns.
   *
   * @throws WalletException {@code gateway-unreachable}, {@code gateway-misbehaved} or {@code
   *     store-unwritable}; what was accepted before stays in {@link #payments}
   */
  @Spec("W-16")
  public synchronized List<TillPayment> receive() {
    options.progress().at(Progress.Step.READING_MAILBOX);
    Set<FieldElement> seen = store.state().seenRhos();
    List<TillPayment> all = new ArrayList<>();
    MailboxBucket bucket =
        MailboxBucket.of(
            profile.network(),
            store.state().apk(),
            SignedServices.mailboxBits(profile, options.mailboxBits()));
    MailboxReader.read(
        gateway,
        bucket,
        new MailboxReader.Place() {
          @Override
          public MailboxCursor cursor() {
            return store.state().mailboxCursor();
          }

          @Override
          public void accept(MailboxPage page, MailboxCursor next) {
            List<byte[]> blobs = page.entries().stream().map(MailboxPage.Entry::blob).toList();
            List<TillPayment> payments = payments(blobs, seen);
            store.add(next, payments, unreadWithout(blobs));
            payments.forEach(payment -> seen.add(payment.rho()));
            all.addAll(payments);
          }

          @Override
          public void startAgain() {
            store.add(MailboxCursor.START, List.of(), store.state().unread());
          }
        });
    postMissing(bucket);
    return List.copyOf(all);
  }

  /** What only the tag has, the wallet would never get: the till puts it where it belongs. */
  private void postMissing(MailboxBucket bucket) {
    for (PendingDelivery message : store.state().unread()) {
      try {
        long unused = gateway.postMailbox(message.blob(), bucket);
      } catch (ProtocolException | WalletException e) {
        return; // after the next reading
      }
      store.add(store.state().mailboxCursor(), List.of(), unreadWithout(List.of(message.blob())));
    }
  }

  private List<PendingDelivery> unreadWithout(List<byte[]> read) {
    return store.state().unread().stream()
        .filter(message -> read.stream().noneMatch(blob -> Arrays.equals(blob, message.blob())))
        .toList();
  }

  /**
   * Waits for the payment of a request with this tag, or for any other, and returns the new
   * payments. The payment shows within a second of its post. Reads the mailbox as {@link
   * #receive()} does, too, from time to time.
   *
   * @param patience the longest wait, up to a day
   * @return empty when nothing came in this time
   * @throws WalletException as {@link #receive()}
   */
  public List<TillPayment> receive(RequestToken tag, Duration patience) {
    return new TagWatch(gateway, tag)
        .await(requirePatience(patience), this::acceptTagged, this::receive);
  }

  static Duration requirePatience(Duration patience) {
    if (patience.isNegative() || patience.compareTo(Duration.ofDays(1)) > 0) {
      throw ProtocolException.malformed("a wait for a payment lasts at most a day");
    }
    return patience;
  }

  /** The place in the mailbox stays, and the reading that follows comes past these messages. */
  private synchronized List<TillPayment> acceptTagged(List<byte[]> blobs) {
    List<TillPayment> payments = new ArrayList<>();
    for (byte[] blob : blobs) {
      List<PendingDelivery> unread = new ArrayList<>(store.state().unread());
      if (unread.size() == TillState.MAX_UNREAD) {
        break; // what the till could not keep it takes from the bucket only
      }
      List<TillPayment> found = payments(List.of(blob), store.state().seenRhos());
      if (!found.isEmpty()) {
        unread.add(PendingDelivery.tagged(blob, options.clock().millis()));
        store.add(store.state().mailboxCursor(), found, unread);
        payments.addAll(found);
      }
    }
    if (!payments.isEmpty()) {
      try {
        payments.addAll(receive());
      } catch (ProtocolException | WalletException e) {
        // these payments are in the file; the next reading looks for their messages
      }
    }
    return payments;
  }

  private List<TillPayment> payments(List<byte[]> blobs, Set<FieldElement> seen) {
    List<TillPayment> payments = new ArrayList<>();
    Set<FieldElement> here = new HashSet<>();
    for (byte[] blob : blobs) {
      if (parcels.open(store.key(), blob).orElse(null) instanceof Parcel.Payment payment
          && !payment.value().isZero()
          && !seen.contains(payment.rho())
          && !here.contains(payment.rho())
          && isSigned(payment)) {
        here.add(payment.rho());
        payments.add(
            new TillPayment(
                payment.value(), payment.rho(), options.clock().millis(), payment.reference()));
      }
    }
    return payments;
  }

  /** Whether the network signed this coin for the wallet. */
  private boolean isSigned(Parcel.Payment payment) {
    if (keys.kind() == NetworkKind.UNREGULATED && payment.origin() != Origin.PAYMENT) {
      return false; // no coin of such a network has another origin
    }
    TillState state = store.state();
    Coin coin = new Coin(payment.origin(), payment.value(), state.apk(), payment.rho());
    return suite.verify(keys.committee(), suite.coinMessage(coin), payment.signature());
  }

  @Override
  public void close() {
    http.shutdownNow();
    keys.close();
    store.close();
  }
}
