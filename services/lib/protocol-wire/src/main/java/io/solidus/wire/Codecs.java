package io.solidus.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Converts domain values to and from protobuf.
 *
 * <p>{@code toDomain} is strict: wrong lengths, missing parts, unknown fields, families or counts
 * throw {@link ProtocolException} with the code of the rule. {@code toBytes} is canonical (fields
 * in order, nothing optional). The methods that read bytes accept only that form, so stored bytes
 * and their value determine each other.
 */
public final class Codecs {
  /** The longest accepted input. Longer input is refused before it is parsed. */
  public static final int MAX_BYTES = 64 * 1024;

  private Codecs() {}

  public static io.solidus.wire.v1.TransferRequest toWire(TransferRequest request) {
    return TransferCodec.encode(request);
  }

  public static TransferRequest toDomain(io.solidus.wire.v1.TransferRequest message) {
    return TransferCodec.decode(message);
  }

  public static io.solidus.wire.v1.TransferStatement toWire(TransferStatement statement) {
    return TransferCodec.encode(statement);
  }

  public static TransferStatement toDomain(io.solidus.wire.v1.TransferStatement message) {
    return TransferCodec.decode(message);
  }

  public static io.solidus.wire.v1.RecoverRequest toWire(RecoverRequest request) {
    return RecoverCodec.encode(request);
  }

  public static RecoverRequest toDomain(io.solidus.wire.v1.RecoverRequest message) {
    return RecoverCodec.decode(message);
  }

  public static io.solidus.wire.v1.PartialSignature toWire(PartialSignature partial) {
    return TransferCodec.encode(partial);
  }

  public static PartialSignature toDomain(io.solidus.wire.v1.PartialSignature message) {
    return TransferCodec.decode(message);
  }

  public static io.solidus.wire.v1.PartialSignature toWire(Answer answer) {
    return TransferCodec.encode(answer);
  }

  /** An authority's answer, which may have a part in the epoch before. */
  public static Answer toAnswer(io.solidus.wire.v1.PartialSignature message) {
    return TransferCodec.decodeAnswer(message);
  }

  public static io.solidus.wire.v1.RegisterRequest toWire(RegisterRequest request) {
    return IssueCodec.encode(request);
  }

  public static RegisterRequest toDomain(io.solidus.wire.v1.RegisterRequest message) {
    return IssueCodec.decode(message);
  }

  public static io.solidus.wire.v1.MintRequest toWire(MintRequest request) {
    return IssueCodec.encode(request);
  }

  public static MintRequest toDomain(io.solidus.wire.v1.MintRequest message) {
    return IssueCodec.decode(message);
  }

  public static io.solidus.wire.v1.SignedStates toWire(SignedStates states) {
    return StatesCodec.encode(states);
  }

  public static SignedStates toDomain(io.solidus.wire.v1.SignedStates message) {
    return StatesCodec.decode(message);
  }

  /** What a signed state says about a stored request: SHA-256 of its canonical bytes. */
  public static Digest32 digest(TransferRequest request) {
    return Digest32.sha256(toBytes(request));
  }

  public static byte[] toBytes(TransferRequest request) {
    return toWire(request).toByteArray();
  }

  public static byte[] toBytes(RecoverRequest request) {
    return toWire(request).toByteArray();
  }

  public static byte[] toBytes(RegisterRequest request) {
    return toWire(request).toByteArray();
  }

  public static byte[] toBytes(MintRequest request) {
    return toWire(request).toByteArray();
  }

  public static byte[] toBytes(PartialSignature partial) {
    return toWire(partial).toByteArray();
  }

  public static byte[] toBytes(Answer answer) {
    return toWire(answer).toByteArray();
  }

  public static TransferRequest transferRequest(byte[] bytes) {
    return read(
        bytes, io.solidus.wire.v1.TransferRequest.parser(), Codecs::toDomain, Codecs::toBytes);
  }

  public static RecoverRequest recoverRequest(byte[] bytes) {
    return read(
        bytes, io.solidus.wire.v1.RecoverRequest.parser(), Codecs::toDomain, Codecs::toBytes);
  }

  public static RegisterRequest registerRequest(byte[] bytes) {
    return read(
        bytes, io.solidus.wire.v1.RegisterRequest.parser(), Codecs::toDomain, Codecs::toBytes);
  }

  public static MintRequest mintRequest(byte[] bytes) {
    return read(bytes, io.solidus.wire.v1.MintRequest.parser(), Codecs::toDomain, Codecs::toBytes);
  }

  public static PartialSignature partialSignature(byte[] bytes) {
    return read(
        bytes, io.solidus.wire.v1.PartialSignature.parser(), Codecs::toDomain, Codecs::toBytes);
  }

  public static Answer answer(byte[] bytes) {
    return read(
        bytes, io.solidus.wire.v1.PartialSignature.parser(), Codecs::toAnswer, Codecs::toBytes);
  }

  private static <M extends Message, D> D read(
      byte[] bytes, Parser<M> parser, Function<M, D> decode, Function<D, byte[]> encode) {
    if (bytes.length > MAX_BYTES) {
      throw ProtocolException.malformed("the message is too long");
    }
    D value;
    try {
      value = decode.apply(parser.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw ProtocolException.malformed("the message cannot be parsed");
    }
    if (!Arrays.equals(encode.apply(value), bytes)) {
      throw ProtocolException.malformed("the message is not in canonical form");
    }
    return value;
  }
}
