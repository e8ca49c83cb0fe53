package io.solidus.wallet.cli;

import io.nayuki.qrcodegen.QrCode;
import java.util.Locale;

/**
 * Draws a QR code with block characters, two rows of modules per line. Light modules are drawn, so
 * that the code is dark on light on a dark terminal, as scanners expect.
 */
final class QrText {
  private static final int QUIET = 2;

  private QrText() {}

  /** Draws a URI in capitals, which mean the same in it and need a smaller QR code. */
  static String draw(String uri) {
    QrCode code = QrCode.encodeText(uri.toUpperCase(Locale.ROOT), QrCode.Ecc.MEDIUM);
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
