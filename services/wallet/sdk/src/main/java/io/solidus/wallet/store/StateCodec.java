package io.solidus.wallet.store;

import io.solidus.protocol.Address;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.Contact;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.PendingRedemption;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.ProvedUnder;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.SpendableToken;
import io.solidus.wallet.model.WalletState;
import io.solidus.wire.Codecs;
import io.solidus.wire.token.Token;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.pcollections.PVector;

/**
 * Encodes the content of the wallet's file. Its first entry is a version, the seed phrase's
 * entropy, the profile, and the state as a change of the empty one. Each other entry is the change
 * of the state before it: the numbers of the fields that differ, each with its new value or with
 * what changed in its list, then a zero.
 */
final class StateCodec {
  static final int ENTROPY_BYTES = 32;
  private static final int VERSION = 5;

  /** A delivery's stage has the low bits of its byte, its payee those above. */
  private static final int PAYEE_SHIFT = 2;

  /** A field of the state; its number is its place in this list, from 1. New ones come last. */
  private static final List<Field> FIELDS =
      List.of(
          value(
              WalletState::profile,
              (d, v) -> d.profile = v,
              ProfileCodec::write,
              ProfileCodec::read),
          value(
              WalletState::restoring,
              (d, v) -> d.restoring = v,
              (out, v) -> out.u8(v ? 1 : 0),
              StateReader::flag),
          optional(
              WalletState::registration,
              (d, v) -> d.registration = v,
              StateCodec::write,
              StateCodec::registration),
          optional(
              WalletState::compliance,
              (d, v) -> d.compliance = v,
              CoinCodec::write,
              CoinCodec::complianceCoin),
          optional(
              WalletState::pending,
              (d, v) -> d.pending = v,
              (out, request) -> out.bytes(Codecs.toBytes(request)),
              in -> Codecs.transferRequest(in.bytes())),
          growing(
              WalletState::receivedCoins,
              WalletState.Draft::remember,
              CoinCodec::write,
              CoinCodec::received),
          growing(
              WalletState::transfers,
              WalletState.Draft::remember,
              CoinCodec::write,
              CoinCodec::transfer),
          growing(
              WalletState::paymentIds,
              WalletState.Draft::remember,
              (out, payment) -> out.text(payment.id()).fixed(payment.core().bytes()),
              in -> new PaymentId(in.text(), TxCore.of(in.fixed(Digest32.BYTES)))),
          list(WalletState::coins, d -> d.coins, CoinCodec::write, CoinCodec::coin),
          list(WalletState::abandoned, d -> d.abandoned, CoinCodec::write, CoinCodec::abandoned),
          list(WalletState::mints, d -> d.mints, StateCodec::write, StateCodec::mint),
          list(WalletState::deliveries, d -> d.deliveries, StateCodec::write, StateCodec::delivery),
          list(
              WalletState::redemptions,
              d -> d.redemptions,
              StateCodec::write,
              StateCodec::redemption),
          value(
              WalletState::mailboxCursor,
              (d, v) -> d.mailboxCursor = v,
              StateCodec::write,
              StateCodec::cursor),
          optional(
              WalletState::policyMark,
              (d, v) -> d.policyMark = v,
              StateCodec::write,
              StateCodec::mark),
          optional(
              WalletState::checkpointMark,
              (d, v) -> d.checkpointMark = v,
              StateCodec::write,
              StateCodec::mark),
          optional(
              WalletState::servicesMark,
              (d, v) -> d.servicesMark = v,
              StateCodec::write,
              StateCodec::mark),
          optional(
              WalletState::provedUnder,
              (d, v) -> d.provedUnder = v,
              (out, proved) -> out.u64(proved.policyVersion()).u64(proved.checkpointVersion()),
              in -> new ProvedUnder(in.u64(), in.u64())),
          growing(
              WalletState::recovers,
              WalletState.Draft::remember,
              CoinCodec::write,
              CoinCodec::recover),
          list(WalletState::contacts, d -> d.contacts, StateCodec::write, StateCodec::contact),
          list(WalletState::posts, d -> d.posts, StateCodec::write, StateCodec::cursor),
          optional(
              WalletState::registered,
              (d, v) -> d.registered = v,
              StateCodec::write,
              StateCodec::registrationCase),
          value(
              WalletState::tokenDay, (d, v) -> d.tokenDay = v, StateWriter::u64, StateReader::u64),
          list(WalletState::tokens, d -> d.tokens, StateCodec::write, StateCodec::token),
          optional(
              WalletState::mailPlace,
              (d, v) -> d.mailPlace = v,
              MailCodec::write,
              MailCodec::place),
          value(
              WalletState::nextMailQuery,
              (d, v) -> d.nextMailQuery = v,
              StateWriter::u64,
              StateReader::u64));

