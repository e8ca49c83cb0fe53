package io.solidus.wallet.cli;

import io.nayuki.qrcodegen.QrCode;
import java.util.Locale;

/**
 * A QR code in characters, two rows of modules per line; dark on light, as scanners expect on a
 * dark terminal.
 */
final class QrText {
  private static final int QUIET = 2;

  private QrText() {}

  /** Bech32 in capitals means the same and fits QR's alphanumeric mode, which is denser. */
  static String draw(String address) {
    QrCode code = QrCode.encodeText(address.toUpperCase(Locale.ROOT), QrCode.Ecc.MEDIUM);
    StringBuilder text = new StringBuilder();
    for (int y = -QUIET; y < code.size + QUIET; y += 2) {
      for (int x = -QUIET; x < code.size + QUIET; x++) {
        text.append(cell(code.getModule(x, y), code.getModule(x, y + 1)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static char cell(boolean upperDark, boolean lowerDark) {
    if (upperDark) {
      return lowerDark ? ' ' : '▄';
    }
    return lowerDark ? '▀' : '█';
  }
}
