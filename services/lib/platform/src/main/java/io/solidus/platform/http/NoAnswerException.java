package io.solidus.platform.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no whole answer within the limits. The message continues a sentence: "did not ...". */
public final class NoAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  NoAnswerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