  private StateCodec() {}

  private interface Field {
    boolean isSame(WalletState before, WalletState after);

    void write(StateWriter out, WalletState before, WalletState after);

    void read(StateReader in, WalletState.Draft draft);
  }

  /** The first entry; the caller clears it. */
  static byte[] encode(byte[] entropy, WalletState state) {
    try (StateWriter out = new StateWriter()) {
      out.u8(VERSION).fixed(entropy);
      ProfileCodec.write(out, state.profile());
      write(out, WalletState.empty(state.profile()), state);
      return out.toBytes();
    }
  }

  /** An entry after the first; the caller clears it. */
  static byte[] encodeChange(WalletState before, WalletState after) {
    try (StateWriter out = new StateWriter()) {
      write(out, before, after);
      return out.toBytes();
    }
  }

  /**
   * The entropy of the seed phrase; the caller clears it.
   *
   * @throws WalletException {@code store-corrupt} or {@code store-version}
   */
  static byte[] entropy(byte[] content) {
    StateReader in = new StateReader(content);
    requireVersion(in);
    try {
      return in.fixed(ENTROPY_BYTES);
    } catch (BufferUnderflowException e) {
      throw new WalletException(
          WalletError.STORE_CORRUPT, "the wallet file opens but its content is cut short", e);
    }
  }

  /**
   * The state of the first entry.
   *
   * @throws WalletException {@code store-corrupt} or {@code store-version}
   */
  static WalletState decode(byte[] content) {
    StateReader in = new StateReader(content);
    requireVersion(in);
    return read(() -> {
      in.fixed(ENTROPY_BYTES);
      WalletState state = read(in, WalletState.empty(ProfileCodec.read(in)));
      requireSame(content, state);
      return state;
    });
  }

  /**
   * The state after an entry.
   *
   * @throws WalletException {@code store-corrupt}
   */
  static WalletState decodeChange(WalletState before, byte[] content) {
    return read(() -> read(new StateReader(content), before));
  }

  private static WalletState read(Supplier<WalletState> read) {
    try {
      return read.get();
    } catch (RuntimeException e) {
      throw new WalletException(
          WalletError.STORE_CORRUPT,
          "the wallet file opens but its content is not a wallet's state",
          e);
    }
  }

  private static void write(StateWriter out, WalletState before, WalletState after) {
    for (int i = 0; i < FIELDS.size(); i++) {
      Field field = FIELDS.get(i);
      if (!field.isSame(before, after)) {
        field.write(out.u8(i + 1), before, after);
      }
    }
    out.u8(0);
  }

  private static WalletState read(StateReader in, WalletState before) {
    WalletState after =
        before.change(draft -> {
          int last = 0;
          for (int number = in.u8(); number != 0; number = in.u8()) {
            if (number <= last || number > FIELDS.size()) {
              throw new IllegalArgumentException("the fields are not those of a wallet");
            }
            FIELDS.get(number - 1).read(in, draft);
            last = number;
          }
        });
    in.requireEnd();
    return after;
  }

