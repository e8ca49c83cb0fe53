package io.solidus.wallet.store;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingMint;
import io.solidus.wallet.model.PendingRedemption;
import io.solidus.wallet.model.PendingRegistration;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.WalletState;
import io.solidus.wire.Codecs;
import java.nio.BufferUnderflowException;
import java.util.Arrays;
import java.util.LinkedHashSet;

/**
 * Encodes the content of the wallet's file: a version, the seed phrase's entropy, and the state.
 */
final class StateCodec {
  static final int ENTROPY_BYTES = 32;
  private static final int VERSION = 4;

  private StateCodec() {}

  /** The encoded content; the caller clears it. */
  static byte[] encode(byte[] entropy, WalletState state) {
    try (StateWriter out = new StateWriter()) {
      out.u8(VERSION).fixed(entropy);
      ProfileCodec.write(out, state.profile());
      out.u8(state.restoring() ? 1 : 0)
          .optional(state.registration(), StateCodec::write)
          .optional(state.compliance(), CoinCodec::write)
          .optional(state.pending(), (w, request) -> w.bytes(Codecs.toBytes(request)))
          .each(state.coins(), CoinCodec::write)
          .each(state.seenRhos(), StateWriter::field)
          .each(state.receivedCoins(), CoinCodec::write)
          .each(state.transfers(), CoinCodec::write)
          .each(state.abandoned(), CoinCodec::write)
          .each(state.mints(), StateCodec::write)
          .each(state.deliveries(), StateCodec::write)
          .each(state.redemptions(), StateCodec::write)
          .u64(state.mailboxCursor().sequence())
          .fixed(state.mailboxCursor().message().bytes())
          .optional(state.policyMark(), StateCodec::write)
          .optional(state.checkpointMark(), StateCodec::write);
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
   * The state.
   *
   * @throws WalletException {@code store-corrupt} or {@code store-version}
   */
  static WalletState decode(byte[] content) {
    StateReader in = new StateReader(content);
    requireVersion(in);
    try {
      in.fixed(ENTROPY_BYTES);
      WalletState state =
          new WalletState(
              ProfileCodec.read(in),
              in.u8() == 1,
              in.optional(StateCodec::registration),
              in.optional(CoinCodec::complianceCoin),
              in.optional(r -> Codecs.transferRequest(r.bytes())),
              in.each(CoinCodec::coin),
              new LinkedHashSet<>(in.each(StateReader::field)),
              in.each(CoinCodec::received),
              in.each(CoinCodec::transfer),
              in.each(CoinCodec::abandoned),
              in.each(StateCodec::mint),
              in.each(StateCodec::delivery),
              in.each(StateCodec::redemption),
              new MailboxCursor(in.u64(), Digest32.of(in.fixed(Digest32.BYTES))),
              in.optional(StateCodec::mark),
              in.optional(StateCodec::mark));
      in.requireEnd();
      requireSame(content, state);
      return state;
    } catch (RuntimeException e) {
      throw new WalletException(
          WalletError.STORE_CORRUPT,
          "the wallet file opens but its content is not a wallet's state",
          e);
    }
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
        Codecs.registerRequest(in.bytes()),
        in.optional(r -> new RegistrationCase(r.text(), r.text())));
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
        .u8(code(delivery.stage()))
        .u64(delivery.firstPostMillis());
  }

  private static PendingDelivery delivery(StateReader in) {
    return new PendingDelivery(in.u32(), in.bytes(), stage(in.u8()), in.u64());
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

  private static void write(StateWriter out, RuleMark mark) {
    out.u64(mark.version()).fixed(mark.digest().bytes());
  }

  private static RuleMark mark(StateReader in) {
    return new RuleMark(in.u64(), Digest32.of(in.fixed(Digest32.BYTES)));
  }
}
