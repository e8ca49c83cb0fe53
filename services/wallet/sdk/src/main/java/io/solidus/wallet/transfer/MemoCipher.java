package io.solidus.wallet.transfer;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.RecoverMemo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.GCMSIVBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * Seals and opens the memo block of a transfer: 1024 bytes, 2560 of one to several payees,
 * AES-256-GCM-SIV (RFC 8452). The nonce is derived from the lead serial number, so that a retry
 * gives the same bytes. If two different memos are sealed under one serial number, this mode
 * reveals only whether they are equal.
 */
@Spec("W-04")
public final class MemoCipher {
  private static final int TAG_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final byte[] NONCE_DOMAIN =
      "solidus/memo-nonce/v1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRANSFER = "solidus/memo/v1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PAYMENTS =
      "solidus/memo-payments/v1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECOVER =
      "solidus/recover-memo/v1".getBytes(StandardCharsets.US_ASCII);

  private final WalletKeys keys;

  public MemoCipher(WalletKeys keys) {
    this.keys = keys;
  }

  /**
   * The memo block: {@link Attachments#MEMO_BYTES} bytes, of a transfer to several payees {@link
   * Attachments#LONG_MEMO_BYTES}.
   */
  @Spec("F-81")
  public byte[] seal(SerialNumber lead, Memo memo) {
    boolean several = memo.payees().size() > 1;
    int length = several ? Attachments.LONG_MEMO_BYTES : Attachments.MEMO_BYTES;
    return seal(lead, several ? PAYMENTS : TRANSFER, MemoCodec.encode(memo, length - TAG_BYTES));
  }

  /** The memo block of a recover, {@link Attachments#MEMO_BYTES} bytes. */
  public byte[] seal(SerialNumber lead, RecoverMemo memo) {
    return seal(lead, RECOVER, RecoverMemoCodec.encode(memo, Attachments.MEMO_BYTES - TAG_BYTES));
  }

  /** The memo; empty when this wallet did not seal it. */
  public Optional<Memo> open(SerialNumber lead, byte[] block) {
    byte[] associated = block.length == Attachments.LONG_MEMO_BYTES ? PAYMENTS : TRANSFER;
    return open(lead, associated, block).map(MemoCodec::decode);
  }

  /** The memo of a recover; empty when this wallet did not seal it. */
  public Optional<RecoverMemo> openRecover(SerialNumber lead, byte[] block) {
    return open(lead, RECOVER, block).map(RecoverMemoCodec::decode);
  }

  private byte[] seal(SerialNumber lead, byte[] associated, byte[] plain) {
    try {
      return run(true, lead, associated, plain);
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException("sealing a memo cannot fail", e);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  private Optional<byte[]> open(SerialNumber lead, byte[] associated, byte[] block) {
    try {
      return Optional.of(run(false, lead, associated, block));
    } catch (InvalidCipherTextException e) {
      return Optional.empty();
    }
  }

  @Spec("F-06")
  private byte[] run(boolean sealing, SerialNumber lead, byte[] associated, byte[] input)
      throws InvalidCipherTextException {
    GCMSIVBlockCipher cipher = new GCMSIVBlockCipher(AESEngine.newInstance());
    cipher.init(
        sealing,
        new AEADParameters(
            new KeyParameter(keys.memoKey()), TAG_BYTES * 8, nonce(lead), associated));
    byte[] out = new byte[cipher.getOutputSize(input.length)];
    int length = cipher.processBytes(input, 0, input.length, out, 0);
    length += cipher.doFinal(out, length);
    return Arrays.copyOf(out, length);
  }

  private static byte[] nonce(SerialNumber lead) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(NONCE_DOMAIN);
      return Arrays.copyOf(sha256.digest(lead.bytes()), NONCE_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