  private static <T> Field value(
      Function<WalletState, T> of,
      BiConsumer<WalletState.Draft, T> set,
      BiConsumer<StateWriter, T> write,
      Function<StateReader, T> read) {
    return new Field() {
      @Override
      public boolean isSame(WalletState before, WalletState after) {
        return Objects.equals(of.apply(before), of.apply(after));
      }

      @Override
      public void write(StateWriter out, WalletState before, WalletState after) {
        write.accept(out, of.apply(after));
      }

      @Override
      public void read(StateReader in, WalletState.Draft draft) {
        set.accept(draft, read.apply(in));
      }
    };
  }

  private static <T> Field optional(
      Function<WalletState, @Nullable T> of,
      BiConsumer<WalletState.Draft, @Nullable T> set,
      BiConsumer<StateWriter, T> write,
      Function<StateReader, T> read) {
    return StateCodec.<@Nullable T>value(
        of, set, (out, v) -> out.optional(v, write), in -> in.optional(read));
  }

  /** A list to which the wallet only adds. */
  private static <T> Field growing(
      Function<WalletState, PVector<T>> of,
      BiConsumer<WalletState.Draft, T> add,
      BiConsumer<StateWriter, T> write,
      Function<StateReader, T> read) {
    return new Field() {
      @Override
      public boolean isSame(WalletState before, WalletState after) {
        return of.apply(before).size() == of.apply(after).size();
      }

      @Override
      public void write(StateWriter out, WalletState before, WalletState after) {
        PVector<T> all = of.apply(after);
        List<T> added = new ArrayList<>();
        for (int i = of.apply(before).size(); i < all.size(); i++) {
          added.add(all.get(i));
        }
        out.each(added, write);
      }

      @Override
      public void read(StateReader in, WalletState.Draft draft) {
        in.each(read).forEach(element -> add.accept(draft, element));
      }
    };
  }

  private static <T> Field list(
      Function<WalletState, List<T>> of,
      Function<WalletState.Draft, List<T>> in,
      BiConsumer<StateWriter, T> write,
      Function<StateReader, T> read) {
    return new Field() {
      @Override
      public boolean isSame(WalletState before, WalletState after) {
        return of.apply(before).equals(of.apply(after));
      }

      @Override
      public void write(StateWriter out, WalletState before, WalletState after) {
        ListChange.write(out, of.apply(before), of.apply(after), write);
      }

      @Override
      public void read(StateReader reader, WalletState.Draft draft) {
        List<T> all = in.apply(draft);
        List<T> changed = ListChange.read(reader, List.copyOf(all), read);
        all.clear();
        all.addAll(changed);
      }
    };
  }

  /**
   * Requires that encoding the state again gives the same bytes. Otherwise another program wrote
   * them.
   */
  private static void requireSame(byte[] content, WalletState state) {
    byte[] entropy = entropy(content);
    byte[] again = encode(entropy, state);
    try {
      if (!Arrays.equals(content, again)) {
        throw new IllegalArgumentException(
            "the content is not in the form that this program writes");
      }
    } finally {
      Arrays.fill(entropy, (byte) 0);
      Arrays.fill(again, (byte) 0);
    }
  }

  private static void requireVersion(StateReader in) {
    try {
      int version = in.u8();
      if (version != VERSION) {
        throw new WalletException(
            WalletError.STORE_VERSION,
            "the wallet's content has version " + version + "; this program reads " + VERSION);
      }
    } catch (BufferUnderflowException e) {
      throw new WalletException(WalletError.STORE_CORRUPT, "the wallet file is empty", e);
    }
  }

  private static void write(StateWriter out, PendingRegistration registration) {
    out.bytes(Codecs.toBytes(registration.request()))
        .optional(
            registration.caseId(), (w, opened) -> w.text(opened.id()).text(opened.accessToken()));
  }

  private static PendingRegistration registration(StateReader in) {
    return new PendingRegistration(
        Codecs.registerRequest(in.bytes()), in.optional(StateCodec::registrationCase));
  }

