package io.solidus.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.solidus.protocol.ProtocolException;
import java.util.List;
import java.util.function.Function;

/** Checks that every decoder makes before it reads a value. */
final class StrictDecoding {
  private StrictDecoding() {}

  /** Refuses fields that this version does not know, because they must not be signed unread. */
  static <M extends Message> M known(M message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw ProtocolException.malformed("the message has unknown fields");
    }
    return message;
  }

  static void present(boolean has, String field) {
    if (!has) {
      throw ProtocolException.malformed("the field '" + field + "' is missing");
    }
  }

  static <A, B> List<B> all(
      List<A> in, int max, String field, Function<? super A, ? extends B> decode) {
    if (in.size() > max) {
      throw ProtocolException.malformed("the field '" + field + "' has too many entries");
    }
    return in.stream().<B>map(decode).toList();
  }

  static ByteString bytes(byte[] value) {
    return ByteString.copyFrom(value);
  }
}
