package io.solidus.wallet.mailbox;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.json.Base64Url;

/**
 * A blob as text, to be handed from the payer's device to the payee's: {@code sld:parcel:} and the
 * blob in base64url. Only the payee's wallet can open it.
 */
@Spec("F-50")
public final class ParcelText {
  private static final String PREFIX = "sld:parcel:";

  private ParcelText() {}

  /** The text of a blob of {@link ParcelCipher#BLOB_BYTES} bytes. */
  public static String write(byte[] blob) {
    return PREFIX + Base64Url.encode(blob);
  }

  /**
   * Reads a text; white space around it is ignored.
   *
   * @throws WalletException {@code parcel-invalid}
   */
  public static byte[] read(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith(PREFIX)) {
      throw invalid("not a parcel: its text begins with " + PREFIX);
    }
    byte[] blob;
    try {
      blob = Base64Url.decode(stripped.substring(PREFIX.length()), "parcel");
    } catch (ProtocolException e) {
      throw invalid("the text of the parcel is damaged");
    }
    if (blob.length != ParcelCipher.BLOB_BYTES) {
      throw invalid("the text of the parcel is not complete");
    }
    return blob;
  }

  private static WalletException invalid(String detail) {
    return new WalletException(WalletError.PARCEL_INVALID, detail);
  }
}