  private static void write(StateWriter out, RegistrationCase opened) {
    out.text(opened.id()).text(opened.accessToken());
  }

  private static RegistrationCase registrationCase(StateReader in) {
    return new RegistrationCase(in.text(), in.text());
  }

  private static void write(StateWriter out, SpendableToken token) {
    out.u64(token.day()).u64(token.usableFrom()).fixed(token.token().encode());
  }

  private static SpendableToken token(StateReader in) {
    return new SpendableToken(in.u64(), in.u64(), Token.decode(in.fixed(Token.BYTES)));
  }

  private static void write(StateWriter out, PendingMint mint) {
    out.text(mint.fundingId())
        .text(mint.accessToken())
        .u32(mint.ordinal())
        .bytes(Codecs.toBytes(mint.request()));
  }

  private static PendingMint mint(StateReader in) {
    return new PendingMint(in.text(), in.text(), in.u32(), Codecs.mintRequest(in.bytes()));
  }

  private static void write(StateWriter out, PendingRedemption redemption) {
    out.u32(redemption.transfer())
        .bytes(Codecs.toBytes(redemption.request()))
        .each(redemption.partials(), (w, partial) -> w.bytes(Codecs.toBytes(partial)));
  }

  private static PendingRedemption redemption(StateReader in) {
    return new PendingRedemption(
        in.u32(),
        Codecs.transferRequest(in.bytes()),
        in.each(r -> Codecs.partialSignature(r.bytes())));
  }

  private static void write(StateWriter out, PendingDelivery delivery) {
    out.u32(delivery.transfer())
        .bytes(delivery.blob())
        .u8(code(delivery.stage()) | delivery.payee() << PAYEE_SHIFT)
        .u64(delivery.firstPostMillis());
  }

  private static PendingDelivery delivery(StateReader in) {
    int transfer = in.u32();
    byte[] blob = in.bytes();
    int code = in.u8();
    return new PendingDelivery(
        transfer, code >>> PAYEE_SHIFT, blob, stage(code & ((1 << PAYEE_SHIFT) - 1)), in.u64());
  }

  private static int code(PendingDelivery.Stage stage) {
    return switch (stage) {
      case WAITING -> 0;
      case POSTED -> 1;
      case SEEN -> 2;
    };
  }

  private static PendingDelivery.Stage stage(int code) {
    return switch (code) {
      case 0 -> PendingDelivery.Stage.WAITING;
      case 1 -> PendingDelivery.Stage.POSTED;
      case 2 -> PendingDelivery.Stage.SEEN;
      default -> throw new IllegalArgumentException("no delivery has this stage");
    };
  }

  private static void write(StateWriter out, Contact contact) {
    Address address = contact.address();
    out.text(contact.name())
        .fixed(address.apk().bytes())
        .fixed(address.encryptionKey().bytes())
        .text(address.mailbox().host())
        .optional(contact.requestKey(), (w, key) -> w.fixed(key.bytes()));
  }

  private static Contact contact(StateReader in) {
    return new Contact(
        in.text(),
        new Address(
            Apk.of(in.fixed(FieldElement.BYTES)),
            EncryptionKey.of(in.fixed(EncryptionKey.BYTES)),
            new Mailbox(in.text())),
        in.optional(r -> new Ed25519PublicKey(r.fixed(Ed25519PublicKey.BYTES))));
  }

  private static void write(StateWriter out, MailboxCursor cursor) {
    out.u64(cursor.sequence()).fixed(cursor.message().bytes());
  }

  private static MailboxCursor cursor(StateReader in) {
    return new MailboxCursor(in.u64(), Digest32.of(in.fixed(Digest32.BYTES)));
  }

  private static void write(StateWriter out, RuleMark mark) {
    out.u64(mark.version()).fixed(mark.digest().bytes());
  }

  private static RuleMark mark(StateReader in) {
    return new RuleMark(in.u64(), Digest32.of(in.fixed(Digest32.BYTES)));
  }
}
